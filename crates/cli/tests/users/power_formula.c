// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 20) return 0;
  long p = 1;
  for (int i = 0; i < n; i++) p *= 2;
  assert(p == 1L << n);
  return 0;
}
