//! Bounds that do not matter: `any_schedule.mu` may show that a target is unreachable within every one.
//!
//! Contract: an attempt takes a share of the work that has been done already, so it never delays an answer by much; shares are
//! counts, the same in every run. What is found is an answer to what was asked, within whatever bound.

use super::Bound;
use super::question::Inquiry;
use crate::evaluation::Options;
use crate::formula::FormulaFile;
use crate::formula::part;
use crate::outcome::Verdict;
use base::Sources;

/// Why an answer holds for every bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EveryBound {
    /// Threads that find any shared values the others may leave do not reach it: see `any_schedule.mu`.
    AnySchedule,
    /// All states that any schedule reaches were looked at, as far as others can tell them apart.
    AllStates,
}

/// An attempt gets this share of the work so far, and no less than so many units: the first comes before there is any, and small programs need no
/// more. Much more would be what some bounds take themselves.
const SHARE: u64 = 4;
const LEAST_WORK: u64 = 1 << 17;

/// So many bytes of diagrams are spent at the most.
const MOST_MEMORY: u64 = 64 << 20;

/// Attempts to show that no bound reaches a target, each with more work than the one before.
pub(super) struct Trial<'t> {
    inquiry: &'t Inquiry<'t>,
    /// The units of work of the last attempt.
    granted: u64,
    /// More work would change nothing.
    is_decided: bool,
}

impl<'t> Trial<'t> {
    pub fn new(inquiry: &'t Inquiry<'t>) -> Self {
        Self { inquiry, granted: 0, is_decided: false }
    }

    /// Tries with a share of the work so far, if that is much more than last time.
    pub fn attempt(&mut self, work: u64) -> Option<EveryBound> {
        let granted = (work / SHARE).max(LEAST_WORK);
        if granted / 2 < self.granted {
            return None;
        }
        self.granted = granted;
        self.schedule()
    }

    /// Asks `any_schedule.mu`.
    fn schedule(&mut self) -> Option<EveryBound> {
        if self.is_decided {
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
        self.is_decided = !matches!(verdict, Verdict::Unknown(_));
        (verdict == Verdict::No).then_some(EveryBound::AnySchedule)
    }
}
