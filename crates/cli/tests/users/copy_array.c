// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define N 50
int main(void) {
  int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  memcpy(b, a, sizeof(a));
  for (int i = 0; i < N; i++) assert(a[i] == b[i]);
  return 0;
}
