// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
typedef struct node { int data; struct node *next; } node_t;
static node_t *cons(int x, node_t *rest) {
  node_t *n = malloc(sizeof *n);
  if (!n) abort();
  n->data = x;
  n->next = rest;
  return n;
}
static int length(const node_t *l) { int n = 0; while (l) { n++; l = l->next; } return n; }
static void destroy(node_t *l) { while (l) { node_t *t = l; l = l->next; free(t); } }
int main(void) {
  node_t *l = NULL;
  for (int i = 0; i < 5; i++) l = cons(i, l);
  assert(length(l) == 5);
  printf("%d\n", l->data);
  destroy(l);
  return 0;
}
