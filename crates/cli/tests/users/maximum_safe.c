// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N 100
int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int max = a[0];
  for (int i = 1; i < N; i++)
    if (a[i] > max) max = a[i];
  for (int i = 0; i < N; i++) assert(a[i] <= max);
  return 0;
}
