// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int counter;
static void increment(int x) { if (x > 0) counter++; }
static void each(const int *a, int n, void (*f)(int)) { for (int i = 0; i < n; i++) f(a[i]); }
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  each(a, 4, increment);
  assert(counter >= 0 && counter <= 4);
  return 0;
}
