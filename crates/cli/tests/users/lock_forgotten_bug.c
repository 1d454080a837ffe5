// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a, b;
static void lock(int *l) { assert(*l == 0); *l = 1; }
static void unlock(int *l) { assert(*l == 1); *l = 0; }
int main(void) {
  int tries = 0;
  while (__VERIFIER_nondet_int()) {
    lock(&a);
    if (__VERIFIER_nondet_int()) { lock(&b); tries++; unlock(&b); }
    else if (tries > 3) continue;
    unlock(&a);
  }
  return 0;
}
