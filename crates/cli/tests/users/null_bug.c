// expect: REACHABLE --target memory
#include <stdlib.h>
#include <stdio.h>
struct item { int key; int value; };
static struct item items[3] = {{1, 10}, {2, 20}, {3, 30}};
static struct item *lookup(int key) {
  for (int i = 0; i < 3; i++) if (items[i].key == key) return &items[i];
  return NULL;
}
int main(void) {
  int key;
  if (scanf("%d", &key) != 1) return 1;
  printf("%d\n", lookup(key)->value);
  return 0;
}
