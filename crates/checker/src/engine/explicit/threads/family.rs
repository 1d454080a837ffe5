//! Deadlocks of threads whose number is not known: of blocks `[*]`, and of threads that are started at run time.
//!
//! That there is none is found out with counters that know who is not there ([`family_deadlock`]); that there is one, by looking at few
//! threads, few before many. Both take turns, counters becoming more exact. What neither decides is unknown.

use super::super::few::{AFTER, BEFORE, Counters, MOST_STATES, instance, small_numbers};
use super::Asking;
use crate::engine::Asker;
use crate::outcome::{Finding, Outcome, SearchFigures, Unknown, Verdict};
use crate::problem::Bound;
use crate::threads::EveryBound;
use ::explicit::threads::{End, FamilyDeadlock, Question, family_deadlock};
use ::explicit::{Figures, Stopped};
use base::Reading;

/// Is there a deadlock of some number of threads?
pub(super) fn deadlock(asking: &Asking<'_>, bound: Bound, asker: &mut Asker) -> Outcome {
    let start = (asking.limits.clock)();
    let mut family = Family { asking: *asking, bound, largest: Figures::default(), n_states: 0 };
    let mut outcome = family.answer(asker);
    outcome.asked.words = asking.problem.question.words();
    let time = (asking.limits.clock)().saturating_sub(start);
    outcome.figures.search = Some(SearchFigures { figures: family.largest, n_states: family.n_states, time });
    outcome
}

struct Family<'a> {
    asking: Asking<'a>,
    bound: Bound,
    /// Of the search that took most states.
    largest: Figures,
    /// Of all searches.
    n_states: u64,
}

impl Family<'_> {
    fn answer(&mut self, asker: &mut Asker) -> Outcome {
        let is_parameterised = self.asking.problem.program.is_parameterised();
        // Of threads that are started there are often few, and then nothing is left to be counted.
        if is_parameterised && let Some(none) = self.none(BEFORE) {
            return none;
        }
        let few = match is_parameterised {
            true => self.few(asker),
            false => self.of(&{ self.asking }, asker),
        };
        match few.finding.verdict {
            Verdict::Unknown(_) => AFTER.into_iter().find_map(|counters| self.none(counters)).unwrap_or(few),
            _ => few,
        }
    }

    fn note(&mut self, figures: Figures) {
        self.n_states += figures.states;
        if figures.states >= self.largest.states {
            self.largest = figures;
        }
    }

    /// The answer that there is none, if counters say so that are exact up to a number; or that they were asked to stop.
    fn none(&mut self, Counters { exact, max_nodes }: Counters) -> Option<Outcome> {
        let max_states = max_nodes.min(self.asking.engine.max_states);
        let (found, figures) = self.asking.within(max_states, |limits| {
            family_deadlock(&self.asking.question, exact, self.asking.settings(), limits)
        });
        self.note(figures);
        match found {
            Ok(FamilyDeadlock::None) => {
                let mut outcome = Outcome::new(Finding::new(Verdict::No), Vec::new());
                outcome.every_bound = Some(EveryBound::AllStates);
                Some(outcome)
            }
            Err(stopped @ Stopped::Requested(_)) => {
                let reading = Reading { search: Some(Box::new(figures.searched())), ..Reading::default() };
                let unknown = Finding::unknown(self.asking.unknown(stopped, reading));
                Some(Outcome::new(unknown, Vec::new()))
            }
            _ => None,
        }
    }

    /// The answer for a program whose threads are known, or take slots when they are started.
    fn of(&mut self, asking: &Asking<'_>, asker: &mut Asker) -> Outcome {
        let max_states = asking.engine.max_states;
        let max_states = match asking.problem.program.is_parameterised() {
            true => max_states.min(MOST_STATES.saturating_sub(self.n_states)),
            false => max_states,
        };
        let Ok((found, _)) = asking.search(max_states) else {
            unreachable!("the number of threads is known")
        };
        self.note(found.figures);
        let mut outcome = asking.outcome(&found, self.bound);
        match &outcome.finding.verdict {
            Verdict::Yes => {
                (asker.known)(&outcome, outcome.lacks(asking.problem));
                asking.show(&found, &mut outcome);
            }
            // No thread was left out: that would have been noted as a cut.
            Verdict::No if found.end == End::Closed => outcome.every_bound = Some(EveryBound::AllStates),
            Verdict::No => {}
            Verdict::Unknown(_) if found.cut.is_some() && !asking.problem.program.is_whole => {
                outcome.finding = Finding::unknown(Unknown::because(STARTED));
            }
            Verdict::Unknown(_) => {}
        }
        outcome
    }

    /// A deadlock of few threads.
    fn few(&mut self, asker: &mut Asker) -> Outcome {
        let asking = self.asking;
        let mut most = 0;
        for counts in small_numbers(asking.problem.program, |_| 0) {
            most = counts.iter().sum::<u32>();
            let program = instance(asking.problem.program, &counts);
            let own = Asking { question: Question { program: &program, ..asking.question }, ..asking };
            let outcome = self.of(&own, asker);
            match &outcome.finding.verdict {
                Verdict::No => {}
                Verdict::Unknown(_) if self.n_states >= MOST_STATES => break,
                _ => return outcome,
            }
        }
        Outcome::new(Finding::unknown(none_of_few(most)), Vec::new())
    }
}

const STARTED: &str = "more threads may be started than were looked at, and whether all of them wait depends on how many there are; or stacks of recursive functions become too high";

fn none_of_few(most: u32) -> Unknown {
    Unknown::Because(format!(
        "no deadlock of fewer than {most} threads was found, and with more of them whether all wait depends on how many there are"
    ))
}
