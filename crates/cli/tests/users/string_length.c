// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
static size_t my_strlen(const char *s) {
  const char *p = s;
  while (*p) p++;
  return (size_t)(p - s);
}
int main(void) {
  assert(my_strlen("") == 0);
  assert(my_strlen("hello") == 5);
  assert(my_strlen("hello, world") == strlen("hello, world"));
  return 0;
}
