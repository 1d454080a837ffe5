// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int larger(int a, int b) { return a > b ? a : b; }
typedef int (*binary)(int, int);
static const binary table[] = {add, sub, larger};
int main(void) {
  int which = __VERIFIER_nondet_int();
  if (which < 0 || which > 2) return 0;
  int r = table[which](5, 3);
  assert(r == 8 || r == 2 || r == 5);
  return 0;
}
