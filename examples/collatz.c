// Half of an even number, three times an odd one and one more: how long until 1? The program reads nothing,
// so that executing it decides everything about it.

int steps(int n) {
  if (n == 1)
    return 0;
  if (n % 2 == 0)
    return 1 + steps(n / 2);
  return 1 + steps(3 * n + 1);
}

int main(void) {
  int n, longest = 0;
  for (n = 1; n < 1000; n++) {
    int length = steps(n);
    if (length > longest)
      longest = length;
  }
  if (longest != 178) {
    ERROR: return 1;
  }
  return 0;
}

// expect: unreachable
