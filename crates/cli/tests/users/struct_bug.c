// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct time { int hours, minutes; };
static void add_minutes(struct time *t, int m) {
  t->minutes += m;
  if (t->minutes >= 60) { t->minutes -= 60; t->hours++; }
}
int main(void) {
  struct time t = {23, 30};
  int m = __VERIFIER_nondet_int();
  if (m < 0 || m > 59) return 0;
  add_minutes(&t, m);
  assert(t.hours < 24);
  return 0;
}
