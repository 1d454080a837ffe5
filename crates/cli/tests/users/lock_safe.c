// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int locked = 0;
static void lock(void) { assert(locked == 0); locked = 1; }
static void unlock(void) { assert(locked == 1); locked = 0; }
int main(void) {
  int old, new_ = 0;
  do {
    lock();
    old = new_;
    if (__VERIFIER_nondet_int()) { unlock(); new_++; }
  } while (new_ != old);
  unlock();
  return 0;
}
