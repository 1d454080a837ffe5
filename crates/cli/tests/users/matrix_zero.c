// expect: UNREACHABLE
#include <assert.h>
int m[20][30];
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i, j;
  for (i = 0; i < 20; i++)
    for (j = 0; j < 30; j++)
      m[i][j] = 7;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i >= 0 && i < 20 && j >= 0 && j < 30)
    assert(m[i][j] == 7);
  return 0;
}
