// expect: REACHABLE
#include <assert.h>
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2 };
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned mode = __VERIFIER_nondet_uint();
  if (mode > (READ | WRITE | EXEC)) return 0;
  if (mode & WRITE) mode |= READ;
  assert((mode & (WRITE | EXEC)) != (WRITE | EXEC));
  return 0;
}
