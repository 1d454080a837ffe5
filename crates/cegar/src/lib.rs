//! Integer programs by predicate abstraction: a program and predicates become an abstraction, formulas answer it, and what they found is put in
//! the program's own terms.
//!
//! - In: an integer program, a question, an SMT solver that it is handed.
//! - Out: a verdict with a run that was executed or a claim that was checked, or why it is unknown.
//! - Never: believe a claim, a predicate or a path that has not been checked; read, write, look at a clock.

#![forbid(unsafe_code)]

mod analysis;
mod control;
mod invariants;

mod candidates;
mod prover;
mod task;

mod ahead;
mod attempt;
mod bounded;
mod endless;
mod engine;
mod misuse;
mod overflow;
mod strategy;

mod ranking;
mod strengthen;
mod synthesis;
mod termination;

pub use analysis::Analysis;
pub use attempt::{Attempt, STAGES};
pub use candidates::Candidate;
pub use control::controlled;
pub use engine::Cegar;
pub use prover::{Proof, Prover};
pub use task::Task;
pub use termination::{Ending, prove_ending};
