// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
  uint32_t v = __VERIFIER_nondet_uint();
  uint32_t x = v;
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  x = (x * 0x01010101u) >> 24;
  uint32_t n = 0;
  for (int i = 0; i < 32; i++) n += (v >> i) & 1;
  assert(n == x);
  return 0;
}
