//! What comes out: a verdict, the least bound, evidence, figures, and one `Unknown` that says why.

use crate::evaluation::{ClauseFigures, SideAnswer};
use crate::integer::{ExecutionFigures, IntegerFindings, ProofFigures};
use crate::problem::{Problem, Subject};
use crate::threads::EveryBound;
use base::{Diagnostic, Known, Reading, StopReason};
use rsm::ThreadGoal;
use rsm::interleave::Scheduler;
use rsm::trace::{ThreadCycle, Trace};
use runs::Reason;
use solver::{Halt, Statistics};
use std::time::Duration;

/// The answer to a question: is there what it looks for? [`Words`] say what that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is: some run reaches a target, never ends, or violates what should hold.
    Yes,
    /// There is not.
    No,
    /// Not found out.
    Unknown(Unknown),
}

/// The words in which a question is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Words {
    /// `REACHABLE` or `UNREACHABLE`.
    #[default]
    Reachable,
    /// `INFINITE RUN` or `NO INFINITE RUN`.
    InfiniteRun,
    /// `VIOLATED` or `HOLDS`.
    Violated,
    /// `the query is false` or `the query is true`: nothing says which of them is good, and the second counts as `No`.
    Query,
    /// `DEADLOCK` or `NO DEADLOCK`.
    Deadlock,
}

/// Why something is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// Stopped from outside, or out of memory, with how far it came.
    Stopped(StopReason, Reading),
    /// A formula says that there is a run, and none confirms it, for this reason.
    Unconfirmed(Box<Unknown>),
    /// A formula says that there is a run, but its derivation is none, for this reason.
    NoRun(String),
    /// It is not found with mathematical integers. Those of the machine may overflow, for this reason as far as it is known.
    UnlessOverflow(Box<Unknown>),
    /// It is not found, in runs that do not misuse memory. Others may, for this reason as far as it is known.
    UnlessMisused(Box<Unknown>),
    /// Several engines were asked, and each has its own reason.
    Each(Vec<(&'static str, Unknown)>),
    /// This had been found to be in the way, in words, before something else ended the work.
    Hindered(String, Box<Unknown>),
    /// Any other reason, in words.
    Because(String),
}

/// What is known of one target, or of all together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Within the bound of the problem.
    pub verdict: Verdict,
    /// The least bound within which it is reachable, if that is known.
    pub least: Option<u32>,
}

/// What an answer may lack although it was wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// A run that is to be shown.
    Trace,
    /// A certificate.
    Certificate,
    /// The answer of another engine that is to agree.
    Comparison,
    /// Whether a result overflows.
    Overflow,
    /// Whether memory is misused.
    Misuse,
}

/// Everything that was found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the answer is an answer to.
    pub asked: Asked,
    /// Of all targets together.
    pub finding: Finding,
    /// Of each target.
    pub findings: Vec<Finding>,
    /// The largest bound within which no target is reachable of which nothing is known, as far as that was found out.
    pub safe_within: Option<u32>,
    /// Why `Unreachable` holds for every bound, if that is known.
    pub every_bound: Option<EveryBound>,
    /// A run that the concrete semantics has replayed.
    pub trace: Option<Trace>,
    /// What is to be said of that run.
    pub run: RunFindings,
    /// The text of a certificate.
    pub certificate: Option<String>,
    /// What is to be said of the formula that was asked.
    pub formula: FormulaFindings,
    /// What is missing, and why.
    pub unfinished: Vec<(Missing, Unknown)>,
    /// What else a person may want to know.
    pub remarks: Vec<String>,
    /// The figures of whoever worked on it.
    pub figures: WorkFigures,
    /// Who gave the answer, if several were asked.
    pub by: Option<String>,
    /// Whether some runs are finite, where an answer is about infinite ones only and somebody wants to know.
    pub finite_runs: Option<FiniteRuns>,
    /// What is to be said of an integer program: which integers the answer is about, its run, its proof.
    pub integers: IntegerFindings,
}

