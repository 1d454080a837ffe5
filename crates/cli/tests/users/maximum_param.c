// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int maximum(int *a, int n) {
  int m = a[0];
  for (int i = 1; i < n; i++)
    if (m < a[i]) m = a[i];
  return m;
}
int main(void) {
  int a[6], n = 6;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int m = maximum(a, n);
  for (int i = 0; i < n; i++) assert(m >= a[i]);
  return 0;
}
