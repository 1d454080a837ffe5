//! Engines: what answers a problem. A formula with the solver, the textbook twin, several that must agree; more are to come.
//!
//! Contract: an engine is a function of a problem and limits. It does no input and no output and owns no clock. What becomes certain
//! on the way it tells through the gauge, and `Asker::known`; how it ends is an [`Outcome`], or a [`Failure`] if the question cannot
//! be asked.

mod compare;
mod explicit;
mod localised;
mod portfolio;
mod sequentialized;
mod symbolic;
mod twin;

pub use compare::Compare;
pub use explicit::{Explicit, finite_runs};
pub use localised::{Localised, Views};
pub use portfolio::{Budget, Portfolio};
pub use sequentialized::Sequentialized;
pub use symbolic::Symbolic;
pub use twin::Twin;

use crate::outcome::{Missing, Outcome, Unknown};
use crate::problem::Problem;
use base::{Diagnostic, Gauge, Sources, Stop};
use std::sync::Arc;
use std::time::Duration;

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

/// How much work is allowed, and where progress goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes that diagrams may take, or all solvers that are processes of their own together with everything else.
    pub memory: Option<u64>,
    /// When all is over, by the clock. Engines are told by the way to stop; this is for processes that are to end even if nobody tells them.
    pub end: Option<Duration>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (stop, gauge) = (Stop::default(), Arc::default());
        Self { memory: None, end: None, stop, gauge, clock: || Duration::ZERO }
    }
}

impl Limits {
    /// The time that is left, if there is an end.
    pub fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub((self.clock)()))
    }
}

/// Who asks.
pub struct Asker<'a> {
    /// The texts that places in diagnostics refer to.
    pub sources: &'a mut Sources,
    /// Is told an outcome that is certain, and what is still being worked on.
    pub known: &'a mut dyn FnMut(&Outcome, Option<Missing>),
}

/// A question that could not be asked, or an answer that must not be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The formula file is wrong.
    Formula(Vec<Diagnostic>),
    /// The time or the memory did not suffice to print a stage.
    Stopped(Unknown),
    /// Engines that must agree do not; how.
    Disagreement(Vec<String>),
}
