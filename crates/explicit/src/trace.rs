//! Runs of the program, rebuilt from the parents of states.
//!
//! A trace has the form of nested runs: what happens between a call and its return is a run of its own, which is stored once
//! if it occurs several times with the same values. So a trace is written down even if it has very many steps. What the search
//! did not keep, values that nothing reads, is filled in: choices are 0 there.

mod build;
mod flat;
mod lasso;

use rsm::{EdgeId, Goal, ModuleId};

/// The values of a function's variables somewhere in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Of the globals.
    pub globals: Vec<u64>,
    /// Of the locals.
    pub locals: Vec<u64>,
}

/// A step of a run of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The edge that is taken.
    pub edge: EdgeId,
    /// For a call: the run of the callee, a position in [`Trace::runs`].
    pub run: Option<usize>,
    /// The state afterwards; after a call, when it has returned. After the return that ends the run the locals are
    /// the results.
    pub after: State,
}

/// A run of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The function.
    pub module: ModuleId,
    /// The state at its first statement.
    pub start: State,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The call by which an open run goes on in the next one.
    pub open_call: Option<EdgeId>,
}

/// A run of the program to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// All runs of functions; a run calls only runs that stand before it, and those that are called end in a return.
    pub runs: Vec<Run>,
    /// The runs that are not finished when the goal is reached, callers before callees.
    pub open: Vec<usize>,
    /// What is reached; nothing for the way to the head of a lasso.
    pub goal: Option<Goal>,
}
