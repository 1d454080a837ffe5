// expect: UNREACHABLE --target memory --assume defined
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int length(const char *s) {
  const char *p = s;
  while (*p) p++;
  return p - s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10000) return 0;
  char *s = malloc(n);
  s[n - 1] = 0;
  int l = length(s);
  free(s);
  return l;
}
