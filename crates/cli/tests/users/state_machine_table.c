// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum { RED, GREEN, YELLOW, STATES };
static const int next[STATES] = {GREEN, YELLOW, RED};
int main(void) {
  int light = RED;
  while (__VERIFIER_nondet_int()) {
    int previous = light;
    light = next[light];
    assert(light >= 0 && light < STATES);
    assert(!(previous == RED && light == YELLOW));
  }
  return 0;
}
