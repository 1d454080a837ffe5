//! From derivations to runs, and to reasons that people read.
//!
//! - In: a program as templates, the formula that the solver has evaluated (`calculus::system`), and a derivation of its query, or the entries that runs get to.
//! - Out: ways through the program, the runs that these are, filled in with concrete values, and derivations in terms of the program.
//! - Never: read a formula file or know what one says about its tuples, decide what an answer is worth, or show a run that has not been replayed as one that has.

#![forbid(unsafe_code)]

mod concrete;
mod from_derivation;
mod known_steps;
mod reasons;
mod shortest;
mod sufficient;
mod terms;
mod way;

pub use concrete::{Concretiser, LastReturn, NotConcrete};
pub use from_derivation::{NoWay, Ways, follow};
pub use known_steps::{KnownSteps, StateId};
pub use reasons::{
    Basis, Facts, Ground, Reason, Reply, Tell, follows_choices, kept as kept_reasons, lines, listed,
    plain_reasons, reasons,
};
pub use shortest::{Reached, ShortestError, shortest};
pub use sufficient::suffices;
pub use terms::{Cell, Situation, Spot, Terms};
pub use way::{Way, shortest_way};
