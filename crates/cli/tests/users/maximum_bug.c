// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[5];
  int max = 0;
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) if (a[i] > max) max = a[i];
  int found = 0;
  for (int i = 0; i < 5; i++) if (a[i] == max) found = 1;
  assert(found);
  return 0;
}
