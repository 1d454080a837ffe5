// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static const unsigned char nib[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int n = 0, m = 0;
  for (int i = 0; i < 32; i += 4) n += nib[(x >> i) & 15];
  for (int i = 0; i < 32; i++) m += (x >> i) & 1;
  assert(n == m);
  return 0;
}
