//! A counter of n bits that wraps or saturates: from which states is it zero infinitely often?
//!
//! A least fixed point inside a greatest one. The answer is the wrapping half, 2^n states; the outer
//! fixed point needs a second round to see that the other half never comes back.

use super::counter::increment;
use super::{each, file};

/// The counter of `n` bits, at least 1.
pub fn text(n: usize) -> String {
    let n = n.max(1);
    let zero = each(n, " & ", |i| format!("!s.b[{i}]"));
    let full = each(n, " & ", |i| format!("s.b[{i}]"));
    let increment = increment(n, "s.b", "t.b");
    let body = format!(
        "class State {{ bool wraps; bool b[{n}]; }};\n\n\
         bool Zero(State s)\n  {zero};\n\n\
         bool Stuck(State s)\n  !s.wraps & {full};\n\n\
         bool Increment(State s, State t) s ~+ t\n  t.wraps = s.wraps & {increment};\n\n\
         bool Step(State s, State t) s ~+ t\n  Stuck(s) & s = t | !Stuck(s) & Increment(s, t);\n\n\
         {ALTERNATION}"
    );
    let values = 1u128 << n;
    file(
        &format!("A counter of {n} bits that wraps or saturates: zero infinitely often?"),
        &[values.to_string(), "true".to_owned(), "false".to_owned()],
        &body,
    )
}

const ALTERNATION: &str = "\
nu bool Again(State s);

mu bool Soon(State s)
  exists State t. Step(s, t) & (Zero(t) & Again(t) | Soon(t));

nu bool Again(State s)
  Soon(s);

#ons Again;

forall State s. s.wraps -> Again(s);

exists State s. !s.wraps & Again(s);
";
