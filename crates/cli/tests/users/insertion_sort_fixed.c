// expect: UNREACHABLE
#include <stdio.h>
#include <stdlib.h>
static void insertion_sort(int *v, size_t n) {
  for (size_t i = 1; i < n; i++) {
    int x = v[i];
    size_t j = i;
    for (; j > 0 && v[j - 1] > x; j--)
      v[j] = v[j - 1];
    v[j] = x;
  }
}
int main(void) {
  int v[] = {9, 4, 7, 1, 8, 2, 2, 5, 0, 3};
  size_t n = sizeof v / sizeof v[0];
  insertion_sort(v, n);
  for (size_t i = 0; i + 1 < n; i++)
    if (v[i] > v[i + 1])
      abort();
  printf("sorted\n");
  return 0;
}
