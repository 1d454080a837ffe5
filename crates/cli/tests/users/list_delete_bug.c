// expect: REACHABLE --target memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = NULL, *p;
  for (int i = 0; i < 4; i++) {
    p = malloc(sizeof *p);
    p->v = __VERIFIER_nondet_int();
    p->next = head;
    head = p;
  }
  int key = __VERIFIER_nondet_int();
  for (p = head; p->next; p = p->next)
    if (p->next->v == key) {
      struct node *dead = p->next;
      free(dead);
      p->next = dead->next;
    }
  return 0;
}
