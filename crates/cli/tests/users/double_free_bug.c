// expect: REACHABLE --target memory
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
  char *p = malloc(10);
  if (!p) return 1;
  p[0] = 'x';
  if (argc > 3) { free(p); }
  free(p);
  return 0;
}
