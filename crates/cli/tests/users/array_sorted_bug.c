// expect: REACHABLE
// judged with 5 in place of 50000
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[50000];
int main(void) {
  int swapped = 1;
  for (int i = 0; i < 50000; i++) a[i] = __VERIFIER_nondet_int();
  while (swapped) {
    swapped = 0;
    for (int i = 1; i < 50000; i++)
      if (a[i - 1] < a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; swapped = 1; }
  }
  for (int i = 1; i < 50000; i++)
    if (a[i - 1] > a[i]) reach_error();
  return 0;
}
