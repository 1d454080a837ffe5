//! The answer in words: a verdict and what it holds within.

use super::super::ask::Verdict;
use super::ask::Finding;
use crate::early::{Early, Missing};
use crate::json::{Conclusion, Within};
use crate::status::Status;
use base::Known;
use checker::{Bound, EveryBound, ThreadTarget};
use serde_json::json;

/// What the answer is about.
#[derive(Clone)]
pub struct Conclude {
    /// The bound.
    pub bound: Bound,
    /// The targets.
    pub targets: Vec<ThreadTarget>,
    /// The formula comes with the program, so what it says is reachable is believed before there is a trace.
    pub is_shipped: bool,
    /// A trace is to be shown.
    pub wants_trace: bool,
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

/// A reason for which the search ended, and how far it came.
pub fn so_far(reason: &str, bound: Bound, number: u32) -> String {
    format!("{reason}; unreachable within {}", amount(bound, number))
}

impl Conclude {
    /// The answer from what an engine tells while it works.
    pub fn foretell(&self, known: Known, reason: &str) -> Option<Early> {
        let all = |verdict: Verdict| vec![Finding { verdict, least: None }; self.targets.len()];
        let (finding, findings) = match known {
            Known::Nothing => return None,
            Known::SafeWithin(number) => {
                let reason = so_far(reason, self.bound, number);
                (Finding::unknown(reason.clone()), all(Verdict::Unknown(reason)))
            }
            Known::Unreachable => {
                (Finding { verdict: Verdict::Unreachable, least: None }, all(Verdict::Unreachable))
            }
            Known::Reachable { .. } if !self.is_shipped => {
                let reason = format!("the formula says reachable, which is not confirmed: {reason}");
                (Finding::unknown(reason.clone()), all(Verdict::Unknown(reason)))
            }
            Known::Reachable { least } => {
                let finding = Finding { verdict: Verdict::Reachable, least };
                let findings = match self.targets.len() {
                    1 => vec![finding.clone()],
                    _ => all(Verdict::Unknown(reason.to_owned())),
                };
                (finding, findings)
            }
        };
        Some(self.without_trace(&finding, &findings))
    }

    /// The answer without a trace.
    pub fn without_trace(&self, finding: &Finding, findings: &[Finding]) -> Early {
        let (conclusion, status) = self.conclusion(finding, findings, None, (String::new(), json!(null)));
        let lacks_trace = self.wants_trace && finding.verdict == Verdict::Reachable;
        Early { conclusion, status, missing: lacks_trace.then_some(Missing::Trace) }
    }

    /// The conclusion from these findings, that about all targets and those about each, with a trace as text and as JSON.
    pub fn conclusion(
        &self,
        finding: &Finding,
        findings: &[Finding],
        every_bound: Option<EveryBound>,
        (text, trace): (String, serde_json::Value),
    ) -> (Conclusion, Status) {
        let Finding { verdict, least } = finding.clone();
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
        match (&self.targets[..], findings) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn early(known: Known, is_shipped: bool) -> Option<(String, Status, Option<Missing>)> {
        let target = ThreadTarget { name: "ERROR".to_owned(), goals: Vec::new() };
        let bound = Bound::Switches(9);
        let conclude = Conclude { bound, targets: vec![target], is_shipped, wants_trace: true, run: None };
        let early = conclude.foretell(known, "timeout")?;
        let line = early.conclusion.text.lines().next().unwrap_or_default().to_owned();
        Some((line, early.status, early.missing))
    }

    #[test]
    fn what_is_known_while_an_engine_works_is_an_answer() {
        let say = |line: &str, status, missing| Some((line.to_owned(), status, missing));
        assert_eq!(early(Known::Nothing, true), None);
        let line = "UNKNOWN: timeout; unreachable within 5 context switches";
        assert_eq!(early(Known::SafeWithin(5), true), say(line, Status::Unknown, None));
        let line = "UNREACHABLE within 9 context switches";
        assert_eq!(early(Known::Unreachable, true), say(line, Status::Evaluated, None));
        let reachable = Known::Reachable { least: Some(3) };
        let line = "REACHABLE within 3 context switches";
        assert_eq!(early(reachable, true), say(line, Status::Violated, Some(Missing::Trace)));
        let line = "UNKNOWN: the formula says reachable, which is not confirmed: timeout";
        assert_eq!(early(reachable, false), say(line, Status::Unknown, None));
    }
}