/// What is to be said of a run beside its steps.
#[derive(Clone, Debug, Default)]
pub struct RunFindings {
    /// If the answer is about several runs: the others, replayed, too.
    pub further: Vec<Trace>,
    /// Of an infinite run of threads: its schedule.
    pub schedule: Option<Schedule>,
    /// If somebody watches threads: the states of the observer along the run, before the first step and after each.
    pub observed: Vec<u32>,
}

/// What is to be said of a formula beside the verdict.
#[derive(Clone, Debug, Default)]
pub struct FormulaFindings {
    /// If the answer rests on no run: its derivation, in terms of the program.
    pub derivation: Vec<String>,
    /// The same, tuple by tuple.
    pub reasons: Vec<Reason>,
    /// What the formula file asks beside the verdict, with all targets.
    pub side_answers: Vec<SideAnswer>,
    /// Warnings about a formula of the user.
    pub warnings: Vec<Diagnostic>,
}

/// What an answer is an answer to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// The words for it.
    pub words: Words,
    /// The formula asks something else than the problem does.
    pub otherwise: bool,
    /// What the runs do that are looked for, in the words of the formula.
    pub about: Option<String>,
    /// The answer means that there is such a run.
    pub has_run: bool,
    /// Within what the answer holds, in the units of the formula.
    pub within: Option<(u32, String)>,
    /// The names that the formula has for places of the program.
    pub labels: Vec<(String, Vec<ThreadGoal>)>,
}

/// The figures of those who worked on an answer.
#[derive(Clone, Debug, Default)]
pub struct WorkFigures {
    /// Of the solver.
    pub statistics: Option<Statistics>,
    /// What each clause of the formula has cost.
    pub clauses: Vec<ClauseFigures>,
    /// Of a search of states.
    pub search: Option<SearchFigures>,
    /// Of runs that were executed.
    pub executed: ExecutionFigures,
    /// Of proofs that were looked for.
    pub proving: ProofFigures,
    /// Of the views of the program, if the answer is that of one of them.
    pub localised: Option<LocalisedFigures>,
}

/// What a view that has the answer knows of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalisedFigures {
    /// The formula that has answered.
    pub formula: String,
    /// How many views there were.
    pub n_rounds: u32,
    /// How many variables the last one knows.
    pub n_kept: usize,
    /// How many there are.
    pub n_variables: usize,
    /// How many low bits of integers it knows.
    pub bits: u8,
    /// How many the widest variable has.
    pub widest: u8,
}

/// What is known of runs that are finite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FiniteRuns {
    /// Some run ends: `main` returns.
    pub ends: bool,
    /// Some run cannot go on: it blocks, or an assertion fails.
    pub blocks: bool,
    /// Some run of several threads ends in a deadlock.
    pub deadlocks: bool,
    /// What was not found does not exist.
    pub is_complete: bool,
}

/// What a schedule does that goes on for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// What happens to the threads again and again.
    pub cycle: ThreadCycle,
    /// What the answer is under a scheduler that would not allow it, if that was found out.
    pub otherwise: Option<(Scheduler, Verdict)>,
}

/// What a search of states has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchFigures {
    /// Of the search that took most states, if there were several.
    pub figures: explicit::Figures,
    /// The states of all of them.
    pub n_states: u64,
    /// The time that all of them took.
    pub time: Duration,
}

impl Verdict {
    /// Not found out.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }
}

impl Words {
    /// They speak of runs: such an answer is believed only with one, unless its author claims that there is one.
    pub fn needs_run(self) -> bool {
        matches!(self, Self::Reachable | Self::InfiniteRun)
    }

    /// What the first line of an answer says of a verdict.
    pub fn headline(self, verdict: &Verdict) -> String {
        match self {
            Self::Query => self.of(verdict).to_owned(),
            _ => self.of(verdict).to_uppercase(),
        }
    }

