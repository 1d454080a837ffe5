#param n = 60;
class Counter { bool bit[n]; };
bool Next(Counter s, Counter t)
  exists bool carry[n+1].
    carry[0] & (forall i in 0..n-1.
      (t.bit[i] <-> (s.bit[i] <+> carry[i])) & (carry[i+1] <-> (s.bit[i] & carry[i])));
mu bool Reach(Counter s) (forall i in 0..n-1. !s.bit[i]) | (exists Counter p. Reach(p) & Next(p, s));
mu bool Loop(bool x) !Loop(x);
bool Uses() Loop(1);
#reset Reach;
true;
//! stderr: warning
//> true
