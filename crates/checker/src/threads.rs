//! The room for formulas about threads.
//!
//! In: a concurrent program, targets, a bound, a formula file. Out: a report as for sequential programs, with the least bound, and a run that
//! is made of one sequential question for each thread. Never: a verdict without its bound, or a run that `rsm::interleave` has not replayed.
//!
//! A formula file for threads has a parameter `k`, the bound, and its query begins with `exists` and a variable that counts
//! switches or rounds: the least value of that variable is the least bound. Everything up to `k` is computed in one run, by
//! increasing values; a larger bound repeats nothing.

mod any_schedule;
mod contexts;
mod deepening;
mod question;
mod rounds;
mod target;
mod thread_run;

pub use any_schedule::EveryBound;
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
    /// A reason why no bound reaches a target is looked for before the formula is asked, with little work, and again after each
    /// smaller bound. Only for formulas that are exact: what is found is the answer.
    pub every_bound: bool,
}

impl Scheduling {
    /// Nothing of all this.
    pub const NONE: Self = Self {
        symmetry: false,
        visibility: false,
        early_stop: false,
        order: false,
        deepening: None,
        every_bound: false,
    };

    /// The bounds to ask for, ascending, the last one being the one that is meant.
    pub fn bounds(&self, most: u32) -> Vec<u32> {
        let first = self.deepening.filter(|first| *first > 0);
        let smaller = std::iter::successors(first, |number| number.checked_mul(2));
        smaller.take_while(|number| *number <= most / 2).chain([most]).collect()
    }
}

impl Default for Scheduling {
    fn default() -> Self {
        Self {
            symmetry: true,
            visibility: true,
            early_stop: true,
            order: true,
            deepening: Some(4),
            every_bound: true,
        }
    }
}
