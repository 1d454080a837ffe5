// expect: REACHABLE
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
struct op { char name; int (*apply)(int); };
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
int main(void) {
  struct op ops[2] = {{'d', twice}, {'s', square}};
  int i = __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int();
  if (i < 0 || i > 1 || x < 0 || x > 50) return 0;
  if (ops[i].apply(x) == 49) __VERIFIER_error();
  return 0;
}