    /// What is said of a verdict, in lower case.
    pub fn of(self, verdict: &Verdict) -> &'static str {
        match (self, verdict) {
            (Self::Reachable, Verdict::Yes) => "reachable",
            (Self::Reachable, Verdict::No) => "unreachable",
            (Self::InfiniteRun, Verdict::Yes) => "infinite run",
            (Self::InfiniteRun, Verdict::No) => "no infinite run",
            (Self::Violated, Verdict::Yes) => "violated",
            (Self::Violated, Verdict::No) => "holds",
            (Self::Query, Verdict::Yes) => "the query is false",
            (Self::Query, Verdict::No) => "the query is true",
            (Self::Deadlock, Verdict::Yes) => "deadlock",
            (Self::Deadlock, Verdict::No) => "no deadlock",
            (_, Verdict::Unknown(_)) => "unknown",
        }
    }
}

impl Unknown {
    /// A reason in words.
    pub fn because(reason: impl Into<String>) -> Self {
        Self::Because(reason.into())
    }
}

impl From<Halt> for Unknown {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(reason, reading) => Self::Stopped(reason, reading),
            other => Self::Because(other.to_string()),
        }
    }
}

impl Finding {
    /// A verdict without a bound.
    pub fn new(verdict: Verdict) -> Self {
        Self { verdict, least: None }
    }

    /// Nothing is known, for this reason.
    pub fn unknown(reason: Unknown) -> Self {
        Self::new(Verdict::Unknown(reason))
    }

    /// There is what is looked for.
    pub fn is_yes(&self) -> bool {
        self.verdict == Verdict::Yes
    }

    /// What is known of "one of them".
    pub fn any(findings: &[Finding]) -> Self {
        let unknown = findings.iter().find(|finding| finding.verdict.is_unknown());
        let verdict = match findings.iter().any(Finding::is_yes) {
            true => Verdict::Yes,
            false => unknown.map_or(Verdict::No, |finding| finding.verdict.clone()),
        };
        Self { verdict, least: findings.iter().filter_map(|finding| finding.least).min() }
    }
}

impl Outcome {
    /// Findings, and nothing beside them.
    pub fn new(finding: Finding, findings: Vec<Finding>) -> Self {
        Self {
            asked: Asked::default(),
            finding,
            findings,
            safe_within: None,
            every_bound: None,
            trace: None,
            run: RunFindings::default(),
            certificate: None,
            formula: FormulaFindings::default(),
            unfinished: Vec::new(),
            remarks: Vec::new(),
            figures: WorkFigures::default(),
            by: None,
            finite_runs: None,
            integers: IntegerFindings::default(),
        }
    }

    /// The answer from what an engine has told while it worked, if it is not known more for this reason. What is said to be
    /// reachable is believed only if that needs no confirmation.
    pub fn from_known<S: Subject>(
        problem: &Problem<S>,
        known: Known,
        reason: Unknown,
        is_believed: bool,
    ) -> Option<Self> {
        let all = |verdict: &Verdict| vec![Finding::new(verdict.clone()); problem.targets.len()];
        let unknown = |reason: Unknown| {
            let verdict = Verdict::Unknown(reason);
            Self::new(Finding::new(verdict.clone()), all(&verdict))
        };
        let mut outcome = match known {
            Known::Nothing => return None,
            Known::SafeWithin(_) if problem.bound.is_none() => return None,
            Known::SafeWithin(number) => Self { safe_within: Some(number), ..unknown(reason) },
            Known::Unreachable => Self::new(Finding::new(Verdict::No), all(&Verdict::No)),
            Known::Reachable { .. } if !is_believed => unknown(Unknown::Unconfirmed(Box::new(reason))),
            Known::Reachable { least } => {
                let finding = Finding { verdict: Verdict::Yes, least };
                let findings = match problem.targets.len() {
                    1 => vec![finding.clone()],
                    _ => all(&Verdict::Unknown(reason.clone())),
                };
                Self::new(finding, findings)
            }
        };
        outcome.asked.words = problem.question.words();
        Some(outcome)
    }

    /// What the problem wants and an outcome without evidence lacks.
    pub fn lacks(&self, problem: &Problem) -> Option<Missing> {
        match self.finding.verdict {
            Verdict::Yes if problem.wants_trace() && self.trace.is_none() => Some(Missing::Trace),
            Verdict::No if problem.wanted.certificate && self.certificate.is_none() => {
                Some(Missing::Certificate)
            }
            _ => None,
        }
    }
}
