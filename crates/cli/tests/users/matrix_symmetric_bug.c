// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N 4
int m[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) m[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      if (j != 3) m[i][j] = m[j][i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) assert(m[i][j] == m[j][i]);
  return 0;
}
