// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned a = 1, b = 0;
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) {
    a = (a + __VERIFIER_nondet_uchar()) % 65521;
    b = (b + a) % 65521;
  }
  assert(a < 65521 && b < 65521);
  return 0;
}
