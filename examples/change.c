// Change with as few coins as possible: the greedy way, and the best way, by trying everything.
// The coins are 1, 3 and 4. Is the greedy way ever worse?

extern int nondet_int(void);
extern void reach_error(void);

int greedy(int amount) {
  int coins = 0;
  while (amount >= 4) {
    amount -= 4;
    coins++;
  }
  while (amount >= 3) {
    amount -= 3;
    coins++;
  }
  return coins + amount;
}

int best(int amount) {
  if (amount < 3)
    return amount;
  int coins = best(amount - 1);
  int other = best(amount - 3);
  if (other < coins)
    coins = other;
  if (amount >= 4) {
    other = best(amount - 4);
    if (other < coins)
      coins = other;
  }
  return coins + 1;
}

int main(void) {
  int amount = nondet_int();
  if (amount < 0 || amount > 20)
    return 0;
  if (greedy(amount) > best(amount))
    reach_error();
  return 0;
}

// expect: reachable
