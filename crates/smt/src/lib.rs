//! Questions about integers to a solver of the SMT-LIB language.
//!
//! Contract: knows no program. A [`Solver`] is a capability that engines are handed. A query is complete in itself, so that a solver that dies in the
//! middle of one can be started anew and asked again. What a solver does not answer is [`Answer::Unknown`]; a solver never makes
//! a verdict wrong by giving up.

#![forbid(unsafe_code)]

mod query;

pub use query::{Answer, Assumption, Cubes, Model, Query, Solver, Why};
