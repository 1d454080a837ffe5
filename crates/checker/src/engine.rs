//! The room of the engines, which answer problems: a formula with the solver, a search of states, the textbook twin, several side by side, several
//! that must agree; and, for integer programs, runs that are executed.
//!
//! In: a problem and limits. Out: an [`Outcome`], or a [`Failure`] if the question cannot be asked; what becomes certain on the way is told
//! through the gauge, and to `Asker::known`.
//!
//! Never: input, output, or a clock; and no run that has not been replayed.

mod compare;
mod execution;
mod explicit;
mod localised;
mod portfolio;
mod sequentialized;
mod symbolic;
mod turns;
mod twin;

pub use compare::Compare;
pub use execution::Execution;
pub use explicit::{Explicit, finite_runs, passing};
pub use localised::{Localised, ThreadViews, Views};
pub use portfolio::{Budget, Portfolio};
pub use sequentialized::Sequentialized;
pub use symbolic::Symbolic;
pub use twin::Twin;

use crate::outcome::{Missing, Outcome};
use crate::problem::{Failure, Limits, Problem, Subject};
use base::Sources;
use rsm::Concurrent;

/// Answers problems about a kind of subject.
pub trait Engine<S: Subject = Concurrent> {
    /// Answers a problem within limits.
    fn answer(&self, problem: &Problem<S>, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure>;

    /// What it says is reachable needs no further confirmation.
    fn is_believed(&self) -> bool {
        true
    }

    /// How it is called in messages.
    fn name(&self) -> &str;
}

/// Is told an outcome that is certain, and what is still being worked on.
pub type Tell<'a> = dyn FnMut(&Outcome, Option<Missing>) + 'a;

/// Who asks.
pub struct Asker<'a> {
    /// The texts that places in diagnostics refer to.
    pub sources: &'a mut Sources,
    /// Is told an outcome that is certain, and what is still being worked on.
    pub known: &'a mut Tell<'a>,
}
