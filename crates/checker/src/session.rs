//! One question, from the machine to the report.

use crate::certify;
use crate::concrete::{Concretiser, Problem};
use crate::engine::Failure;
use crate::facts::Facts;
use crate::formula::{self, Checked, FormulaFile};
use crate::outcome::{Unknown, Verdict};
use crate::skeleton;
use crate::target::Target;
use base::{Diagnostic, Gauge, Known, Sources, Stop};
use calculus::dependencies::Dependencies;
use calculus::system::{RelationId, System};
use rsm::trace::{ReplayError, Trace};
use rsm::{Concurrent, Goal, Reductions, Rsm, ThreadGoal};
use solver::{Halt, Settings, Solver, Statistics};
use std::sync::Arc;
use std::time::Duration;
use templates::{Role, Templates, Vocabulary};

/// How a question is to be answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is left out of the program before it is looked at.
    pub reductions: Reductions,
    /// Store everything as bits of diagrams, the paper's evaluation.
    pub symbolic: bool,
    /// Find a trace if the target is reachable.
    pub trace: bool,
    /// Write a certificate if no target is reachable.
    pub certificate: bool,
    /// Bytes that diagrams may take.
    pub memory: Option<u64>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
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
    /// Whether it is a run cannot be told: a step has too many outcomes.
    Unclear(String),
    /// The time or the memory did not suffice.
    Stopped(Unknown),
}

impl TraceReport {
    /// What a replay says about a trace.
    pub(crate) fn replayed(trace: Trace, program: &Concurrent, goals: &[ThreadGoal]) -> Self {
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
    /// None was asked for, or the target is not unreachable.
    None,
    /// Its text.
    Written(String),
    /// The query of the formula has no summaries, a relation of two states beside the target.
    NoSummaries,
    /// The time or the memory did not suffice.
    Stopped(Unknown),
}

/// Everything that was found out.
#[derive(Debug)]
pub struct Report {
    /// The answer to the query with all targets at once.
    pub verdict: Verdict,
    /// The answers with each target alone. A formula that needs several targets may be true of none of them.
    pub targets: Vec<Verdict>,
    /// The trace to the first target that is reachable.
    pub trace: TraceReport,
    /// The certificate for `Unreachable`, if one was asked for.
    pub certificate: CertificateReport,
    /// Warnings about the formula file.
    pub warnings: Vec<Diagnostic>,
    /// Figures.
    pub statistics: Statistics,
}

/// Answers whether some run of the program reaches the targets. Places in diagnostics refer to `sources`.
pub fn check(
    rsm: &Rsm,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
) -> Result<Report, Failure> {
    with_session(rsm, targets, file, options, sources, |session, sources| {
        let (verdict, verdicts, trace) = session.answer(targets, options);
        let certificate = match options.certificate && verdict == Verdict::No {
            true => session.certificate(targets, sources),
            false => CertificateReport::None,
        };
        let statistics = session.solver.statistics();
        let warnings = session.checked.warnings.clone();
        Report { verdict, targets: verdicts, trace, certificate, warnings, statistics }
    })
}

/// Prepares a question: reduces the program, checks the formula, lays out the variables.
pub(crate) fn with_session<T>(
    rsm: &Rsm,
    targets: &[Target],
    mut file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    ask: impl FnOnce(&mut Session, &Sources) -> T,
) -> Result<T, Failure> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let reduced = rsm::reduce(rsm, &goals, options.reductions);
    let templates = Templates::new(rsm, &reduced);
    let checked = formula::check(sources, &templates, &mut file, None).map_err(Failure::Formula)?;
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
    let mut session = Session { templates: &templates, words, checked: &checked, solver, goals: &goals };
    Ok(ask(&mut session, sources))
}

/// Computes all relations that do not depend on the target.
pub(crate) fn complete(system: &System, words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
    let target = words.with_role(Role::Target).relation;
    let dependencies = Dependencies::new(system);
    for relation in (0..system.relations.len()).map(RelationId::new) {
        let given = words.of_relation(relation).is_some();
        if !given && !dependencies.depends_on(relation, target) {
            solver.evaluate(relation)?;
        }
    }
    Ok(())
}

