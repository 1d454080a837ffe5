// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct { int *data; size_t first, n, capacity; } Queue;
static Queue *make(size_t capacity) {
  Queue *q = malloc(sizeof *q);
  if (!q) exit(1);
  q->data = malloc(capacity * sizeof(int));
  if (!q->data) exit(1);
  q->first = q->n = 0;
  q->capacity = capacity;
  return q;
}
static void put(Queue *q, int x) { q->data[(q->first + q->n++) % q->capacity] = x; }
static int get(Queue *q) {
  int x = q->data[q->first];
  q->first = (q->first + 1) % q->capacity;
  q->n--;
  return x;
}
int main(void) {
  Queue *q = make(3);
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  put(q, a);
  put(q, b);
  assert(get(q) == a);
  put(q, 5);
  assert(get(q) == b);
  assert(get(q) == 5);
  assert(q->n == 0);
  free(q->data);
  free(q);
  return 0;
}
