// expect: UNREACHABLE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000];
int search(int n, int x) {
  int lo = 0, hi = n - 1;
  while (lo <= hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] == x) return mid;
    if (a[mid] < x) lo = mid + 1; else hi = mid - 1;
  }
  return -1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int k = search(n, 42);
  if (k != -1 && a[k] != 42) reach_error();
  return 0;
}
