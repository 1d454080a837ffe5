// expect: UNREACHABLE
#include <assert.h>
#include <stdint.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static uint8_t checksum(const uint8_t *data, unsigned n) {
  uint8_t sum = 0;
  for (unsigned i = 0; i < n; i++) sum += data[i];
  return (uint8_t)~sum;
}
int main(void) {
  uint8_t packet[5];
  for (int i = 0; i < 4; i++) packet[i] = __VERIFIER_nondet_uchar();
  packet[4] = checksum(packet, 4);
  uint8_t total = 0;
  for (int i = 0; i < 5; i++) total += packet[i];
  assert(total == 0xff);
  return 0;
}
