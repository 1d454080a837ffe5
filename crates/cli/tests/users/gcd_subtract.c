// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint() % 100 + 1, b = __VERIFIER_nondet_uint() % 100 + 1;
  unsigned x = a, y = b;
  while (x != y) if (x > y) x -= y; else y -= x;
  assert(x >= 1 && x <= 100);
  return 0;
}
