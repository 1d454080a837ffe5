//! Questions about integers to a solver of the SMT-LIB language.
//!
//! - In: questions in SMT-LIB, complete in themselves; the path of a solver.
//! - Out: answers of a [`Solver`], which engines are handed; *unknown*, with the reason, for what is not answered.
//! - Never: know programs, leave a process behind, turn a failure into an answer.
//!
//! Contract: knows no program. A [`Solver`] is a capability that engines are handed. A query is complete in itself, so that a solver that dies in the
//! middle of one can be started anew and asked again. What a solver does not answer is [`Answer::Unknown`]; a solver never makes
//! a verdict wrong by giving up. [`Pipe`] is a solver in a process of its own, which [`find()`] finds; [`Horn`] is its engine for Horn clauses; [`Recorded`] is none at all, for tests.

#![forbid(unsafe_code)]

mod query;

mod find;

mod lifeline;
mod pipe;
mod process;
pub mod sexpr;

mod decide;
mod horn;
mod share;

mod recorded;

pub use decide::{Bits, decide};
pub use find::{INSTALL, NotFound, OLDEST, VARIABLE, find, find_in, places};
pub use horn::{Begins, Horn, Manner, Solution};
pub use pipe::{Pipe, Settings};
pub use process::end_all;
pub use query::{Answer, Assumption, Cubes, Model, Query, Solver, Why};
pub use recorded::{Asked, Recorded};
pub use share::Share;
