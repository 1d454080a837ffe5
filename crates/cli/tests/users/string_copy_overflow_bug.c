// expect: REACHABLE --target memory
#include <string.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char name[8];
  const char *source = __VERIFIER_nondet_int() ? "Asterix" : "Vitalstatistix";
  strcpy(name, source);
  printf("%s\n", name);
  return 0;
}
