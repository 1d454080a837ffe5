// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
typedef struct { int *data; int size, capacity; } vector;
static void push(vector *v, int x) {
  if (v->size == v->capacity) {
    int capacity = v->capacity ? 2 * v->capacity : 2;
    int *data = realloc(v->data, capacity * sizeof(int));
    if (!data) exit(1);
    v->data = data;
    v->capacity = capacity;
  }
  v->data[v->size++] = x;
}
int main(void) {
  vector v = {NULL, 0, 0};
  for (int i = 0; i < 9; i++) push(&v, i * i);
  assert(v.size == 9 && v.capacity == 16);
  assert(v.data[8] == 64);
  free(v.data);
  return 0;
}
