//! Questions about concurrent programs: verdicts within a bound, the least bound, and traces.
//!
//! A formula file for threads has a parameter `k`, the bound, and its query begins with `exists` and a variable that counts
//! switches or rounds: the least value of that variable is the least bound. Everything up to `k` is computed in one run, by
//! increasing values; a larger bound repeats nothing.

mod closure;
mod contexts;
mod deepening;
mod question;
mod rounds;
mod target;
mod thread_run;

pub use closure::EveryBound;
pub use deepening::check_threads;
pub use question::AskedOfThreads;
pub use target::{default_thread_targets, find_thread_target};

pub use crate::problem::Bound;

/// What makes questions about threads quicker; no choice changes a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheduling {
    /// Copies of a block take their first turns in order.
    pub symmetry: bool,
    /// A thread is resumed only where its next step matters to others.
    pub visibility: bool,
    /// The run ends as soon as a target is reached.
    pub early_stop: bool,
    /// The variable order follows the allocation constraints of the formula file.
    pub order: bool,
    /// Smaller bounds are asked for first: this one, twice as many, and so on. Only for formulas in which a smaller bound
    /// allows less.
    pub deepening: Option<u32>,
    /// When to look for a reason why the answer holds for every bound.
    pub every_bound: Trials,
}

/// When to look for a reason why no bound reaches a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trials {
    /// Before the formula is asked, with little work, and again after each bound; what is found is the answer.
    First,
    /// After the formula has answered.
    After,
    /// Not at all.
    Never,
}

impl Scheduling {
    /// Nothing of all this.
    pub const NONE: Self = Self {
        symmetry: false,
        visibility: false,
        early_stop: false,
        order: false,
        deepening: None,
        every_bound: Trials::Never,
    };
}

impl Default for Scheduling {
    fn default() -> Self {
        Self {
            symmetry: true,
            visibility: true,
            early_stop: true,
            order: true,
            deepening: Some(4),
            every_bound: Trials::After,
        }
    }
}
