// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef int (*handler)(int);
static int idle(int x) { return x == 1 ? 1 : 0; }
static int run(int x) { return x == 2 ? 2 : 1; }
static int stop(int x) { return x == 0 ? 0 : 2; }
static const handler table[] = {idle, run, stop};
int main(void) {
  int s = 0;
  while (__VERIFIER_nondet_int()) {
    s = table[s](__VERIFIER_nondet_int());
    assert(s >= 0 && s < 3);
  }
  return 0;
}
