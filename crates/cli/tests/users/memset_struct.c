// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
struct config { int verbose; int level; unsigned limit; };
int main(void) {
  struct config c;
  memset(&c, 0, sizeof c);
  assert(c.verbose == 0 && c.level == 0 && c.limit == 0);
  c.level = 3;
  struct config d;
  memcpy(&d, &c, sizeof d);
  assert(d.level == 3);
  return 0;
}
