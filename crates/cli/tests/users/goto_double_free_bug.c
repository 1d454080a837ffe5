// expect: REACHABLE --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *buf = malloc(64);
  int state = __VERIFIER_nondet_int();
  if (state > 2) { free(buf); goto fail; }
  buf[63] = 0;
  if (state < -7) goto fail;
  free(buf);
  return 0;
fail:
  if (state != 5) free(buf);
  return 1;
}
