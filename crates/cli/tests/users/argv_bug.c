// expect: REACHABLE
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int percent = atoi(argv[1]);
  if (percent < 0) return 1;
  int rest = 100 - percent;
  assert(rest >= 0);
  return 0;
}
