// expect: UNREACHABLE
#include <assert.h>
#include <stdio.h>
static void copy(char *to, const char *from) { while ((*to++ = *from++)) ; }
int main(void) {
  char buf[8];
  copy(buf, "getafix");
  for (int i = 0; i < 8; i++) assert(buf[i] == "getafix"[i]);
  puts(buf);
  return 0;
}
