// expect: UNREACHABLE --target memory
#include <stdio.h>
static int buckets[97];
static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 + (unsigned char)*s++;
  return h;
}
int main(void) {
  char word[20];
  int n = 0, c;
  while (n < 19 && (c = getchar()) > ' ') word[n++] = (char)c;
  word[n] = '\0';
  buckets[hash(word) % 97]++;
  return 0;
}
