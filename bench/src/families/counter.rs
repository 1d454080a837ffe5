//! A counter of n bits: every value is reached, one a round.

use super::{each, file};

/// The counter of `n` bits, at least 1.
pub fn text(n: usize) -> String {
    let n = n.max(1);
    let zero = each(n, " & ", |i| format!("!s[{i}]"));
    let body = format!(
        "bool Zero(bool s[{n}])\n  {zero};\n\n\
         bool Step(bool s[{n}], bool t[{n}]) s ~+ t\n  {};\n\n\
         mu bool Reachable(bool s[{n}])\n  \
         Zero(s) |\n  (exists bool r[{n}]. Reachable(r) & Step(r, s));\n\n\
         #ons Reachable;\n\n\
         forall bool s[{n}]. Reachable(s);\n",
        increment(n, "s", "t")
    );
    let values = 1u128 << n;
    file(&format!("A counter of {n} bits."), &[values.to_string(), "true".to_owned()], &body)
}

/// `to` is `from` plus one modulo 2^n, both arrays of bits, lowest first.
pub(super) fn increment(n: usize, from: &str, to: &str) -> String {
    each(n, " &\n  ", |i| match i {
        0 => format!("{to}[0] != {from}[0]"),
        _ => {
            let carry = each(i, " & ", |j| format!("{from}[{j}]"));
            format!("({to}[{i}] <-> ({from}[{i}] <+> ({carry})))")
        }
    })
}
