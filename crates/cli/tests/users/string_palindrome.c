// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
#include <stdbool.h>
static bool palindrome(const char *s) {
  size_t i = 0, j = strlen(s);
  while (i + 1 < j) { if (s[i] != s[j - 1]) return false; i++; j--; }
  return true;
}
int main(void) {
  assert(palindrome("racecar"));
  assert(!palindrome("racecars"));
  assert(palindrome(""));
  return 0;
}
