// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned char page[64];
  memset(page, 0xff, sizeof page);
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 64) assert(page[i] == 0xff);
  memset(page, 0, 32);
  for (i = 0; i < 32; i++) assert(page[i] == 0);
  return 0;
}
