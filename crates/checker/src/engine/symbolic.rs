//! A formula, evaluated by the solver: the answer, and the evidence for it.
//!
//! An algorithm that comes with the program is believed, and a derivation of it that is no run is a bug. A formula of the user is
//! believed only as far as its runs go: what it says is reachable without one is unknown.

use super::{Asker, Engine, Failure, Limits};
use crate::formula::Formula;
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Problem, WantedTrace};
use crate::session::{self, CertificateReport, Options, TraceReport};
use crate::shortest::{ShortestError, shortest};
use crate::target::Target;
use crate::threads::{self, EveryBound, Scheduling, Trials};
use base::{Diagnostic, Sources};
use rsm::Reductions;
use rsm::trace::Trace;
use solver::Statistics;

/// The algorithm whose derivations may have gaps: it is not monotone, so a fact may rest on what was not known.
const NOT_MONOTONE: &str = "entry_forward_opt";

/// Why nothing is known about a target of which the formula is not true alone.
const TOGETHER: &str = "the formula is true of all targets together, and not of this one alone";

/// A formula and how it is evaluated.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The formula.
    pub formula: Formula,
    /// Values for its parameters.
    pub params: Vec<(String, u64)>,
    /// What is left out of the program before it is looked at.
    pub reductions: Reductions,
    /// What makes questions about threads quicker.
    pub scheduling: Scheduling,
    /// Store everything as bits of diagrams, the paper's evaluation.
    pub only_bits: bool,
    /// The formula itself has to answer: no other reason why nothing is reachable is looked for before.
    pub must_evaluate: bool,
}

/// What one evaluation is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Verdict,
    Trace,
    /// A certificate, whatever way of storing was asked for: it speaks of program points.
    Certificate,
}

/// What one evaluation found.
struct Evaluated {
    finding: Finding,
    findings: Vec<Finding>,
    safe_within: Option<u32>,
    every_bound: Option<EveryBound>,
    trace: TraceReport,
    certificate: CertificateReport,
    warnings: Vec<Diagnostic>,
    statistics: Statistics,
}

impl Symbolic {
    /// A formula, evaluated with everything that makes it quick.
    pub fn new(formula: Formula) -> Self {
        Self {
            formula,
            params: Vec::new(),
            reductions: Reductions::ALL,
            scheduling: Scheduling::default(),
            only_bits: false,
            must_evaluate: false,
        }
    }

    fn is_shipped(&self) -> bool {
        self.formula.shipped.is_some()
    }

    /// What is known of the formulas that come with the program: smaller bounds allow less, and no bound allows what no schedule does.
    fn scheduling(&self) -> Scheduling {
        let scheduling = self.scheduling;
        let every_bound = match scheduling.every_bound {
            Trials::After if self.is_shipped() && !self.must_evaluate => Trials::First,
            other => other,
        };
        let deepening = scheduling.deepening.filter(|_| self.is_shipped());
        Scheduling { deepening, every_bound, ..scheduling }
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &str {
        "formula"
    }

    fn is_believed(&self) -> bool {
        self.is_shipped()
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        Asking { engine: self, problem, limits, remarks: Vec::new(), unfinished: Vec::new() }.answer(asker)
    }
}

/// A problem on its way to an outcome.
struct Asking<'a> {
    engine: &'a Symbolic,
    problem: &'a Problem<'a>,
    limits: &'a Limits,
    remarks: Vec<String>,
    unfinished: Vec<(Missing, Unknown)>,
}

