//! Where predicates and claims about integer programs come from, and whether a path can be taken.
//!
//! [`invariants`] makes a claim of a model of the program's Horn clauses, [`atoms()`] are the comparisons of a claim, [`feasible()`] asks whether a path can be
//! taken. Nothing here is believed: claims are checked by [`proof`], runs are replayed, and a predicate can be wrong in no way.

#![forbid(unsafe_code)]

mod atoms;
mod feasible;
pub mod invariants;

pub use atoms::atoms;
pub use feasible::{Feasible, PathQuery, feasible, path_query};
