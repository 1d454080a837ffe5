// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum light { RED, GREEN, YELLOW };
int main(void) {
  enum light ns = RED, ew = GREEN;
  int timer = 0;
  while (__VERIFIER_nondet_int()) {
    timer++;
    if (ew == GREEN && timer > 5) { ew = YELLOW; timer = 0; }
    else if (ew == YELLOW) { ew = RED; ns = GREEN; timer = 0; }
    else if (ns == GREEN && timer > 7) { ns = YELLOW; timer = 0; }
    else if (ns == YELLOW) { ns = RED; ew = GREEN; timer = 0; }
    assert(ns == RED || ew == RED);
    assert(timer <= 8);
  }
  return 0;
}
