//! From a concurrent program and a bound to a sequential program that asks the same question.
//!
//! - In: a concurrent program, goals, a bound.
//! - Out: the text of a sequential program whose label `ERROR` is reachable exactly if a goal is, within the bound.
//! - Never: answer the question itself.
//!
//! Contract: the result is the text of a sequential Boolean program in which the label `ERROR` is reachable exactly if
//! some thread of the concurrent program reaches a goal within the bound. It is made from the machine, not from the
//! syntax tree: each module becomes a function with a label for each node. The same input gives the same bytes.
//!
//! ```text
//!  Concurrent ──rename──▶ Concurrent, legal and distinct names ──function──▶ a function for each module
//!      └────────plan────▶ Plan: threads, goals, words         ──leave─────▶ how each of them changes contexts
//!                                                             ──driver────▶ how a thread runs
//!                                                             ──schedule──▶ `main`: who runs when
//! ```
//!
//! The shared variables stay ordinary globals: the values that the running thread sees. Beside them there are copies, one
//! for the beginning of each context. Wherever a thread is outside atomic regions it may end its context: the shared
//! values go to the copies, or are compared with them, and the thread goes on in its next context with the shared values
//! that are kept for it. So each thread runs through all its contexts without interruption. When it has no further
//! context it stops: a flag makes all its functions return.
//!
//! Papers: [`Scheme::Eager`] is due to Lal and Reps (CAV 2008): all copies are guessed at the beginning.
//! [`Scheme::Lazy`] is due to La Torre, Madhusudan and Parlato (CAV 2009): the contexts come in their order, and for each
//! one its thread runs again from its start.

#![forbid(unsafe_code)]

mod names;
mod rename;

mod plan;
mod text;

mod statement;

mod function;

mod leave;

mod invariant;

mod driver;

mod schedule;

use rsm::{Concurrent, ThreadGoal};
use std::fmt;

/// How often the threads may take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So many context switches; any thread may be the first.
    Switches(u32),
    /// The threads run in the order of the text, each at most once in a round.
    Rounds(u32),
}

/// How the shared values at the beginnings of contexts are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// They are guessed first. Then one thread after the other runs through its contexts and shows that the guess was right.
    Eager,
    /// They are computed, one context after the other. The thread of a context first repeats its own earlier contexts. Only
    /// shared values that can really occur are looked at, at the price of running everything several times.
    Lazy,
}

/// Why there is no sequential program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SequentializeError {
    /// Rounds go through all threads, so that their number has to be known.
    AnyNumber {
        /// The block that stands for any number of threads.
        block: String,
    },
    /// There would be more copies of shared variables, or more threads, than anybody can look at.
    TooLarge {
        /// How many threads there are.
        n_threads: u64,
        /// How many contexts or rounds there are.
        n_contexts: u64,
    },
}

impl fmt::Display for SequentializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyNumber { block } => write!(
                f,
                "within rounds the number of threads must be known: write `{block}[N]` with a number instead of `{block}[*]`"
            ),
            Self::TooLarge { n_threads, n_contexts } => {
                write!(f, "the sequential program is too large: {n_threads} threads, {n_contexts} contexts")
            }
        }
    }
}

impl std::error::Error for SequentializeError {}

/// The text of a sequential program in which `ERROR` is reachable exactly if some goal is reached within the bound.
pub fn sequentialize(
    program: &Concurrent,
    goals: &[ThreadGoal],
    bound: Bound,
    scheme: Scheme,
) -> Result<String, SequentializeError> {
    let plan = plan::Plan::new(program, goals, bound, scheme)?;
    Ok(driver::program(&plan))
}
