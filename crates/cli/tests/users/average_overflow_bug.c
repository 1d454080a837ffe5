// expect: REACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned average = (a + b) / 2;
  assert(average >= a || average >= b);
  return 0;
}
