//! stderr: warning
//! stderr: a_negated_occurrence_is_a_warning.mu:7:
//! stderr: `R`
enum E { a, b, c };
mu bool R(E x)
  x = a | R(x) | x = b &
  !R(c);
// Round 1 has a and b, since c is missing; round 2 has the same.
#ons R;
R(b);
//> #ons R 2
//> true
