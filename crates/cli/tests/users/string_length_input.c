// expect: UNREACHABLE
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char s[16];
  for (int i = 0; i < 15; i++) s[i] = __VERIFIER_nondet_char();
  s[15] = '\0';
  int n = 0;
  while (s[n] != '\0') n++;
  assert(n < 16);
  return 0;
}
