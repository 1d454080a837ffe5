// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
typedef struct tree { int key; struct tree *left, *right; } tree;
static tree *insert(tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) exit(1);
    t->key = key;
  } else if (key < t->key) t->left = insert(t->left, key);
  else t->right = insert(t->right, key);
  return t;
}
static int size(const tree *t) { return t ? 1 + size(t->left) + size(t->right) : 0; }
static void destroy(tree *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }
int main(void) {
  tree *t = NULL;
  int keys[] = {5, 2, 8, 1, 9};
  for (int i = 0; i < 5; i++) t = insert(t, keys[i]);
  assert(size(t) == 5);
  destroy(t);
  return 0;
}
