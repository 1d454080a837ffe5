// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  uint32_t reg = __VERIFIER_nondet_uint();
  unsigned bit = __VERIFIER_nondet_uint() % 32;
  uint32_t set = reg | (1u << bit);
  uint32_t clear = set & ~(1u << bit);
  assert((set >> bit) & 1);
  assert(!((clear >> bit) & 1));
  return 0;
}
