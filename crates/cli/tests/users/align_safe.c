// expect: UNREACHABLE
#include <assert.h>
#include <stddef.h>
extern unsigned __VERIFIER_nondet_uint(void);
static size_t align_up(size_t n, size_t a) { return (n + a - 1) & ~(a - 1); }
int main(void) {
  size_t n = __VERIFIER_nondet_uint();
  size_t m = align_up(n, 16);
  assert(m % 16 == 0);
  assert(m >= n && m - n < 16);
  return 0;
}
