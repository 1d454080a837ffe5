//! Where predicates and claims about integer programs come from.
//!
//! [`invariants`] makes a claim of a model of the program's Horn clauses, [`atoms()`] are the comparisons of a claim. Nothing here is believed: claims are checked by
//! [`proof`], and a predicate can be wrong in no way.

#![forbid(unsafe_code)]

mod atoms;
pub mod invariants;

pub use atoms::atoms;
