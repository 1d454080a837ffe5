// expect: UNREACHABLE
#include <assert.h>
#include <stdbool.h>
#define CAPACITY 10
extern int __VERIFIER_nondet_int(void);
typedef struct { int items[CAPACITY]; int top; } Stack;
static void init(Stack *s) { s->top = 0; }
static bool push(Stack *s, int x) {
  if (s->top == CAPACITY) return false;
  s->items[s->top++] = x;
  return true;
}
static bool pop(Stack *s, int *x) {
  if (s->top == 0) return false;
  *x = s->items[--s->top];
  return true;
}
int main(void) {
  Stack s;
  int x;
  init(&s);
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) push(&s, __VERIFIER_nondet_int());
    else pop(&s, &x);
    assert(s.top >= 0 && s.top <= CAPACITY);
  }
  return 0;
}
