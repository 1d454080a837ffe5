// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void swap(int *a, int *b) { *a ^= *b; *b ^= *a; *a ^= *b; }
int main(void) {
  int v[3];
  for (int i = 0; i < 3; i++) v[i] = i + 1;
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 2 || j < 0 || j > 2) return 0;
  swap(&v[i], &v[j]);
  assert(v[0] + v[1] + v[2] == 6);
  return 0;
}
