// expect: UNREACHABLE
#include <assert.h>
#include <string.h>
#define BUCKETS 16
static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 + (unsigned char)*s++;
  return h;
}
int main(void) {
  const char *names[] = {"one", "two", "three", "four"};
  for (int i = 0; i < 4; i++) {
    unsigned b = hash(names[i]) % BUCKETS;
    assert(b < BUCKETS);
  }
  assert(hash("one") == hash("one"));
  return 0;
}
