// expect: UNREACHABLE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char *argv[]) {
  int n = 10;
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1) n = 1;
  if (n > 1000) { fprintf(stderr, "%s: too large\n", argv[0]); return EXIT_FAILURE; }
  int x = n;
  while (x > 1) x /= 2;
  assert(x == 1);
  return EXIT_SUCCESS;
}
