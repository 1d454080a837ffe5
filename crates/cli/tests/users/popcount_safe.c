// expect: UNREACHABLE
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
int popcount(unsigned x) {
  int n = 0;
  while (x) { n += x & 1; x >>= 1; }
  return n;
}
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int n = popcount(x);
  assert(n >= 0 && n <= 32);
  return 0;
}
