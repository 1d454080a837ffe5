// expect: UNREACHABLE --target memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int *a = malloc(n * sizeof(int));
  if (!a) return 1;
  for (int i = 0; i < n; i++) a[i] = i * i;
  int *p = a, *end = a + n;
  long sum = 0;
  while (p < end) sum += *p++;
  free(a);
  return sum > 0;
}
