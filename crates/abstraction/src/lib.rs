//! Exact predicate abstraction: an integer program becomes a recursive state machine with one bit a predicate.
//!
//! - In: an integer program with ghosts, predicates for each of its functions, an SMT solver.
//! - Out: an [`Abstraction`], an ordinary machine that has, for each run of the program, the run that the predicates see; beside it a [`rsm::Game`], which says where the machine knows that the program goes on and which of its choices are inputs.
//! - Never: choose predicates, or drop a step of the program, whatever the solver does not know.
//!
//! Source: YASM 2008; the definitions are in docs/predicates.md.
//!
//! Invariants: every step of the program has its step of the machine, whatever the solver does not know; the machine has no other
//! steps between cubes, as far as one step at a time can tell, unless an edge is counted as [`Statistics::n_inexact`]. All predicates are locals, so that
//! what a call does to a predicate of its caller is never guessed.

#![forbid(unsafe_code)]

mod predicates;

mod factor;
mod relation;

mod activity;
mod edges;
mod game;

mod machine;
mod text;

pub mod values;

pub use factor::{Bit, Cache, Condition, Factor, Parts};
pub use machine::{Abstraction, Back, Statistics, abstraction};
pub use predicates::{Predicate, Predicates};
pub use text::text;
