// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void count(int n, int *calls) { (*calls)++; if (n > 0) count(n - 1, calls); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 30) return 0;
  int calls = 0;
  count(n, &calls);
  assert(calls == n + 1);
  return 0;
}
