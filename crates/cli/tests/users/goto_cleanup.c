// expect: UNREACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int live;
static int *get(void) { live++; return malloc(4 * sizeof(int)); }
static void put(int *p) { live--; free(p); }
int work(void) {
  int result = -1;
  int *a = NULL, *b = NULL;
  a = get();
  if (__VERIFIER_nondet_int()) goto out;
  b = get();
  if (__VERIFIER_nondet_int()) goto free_b;
  a[0] = 1;
  b[3] = a[0];
  result = b[3];
free_b:
  put(b);
out:
  put(a);
  return result;
}
int main(void) {
  int r = work();
  assert(live == 0);
  assert(r == 1 || r == -1);
  return 0;
}
