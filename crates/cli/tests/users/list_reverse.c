// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  struct node *l = 0, *r = 0;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->v = i; n->next = l; l = n;
  }
  while (l) { struct node *t = l->next; l->next = r; r = l; l = t; }
  int expected = 0;
  for (struct node *p = r; p; p = p->next) assert(p->v == expected++);
  while (r) { struct node *t = r->next; free(r); r = t; }
  return 0;
}
