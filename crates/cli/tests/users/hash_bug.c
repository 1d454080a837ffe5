// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define SIZE 7
int main(void) {
  int key = __VERIFIER_nondet_int();
  int slot = key % SIZE;
  assert(slot >= 0 && slot < SIZE);
  return 0;
}
