// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int gcd(int a, int b) {
  while (b != 0) { int t = a % b; a = b; b = t; }
  return a;
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) return 0;
  int g = gcd(a, b);
  assert(g > 0);
  assert(g <= b || g <= a);
  return 0;
}
