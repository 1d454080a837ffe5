// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void insertion_sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i - 1;
    while (j > 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}
int main(void) {
  int a[6];
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  insertion_sort(a, 6);
  for (int i = 0; i < 5; i++) assert(a[i] <= a[i + 1]);
  return 0;
}
