// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int parity_loop(uint8_t x) { int p = 0; while (x) { p ^= x & 1; x >>= 1; } return p; }
static int parity_fold(uint8_t x) { x ^= x >> 4; x ^= x >> 2; x ^= x >> 1; return x & 1; }
int main(void) {
  uint8_t x = __VERIFIER_nondet_uchar();
  assert(parity_loop(x) == parity_fold(x));
  return 0;
}
