// Stands before a program whose runs are looked at: inputs come from a list, what a target is ends the process with 42.
#include <stdlib.h>
#include <unistd.h>
#define main main_of_the_program
static unsigned long long run_number, next_input, seed;
static unsigned long long mixed(unsigned long long x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
// Numbers that stand in the program.
static long long *constants;
static unsigned long long n_constants;
// Of four runs one goes through all short lists of small numbers, one has numbers near those of the program, one numbers of a range, and one whatever there is.
static long long input(void) {
  static const long long limits[] = {2147483647, -2147483647 - 1, 4294967295, 255, 128, -128, 65535, 21};
  static const int ranges[][2] = {{0, 3}, {-50, 50}, {-50, -1}, {0, 20}, {-12, 12}, {0, 255}, {1, 9}, {-200, 200}};
  // Who goes on as long as somebody wants has shown enough.
  if (next_input > 200)
    _exit(0);
  unsigned long long n = next_input++, number = mixed(seed ^ mixed(run_number * 1000 + n));
  if (run_number % 4 == 0) {
    unsigned long long rest = run_number / 4;
    for (unsigned long long k = 0; k < n && rest; k++)
      rest /= 7;
    if (rest)
      return (long long)(rest % 7) - 1;
  }
  if (run_number % 4 == 1 && n_constants)
    return constants[number % n_constants] + (run_number % 8 == 1 ? 0 : (long long)(number / n_constants % 3) - 1);
  if (run_number % 4 == 2) {
    const int *range = ranges[run_number / 4 % (sizeof ranges / sizeof *ranges)];
    return range[0] + (long long)(number % (unsigned)(range[1] - range[0] + 1));
  }
  switch (number % 10) {
  case 0: return limits[number / 10 % (sizeof limits / sizeof *limits)];
  case 1: return (long long)(number >> 8);
  case 2: return (long long)(number / 10 % 256);
  case 3: return (long long)(number / 10 % 2001) - 1000;
  default: return (long long)(number / 10 % 16) - 3;
  }
}
int nondet_int(void) { return (int)input(); }
int __VERIFIER_nondet_int(void) { return (int)input(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)input(); }
char __VERIFIER_nondet_char(void) { return (char)input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)input(); }
short __VERIFIER_nondet_short(void) { return (short)input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)input(); }
long __VERIFIER_nondet_long(void) { return (long)input(); }
void reach_error(void) { _exit(42); }
void __VERIFIER_error(void) { _exit(42); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) { _exit(42); }
