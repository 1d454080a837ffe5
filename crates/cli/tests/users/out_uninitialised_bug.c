// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int parse(int x, int *out) {
  if (x > 100) return -1;
  *out = x;
  return 0;
}
int main(void) {
  int v = 0;
  int x = __VERIFIER_nondet_int();
  if (x < 0) return 0;
  parse(x, &v);
  assert(v == x);
  return 0;
}
