// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof(struct node));
    if (n == NULL) break;
    n->value = 7;
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p != NULL; p = p->next)
    assert(p->value == 7);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