impl Asking<'_> {
    fn answer(mut self, asker: &mut Asker) -> Result<Outcome, Failure> {
        let (engine, problem) = (self.engine, self.problem);
        let is_shipped = engine.is_shipped();
        let derives = is_shipped && problem.wanted.trace == WantedTrace::Any;
        let purpose = if derives { Purpose::Trace } else { Purpose::Verdict };
        let found = self.evaluate(&engine.formula, problem.targets, purpose, asker.sources)?;
        let mut outcome = Outcome::new(found.finding, found.findings);
        outcome.safe_within = found.safe_within;
        outcome.every_bound = found.every_bound.filter(|_| problem.program.is_whole);
        outcome.statistics = Some(found.statistics);
        if !is_shipped {
            outcome.warnings = found.warnings;
        }
        if is_shipped || outcome.finding.verdict == Verdict::No {
            (asker.known)(&outcome, outcome.lacks(problem));
        }
        self.certify(&mut outcome, found.certificate, asker.sources)?;
        if outcome.finding.is_yes() {
            match is_shipped {
                true => self.show(&mut outcome, found.trace, asker.sources)?,
                false => self.confirm_all(&mut outcome, asker.sources)?,
            }
        }
        outcome.remarks.append(&mut self.remarks);
        outcome.unfinished.append(&mut self.unfinished);
        Ok(outcome)
    }

    fn options(&self) -> Options {
        let Limits { memory, stop, gauge, clock } = self.limits.clone();
        Options {
            reductions: self.engine.reductions,
            symbolic: self.engine.only_bits,
            trace: false,
            certificate: false,
            memory,
            stop,
            gauge,
            clock,
        }
    }

    fn evaluate(
        &self,
        formula: &Formula,
        targets: &[Target],
        purpose: Purpose,
        sources: &mut Sources,
    ) -> Result<Evaluated, Failure> {
        let options = Options {
            trace: purpose == Purpose::Trace,
            certificate: self.problem.wanted.certificate,
            symbolic: self.engine.only_bits && purpose != Purpose::Certificate,
            ..self.options()
        };
        let program = self.problem.program;
        formula.with_file(&self.engine.params, |file| match self.problem.bound {
            None => {
                let report = session::check(&program.machine, targets, file, &options, sources)?;
                Ok(Evaluated {
                    finding: Finding::new(report.verdict),
                    findings: report.targets.into_iter().map(Finding::new).collect(),
                    safe_within: None,
                    every_bound: None,
                    trace: report.trace,
                    certificate: report.certificate,
                    warnings: report.warnings,
                    statistics: report.statistics,
                })
            }
            Some(bound) => {
                let scheduling = self.engine.scheduling();
                let report =
                    threads::check_threads(program, targets, bound, file, scheduling, &options, sources)?;
                Ok(Evaluated {
                    finding: Finding { verdict: report.verdict, least: report.least },
                    findings: report.targets,
                    safe_within: report.safe_within,
                    every_bound: report.every_bound,
                    trace: report.trace,
                    certificate: CertificateReport::None,
                    warnings: report.warnings,
                    statistics: report.statistics,
                })
            }
        })
    }

    /// The certificate, if need be that of another algorithm. If that one contradicts the verdict, it is a bug, or the formula is
    /// the user's and nothing is known.
    fn certify(
        &mut self,
        outcome: &mut Outcome,
        report: CertificateReport,
        sources: &mut Sources,
    ) -> Result<(), Failure> {
        match report {
            CertificateReport::None => return Ok(()),
            CertificateReport::Written(text) => outcome.certificate = Some(text),
            CertificateReport::Stopped(reason) => self.unfinished.push((Missing::Certificate, reason)),
            CertificateReport::NoSummaries => {
                let formula = Formula::default();
                let (name, default) = (&self.engine.formula.name, &formula.name);
                self.remarks.push(match self.engine.only_bits {
                    true => format!("the certificate is that of {default} with explicit program points"),
                    false => {
                        format!("the certificate is that of {default}, since {name} computes no summaries")
                    }
                });
                let found = self.evaluate(&formula, self.problem.targets, Purpose::Certificate, sources)?;
                match (found.finding.verdict, found.certificate) {
                    (_, CertificateReport::Written(text)) => outcome.certificate = Some(text),
                    (Verdict::Unknown(reason), _) | (_, CertificateReport::Stopped(reason)) => {
                        self.unfinished.push((Missing::Certificate, reason));
                    }
                    (Verdict::Yes, _) => {
                        let is_shipped = self.engine.is_shipped();
                        assert!(!is_shipped, "{name} says unreachable, {default} says reachable");
                        let reason = format!(
                            "the formula says unreachable, but {default}, asked for a certificate, says reachable"
                        );
                        outcome.finding = Finding::unknown(Unknown::Because(reason));
                        outcome.findings.fill(outcome.finding.clone());
                    }
                    (Verdict::No, other) => panic!("{default} has no certificate: {other:?}"),
                }
            }
        }
        Ok(())
    }

    /// The trace of an algorithm that is believed.
    fn show(
        &mut self,
        outcome: &mut Outcome,
        report: TraceReport,
        sources: &mut Sources,
    ) -> Result<(), Failure> {
        let is_needed = outcome.findings.iter().any(|finding| finding.verdict != Verdict::No);
        let name = self.engine.formula.name.clone();
        assert!(is_needed, "`{name}` says reachable about all targets, but about none alone");
        outcome.trace = match self.problem.wanted.trace {
            WantedTrace::None => return Ok(()),
            WantedTrace::Any => self.trace(report, self.problem.targets, outcome, sources)?,
            WantedTrace::Shortest => match self.shortest(outcome, sources) {
                Some(trace) => Some(trace),
                None => {
                    let targets = self.reachable(outcome);
                    let found = self.evaluate(&self.engine.formula, &targets, Purpose::Trace, sources)?;
                    self.trace(found.trace, &targets, outcome, sources)?
                }
            },
        };
        Ok(())
    }

    fn trace(
        &mut self,
        mut report: TraceReport,
        targets: &[Target],
        outcome: &mut Outcome,
        sources: &mut Sources,
    ) -> Result<Option<Trace>, Failure> {
        let formula = &self.engine.formula;
        if let (TraceReport::Wrong(_), Some(NOT_MONOTONE)) = (&report, formula.shipped) {
            let other = Formula::default();
            let (name, default) = (NOT_MONOTONE, &other.name);
            self.remarks
                .push(format!("the trace is that of {default}, since {name} does not keep all of it"));
            report = self.evaluate(&other, targets, Purpose::Trace, sources)?.trace;
        }
        match report {
            TraceReport::Replayed(trace) => return Ok(Some(*trace)),
            TraceReport::Stopped(reason) => self.unfinished.push((Missing::Trace, reason)),
            TraceReport::Unclear(reason) => {
                self.remarks.push(format!("there is no trace, since it cannot be replayed: {reason}"));
            }
            TraceReport::None => self.unfinished.push((Missing::Trace, Unknown::because("it was not found"))),
            // In threads a formula knows less than the program does: what it found may be no run, and then it is no answer.
            TraceReport::Wrong(reason) if self.problem.bound.is_some() => {
                let unknown = Finding::unknown(Unknown::Because(no_run(&reason)));
                let reached = outcome.findings.iter_mut().filter(|finding| finding.is_yes());
                reached.for_each(|finding| *finding = unknown.clone());
                outcome.finding = unknown;
            }
            TraceReport::Wrong(reason) => {
                panic!("the derivation of `{}` is no run: {reason}", formula.name)
            }
        }
        Ok(None)
    }

    /// A trace with the fewest steps to a target that is reachable, if one is wanted and can be found.
    fn shortest(&mut self, outcome: &Outcome, sources: &mut Sources) -> Option<Trace> {
        if self.problem.wanted.trace != WantedTrace::Shortest || self.problem.bound.is_some() {
            return None;
        }
        let targets = self.reachable(outcome);
        match shortest(&self.problem.program.machine, &targets, &self.options(), sources) {
            Ok(trace) => trace,
            Err(ShortestError::Halted(halt)) => {
                self.remarks.push(format!("the trace may not be the shortest: {halt}"));
                None
            }
            Err(error) => {
                self.remarks.push(format!("the trace may not be the shortest: {error}"));
                None
            }
        }
    }

    fn reachable(&self, outcome: &Outcome) -> Vec<Target> {
        let pairs = self.problem.targets.iter().zip(&outcome.findings);
        pairs.filter(|(_, finding)| finding.is_yes()).map(|(target, _)| target.clone()).collect()
    }

    /// Looks for a run to each target that a formula of the user says is reachable. The first is kept.
    fn confirm_all(&mut self, outcome: &mut Outcome, sources: &mut Sources) -> Result<(), Failure> {
        let least = outcome.finding.least;
        let trace = match outcome.findings.iter().any(Finding::is_yes) {
            false => self.confirm_together(outcome, sources)?,
            true => {
                let mut first = None;
                for (target, finding) in self.problem.targets.iter().zip(&mut outcome.findings) {
                    if finding.is_yes() {
                        match self.confirm(std::slice::from_ref(target), sources)? {
                            Ok(trace) => first = first.or(Some(trace)),
                            Err(reason) => *finding = Finding::unknown(reason),
                        }
                    }
                }
                first
            }
        };
        outcome.finding = Finding::any(&outcome.findings);
        if outcome.finding.is_yes() {
            outcome.finding.least = outcome.finding.least.or(least);
        }
        let trace = trace.filter(|_| self.problem.wants_trace());
        outcome.trace = trace.map(|trace| self.shortest(outcome, sources).unwrap_or(trace));
        Ok(())
    }

    /// A formula may be true of several targets together and of none alone. What its run leads to is reachable; the formula says
    /// nothing about the others.
    fn confirm_together(
        &mut self,
        outcome: &mut Outcome,
        sources: &mut Sources,
    ) -> Result<Option<Trace>, Failure> {
        let trace = match self.confirm(self.problem.targets, sources)? {
            Ok(trace) => trace,
            Err(reason) => {
                outcome.findings.fill(Finding::unknown(reason));
                return Ok(None);
            }
        };
        for (target, finding) in self.problem.targets.iter().zip(&mut outcome.findings) {
            *finding = match target.is_reached_by(&trace) {
                true => Finding::new(Verdict::Yes),
                false => Finding::unknown(Unknown::because(TOGETHER)),
            };
        }
        Ok(Some(trace))
    }

    /// A run to what the formula says is reachable, or why there is none.
    fn confirm(&self, targets: &[Target], sources: &mut Sources) -> Result<Result<Trace, Unknown>, Failure> {
        let found = self.evaluate(&self.engine.formula, targets, Purpose::Trace, sources)?;
        Ok(match found.trace {
            TraceReport::Replayed(trace) => Ok(*trace),
            TraceReport::Wrong(reason) if self.problem.bound.is_some() => {
                Err(Unknown::Because(no_run(&reason)))
            }
            TraceReport::Wrong(reason) | TraceReport::Unclear(reason) => Err(Unknown::Because(format!(
                "the formula says reachable, but its derivation is no run of the program: {reason}"
            ))),
            TraceReport::Stopped(reason) => Err(Unknown::Unconfirmed(Box::new(reason))),
            TraceReport::None => Err(Unknown::because("the formula says reachable, which is not confirmed")),
        })
    }
}

fn no_run(reason: &str) -> String {
    format!("the formula says reachable, but what it found is no run of the program: {reason}")
}
