// expect: UNREACHABLE
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
int main(void) {
  int c;
  while ((c = getchar()) != EOF) {
    if (c >= 'a' && c <= 'z') c = c - 'a' + 'A';
    assert(!(c >= 'a' && c <= 'z'));
    putchar(c);
  }
  return 0;
}