/// A question that is ready to be asked.
pub(crate) struct Session<'a, 's, 'r> {
    pub templates: &'a Templates<'r>,
    pub words: Vocabulary,
    pub checked: &'s Checked,
    pub solver: Solver<'s>,
    /// All goals of all targets.
    pub goals: &'a [Goal],
}

impl Session<'_, '_, '_> {
    /// The answer with all targets, those with each alone, and a trace. The first is told as soon as it is known.
    fn answer(&mut self, targets: &[Target], options: &Options) -> (Verdict, Vec<Verdict>, TraceReport) {
        if let Err(halt) = self.templates.give(&self.checked.system, &self.words, &mut self.solver) {
            let unknown = Verdict::Unknown(halt.into());
            return (unknown.clone(), vec![unknown; targets.len()], TraceReport::None);
        }
        let all = self.goals;
        let verdict = self.ask(all);
        match verdict {
            Verdict::Yes => options.gauge.tell(Known::Reachable { least: None }),
            Verdict::No => options.gauge.tell(Known::Unreachable),
            Verdict::Unknown(_) => {}
        }
        let reachable = verdict == Verdict::Yes;
        let trace = if reachable && options.trace { self.trace(all) } else { TraceReport::None };
        if !reachable || targets.len() == 1 {
            return (verdict.clone(), vec![verdict; targets.len()], trace);
        }
        (verdict, self.each(targets, &trace), trace)
    }

    /// What does not depend on the target is computed once, then each target is asked for alone. That which the trace leads to
    /// is reachable, whatever there is time for.
    fn each(&mut self, targets: &[Target], trace: &TraceReport) -> Vec<Verdict> {
        let reached = |target: &Target| match trace {
            TraceReport::Replayed(trace) => target.is_reached_by(trace),
            _ => false,
        };
        let complete = complete(&self.checked.system, &self.words, &mut self.solver);
        let verdict = |target: &Target| match &complete {
            _ if reached(target) => Verdict::Yes,
            Ok(()) => self.ask(&target.places().collect::<Vec<Goal>>()),
            Err(halt) => Verdict::Unknown(halt.clone().into()),
        };
        targets.iter().map(verdict).collect()
    }

    fn certificate(&mut self, targets: &[Target], sources: &Sources) -> CertificateReport {
        let Some(summaries) = certify::find(self.checked, &self.solver) else {
            return CertificateReport::NoSummaries;
        };
        let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
        let (templates, checked) = (self.templates, self.checked);
        match certify::write(templates, checked, &mut self.solver, summaries, &names, sources) {
            Ok(text) => CertificateReport::Written(text),
            Err(halt) => CertificateReport::Stopped(halt.into()),
        }
    }

    fn ask(&mut self, goals: &[Goal]) -> Verdict {
        let given = self.templates.give_target(goals, &self.words, &mut self.solver);
        match given.and_then(|()| self.solver.query(self.checked.query)) {
            Ok(true) => Verdict::Yes,
            Ok(false) => Verdict::No,
            Err(halt) => Verdict::Unknown(halt.into()),
        }
    }

    /// The run behind the last answer.
    fn trace(&mut self, goals: &[Goal]) -> TraceReport {
        let (binders, matrix) = self.checked.matrix();
        let derivation = match self.solver.explain_found(&binders, matrix) {
            Ok(Some(derivation)) => derivation,
            Ok(None) => return TraceReport::Wrong("the query has no derivation".to_owned()),
            Err(halt) => return TraceReport::Stopped(halt.into()),
        };
        let facts = Facts::new(&self.checked.system, &self.words, self.templates, &derivation);
        let Some(skeleton) = skeleton::find(&facts) else {
            let reason = "its facts lead from no initial state to the target";
            return TraceReport::Wrong(reason.to_owned());
        };
        let concretiser = Concretiser::new(self.templates, &self.words, &mut self.solver, &facts, &skeleton);
        match concretiser.trace(goals) {
            Err(Problem::Exhausted(exhausted)) => TraceReport::Stopped(self.solver.stopped(exhausted).into()),
            Err(Problem::NoStep(reason)) => TraceReport::Wrong(reason),
            Ok(trace) => {
                let goals: Vec<ThreadGoal> = goals.iter().copied().map(ThreadGoal::from).collect();
                TraceReport::replayed(trace, &Concurrent::sequential(self.templates.rsm.clone()), &goals)
            }
        }
    }
}
