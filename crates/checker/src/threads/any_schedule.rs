//! Bounds that do not matter: why a target that is unreachable within a bound is unreachable within every one.
//!
//! Contract: an attempt takes a share of the work that has been done already, so it never delays an answer by much; shares are
//! counts, the same in every run.

use super::Bound;
use super::question::Inquiry;
use crate::algorithm::part;
use crate::formula::FormulaFile;
use crate::outcome::Verdict;
use crate::session::Options;
use base::Sources;
use rsm::Copies;
use rsm::interleave::{self, Closure, Limits, Unfinished};

/// Why an answer holds for every bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EveryBound {
    /// Threads that find any shared values the others may leave do not reach it: see `any_schedule.mu`.
    AnySchedule,
    /// No further switch adds a state: so many reach all there are.
    Closed {
        /// That many.
        switches: u32,
    },
    /// All states that any schedule reaches were looked at, as far as others can tell them apart.
    AllStates,
}

/// An attempt gets this share of the work so far, and no less than so many units.
const SHARE: u64 = 2;
const LEAST_WORK: u64 = 1 << 19;

/// A configuration that is looked at counts as so many units of work.
const PER_WORLD: u64 = 128;

/// So many configurations are looked at, one by one, at the most.
const MOST_WORLDS: usize = 20_000;

/// So many bytes of diagrams are spent at the most.
const MOST_MEMORY: u64 = 64 << 20;

/// Attempts to show that no bound reaches a target, each with more work than the one before.
pub(super) struct Trial<'t> {
    inquiry: &'t Inquiry<'t>,
    /// The units of work of the last attempt.
    granted: u64,
    /// More work would change nothing, for one way and for the other.
    explored: bool,
    scheduled: bool,
}

impl<'t> Trial<'t> {
    pub fn new(inquiry: &'t Inquiry<'t>) -> Self {
        Self { inquiry, granted: 0, explored: false, scheduled: false }
    }

    /// Tries with a share of the work so far, if that is much more than last time.
    pub fn attempt(&mut self, work: u64) -> Option<EveryBound> {
        let granted = (work / SHARE).max(LEAST_WORK);
        if granted / 2 < self.granted {
            return None;
        }
        self.granted = granted;
        self.explore().or_else(|| self.schedule())
    }

    /// Looks at all configurations of the program, if there are few; not if the number of threads is free.
    fn explore(&mut self) -> Option<EveryBound> {
        let number = |copies: Copies| match copies {
            Copies::Number(number) => Some(number),
            Copies::Any => None,
        };
        let Inquiry { program, options, .. } = *self.inquiry;
        let counts: Option<Vec<u32>> = program.blocks.iter().map(|block| number(block.copies)).collect();
        let counts = counts.filter(|_| !self.explored)?;
        let max_worlds = usize::try_from(self.granted / PER_WORLD).unwrap_or(MOST_WORLDS).min(MOST_WORLDS);
        let limits = Limits { max_worlds, max_depth: 64, max_outcomes: 1 << 12 };
        let closure = interleave::closes(program, &counts, &self.inquiry.goals(), limits, &options.stop);
        self.explored = closure != Closure::Open(Unfinished::Worlds) || max_worlds == MOST_WORLDS;
        match closure {
            Closure::Closed { switches, is_reached: false } => Some(EveryBound::Closed { switches }),
            Closure::Closed { .. } => {
                // What some bound reaches is not excluded in the other way either.
                self.scheduled = true;
                None
            }
            Closure::Open(_) => None,
        }
    }

    /// Asks `any_schedule.mu`.
    fn schedule(&mut self) -> Option<EveryBound> {
        if self.scheduled {
            return None;
        }
        let text = part("any_schedule.mu").expect("a part that is there");
        let mut read = |name: &str| Err(format!("`{name}` is not there"));
        let file = FormulaFile { name: "any_schedule.mu", text, read: &mut read, params: &[], labels: &[] };
        let memory = self.inquiry.options.memory.map_or(MOST_MEMORY, |memory| memory.min(MOST_MEMORY));
        let options = Options { memory: Some(memory), ..self.inquiry.options.clone() };
        // Copies are all alike here, so one stands for any number.
        let inquiry = Inquiry {
            bound: Bound::Rounds(0),
            options: &options,
            traces: false,
            tells: false,
            granted: self.granted,
            ..*self.inquiry
        };
        let verdict = inquiry.ask(file, &mut Sources::default()).ok()?.report.finding.verdict;
        self.scheduled = !matches!(verdict, Verdict::Unknown(_));
        (verdict == Verdict::No).then_some(EveryBound::AnySchedule)
    }
}
