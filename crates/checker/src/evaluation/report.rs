//! What an evaluation of a formula found out, before anybody decides what to make of it.

use super::ClauseFigures;
use super::side_answers::SideAnswer;
use crate::formula::Checked;
use crate::formula::notes::{self, WithinNote};
use crate::outcome::{Finding, Unknown, Verdict, Words};
use crate::problem::Question;
use crate::threads::EveryBound;
use base::{Diagnostic, Span};
use rsm::trace::{End, ReplayError, Trace};
use rsm::{Concurrent, ThreadGoal};
use runs::Reason;
use solver::{Explanation, Statistics};

/// Everything that was found out about a program, with threads or without.
#[derive(Debug)]
pub struct Report {
    /// What the formula asks.
    pub asks: Asks,
    /// The answer to the query with all targets at once.
    pub finding: Finding,
    /// The answers with each target alone. A formula that needs several targets may be true of none of them.
    pub findings: Vec<Finding>,
    /// If the answer is unknown: the largest bound within which no target is reachable, as far as that was found out.
    pub safe_within: Option<u32>,
    /// Why a `No` holds for every bound, if that is known.
    pub every_bound: Option<EveryBound>,
    /// The run behind a `Yes`.
    pub trace: TraceReport,
    /// If the answer is about several runs: the others, replayed, too.
    pub further: Vec<Trace>,
    /// The derivation behind an answer that rests on no run, in terms of the program.
    pub derivation: Vec<String>,
    /// The same, tuple by tuple.
    pub reasons: Vec<Reason>,
    /// The certificate for a `No`, if one was asked for.
    pub certificate: CertificateReport,
    /// The names that the formula has for places of the program.
    pub labels: Vec<(String, Vec<ThreadGoal>)>,
    /// What the formula file asks beside the verdict.
    pub side_answers: Vec<SideAnswer>,
    /// Warnings about the formula file.
    pub warnings: Vec<Diagnostic>,
    /// Figures.
    pub statistics: Statistics,
    /// What each clause of the formula has cost.
    pub clauses: Vec<ClauseFigures>,
}

/// What a formula file says about its question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asks {
    /// The words of the answer.
    pub words: Words,
    /// What the runs do that are looked for.
    pub about: Option<String>,
    /// An answer `Yes` has a run, otherwise `No` has one.
    pub yes_has_run: bool,
    /// It depends on targets.
    pub is_about_targets: bool,
    /// What the answer counts, if it counts, and how far.
    pub within: Option<(u32, String)>,
    /// It is whether a run reaches a target, and no more.
    pub is_plain: bool,
    /// It names places of the program.
    pub has_labels: bool,
    /// It tells states apart that mean the same to runs.
    pub tells_states_apart: bool,
    /// The author claims that each run that the formula speaks of exists; where that is said.
    pub exact: Option<Span>,
    /// A relation that the query depends on may lose tuples on the way: a derivation may then have gaps.
    pub is_monotone: bool,
}

impl Asks {
    /// What a formula says.
    pub(crate) fn new(checked: &Checked) -> Self {
        let names_program = checked.system.notes.iter().any(notes::names_program);
        let (verdict, system) = (&checked.verdict, &checked.system);
        let most = |within: &WithinNote| {
            let sort = system.sort_of(*system.binders[within.number.index()].leaves.first()?);
            let most = sort.value_name(u32::try_from(sort.size().checked_sub(1)?).ok()?).parse().ok()?;
            Some((most, within.unit.clone()))
        };
        Self {
            words: verdict.words,
            about: verdict.about.clone(),
            yes_has_run: checked.true_has_run == verdict.true_is_yes,
            is_about_targets: checked.is_about_targets,
            within: verdict.within.as_ref().and_then(most),
            is_plain: verdict.words == Words::Reachable
                && checked.is_about_targets
                && verdict.about.is_none()
                && verdict.within.is_none()
                && !names_program,
            has_labels: names_program,
            tells_states_apart: checked.tells_states_apart,
            exact: checked.notes.exact,
            is_monotone: checked.is_monotone,
        }
    }
}

impl Asks {
    /// It is what a question asks: the same words, and targets if the question has some.
    pub(crate) fn is_asked_by(&self, question: Question) -> bool {
        self.words == question.words()
            && self.about.is_none()
            && self.within.is_none()
            && !self.has_labels
            && self.is_about_targets == (question != Question::Infinite)
    }
}

impl Report {
    /// Nothing is reachable within so many switches, and more are not asked for, although every number counts.
    pub(crate) fn leave_open(&mut self, number: u32) {
        let reason = format!("the formulas were asked about {number} context switches, and not about more");
        self.finding = Finding::unknown(Unknown::Because(reason));
        self.findings.fill(self.finding.clone());
        self.safe_within = Some(number);
    }

    /// An answer, and nothing beside it.
    pub(crate) fn new(asks: Asks, finding: Finding, findings: Vec<Finding>) -> Self {
        Self {
            asks,
            finding,
            findings,
            safe_within: None,
            every_bound: None,
            trace: TraceReport::None,
            further: Vec::new(),
            derivation: Vec::new(),
            reasons: Vec::new(),
            certificate: CertificateReport::None,
            labels: Vec::new(),
            side_answers: Vec::new(),
            warnings: Vec::new(),
            statistics: Statistics::default(),
            clauses: Vec::new(),
        }
    }

    /// The answer with all targets at once.
    pub fn verdict(&self) -> &Verdict {
        &self.finding.verdict
    }
}

/// What became of the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceReport {
    /// None was asked for, or there is nothing to show.
    None,
    /// A run that the concrete semantics has replayed.
    Replayed(Box<Trace>),
    /// The derivation is no run: the first step that is none.
    Wrong(String),
    /// Nothing in this derivation is a run.
    NoRun(Box<Explanation>),
    /// Whether it is a run cannot be told: a step has too many outcomes.
    Unclear(String),
    /// The time or the memory did not suffice.
    Stopped(Unknown),
}

impl TraceReport {
    /// What a replay says about a trace.
    pub(crate) fn replayed(trace: Trace, program: &Concurrent, goals: &[ThreadGoal]) -> Self {
        let goals = if matches!(trace.end, End::Goal(_)) { goals } else { &[] };
        match trace.replay(program, goals) {
            Ok(()) => Self::Replayed(Box::new(trace)),
            Err(error @ ReplayError::Unclear(_)) => Self::Unclear(error.to_string()),
            Err(error) => Self::Wrong(error.to_string()),
        }
    }
}

/// What became of the certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertificateReport {
    /// None was asked for, or the answer is not `No`.
    None,
    /// Its text.
    Written(String),
    /// The formula file names no summaries.
    NoSummaries,
    /// The time or the memory did not suffice.
    Stopped(Unknown),
}
