// A sorted list on the heap. A number that is there already is not stored a second time: is that so?
//
//   getafix check examples/list.c --html list.html
//
// The page shows the list as it grows: behind the tab "Memory" as a picture, which follows the arrow keys.

typedef unsigned long size_t;
extern void *malloc(size_t size);
extern unsigned char nondet_uchar(void);
extern void reach_error(void);

struct node {
  int key;
  struct node *next;
};

struct node *first;

void insert(int key) {
  struct node **at = &first;
  while (*at && (*at)->key < key)
    at = &(*at)->next;
  struct node *new = malloc(sizeof *new);
  new->key = key;
  new->next = *at;
  *at = new;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    insert(nondet_uchar() % 4);
  for (struct node *at = first; at->next; at = at->next)
    if (at->key == at->next->key)
      reach_error();
  return 0;
}

// expect: reachable
