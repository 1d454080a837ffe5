// expect: UNREACHABLE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char d[4], x = 0, y = 0;
  for (int i = 0; i < 4; i++) { d[i] = __VERIFIER_nondet_uchar(); x ^= d[i]; }
  for (int i = 3; i >= 0; i--) y ^= d[i];
  assert((x ^ y) == 0);
  return 0;
}
