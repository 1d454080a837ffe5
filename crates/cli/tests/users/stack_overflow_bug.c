// expect: REACHABLE
#include <assert.h>
#define MAX 4
extern int __VERIFIER_nondet_int(void);
struct stack { int data[MAX]; int n; };
void push(struct stack *s, int x) {
  if (s->n <= MAX) { s->n++; if (s->n <= MAX) s->data[s->n - 1] = x; }
}
int main(void) {
  struct stack s = {{0}, 0};
  for (int i = 0; i < 6; i++) if (__VERIFIER_nondet_int() > 0) push(&s, i);
  assert(s.n <= MAX);
  return 0;
}
