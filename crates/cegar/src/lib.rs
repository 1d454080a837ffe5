//! Integer programs by predicate abstraction: a program and predicates become an abstraction, formulas answer it, and what they found is put in
//! the program's own terms.
//!
//! Contract: does no I/O; the SMT solver is a capability that it is handed.

#![forbid(unsafe_code)]

mod analysis;
mod invariants;

mod candidates;
mod prover;
mod task;

mod attempt;
mod endless;
mod engine;
mod overflow;
mod strategy;

mod ranking;
mod strengthen;
mod synthesis;
mod termination;

pub use analysis::Analysis;
pub use attempt::{Attempt, STAGES};
pub use candidates::Candidate;
pub use engine::{Cegar, Solved};
pub use prover::{Proof, Prover, Work};
pub use termination::{Ending, prove_ending};
