//! Several engines that must say the same, as far as they say something.

use super::{Asker, Engine, Failure, Limits};
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Bound, Problem, Wanted};

/// The answer is that of the first; the others must agree.
pub struct Compare<'e> {
    /// Answers.
    pub first: &'e dyn Engine,
    /// Must agree about each target.
    pub others: Vec<&'e dyn Engine>,
    /// Must agree about all targets together; each stands for a program that asks the same, and may be too large to be asked.
    pub together: Vec<&'e dyn Engine>,
}

impl Engine for Compare<'_> {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn is_believed(&self) -> bool {
        self.first.is_believed()
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let mut outcome = self.first.answer(problem, limits, asker)?;
        (asker.known)(&outcome, Some(Missing::Comparison));
        if outcome.asked.otherwise {
            outcome
                .remarks
                .push("not compared: the formula asks something else than the others answer".to_owned());
            return Ok(outcome);
        }
        let bare = Problem { wanted: Wanted::default(), ..problem.clone() };
        let mut complaints = Vec::new();
        for other in &self.others {
            let mut silent = |_: &Outcome, _: Option<Missing>| {};
            let mut quiet = Asker { sources: &mut *asker.sources, known: &mut silent };
            let expected = other.answer(&bare, limits, &mut quiet)?;
            self.each(problem, &mut outcome, *other, &expected, &mut complaints);
        }
        if !complaints.is_empty() && !problem.targets.is_empty() {
            outcome.finding = Finding::any(&outcome.findings);
        }
        for other in &self.together {
            let mut silent = |_: &Outcome, _: Option<Missing>| {};
            let mut quiet = Asker { sources: &mut *asker.sources, known: &mut silent };
            let expected = other.answer(&bare, limits, &mut quiet)?.finding;
            if let Verdict::Unknown(reason) = &expected.verdict {
                let why = if let Unknown::Because(words) = reason { words } else { "it was stopped" };
                outcome.remarks.push(format!("not compared with the {}: {why}", other.name()));
            }
            if let Some(difference) = self.difference(problem, "", &outcome.finding, *other, &expected) {
                outcome.finding = Finding::unknown(Unknown::Because(difference.clone()));
                outcome.findings.fill(outcome.finding.clone());
                complaints.push(difference);
            }
        }
        match complaints.is_empty() || !self.first.is_believed() {
            true => Ok(outcome),
            false => Err(Failure::Disagreement(complaints)),
        }
    }
}

impl Compare<'_> {
    /// Compares what is known of each target; where that differs, nothing is known.
    fn each(
        &self,
        problem: &Problem,
        outcome: &mut Outcome,
        other: &dyn Engine,
        expected: &Outcome,
        complaints: &mut Vec<String>,
    ) {
        let unknown = |finding: &Finding| match &finding.verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            _ => None,
        };
        // If nothing is known about any target, that is one thing to say.
        if let (true, Some(reason)) =
            (expected.findings.iter().all(|f| f.verdict.is_unknown()), unknown(&expected.finding))
        {
            outcome.unfinished.push((Missing::Comparison, reason));
            return;
        }
        if problem.targets.is_empty()
            && let Some(message) = self.difference(problem, "", &outcome.finding, other, &expected.finding)
        {
            outcome.finding = Finding::unknown(Unknown::Because(message.clone()));
            complaints.push(message);
        }
        let found = outcome.findings.iter_mut();
        for ((target, found), expected) in problem.targets.iter().zip(found).zip(&expected.findings) {
            if let Some(Unknown::Because(reason)) = unknown(expected) {
                outcome.remarks.push(format!("`{}` is not compared: {reason}", target.name));
            }
            let about = format!(" about `{}`", target.name);
            if let Some(message) = self.difference(problem, &about, found, other, expected) {
                *found = Finding::unknown(Unknown::Because(message.clone()));
                complaints.push(message);
            }
        }
    }

    /// How two answers differ, if they do; an unknown one differs from none.
    fn difference(
        &self,
        problem: &Problem,
        about: &str,
        found: &Finding,
        other: &dyn Engine,
        expected: &Finding,
    ) -> Option<String> {
        if found.verdict.is_unknown() || expected.verdict.is_unknown() {
            return None;
        }
        let same_least = match (found.least, expected.least) {
            (Some(found), Some(expected)) => found == expected,
            _ => true,
        };
        if found.verdict == expected.verdict && same_least {
            return None;
        }
        let say = |finding: &Finding| match (finding.least, problem.bound) {
            (Some(1), Some(Bound::Switches(_) | Bound::Every)) => {
                "reachable within 1 context switch".to_owned()
            }
            (Some(least), Some(Bound::Switches(_) | Bound::Every)) => {
                format!("reachable within {least} context switches")
            }
            (Some(1), Some(Bound::Rounds(_))) => "reachable within 1 round".to_owned(),
            (Some(least), Some(Bound::Rounds(_))) => format!("reachable within {least} rounds"),
            _ => problem.question.words().of(&finding.verdict).to_owned(),
        };
        let (first, other) = (self.first.name(), other.name());
        Some(format!("the {first} says {}{about}, the {other} says {}", say(found), say(expected)))
    }
}
