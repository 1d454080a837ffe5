// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define CAP 64
struct queue { int items[CAP]; int head, tail, count; };
static int put(struct queue *q, int v) {
  if (q->count == CAP) return 0;
  q->items[q->tail] = v;
  q->tail = (q->tail + 1) % CAP;
  q->count++;
  return 1;
}
static int get(struct queue *q, int *v) {
  if (q->count == 0) return 0;
  *v = q->items[q->head];
  q->head = (q->head + 1) % CAP;
  q->count--;
  return 1;
}
int main(void) {
  struct queue q = {{0}, 0, 0, 0};
  int v;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(&q, __VERIFIER_nondet_int());
    else get(&q, &v);
    assert(q.count >= 0 && q.count <= CAP);
    assert(q.head >= 0 && q.head < CAP);
    assert((q.head + q.count) % CAP == q.tail);
  }
  return 0;
}
