// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
static uint32_t swap32(uint32_t x) {
  return (x >> 24) | ((x >> 8) & 0xff00u) | ((x << 8) & 0xff0000u) | (x << 24);
}
int main(void) {
  uint32_t x = __VERIFIER_nondet_uint();
  assert(swap32(swap32(x)) == x);
  return 0;
}
