// expect: UNREACHABLE
#include <assert.h>
int nondet_int(void);
int main(void) {
  int a[4] = {0};
  for (int i = 0; i < 4; ++i)
    a[i] = nondet_int();
  for (int i = 1; i < 4; ++i) {
    int key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = key;
  }
  for (int i = 0; i < 3; ++i)
    assert(a[i] <= a[i + 1]);
  return 0;
}
