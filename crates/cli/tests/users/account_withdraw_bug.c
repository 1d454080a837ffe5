// expect: REACHABLE
#include <assert.h>
#include <stdio.h>
struct account { int id; long balance; };
static int withdraw(struct account *a, int amount) {
  if (amount > a->balance) return 0;
  a->balance -= amount;
  return 1;
}
int main(void) {
  struct account acc[3] = {{1, 100}, {2, 50}, {3, 0}};
  int id, amount;
  if (scanf("%d %d", &id, &amount) != 2 || id < 1 || id > 3) return 1;
  withdraw(&acc[id - 1], amount);
  assert(acc[id - 1].balance <= 100);
  return 0;
}
