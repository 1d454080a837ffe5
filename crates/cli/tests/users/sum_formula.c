// expect: UNREACHABLE
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000) return 0;
  unsigned s = 0;
  for (unsigned i = 1; i <= n; i++) s += i;
  assert(2 * s == n * (n + 1));
  return 0;
}
