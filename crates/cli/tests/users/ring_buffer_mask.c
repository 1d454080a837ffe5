// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum { LEN = 8 };
int buf[LEN];
unsigned head, tail;
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      unsigned next = (head + 1) & (LEN - 1);
      if (next != tail) { buf[head] = 1; head = next; }
    } else if (tail != head) {
      tail = (tail + 1) & (LEN - 1);
    }
    assert(head < LEN && tail < LEN);
  }
  return 0;
}
