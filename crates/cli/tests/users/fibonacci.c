// expect: UNREACHABLE
#include <assert.h>
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
  int memo[15] = {0, 1};
  for (int i = 2; i < 15; i++) memo[i] = memo[i - 1] + memo[i - 2];
  for (int i = 0; i < 15; i++) assert(memo[i] == fib(i));
  return 0;
}
