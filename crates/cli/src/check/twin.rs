//! The question, put to the textbook twin: tables of concrete states, without a formula.

use super::ask::{Answer, Foresee, Question, Verdict, disjunction};
use crate::early::Missing;
use crate::render;
use crate::status::Status;
use base::Reading;
use rsm::explicit::{self, Limits, Unfinished};
use rsm::trace::Trace;
use rsm::{Concurrent, Goal, ThreadGoal};

/// Whether two engines say the same, as far as both say something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// They do.
    Kept,
    /// A formula of the user says something else; nothing is known then.
    Broken,
}

impl Question<'_> {
    /// The twin looks at every state.
    pub fn twin(&self, foresee: Foresee) -> Answer {
        let verdicts = match self.twin_verdicts() {
            Ok(verdicts) => verdicts,
            Err(reason) => vec![Verdict::Unknown(reason); self.targets.len()],
        };
        let verdict = disjunction(&verdicts);
        foresee(&verdict, &verdicts);
        let trace = match verdict == Verdict::Reachable && self.wants_trace() {
            true => self.twin_trace(&verdicts).unwrap_or_else(|reason| {
                self.job.console.lacks(Missing::Trace, &reason);
                None
            }),
            false => None,
        };
        Answer { verdict, verdicts, trace, certificate: None, statistics: None }
    }

    fn twin_verdicts(&self) -> Result<Vec<Verdict>, String> {
        let goals: Vec<Goal> = self.targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
        let found = explicit::reachable(self.rsm, &goals, Limits::default(), &self.job.stop);
        let found = found.map_err(|unfinished| self.unfinished(unfinished))?;
        let mut rest = &found[..];
        let mut verdicts = Vec::new();
        for target in self.targets {
            let (mine, others) = rest.split_at(target.goals.len());
            verdicts.push(if mine.contains(&true) { Verdict::Reachable } else { Verdict::Unreachable });
            rest = others;
        }
        Ok(verdicts)
    }

    fn unfinished(&self, unfinished: Unfinished) -> String {
        match unfinished {
            Unfinished::States => {
                format!(
                    "the twin looks at {} states at most, and there are more",
                    Limits::default().max_states
                )
            }
            Unfinished::TooLarge => "some step has too many outcomes for the twin".to_owned(),
            Unfinished::Length => "the shortest trace is too long to be written down".to_owned(),
            Unfinished::Stopped(reason) => render::stopped(reason, &Reading::default(), &self.job.options),
        }
    }

    /// Insists that the twin says the same. A formula of the user may be wrong, the others may not.
    pub fn compare(&self, verdicts: &mut [Verdict]) -> Result<Agreement, Status> {
        let expected = match self.twin_verdicts() {
            Ok(expected) => expected,
            Err(reason) => {
                self.job.console.lacks(Missing::Comparison, &reason);
                return Ok(Agreement::Kept);
            }
        };
        let mut agree = true;
        for ((target, found), expected) in self.targets.iter().zip(verdicts).zip(&expected) {
            if matches!(found, Verdict::Unknown(_)) || found == expected {
                continue;
            }
            agree = false;
            let (name, word) = (&target.name, found.word());
            let message =
                format!("the formula says {word} about `{name}`, the twin says {}", expected.word());
            if self.formula.shipped.is_some() {
                self.job.console.error(&message);
            }
            *found = Verdict::Unknown(message);
        }
        if agree {
            return Ok(Agreement::Kept);
        }
        if self.formula.shipped.is_none() {
            return Ok(Agreement::Broken);
        }
        self.job
            .console
            .error("the engines disagree: this is a bug in getafix, please report it with the input");
        Err(Status::Bug)
    }

    /// A run of the twin, which has the fewest steps.
    fn twin_trace(&self, verdicts: &[Verdict]) -> Result<Option<Trace>, String> {
        let goals: Vec<Goal> =
            self.reachable(verdicts).iter().flat_map(|target| target.goals.clone()).collect();
        let found = explicit::shortest(self.rsm, &goals, Limits::default(), &self.job.stop);
        let found = found.map_err(|unfinished| self.unfinished(unfinished))?;
        let Some(trace) = found else { return Ok(None) };
        let goals: Vec<ThreadGoal> = goals.into_iter().map(ThreadGoal::from).collect();
        let replayed = trace.replay(&Concurrent::sequential(self.rsm.clone()), &goals);
        replayed.map_err(|error| format!("it cannot be replayed: {error}"))?;
        Ok(Some(trace))
    }
}
