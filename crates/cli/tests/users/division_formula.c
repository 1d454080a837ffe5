// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || b < 1) return 0;
  int q = 0, r = a;
  while (r >= b) { r -= b; q++; }
  assert(r >= 0 && r < b);
  assert(q >= 0 && q <= a);
  return 0;
}
