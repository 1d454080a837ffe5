// expect: UNREACHABLE --assume defined
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 1000
int main(void) {
  int a[N], b[N], c[N], n = __VERIFIER_nondet_int();
  if (n < 0 || n > N) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) b[i] = a[i];
  int i = 0;
  while (i < n) { c[i] = b[i]; i++; }
  for (i = n - 1; i >= 0; i--)
    if (c[i] != a[i]) reach_error();
  return 0;
}
