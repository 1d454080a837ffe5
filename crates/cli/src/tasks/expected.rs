//! What is expected of a check, and what became of it.

use super::answer::Answer;
use getafix::Status;

/// The verdicts of `check`.
pub const VERDICTS: [&str; 11] = [
    "reachable",
    "unreachable",
    "infinite run",
    "no infinite run",
    "violated",
    "holds",
    "deadlock",
    "no deadlock",
    "the query is true",
    "the query is false",
    "unknown",
];

/// The verdicts of one target.
pub const OF_TARGETS: [&str; 7] =
    ["reachable", "unreachable", "infinite run", "no infinite run", "violated", "holds", "unknown"];

/// The verdicts that one hopes for.
const HOPED: [&str; 3] = ["unreachable", "no infinite run", "holds"];

/// What is expected of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// What the task says that the program is, if it is one; otherwise that nothing is wrong.
    NoError,
    /// What the task says, if it is one; otherwise any answer.
    Anything,
    /// One of [`VERDICTS`].
    Verdict(String),
    /// A verdict of each of these targets, and that nothing is wrong with the others.
    Targets(Vec<(String, String)>),
}

/// What became of a check, worse ones later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// The verdict is what was expected.
    AsExpected,
    /// Nobody knows.
    Unknown,
    /// The verdict is another one.
    Another,
    /// The program or the question was rejected.
    Rejected,
    /// There is a bug in this program.
    Bug,
}

impl Standing {
    /// All of them with what a table says.
    pub const ALL: [(Self, &'static str); 5] = [
        (Standing::AsExpected, "as expected"),
        (Standing::Another, "another verdict"),
        (Standing::Unknown, "unknown"),
        (Standing::Rejected, "rejected"),
        (Standing::Bug, "a bug of getafix"),
    ];

    /// What a table says.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(standing, _)| *standing == self).map_or("", |(_, word)| word)
    }

    /// The exit status, if this is the worst.
    pub fn status(self) -> Status {
        match self {
            Standing::AsExpected => Status::Evaluated,
            Standing::Unknown => Status::Unknown,
            Standing::Another => Status::Violated,
            Standing::Rejected => Status::Rejected,
            Standing::Bug => Status::Bug,
        }
    }
}

impl Expected {
    /// What became of a check that was answered so.
    pub fn judge(&self, answer: &Answer) -> Standing {
        match answer.status {
            Status::Bug => return Standing::Bug,
            Status::Rejected => return Standing::Rejected,
            _ if answer.is_interrupted => return Standing::Unknown,
            _ => {}
        }
        match (self, answer.expected) {
            (Expected::Verdict(verdict), _) => equal(verdict, answer.verdict(), answer.status),
            (Expected::Targets(targets), _) => of_targets(targets, answer),
            (_, Some(holds)) => match answer.status {
                Status::Unknown => Standing::Unknown,
                status if (status == Status::Evaluated) == holds => Standing::AsExpected,
                _ => Standing::Another,
            },
            (Expected::Anything, None) if answer.status == Status::Violated => Standing::AsExpected,
            (_, None) => match answer.status {
                Status::Unknown => Standing::Unknown,
                Status::Evaluated => Standing::AsExpected,
                _ => Standing::Another,
            },
        }
    }

    /// For tables and messages.
    pub fn shown(&self, answer: &Answer) -> String {
        match (self, answer.expected) {
            (Expected::Verdict(verdict), _) => verdict.clone(),
            (Expected::Targets(targets), _) => {
                let each: Vec<String> =
                    targets.iter().map(|(name, verdict)| format!("{name} {verdict}")).collect();
                each.join(", ")
            }
            (_, Some(true)) => "true".to_owned(),
            (_, Some(false)) => "false".to_owned(),
            (Expected::NoError, None) => "no error".to_owned(),
            (Expected::Anything, None) => String::new(),
        }
    }
}

fn equal(expected: &str, verdict: &str, status: Status) -> Standing {
    match (expected == verdict, status) {
        (true, _) => Standing::AsExpected,
        (false, Status::Unknown) => Standing::Unknown,
        (false, _) => Standing::Another,
    }
}

fn of_targets(expected: &[(String, String)], answer: &Answer) -> Standing {
    let targets = answer.targets();
    let is_missing = |(name, _): &(String, String)| !targets.iter().any(|(other, _)| other == name);
    if expected.iter().any(is_missing) {
        return Standing::Another;
    }
    let judged = targets.iter().map(|(name, verdict)| {
        let status = if verdict == "unknown" { Status::Unknown } else { Status::Evaluated };
        match expected.iter().find(|(other, _)| other == name) {
            Some((_, wanted)) => equal(wanted, verdict, status),
            None if HOPED.contains(&verdict.as_str()) => Standing::AsExpected,
            None => equal("unreachable", verdict, status),
        }
    });
    judged.max().unwrap_or(Standing::AsExpected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(verdict: &str, status: Status, targets: &[(&str, &str)]) -> Answer {
        let targets: Vec<serde_json::Value> =
            targets.iter().map(|(name, verdict)| json!({ "target": name, "verdict": verdict })).collect();
        Answer { status, object: json!({ "verdict": verdict, "targets": targets }), ..Answer::default() }
    }

    #[test]
    fn a_verdict_is_as_expected_another_or_unknown() {
        let [yes, no, unknown] = [
            ("reachable", Status::Violated),
            ("unreachable", Status::Evaluated),
            ("unknown", Status::Unknown),
        ]
        .map(|(verdict, status)| answer(verdict, status, &[]));
        let all = |expected: Expected| [&yes, &no, &unknown].map(|answer| expected.judge(answer));
        use Standing::{Another, AsExpected, Unknown};
        assert_eq!(all(Expected::NoError), [Another, AsExpected, Unknown]);
        assert_eq!(all(Expected::Anything), [AsExpected, AsExpected, Unknown]);
        assert_eq!(all(Expected::Verdict("reachable".to_owned())), [AsExpected, Another, Unknown]);
        assert_eq!(all(Expected::Verdict("unknown".to_owned())), [Another, Another, AsExpected]);
        let task = |status, holds| Answer { expected: Some(holds), ..answer("", status, &[]) };
        assert_eq!(Expected::NoError.judge(&task(Status::Violated, false)), AsExpected);
        assert_eq!(Expected::Anything.judge(&task(Status::Evaluated, false)), Another);
        assert_eq!(Expected::Anything.judge(&task(Status::Unknown, false)), Unknown);
        assert_eq!(Expected::NoError.judge(&answer("error", Status::Rejected, &[])), Standing::Rejected);
    }

    #[test]
    fn targets_are_compared_one_by_one_and_others_must_be_right() {
        let judge = |expected: &[(&str, &str)], found: &[(&str, &str)]| {
            let expected = expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            Expected::Targets(expected).judge(&answer("reachable", Status::Violated, found))
        };
        use Standing::{Another, AsExpected, Unknown};
        assert_eq!(judge(&[("A", "reachable")], &[("A", "reachable"), ("B", "unreachable")]), AsExpected);
        assert_eq!(judge(&[("A", "reachable")], &[("A", "reachable"), ("B", "reachable")]), Another);
        assert_eq!(judge(&[("A", "reachable")], &[("A", "unknown"), ("B", "unreachable")]), Unknown);
        assert_eq!(judge(&[("A", "reachable"), ("C", "unknown")], &[("A", "reachable")]), Another);
    }
}
