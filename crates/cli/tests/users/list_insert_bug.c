// expect: REACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
struct node *insert(struct node *head, int key) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  if (!head || head->key > key) { n->next = head; return n; }
  struct node *p = head;
  if (p->next && p->next->key < key) p = p->next;
  n->next = p->next;
  p->next = n;
  return head;
}
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) list = insert(list, __VERIFIER_nondet_int());
  for (struct node *p = list; p->next; p = p->next) assert(p->key <= p->next->key);
  return 0;
}
