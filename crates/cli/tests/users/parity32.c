// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned v = __VERIFIER_nondet_uint(), w = v;
  int p = 0;
  for (int i = 0; i < 32; i++) if ((v >> i) & 1u) p = !p;
  w ^= w >> 16; w ^= w >> 8; w ^= w >> 4; w ^= w >> 2; w ^= w >> 1;
  assert(p == (int)(w & 1));
  return 0;
}
