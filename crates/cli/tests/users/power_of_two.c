// expect: UNREACHABLE
#include <assert.h>
#include <stdbool.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
static bool is_power_of_two(unsigned x) { return x && !(x & (x - 1)); }
int main(void) {
  unsigned short x = __VERIFIER_nondet_ushort();
  int ones = 0;
  for (unsigned y = x; y; y >>= 1) ones += y & 1;
  assert(is_power_of_two(x) == (ones == 1));
  return 0;
}
