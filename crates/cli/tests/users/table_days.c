// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  int month = __VERIFIER_nondet_int();
  if (month < 1 || month > 12) return 0;
  assert(days[month - 1] >= 28 && days[month - 1] <= 31);
  return 0;
}
