// expect: UNREACHABLE
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = clamp(x, -128, 127);
  signed char c = (signed char)y;
  assert(c == y);
  if (x >= -128 && x <= 127) assert(y == x);
  return 0;
}
