//! One question, from the machine to the report.

use crate::concrete::{Concretiser, Problem};
use crate::facts::Facts;
use crate::formula::{self, Checked, FormulaFile};
use crate::skeleton;
use crate::target::Target;
use crate::trace::Trace;
use base::{Diagnostic, Gauge, Sources, Stop};
use rsm::{Goal, Reductions, Rsm};
use solver::{Halt, Settings, Solver, Statistics};
use std::sync::Arc;
use std::time::Duration;
use templates::{Templates, Vocabulary};

/// How a question is to be answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is left out of the program before it is looked at.
    pub reductions: Reductions,
    /// Store everything as bits of diagrams, the paper's evaluation.
    pub symbolic: bool,
    /// Find a trace if the target is reachable.
    pub trace: bool,
    /// Bytes that diagrams may take.
    pub memory: Option<u64>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some run gets there.
    Reachable,
    /// No run gets there.
    Unreachable,
    /// Not found out.
    Unknown(Halt),
}

/// What became of the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceReport {
    /// None was asked for, or there is nothing to show.
    None,
    /// A run that the concrete semantics has replayed.
    Replayed(Trace),
    /// The derivation is no run: the first step that is none.
    Wrong(String),
    /// The time or the memory did not suffice.
    Stopped(Halt),
}

/// Everything that was found out.
#[derive(Debug)]
pub struct Report {
    /// That of the disjunction of all targets.
    pub verdict: Verdict,
    /// One for each target.
    pub targets: Vec<Verdict>,
    /// The trace to the first target that is reachable.
    pub trace: TraceReport,
    /// Warnings about the formula file.
    pub warnings: Vec<Diagnostic>,
    /// Figures.
    pub statistics: Statistics,
}

/// A question that could not be asked.
#[derive(Debug)]
pub enum Failure {
    /// The formula file is wrong.
    Formula(Vec<Diagnostic>),
}

/// Answers whether some run of the program reaches the targets. Places in diagnostics refer to `sources`.
pub fn check(
    rsm: &Rsm,
    targets: &[Target],
    mut file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
) -> Result<Report, Failure> {
    let goals: Vec<Goal> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
    let reduced = rsm::reduce(rsm, &goals, options.reductions);
    let templates = Templates::new(rsm, &reduced);
    let checked = formula::check(sources, &templates, &mut file).map_err(Failure::Formula)?;
    let settings = Settings {
        symbolic: options.symbolic,
        record: options.trace,
        collect_from: solver::COLLECT_FROM,
        memory: options.memory,
        stop: options.stop.clone(),
        gauge: options.gauge.clone(),
        clock: options.clock,
    };
    let solver = Solver::new(&checked.system, settings).map_err(Failure::Formula)?;
    let words = Vocabulary::new(&checked.system, &templates);
    let mut session = Session { templates: &templates, words, checked: &checked, solver };
    let (verdicts, trace) = session.answer(targets, options.trace);
    let statistics = session.solver.statistics();
    let warnings = checked.warnings.clone();
    Ok(Report { verdict: disjunction(&verdicts), targets: verdicts, trace, warnings, statistics })
}

fn disjunction(verdicts: &[Verdict]) -> Verdict {
    let unknown = verdicts.iter().find(|verdict| matches!(verdict, Verdict::Unknown(_)));
    match verdicts.contains(&Verdict::Reachable) {
        true => Verdict::Reachable,
        false => unknown.cloned().unwrap_or(Verdict::Unreachable),
    }
}

struct Session<'a, 's, 'r> {
    templates: &'a Templates<'r>,
    words: Vocabulary,
    checked: &'s Checked,
    solver: Solver<'s>,
}

impl Session<'_, '_, '_> {
    fn answer(&mut self, targets: &[Target], wants_trace: bool) -> (Vec<Verdict>, TraceReport) {
        if let Err(halt) = self.templates.give(&self.checked.system, &self.words, &mut self.solver) {
            return (vec![Verdict::Unknown(halt); targets.len()], TraceReport::None);
        }
        let mut trace = TraceReport::None;
        let mut verdicts = Vec::new();
        for target in targets {
            let verdict = self.ask(&target.goals);
            if verdict == Verdict::Reachable && trace == TraceReport::None && wants_trace {
                trace = self.trace(&target.goals);
            }
            verdicts.push(verdict);
        }
        (verdicts, trace)
    }

    fn ask(&mut self, goals: &[Goal]) -> Verdict {
        let given = self.templates.give_target(goals, &self.words, &mut self.solver);
        match given.and_then(|()| self.solver.query(self.checked.query)) {
            Ok(true) => Verdict::Reachable,
            Ok(false) => Verdict::Unreachable,
            Err(halt) => Verdict::Unknown(halt),
        }
    }

    /// The run behind the last answer.
    fn trace(&mut self, goals: &[Goal]) -> TraceReport {
        let (binders, matrix) = self.checked.matrix();
        let derivation = match self.solver.explain(&binders, matrix) {
            Ok(Some(derivation)) => derivation,
            Ok(None) => return TraceReport::Wrong("the query has no derivation".to_owned()),
            Err(halt) => return TraceReport::Stopped(halt),
        };
        let facts = Facts::new(&self.checked.system, &self.words, self.templates, &derivation);
        let Some(skeleton) = skeleton::find(&facts) else {
            let reason = "its facts lead from no initial state to the target";
            return TraceReport::Wrong(reason.to_owned());
        };
        let concretiser = Concretiser::new(self.templates, &self.words, &mut self.solver, &facts, &skeleton);
        match concretiser.trace(goals) {
            Err(Problem::Exhausted(exhausted)) => TraceReport::Stopped(self.solver.stopped(exhausted)),
            Err(Problem::NoStep(reason)) => TraceReport::Wrong(reason),
            Ok(trace) => match trace.replay(self.templates.rsm) {
                Ok(()) => TraceReport::Replayed(trace),
                Err(reason) => TraceReport::Wrong(reason),
            },
        }
    }
}
