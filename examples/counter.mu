// A binary counter of any width: one file for every size.
//
// `#param n = 4` declares a constant that sizes arrays and bounds positions; the command line may set it:
//
//   getafix mu examples/counter.mu
//   getafix mu --param n=10 examples/counter.mu
//
// The counter visits 2^n values one by one, so a large n shows what a time limit does:
//
//   getafix mu --param n=40 --timeout 1s examples/counter.mu

#param n = 4;

class Counter { bool bit[n]; };

bool Zero(Counter s) forall i in 0..n - 1. !s.bit[i];
bool Full(Counter s) forall i in 0..n - 1. s.bit[i];

// t = s + 1, by ripple carry; the carry out of the last bit is dropped.
bool Next(Counter s, Counter t)
  s ~+ t
  exists bool carry[n + 1].
    carry[0] &
    (forall i in 0..n - 1.
      (t.bit[i] <-> (s.bit[i] <+> carry[i])) & (carry[i + 1] <-> (s.bit[i] & carry[i])));

mu bool Reach(Counter s)
    Zero(s)
  | (exists Counter p. Reach(p) & Next(p, s));

exists Counter s. Full(s) & Reach(s);
forall Counter s. Reach(s);
#ons Reach;

// Output:
//> true
//> true
//> #ons Reach 16
