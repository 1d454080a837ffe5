// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
static int compare(const char *a, const char *b) {
  while (*a && *a == *b) { a++; b++; }
  return (unsigned char)*a - (unsigned char)*b;
}
int main(void) {
  assert(compare("abc", "abc") == 0);
  assert(compare("abc", "abd") < 0);
  assert(compare("abcd", "abc") > 0);
  assert(strcmp("x", "x") == 0);
  return 0;
}
