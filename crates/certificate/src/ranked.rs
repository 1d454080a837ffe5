//! Certificates about infinite runs of sequential programs: entries of functions, what is reached from each, and a number for each state.
//!
//! [`write`](fn@write) prints one, [`read`](fn@read) parses it, and [`validate`](fn@validate) decides whether it proves that no run passes a goal
//! again and again, or that no run goes on for ever. Steps come from `rsm::step`, by way of `rsm::interleave`; nothing is shared with the search.
//!
//! ```text
//! getafix certificate of infinite runs 1
//! claim repeat main:L
//! keep main 3 g x                   the variables that have values at node 3 of a function; the others may have any
//! e0 = g=0 ; main 0 x=1             an entry: values with which a function is entered
//! v 0 7 - g=0 ; main 3 x=1          what is reached from entry 0, with number 7
//! v 0 5 + g=0 ; main 4 x=1          the same, once a goal has been passed since the entry
//! ```

mod check;
mod read;
mod write;

pub use check::{Figures, Outcome, validate};
pub use read::{claim, is_of_infinite_runs, read};
pub use write::write;

use crate::Claim;
use crate::threads::Kept;
use rsm::interleave::ThreadState;

/// What a certificate says. A state has one frame and the values of the globals; 0 where a value may be any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// What is claimed.
    pub claim: Claim,
    /// Which variables have values where.
    pub kept: Kept,
    /// The states in which functions are entered.
    pub entries: Vec<ThreadState>,
    /// What is reached from them.
    pub states: Vec<State>,
}

/// A state that is reached from an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// A position among the entries.
    pub entry: u32,
    /// The state.
    pub state: ThreadState,
    /// A goal has been passed since the entry.
    pub passed: bool,
    /// Its number.
    pub number: u32,
}
