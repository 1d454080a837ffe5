// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[10], i, x;
  for (i = 0; i < 10; i++) a[i] = 3 * i;
  x = __VERIFIER_nondet_int();
  if (x < 0 || x > 27) return 0;
  int lo = 0, hi = 10, found = 0;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] == x) { found = 1; break; }
    if (a[mid] < x) lo = mid + 1; else hi = mid;
  }
  assert(found == (x % 3 == 0));
  return 0;
}
