// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[6];
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < 6; i++) {
    int v = a[i], j = i;
    while (j > 1 && a[j - 1] > v) { a[j] = a[j - 1]; j--; }
    a[j] = v;
  }
  for (int i = 1; i < 6; i++) assert(a[i - 1] <= a[i]);
  return 0;
}
