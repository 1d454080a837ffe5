// expect: UNREACHABLE --property valid-memsafety --assume defined
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int *a = malloc(n * sizeof(int));
  int *lo = a, *hi = a + n - 1;
  while (lo < hi) { int t = 1; *lo = t; *hi = -t; lo++; hi--; }
  free(a);
  return 0;
}
