// expect: UNREACHABLE
#include <stdio.h>
#include <assert.h>
#define MAX 50
int main(void) {
  int values[MAX], n = 0, x;
  while (n < MAX && scanf("%d", &x) == 1 && x > 0) values[n++] = x;
  for (int i = 0; i < n; i++) assert(values[i] > 0);
  return 0;
}
