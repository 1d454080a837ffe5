//! stderr: warning
//! stderr: a_non_positive_cycle_through_a_definition_is_a_warning.mu:7:
enum E { a, b };
mu bool R(E x) x = a | D(x);
bool D(E x) x = b &
  (R(x) |
  !R(a));
// Round 1: a, and b since a is missing. Round 2: a, and b since b is there.
#ons R;
//> #ons R 2
