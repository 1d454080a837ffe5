// expect: UNREACHABLE --property valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int rc = 1, *a, *b = NULL, *c = NULL;
  a = malloc(10 * sizeof(int));
  if (!a) goto out;
  b = malloc(20 * sizeof(int));
  if (__VERIFIER_nondet_int()) goto free_b;
  c = calloc(5, sizeof(int));
  if (__VERIFIER_nondet_int()) goto free_c;
  for (int i = 0; i < 10; i++) a[i] = c[i / 2] + i;
  rc = 0;
free_c:
  free(c);
free_b:
  free(b);
  free(a);
out:
  return rc;
}
