// A lock that is taken and given back for as long as the environment likes. No number of runs shows that it is never
// taken twice; predicates do.
extern int nondet_int(void);
extern void reach_error(void);

int locked;

void acquire(void) {
  if (locked)
    reach_error();
  locked = 1;
}

void release(void) {
  if (!locked)
    reach_error();
  locked = 0;
}

int main(void) {
  while (nondet_int()) {
    acquire();
    if (nondet_int()) {
      release();
      acquire();
    }
    release();
  }
  return 0;
}
