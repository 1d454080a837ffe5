// stdio.h: what is read is an input, what is written leaves no trace.

// A letter, or the end of what there is to read.
int getchar(void) {
  if (__VERIFIER_nondet_bool())
    return -1;
  return __VERIFIER_nondet_uchar();
}

// What `scanf` does for each of its conversions: a number is stored, or it gives up.
int __scanf_char(char *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_char(); return 1; }
int __scanf_short(short *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_short(); return 1; }
int __scanf_ushort(unsigned short *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_ushort(); return 1; }
int __scanf_int(int *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_int(); return 1; }
int __scanf_uint(unsigned *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_uint(); return 1; }
int __scanf_long(long *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_long(); return 1; }
int __scanf_ulong(unsigned long *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_ulong(); return 1; }
int __scanf_longlong(long long *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_longlong(); return 1; }
int __scanf_ulonglong(unsigned long long *to) { if (__VERIFIER_nondet_bool()) return 0; *to = __VERIFIER_nondet_ulonglong(); return 1; }

// What it gives if it has stored nothing: 0, or the end of what there is to read.
int __scanf_nothing(void) { return -__VERIFIER_nondet_bool(); }
