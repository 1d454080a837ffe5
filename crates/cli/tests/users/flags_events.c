// expect: UNREACHABLE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define OPEN 0x01u
#define DIRTY 0x10u
#define LOCK 0x80u
int main(void) {
  unsigned f = 0, op;
  while ((op = __VERIFIER_nondet_uint()) != 0) {
    switch (op) {
    case 1: f |= OPEN; break;
    case 2: if (f & OPEN) f |= DIRTY; break;
    case 3: f &= ~(OPEN | DIRTY); break;
    case 4: f ^= LOCK; break;
    }
    assert(!(f & DIRTY) || (f & OPEN));
    assert((f & ~0x91u) == 0);
  }
  return 0;
}
