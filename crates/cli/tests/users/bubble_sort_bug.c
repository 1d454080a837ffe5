// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void sort(int a[], int n) {
  int i, j;
  for (i = 0; i < n - 2; i++)
    for (j = 0; j < n - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}
int main() {
  int a[4], i;
  for (i = 0; i < 4; i++)
    a[i] = __VERIFIER_nondet_int();
  sort(a, 4);
  for (i = 0; i < 3; i++)
    assert(a[i] <= a[i + 1]);
  return 0;
}
