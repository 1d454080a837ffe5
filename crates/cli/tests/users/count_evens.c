// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[10], evens = 0, odds = 0;
  for (int i = 0; i < 10; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 10; i++) if (a[i] % 2 == 0) evens++; else odds++;
  assert(evens + odds == 10);
  return 0;
}
