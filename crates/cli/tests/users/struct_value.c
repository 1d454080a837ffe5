// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef struct { int x, y; } point;
static point add(point a, point b) { point r = {a.x + b.x, a.y + b.y}; return r; }
static point mirror(point p) { p.x = -p.x; return p; }
int main(void) {
  point p = {__VERIFIER_nondet_int(), 2};
  if (p.x < -1000 || p.x > 1000) return 0;
  point q = mirror(p);
  point s = add(p, q);
  assert(s.x == 0 && s.y == 4);
  assert(p.x == -q.x);
  return 0;
}
