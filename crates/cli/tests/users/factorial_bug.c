// expect: REACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned factorial(unsigned n) { return n == 0 ? 1 : n * factorial(n - 1); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 15) return 0;
  assert(factorial(n) <= factorial(n + 1));
  return 0;
}
