//! Runs: what every engine shows for a goal that is reached, of programs with one thread or many, and for a run that never ends.
//!
//! A run is a list of contexts, in each of which one thread takes steps; that of a sequential program has one context. A call that
//! returns in the context in which it begins may be told as one step, with the run of the callee beside it; runs that
//! occur twice are stored once, so that a run of exponentially many steps is a small value. `replay` says what makes it a run of a
//! program, and nothing is shown that it has not accepted. `cycle` says what makes it infinite. `record` makes a run from a list of
//! steps.

mod cycle;
mod record;
mod replay;
mod walk;

pub use cycle::{Round, ThreadCycle};
pub use record::Recorder;
pub use replay::ReplayError;
pub use walk::{Visit, Walk};

use crate::concurrent::ThreadGoal;
use crate::interleave::{Bound, ThreadId, World};
use crate::machine::{EdgeId, ModuleId};
use crate::step::State;

/// A run of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The threads, and all values, at the start.
    pub start: World,
    /// Runs of functions that are over; a run calls only those that stand before it.
    pub runs: Vec<Run>,
    /// What happens. The last context has no steps if the thread that reaches the goal becomes active there.
    pub contexts: Vec<Context>,
    /// What it ends with.
    pub end: End,
}

/// What a run ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The thread of the last context reaches this.
    Goal(ThreadGoal),
    /// It does not end: the last steps are taken again and again.
    Cycle {
        /// The position among the steps of all contexts of the first one that is taken again. Calls that are open there stay open.
        first: usize,
    },
    /// Nobody can go on, and somebody has not ended.
    Deadlock,
    /// It is shown as far as it matters to somebody who watches it, a monitor say; the program reaches nothing.
    Here,
}

/// A stretch in which one thread is active.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// Who is active.
    pub thread: ThreadId,
    /// What it does. A call without a run stays open here: the next step is one of the callee.
    pub steps: Vec<Step>,
}

/// A step, or a call together with all that the callee does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The edge that is taken.
    pub edge: EdgeId,
    /// For a call that returns: what the callee does, a position in [`Trace::runs`].
    pub run: Option<usize>,
    /// What the thread sees afterwards: all globals, those of other threads being 0, and the locals of the function that runs then.
    /// After a return that ends a [`Run`] the locals are the results, and after one that ends the thread there are none.
    pub after: State,
}

/// All that a function does from its first statement to its return.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// The function.
    pub module: ModuleId,
    /// What it sees at its first statement.
    pub start: State,
    /// Its steps, the last of which returns.
    pub steps: Vec<Step>,
}

impl Trace {
    /// What it reaches; nothing if it is infinite.
    pub fn goal(&self) -> Option<ThreadGoal> {
        match self.end {
            End::Goal(goal) => Some(goal),
            End::Cycle { .. } | End::Deadlock | End::Here => None,
        }
    }

    /// For an infinite run the position among the steps of all contexts of the first step of the cycle.
    pub fn cycle(&self) -> Option<usize> {
        match self.end {
            End::Cycle { first } => Some(first),
            End::Goal(_) | End::Deadlock | End::Here => None,
        }
    }

    /// The thread that takes the last step, or reaches the goal.
    pub fn thread(&self) -> ThreadId {
        self.contexts.last().expect("a run has a context").thread
    }

    /// How many copies of each block take part; blocks behind the last one that does are left out.
    pub fn counts(&self) -> Vec<u32> {
        let threads = &self.start.threads;
        let n_blocks = threads.last().map_or(0, |last| last.block + 1);
        (0..n_blocks).map(|block| threads.iter().filter(|t| t.block == block).count() as u32).collect()
    }

    /// How many steps each of [`Trace::runs`] has, if only those count that `counts` says: the runs in them count each time.
    pub fn lengths(&self, counts: impl Fn(ModuleId, EdgeId) -> bool) -> Vec<u128> {
        let mut lengths: Vec<u128> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let length = run.steps.iter().fold(0u128, |sum, step| {
                let inner = step.run.map_or(0, |run| lengths[run]);
                sum.saturating_add(inner).saturating_add(u128::from(counts(run.module, step.edge)))
            });
            lengths.push(length);
        }
        lengths
    }

    /// How many steps it has, those of repeated runs counted each time, those of a cycle once.
    pub fn n_steps(&self) -> u128 {
        self.n_stem().saturating_add(self.n_round())
    }

    /// How many of them come before the cycle; all if there is none.
    pub fn n_stem(&self) -> u128 {
        self.n_among(self.steps().take(self.cycle().unwrap_or(usize::MAX)))
    }

    /// How many of them are those of the cycle.
    pub fn n_round(&self) -> u128 {
        self.n_among(self.steps().skip(self.cycle().unwrap_or(usize::MAX)))
    }

    /// The steps of all contexts.
    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.contexts.iter().flat_map(|context| &context.steps)
    }

    /// How many steps some steps of contexts stand for.
    fn n_among<'t>(&self, steps: impl Iterator<Item = &'t Step>) -> u128 {
        let lengths = self.lengths(|_, _| true);
        let length = |step: &Step| step.run.map_or(0, |run| lengths[run]).saturating_add(1);
        steps.map(length).fold(0, u128::saturating_add)
    }

    /// How often another thread becomes active.
    pub fn n_switches(&self) -> usize {
        self.contexts.len() - 1
    }

    /// How many rounds it takes in this order of the threads; none if there are no steps. A thread may do nothing in its
    /// turn. A thread that is not in the order has no turn, and the answer is `None`.
    pub fn n_rounds(&self, order: &[ThreadId]) -> Option<usize> {
        let position = |thread: ThreadId| order.iter().position(|other| *other == thread);
        let turns: Option<Vec<usize>> =
            self.contexts.iter().map(|context| position(context.thread)).collect();
        let n_restarts = turns?.windows(2).filter(|pair| pair[1] <= pair[0]).count();
        let is_empty = self.contexts.iter().all(|context| context.steps.is_empty());
        Some(if is_empty { 0 } else { 1 + n_restarts })
    }

    /// The run keeps within the bound.
    pub fn fits(&self, bound: Bound<'_>) -> bool {
        match bound {
            Bound::Switches(switches) => self.n_switches() <= switches as usize,
            Bound::Rounds { rounds, order } => {
                self.n_rounds(order).is_some_and(|needed| needed <= rounds as usize)
            }
        }
    }
}
