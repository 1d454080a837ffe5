// expect: UNREACHABLE
// Numbers that nobody has written may be anything, but a copy of them is the same.
#include <stdlib.h>
#include <string.h>
extern int nondet_int(void);
extern void reach_error(void);

int main(void) {
  int *from = malloc(24 * sizeof(int)), *to = malloc(24 * sizeof(int));
  if (!from || !to)
    return 1;
  from[0] = 5;
  memcpy(to, from, 24 * sizeof(int));
  int k = nondet_int();
  if (k >= 0 && k < 24 && from[k] != to[k])
    reach_error();
  free(from);
  free(to);
  return 0;
}
