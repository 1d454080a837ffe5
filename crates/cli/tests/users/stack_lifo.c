// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int stack[16];
static unsigned sp;
void push(int v) { if (sp < 16) stack[sp++] = v; }
int pop(void) { return sp > 0 ? stack[--sp] : -1; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  push(a);
  push(b);
  assert(pop() == b);
  assert(pop() == a);
  assert(sp == 0);
  return 0;
}
