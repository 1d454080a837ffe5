// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct account { int id; long balance; };
static int withdraw(struct account *a, long amount) {
  if (amount <= 0 || amount > a->balance) return 0;
  a->balance -= amount;
  return 1;
}
int main(void) {
  struct account acc = {1, 100};
  for (int i = 0; i < 10; i++) {
    withdraw(&acc, __VERIFIER_nondet_int());
    assert(acc.balance >= 0);
  }
  assert(acc.id == 1);
  return 0;
}
