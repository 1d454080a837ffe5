// expect: UNREACHABLE
#include <assert.h>
#include <stdio.h>
int main(void) {
  int a[3][3], b[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, c[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a[i][j] = i == j;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) assert(c[i][j] == b[i][j]);
  puts("ok");
  return 0;
}
