// expect: REACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned m = (n + 7) & ~7u;
  assert(m >= n);
  return 0;
}
