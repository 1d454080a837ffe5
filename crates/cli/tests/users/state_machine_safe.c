// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef enum { IDLE, CONNECTING, CONNECTED, CLOSING } state_t;
int main(void) {
  state_t s = IDLE;
  int open = 0;
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (event == -1) break;
    switch (s) {
    case IDLE: if (event == 1) s = CONNECTING; break;
    case CONNECTING: if (event == 2) { s = CONNECTED; open++; } else if (event == 3) s = IDLE; break;
    case CONNECTED: if (event == 4) s = CLOSING; break;
    case CLOSING: open--; s = IDLE; break;
    }
    assert(open == (s == CONNECTED || s == CLOSING));
  }
  return 0;
}
