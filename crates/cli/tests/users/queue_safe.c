// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define SIZE 8
struct queue { int buf[SIZE]; int head, tail, count; };
int enqueue(struct queue *q, int v) {
  if (q->count == SIZE) return 0;
  q->buf[q->tail] = v;
  q->tail = (q->tail + 1) % SIZE;
  q->count++;
  return 1;
}
int dequeue(struct queue *q, int *v) {
  if (q->count == 0) return 0;
  *v = q->buf[q->head];
  q->head = (q->head + 1) % SIZE;
  q->count--;
  return 1;
}
int main(void) {
  struct queue q = {.head = 0, .tail = 0, .count = 0};
  int v = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int() % 2 == 0) enqueue(&q, 1);
    else dequeue(&q, &v);
    assert(q.count >= 0 && q.count <= SIZE);
    assert(q.head < SIZE && q.tail < SIZE);
  }
  return 0;
}
