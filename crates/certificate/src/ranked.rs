//! Certificates about infinite runs of sequential programs: entries of functions, what is reached from each, and a number for each state.
//!
//! [`write`](fn@write) prints one, [`read`](fn@read) parses it, and [`validate`](fn@validate) decides whether it proves that no run passes a goal
//! again and again, or that no run goes on for ever. What a step does is asked of `rsm`; nothing is shared with the search.
//!
//! ```text
//! getafix certificate of infinite runs 2
//! claim repeat main:L
//! p0 = main 0 g                     a point: a node of a function, and the variables that have values there
//! p1 = main 3 g x
//! f0 = main g                       a function, and the globals and parameters that tell its entries apart
//! e f0 1                            an entry, with its values; what is reached from it follows
//! p0 7 1                            a state: its point, its number, its values
//! p1+ 5 1 0                         the same, once a goal has been passed since the entry
//! ```
//!
//! Between points a run is followed step by step, so that not every node has to be one.

mod check;
mod needs;
mod read;
mod steps;
mod table;
mod write;

pub(crate) use check::visit;
pub use check::{Figures, Outcome, validate};
pub use read::{claim, is_of_infinite_runs, read};
pub use write::write;

use crate::Claim;
use rsm::{ModuleId, NodeId, Place};

/// What a certificate says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// What is claimed.
    pub claim: Claim,
    /// Where states are.
    pub points: Vec<Point>,
    /// What is entered.
    pub functions: Vec<Function>,
    /// With which values.
    pub entries: Vec<Entry>,
    /// What is reached from the entries.
    pub states: Vec<State>,
    /// The values of entries and states.
    pub values: Vec<u64>,
}

/// A node, and the variables that have values there; the others may have any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// The function.
    pub module: ModuleId,
    /// The node.
    pub node: NodeId,
    /// The variables.
    pub places: Vec<Place>,
}

/// A function, and the globals and parameters that tell its entries apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The function.
    pub module: ModuleId,
    /// The variables.
    pub places: Vec<Place>,
}

/// A function and the values with which it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// A position among the functions.
    pub function: u32,
    /// Where its values begin.
    pub first: u32,
}

/// A state that is reached from an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// A position among the entries.
    pub entry: u32,
    /// A position among the points.
    pub point: u32,
    /// A goal has been passed since the entry.
    pub passed: bool,
    /// Its number.
    pub number: u32,
    /// Where its values begin.
    pub first: u32,
}

impl Ranked {
    /// The values with which an entry begins, in the order of the variables of its function.
    pub fn of_entry(&self, entry: &Entry) -> &[u64] {
        let n_values = self.functions[entry.function as usize].places.len();
        &self.values[entry.first as usize..][..n_values]
    }

    /// The values of a state, in the order of the variables of its point.
    pub fn of_state(&self, state: &State) -> &[u64] {
        &self.values[state.first as usize..][..self.points[state.point as usize].places.len()]
    }
}
