// expect: REACHABLE --target memory
#include <stdlib.h>
struct node { int v; struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *head = NULL;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n && i < 10; i++) {
    struct node *x = malloc(sizeof *x);
    x->v = i; x->next = head; head = x;
  }
  for (struct node *p = head; p; p = p->next) free(p);
  return 0;
}
