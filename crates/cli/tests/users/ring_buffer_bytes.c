// expect: UNREACHABLE --target memory
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char ring[256];
static unsigned char rd, wr;
int main(void) {
  for (;;) {
    unsigned op = __VERIFIER_nondet_uint();
    if (op == 0) break;
    if (op & 1) { ring[wr++] = (unsigned char)(op >> 1); if (wr == rd) rd++; }
    else if (rd != wr) op = ring[rd++];
  }
  return 0;
}
