// stdlib.h: numbers, and what comes from outside.

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

// A text may stand for any number.
int atoi(const char *text) { return __VERIFIER_nondet_int(); }
long atol(const char *text) { return __VERIFIER_nondet_long(); }
long long atoll(const char *text) { return __VERIFIER_nondet_longlong(); }

// From 0 to RAND_MAX.
int rand(void) { return __VERIFIER_nondet_uint() & 2147483647; }
long random(void) { return __VERIFIER_nondet_uint() & 2147483647; }
int rand_r(unsigned *state) { *state = __VERIFIER_nondet_uint(); return __VERIFIER_nondet_uint() & 2147483647; }
void srand(unsigned seed) { }
void srandom(unsigned seed) { }
