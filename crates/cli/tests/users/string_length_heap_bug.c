// expect: REACHABLE --target memory
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
  for (int i = 0; i < n; i++) s[i] = 'x';
  int l = length(s);
  free(s);
  return l;
}
