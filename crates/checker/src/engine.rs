//! The room of the engines, which answer problems: a formula with the solver, a search of states, the textbook twin, several side by side, several
//! that must agree.
//!
//! In: a problem and limits. Out: an [`Outcome`], or a [`Failure`] if the question cannot be asked; what becomes certain on the way is told
//! through the gauge, and to `Asker::known`.
//!
//! Never: input, output, or a clock; and no run that has not been replayed.

mod compare;
mod explicit;
mod portfolio;
mod sequentialized;
mod symbolic;
mod twin;

pub use compare::Compare;
pub use explicit::{Explicit, finite_runs, passing};
pub use portfolio::{Budget, Portfolio};
pub use sequentialized::Sequentialized;
pub use symbolic::Symbolic;
pub use twin::Twin;

use crate::outcome::{Missing, Outcome};
use crate::problem::{Failure, Limits, Problem};
use base::Sources;

/// Answers problems.
pub trait Engine {
    /// Answers a problem within limits.
    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure>;

    /// What it says is reachable needs no further confirmation.
    fn is_believed(&self) -> bool {
        true
    }

    /// How it is called in messages.
    fn name(&self) -> &str;
}

/// Who asks.
pub struct Asker<'a> {
    /// The texts that places in diagnostics refer to.
    pub sources: &'a mut Sources,
    /// Is told an outcome that is certain, and what is still being worked on.
    pub known: &'a mut dyn FnMut(&Outcome, Option<Missing>),
}
