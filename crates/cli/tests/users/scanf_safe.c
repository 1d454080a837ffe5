// expect: UNREACHABLE
#include <stdio.h>
#include <assert.h>
int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 0) n = 0;
  if (n > 100) n = 100;
  int steps = 0;
  while (n > 0) { n -= 3; steps++; }
  assert(n > -3);
  assert(steps <= 34);
  printf("%d\n", steps);
  return 0;
}
