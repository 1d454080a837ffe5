// expect: REACHABLE
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = x;
  int n = 0;
  while (y) { y &= y - 1; n++; }
  assert(n < 32);
  return 0;
}
