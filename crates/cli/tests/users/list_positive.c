// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
static struct node *push(struct node *head, int v) {
  struct node *n = malloc(sizeof(struct node));
  if (!n) abort();
  n->v = v;
  n->next = head;
  return n;
}
int main(void) {
  struct node *list = NULL;
  int x;
  while ((x = __VERIFIER_nondet_int()) != 0)
    if (x > 0) list = push(list, x);
  for (struct node *p = list; p; p = p->next) assert(p->v > 0);
  return 0;
}
