// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned char buf[100];
  memset(buf, 0xff, sizeof buf);
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 100) n = 100;
  memset(buf, 0, n);
  for (unsigned i = 0; i < 100; i++)
    if (i < n) assert(buf[i] == 0);
    else assert(buf[i] == 255);
  return 0;
}
