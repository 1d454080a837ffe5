// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[6], b[6];
  for (int i = 0; i < 6; i++) b[i] = a[i] = __VERIFIER_nondet_int();
  for (int i = 0, j = 5; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; }
  for (int i = 0; i < 6; i++) assert(a[i] == b[5 - i]);
  return 0;
}
