//! Where predicates and claims about integer programs come from, and whether a path can be taken.
//!
//! - In: an integer program, an SMT solver; a path.
//! - Out: claims that may be proofs, predicates, whether the path can be taken and why not.
//! - Never: be believed: claims are checked by [`proof`], runs are replayed.
//!
//! [`invariants`] makes a claim of a model of the program's Horn clauses, [`atoms()`] are the comparisons of a claim, [`feasible()`] asks whether a path can be
//! taken, and [`interpolants`] why not. Nothing here is believed: claims are checked by [`proof`], runs are replayed, and a predicate can be wrong in no way.

#![forbid(unsafe_code)]

mod atoms;
mod feasible;
pub mod interpolants;
pub mod invariants;

pub use atoms::atoms;
pub use feasible::{Feasible, PathQuery, feasible, path_query};
