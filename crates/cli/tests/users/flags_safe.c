// expect: UNREACHABLE
#include <assert.h>
#define F_OPEN 0x01u
#define F_DIRTY 0x02u
#define F_LOCKED 0x04u
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned flags = 0;
  for (;;) {
    switch (__VERIFIER_nondet_int()) {
    case 0: flags |= F_OPEN; break;
    case 1: if (flags & F_OPEN) flags |= F_DIRTY; break;
    case 2: flags &= ~(F_OPEN | F_DIRTY); break;
    case 3: flags ^= F_LOCKED; break;
    default: return 0;
    }
    assert(!(flags & F_DIRTY) || (flags & F_OPEN));
  }
}
