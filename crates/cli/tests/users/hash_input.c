// expect: UNREACHABLE
#include <assert.h>
#include <stdio.h>
#define SIZE 101
static int table[SIZE];
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  for (int i = 0; i < 1000; i++) {
    unsigned key = __VERIFIER_nondet_uint();
    unsigned h = (key * 2654435761u) % SIZE;
    assert(h < SIZE);
    table[h] = 1;
  }
  return 0;
}
