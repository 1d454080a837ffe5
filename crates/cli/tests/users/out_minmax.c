// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void minmax(const int *a, int n, int *min, int *max) {
  *min = *max = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] < *min) *min = a[i];
    if (a[i] > *max) *max = a[i];
  }
}
int main(void) {
  int a[5], lo, hi;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  minmax(a, 5, &lo, &hi);
  assert(lo <= hi);
  assert(lo <= a[2] && a[2] <= hi);
  return 0;
}
