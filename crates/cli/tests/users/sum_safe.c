// expect: UNREACHABLE
#include <assert.h>
int main(void) {
  int a[10], sum = 0;
  for (int i = 0; i < 10; i++) a[i] = i + 1;
  for (int i = 0; i < 10; i++) sum += a[i];
  assert(sum == 55);
  return 0;
}
