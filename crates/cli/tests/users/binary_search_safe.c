// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static const int table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
int find(int x) {
  int lo = 0, hi = 7;
  while (lo <= hi) {
    int mid = lo + (hi - lo) / 2;
    if (table[mid] == x) return mid;
    if (table[mid] < x) lo = mid + 1;
    else hi = mid - 1;
  }
  return -1;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int at = find(x);
  assert(at >= -1 && at < 8);
  if (at >= 0) assert(table[at] == x);
  return 0;
}
