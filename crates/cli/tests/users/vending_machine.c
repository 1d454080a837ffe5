// expect: REACHABLE --target abort
#include <stdlib.h>
#include <stdio.h>
int main(void) {
  int credit = 0, coin;
  while (scanf("%d", &coin) == 1) {
    switch (coin) {
    case 5: case 10: case 20: credit += coin; break;
    case 0: if (credit >= 50) credit -= 50; break;
    default: return 0;
    }
    if (credit == 65) abort();
  }
  return 0;
}
