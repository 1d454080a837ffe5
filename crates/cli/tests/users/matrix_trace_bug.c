// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int m[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      m[i][j] = __VERIFIER_nondet_int();
      if (m[i][j] < -100 || m[i][j] > 100) return 0;
    }
  int det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  assert(det != 77);
  return 0;
}
