// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define CAP 16u
static uint8_t ring[CAP];
static uint32_t w, r;
static int put(uint8_t b) {
  if (w - r == CAP) return -1;
  ring[w % CAP] = b;
  w++;
  return 0;
}
static int get(uint8_t *b) {
  if (w == r) return -1;
  *b = ring[r % CAP];
  r++;
  return 0;
}
int main(void) {
  uint8_t x;
  for (;;) {
    unsigned c = __VERIFIER_nondet_uint();
    if (c == 0) break;
    if (c & 1) put((uint8_t)c); else get(&x);
    assert(w - r <= CAP);
  }
  return 0;
}
