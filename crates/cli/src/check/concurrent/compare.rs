//! Several answers to one question, which must agree.

use super::super::ask::Verdict;
use super::ask::{Answer, Finding, Question, disjunction};
use super::bound::orders_freely;
use super::conclude::amount;
use crate::early::Missing;
use crate::status::Status;

impl Question<'_> {
    /// Insists that the twin and the sequential programs say the same. A formula of the user may be wrong, the others may not.
    pub fn compare(&self, answer: &mut Answer) -> Result<(), Status> {
        if orders_freely(self.formula, self.program) {
            self.job.console.note("not compared: the rounds of the others have the order of the text");
            return Ok(());
        }
        let mut complaints = Vec::new();
        match self.twin_findings() {
            Ok(expected) => {
                let found = answer.findings.iter_mut();
                for ((target, found), expected) in self.targets.iter().zip(found).zip(&expected) {
                    if let Verdict::Unknown(reason) = &expected.verdict {
                        self.job.console.note(&format!("`{}` is not compared: {reason}", target.name));
                    }
                    let Some(message) = self.difference(&target.name, found, expected) else { continue };
                    *found = Finding::unknown(message.clone());
                    complaints.push(message);
                }
            }
            Err(reason) => self.job.console.lacks(Missing::Comparison, &reason),
        }
        if !complaints.is_empty() {
            answer.finding = disjunction(&answer.findings);
        }
        if let Some(message) = self.compare_sequential(&answer.finding) {
            answer.findings.fill(Finding::unknown(message.clone()));
            answer.finding = Finding::unknown(message.clone());
            complaints.push(message);
        }
        if complaints.is_empty() || self.formula.shipped.is_none() {
            return Ok(());
        }
        complaints.iter().for_each(|message| self.job.console.error(message));
        self.job
            .console
            .error("the engines disagree: this is a bug in getafix, please report it with the input");
        Err(Status::Bug)
    }

    /// How two answers about a target differ, if they do; an unknown one differs from none.
    fn difference(&self, name: &str, found: &Finding, expected: &Finding) -> Option<String> {
        let is_unknown = |finding: &Finding| matches!(finding.verdict, Verdict::Unknown(_));
        if is_unknown(found) || is_unknown(expected) {
            return None;
        }
        let same_least = match (found.least, expected.least) {
            (Some(found), Some(expected)) => found == expected,
            _ => true,
        };
        if found.verdict == expected.verdict && same_least {
            return None;
        }
        let say = |finding: &Finding| match (&finding.verdict, finding.least) {
            (Verdict::Reachable, Some(least)) => format!("reachable within {}", amount(self.bound, least)),
            (verdict, _) => verdict.word().to_owned(),
        };
        let (found, expected) = (say(found), say(expected));
        Some(format!("the formula says {found} about `{name}`, the twin says {expected}"))
    }
}
