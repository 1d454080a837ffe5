// expect: UNREACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define R 3
#define C 2
int main(void) {
  int m[R][C], t[C][R];
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++)
      m[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++)
      t[j][i] = m[i][j];
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++)
      assert(t[j][i] == m[i][j]);
  return 0;
}
