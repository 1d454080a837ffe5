// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void swap(int *a, int *b) {
  if (a == b) return;
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int a = x, b = y;
  swap(&a, &b);
  assert(a == y);
  assert(b == x);
  swap(&a, &a);
  assert(a == y);
  return 0;
}
