// expect: UNREACHABLE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a[8];
  int sum = 0;
  for (int i = 0; i < 8; i++) a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8; i++) sum += a[i];
  assert(sum >= 0 && sum <= 8 * 255);
  return 0;
}
