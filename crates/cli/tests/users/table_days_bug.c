// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int day_of_year(int month, int day) {
  int n = day;
  for (int m = 1; m < month; m++) n += days[m - 1];
  return n;
}
int main(void) {
  int month = __VERIFIER_nondet_int(), day = __VERIFIER_nondet_int();
  if (month < 1 || month > 12 || day < 1 || day > 31) return 0;
  assert(day_of_year(month, day) < 365);
  return 0;
}
