// expect: UNREACHABLE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int count(unsigned x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }
int main(void) {
  unsigned char b = __VERIFIER_nondet_uchar();
  int n = 0;
  for (int i = 0; i < 8; i++) n += (b >> i) & 1;
  assert(count(b) == n);
  return 0;
}
