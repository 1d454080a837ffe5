// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };
struct rect { struct point min, max; };
static int area(const struct rect *r) { return (r->max.x - r->min.x) * (r->max.y - r->min.y); }
int main(void) {
  struct rect r = {{0, 0}, {10, 5}};
  struct rect s = r;
  s.max.x = __VERIFIER_nondet_int();
  if (s.max.x < 0 || s.max.x > 10) return 0;
  assert(area(&s) <= area(&r));
  assert(r.max.x == 10);
  return 0;
}
