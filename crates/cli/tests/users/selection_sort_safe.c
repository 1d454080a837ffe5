// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) {
    int min = i;
    for (int j = i + 1; j < 4; j++)
      if (a[j] < a[min]) min = j;
    if (min != i) swap(&a[i], &a[min]);
  }
  assert(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]);
  return 0;
}
