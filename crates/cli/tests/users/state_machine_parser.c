// expect: REACHABLE
#include <assert.h>
#include <stdio.h>
int main(void) {
  enum { START, NUMBER, DONE } state = START;
  int value = 0, c;
  while (state != DONE && (c = getchar()) != EOF) {
    switch (state) {
    case START:
      if (c >= '0' && c <= '9') { value = c - '0'; state = NUMBER; }
      break;
    case NUMBER:
      if (c >= '0' && c <= '9') value = value * 10 + (c - '0');
      else state = DONE;
      break;
    default: break;
    }
  }
  assert(value < 200);
  return 0;
}
