// expect: UNREACHABLE
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
static int cmp(const char *a, const char *b) {
  while (*a && *a == *b) { a++; b++; }
  return *a - *b;
}
int main(void) {
  char s[6], t[6];
  for (int i = 0; i < 5; i++) { s[i] = __VERIFIER_nondet_char(); t[i] = s[i]; }
  s[5] = t[5] = 0;
  assert(cmp(s, t) == 0);
  return 0;
}
