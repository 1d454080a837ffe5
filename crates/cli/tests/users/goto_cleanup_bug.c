// expect: REACHABLE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int open_files;
int work(int fail) {
  int rc = -1;
  open_files++;
  if (fail == 1) goto err;
  open_files++;
  if (fail == 2) goto err;
  rc = 0;
  open_files--;
err:
  open_files--;
  return rc;
}
int main(void) {
  work(__VERIFIER_nondet_int());
  assert(open_files == 0);
  return 0;
}
