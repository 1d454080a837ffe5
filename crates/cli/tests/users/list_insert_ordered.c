// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static void insert(struct node **head, int key) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  while (*head && (*head)->key < key) head = &(*head)->next;
  n->next = *head;
  *head = n;
}
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) insert(&list, __VERIFIER_nondet_int());
  for (struct node *p = list; p && p->next; p = p->next)
    assert(p->key <= p->next->key);
  while (list) { struct node *t = list->next; free(list); list = t; }
  return 0;
}
