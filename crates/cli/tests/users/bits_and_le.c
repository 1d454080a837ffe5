// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  assert((x & y) <= x);
  assert((x | y) >= y);
  assert((x ^ y) == ((x | y) - (x & y)));
  assert((x & y) + (x | y) == x + y);
  return 0;
}
