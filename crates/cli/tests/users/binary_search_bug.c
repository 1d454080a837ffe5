// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int search(const int *a, int n, int x) {
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] == x) return mid;
    if (a[mid] < x) lo = mid + 1; else hi = mid - 1;
  }
  return -1;
}
int main(void) {
  int a[5] = {1, 4, 6, 9, 12};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 5) return 0;
  assert(search(a, 5, a[i]) == i);
  return 0;
}
