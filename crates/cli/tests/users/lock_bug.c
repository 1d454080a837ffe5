// expect: REACHABLE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct mutex { int held; };
static void acquire(struct mutex *m) { if (m->held) reach_error(); m->held = 1; }
static void release(struct mutex *m) { if (!m->held) reach_error(); m->held = 0; }
int work(struct mutex *m, int x) {
  acquire(m);
  if (x == 17) return -1;
  release(m);
  return 0;
}
int main(void) {
  struct mutex m = {0};
  work(&m, __VERIFIER_nondet_int());
  work(&m, __VERIFIER_nondet_int());
  return 0;
}
