// expect: REACHABLE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define CAP 3
int ring[CAP], head, count;
void put(int x) { ring[(head + count) % CAP] = x; count++; }
int get(void) { int x = ring[head]; head = (head + 1) % CAP; count--; return x; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5) return 0;
  for (int i = 0; i < n; i++) put(i);
  for (int i = 0; i < n; i++) assert(get() == i);
  return 0;
}
