//! The answer in words: a verdict and what it holds within.

use super::super::ask::Verdict;
use super::ask::{Finding, disjunction};
use crate::json::{Conclusion, Within};
use crate::status::Status;
use checker::{Bound, EveryBound, ThreadTarget};
use serde_json::json;

/// What the answer is about.
pub struct Conclude<'a> {
    /// The bound.
    pub bound: Bound,
    /// The targets.
    pub targets: &'a [ThreadTarget],
    /// So many switches or rounds the run takes that is shown.
    pub run: Option<u32>,
}

/// What a bound counts.
pub fn unit(bound: Bound) -> &'static str {
    match bound {
        Bound::Switches(_) => "context switches",
        Bound::Rounds(_) => "rounds",
    }
}

/// `3 context switches`, `1 round`.
pub fn amount(bound: Bound, number: u32) -> String {
    let what = match (bound, number) {
        (Bound::Switches(_), 1) => "context switch",
        (Bound::Rounds(_), 1) => "round",
        _ => unit(bound),
    };
    format!("{number} {what}")
}

impl Conclude<'_> {
    /// The conclusion from these findings, with a trace as text and as JSON.
    pub fn conclusion(
        &self,
        findings: &[Finding],
        every_bound: Option<EveryBound>,
        text: &str,
        trace: serde_json::Value,
    ) -> (Conclusion, Status) {
        let Finding { verdict, least } = disjunction(findings);
        let every_bound = every_bound.filter(|_| verdict == Verdict::Unreachable);
        let number = self.bound.number();
        let shown = self.run.filter(|run| verdict == Verdict::Reachable && *run <= number);
        let within = amount(self.bound, least.or(shown).unwrap_or(number));
        let (line, status) = match &verdict {
            Verdict::Reachable => (format!("REACHABLE within {within}"), Status::Violated),
            Verdict::Unreachable => {
                (format!("UNREACHABLE within {within}{}", always(every_bound)), Status::Evaluated)
            }
            Verdict::Unknown(reason) => (format!("UNKNOWN: {reason}"), Status::Unknown),
        };
        let conclusion = Conclusion {
            text: format!("{line}\n{}{text}", self.details(findings, every_bound)),
            verdict: verdict.word(),
            reason: if let Verdict::Unknown(reason) = verdict { Some(reason) } else { None },
            targets: self.targets.iter().zip(findings).map(entry).collect(),
            trace,
            within: Some(self.within(least, every_bound)),
        };
        (conclusion, status)
    }

    fn within(&self, least: Option<u32>, every_bound: Option<EveryBound>) -> Within {
        let kind = match self.bound {
            Bound::Switches(_) => "switches",
            Bound::Rounds(_) => "rounds",
        };
        let every_bound = every_bound.map(|reason| match reason {
            EveryBound::Closed { switches } => json!({ "reason": "closed", "switches": switches }),
            EveryBound::AnySchedule => json!({ "reason": "any_schedule" }),
        });
        Within { kind, number: self.bound.number(), least, every_bound }
    }

    /// What is known of each target.
    fn details(&self, findings: &[Finding], every_bound: Option<EveryBound>) -> String {
        let within = match every_bound {
            Some(_) => String::new(),
            None => format!(" within {}", amount(self.bound, self.bound.number())),
        };
        match (self.targets, findings) {
            ([target], [Finding { verdict: Verdict::Unreachable, .. }]) => match target.name.as_str() {
                "assert" => format!("no assertion can fail{within}\n"),
                name => format!("no run{within} reaches {name}\n"),
            },
            ([_], _) => String::new(),
            (targets, findings) => targets.iter().zip(findings).map(|each| self.line(each)).collect(),
        }
    }

    /// `ERROR: reachable within 3 context switches`.
    fn line(&self, (target, finding): (&ThreadTarget, &Finding)) -> String {
        let least = finding.least.map_or_else(String::new, |n| format!(" within {}", amount(self.bound, n)));
        format!("{}: {}{least}\n", target.name, finding.verdict.word())
    }
}

/// Why a larger bound would not change the answer.
fn always(every_bound: Option<EveryBound>) -> String {
    match every_bound {
        Some(EveryBound::Closed { switches: 1 }) => {
            ", and for every bound: 1 switch reaches every state".to_owned()
        }
        Some(EveryBound::Closed { switches }) => {
            format!(", and for every bound: {switches} switches reach every state")
        }
        Some(EveryBound::AnySchedule) => {
            ", and for every bound: not even under any values that others may leave".to_owned()
        }
        None => String::new(),
    }
}

/// An entry of `targets` of the JSON object.
fn entry((target, finding): (&ThreadTarget, &Finding)) -> serde_json::Value {
    let Finding { verdict, least } = finding;
    let reason = if let Verdict::Unknown(reason) = verdict { Some(reason) } else { None };
    json!({ "target": target.name, "verdict": verdict.word(), "reason": reason, "least": least })
}
