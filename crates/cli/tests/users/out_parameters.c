// expect: UNREACHABLE
#include <assert.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
static bool divide(int a, int b, int *quotient, int *remainder) {
  if (b <= 0 || a < 0) return false;
  *quotient = a / b;
  *remainder = a % b;
  return true;
}
int main(void) {
  int q, r;
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (divide(a, b, &q, &r)) {
    assert(r >= 0 && r < b);
    assert(q >= 0);
  }
  return 0;
}
