//! The question, put to the solver, which evaluates the formula.

use super::twin::Agreement;
use crate::args::{CheckOptions, EngineName, TraceForm};
use crate::early::Missing;
use crate::formula::{self, Formula};
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use base::Sources;
use checker::{CertificateReport, Report, ShortestError, Target, TraceReport};
use rsm::trace::Trace;
use rsm::{Reductions, Rsm};
use solver::{Halt, Statistics};

/// The algorithm whose derivations may have gaps: it is not monotone, so a fact may rest on what was not known.
const NOT_MONOTONE: &str = "entry_forward_opt";

/// How the reason ends where a step may be one, but has more outcomes than the concrete semantics can look at.
const TOO_MANY: &str = "(too many values to try)";

/// Why nothing is known about a target of which the formula is not true alone.
pub const TOGETHER: &str = "the formula is true of all targets together, and not of this one alone";

/// What is asked.
pub struct Question<'a> {
    /// The program.
    pub rsm: &'a Rsm,
    /// What to reach.
    pub targets: &'a [Target],
    /// How to answer.
    pub options: &'a CheckOptions,
    /// What to leave out of the program.
    pub reductions: Reductions,
    /// The algorithm.
    pub formula: &'a Formula,
    /// Limits and output.
    pub job: &'a Job,
}

/// The answer to the question whether a target is reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some run gets there.
    Reachable,
    /// No run gets there.
    Unreachable,
    /// Not found out, and why.
    Unknown(String),
}

impl Verdict {
    /// One word, in lower case.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Reachable => "reachable",
            Verdict::Unreachable => "unreachable",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Everything that was found out.
pub struct Answer {
    /// That of all targets together.
    pub verdict: Verdict,
    /// One for each target.
    pub verdicts: Vec<Verdict>,
    /// A run to one of the targets.
    pub trace: Option<Trace>,
    /// The text of a certificate, if one is wanted and no target is reachable.
    pub certificate: Option<String>,
    /// The figures of the solver.
    pub statistics: Option<Statistics>,
}

/// The verdict on "one of them".
pub fn disjunction(verdicts: &[Verdict]) -> Verdict {
    let unknown = verdicts.iter().find(|verdict| matches!(verdict, Verdict::Unknown(_)));
    match verdicts.contains(&Verdict::Reachable) {
        true => Verdict::Reachable,
        false => unknown.cloned().unwrap_or(Verdict::Unreachable),
    }
}

/// What the solver is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Verdict,
    Trace,
    /// A certificate, whatever way of storing was asked for: it speaks of program points.
    Certificate,
}

/// Is told what is certain: the verdict of all targets together, and one for each.
pub type Foresee<'f> = &'f dyn Fn(&Verdict, &[Verdict]);

impl Question<'_> {
    /// Asks; an error is how the run ends, and the console knows why.
    /// `foresee` is told verdicts that are certain before a trace, a certificate or a comparison is finished.
    pub fn answer(&self, sources: &mut Sources, foresee: Foresee) -> Result<Answer, Status> {
        match self.options.engine {
            EngineName::Symbolic => self.symbolic(sources, foresee),
            EngineName::Twin => Ok(self.twin(foresee)),
            EngineName::Compare => {
                let mut answer = self.symbolic(sources, foresee)?;
                foresee(&answer.verdict, &answer.verdicts);
                self.job.console.go_on_to(Missing::Comparison);
                if self.compare(&mut answer.verdicts)? == Agreement::Broken {
                    answer.verdict = disjunction(&answer.verdicts);
                }
                Ok(answer)
            }
        }
    }

    /// A trace is to be shown.
    pub fn wants_trace(&self) -> bool {
        self.options.trace != TraceForm::None
    }

    /// The solver evaluates the formula and explains the answer.
    fn symbolic(&self, sources: &mut Sources, foresee: Foresee) -> Result<Answer, Status> {
        let is_shipped = self.formula.shipped.is_some();
        let derives = is_shipped && self.wants_trace() && !self.options.shortest;
        let wanted = if derives { Wanted::Trace } else { Wanted::Verdict };
        let report = self.evaluate(self.formula, self.targets, wanted, sources)?;
        if !is_shipped {
            self.job.console.diagnose_all(sources, &report.warnings);
        }
        let mut verdict = self.verdict(&report.verdict);
        let mut verdicts: Vec<Verdict> = report.targets.iter().map(|v| self.verdict(v)).collect();
        let statistics = Some(report.statistics.clone());
        if is_shipped || verdict == Verdict::Unreachable {
            foresee(&verdict, &verdicts);
        }
        if is_shipped && verdict == Verdict::Reachable {
            let is_needed = verdicts.iter().any(|verdict| *verdict != Verdict::Unreachable);
            assert!(
                is_needed,
                "`{}` says reachable about all targets, but about none alone",
                self.formula.name
            );
        }
        let certificate = match self.certificate(report.certificate.clone(), sources)? {
            Ok(certificate) => certificate,
            Err(contradiction) => {
                verdicts.fill(Verdict::Unknown(contradiction.clone()));
                verdict = Verdict::Unknown(contradiction);
                None
            }
        };
        let trace = match verdict == Verdict::Reachable {
            true if is_shipped && !self.wants_trace() => None,
            true if derives => self.trace_of(report, self.targets, sources)?,
            true if is_shipped => match self.shortest(&verdicts, sources) {
                Some(trace) => Some(trace),
                None => self.trace(&self.reachable(&verdicts), sources)?,
            },
            true => {
                let trace = self.confirm_all(&mut verdicts, sources)?;
                verdict = disjunction(&verdicts);
                trace
            }
            false => None,
        };
        Ok(Answer { verdict, verdicts, trace, certificate, statistics })
    }

    /// The certificate, if need be that of another algorithm; or how that one contradicts the verdict.
    fn certificate(
        &self,
        report: CertificateReport,
        sources: &mut Sources,
    ) -> Result<Result<Option<String>, String>, Status> {
        match report {
            CertificateReport::None => Ok(Ok(None)),
            CertificateReport::Written(text) => Ok(Ok(Some(text))),
            CertificateReport::Stopped(halt) => {
                self.no_certificate(&halt);
                Ok(Ok(None))
            }
            CertificateReport::NoSummaries => self.certificate_of_default(sources),
        }
    }

    /// The certificate of the algorithm that is used if nothing is said; or how it contradicts the verdict, which is a bug unless
    /// the formula is the user's.
    fn certificate_of_default(
        &self,
        sources: &mut Sources,
    ) -> Result<Result<Option<String>, String>, Status> {
        let formula = Formula::default();
        let (name, default) = (&self.formula.name, &formula.name);
        let message = match self.options.no_explicit {
            true => format!("the certificate is that of {default} with explicit program points"),
            false => format!("the certificate is that of {default}, since {name} computes no summaries"),
        };
        self.job.console.note(&message);
        let report = self.evaluate(&formula, self.targets, Wanted::Certificate, sources)?;
        Ok(match (report.verdict, report.certificate) {
            (_, CertificateReport::Written(text)) => Ok(Some(text)),
            (checker::Verdict::Unknown(halt), _) | (_, CertificateReport::Stopped(halt)) => {
                self.no_certificate(&halt);
                Ok(None)
            }
            (checker::Verdict::Reachable, _) => {
                assert!(self.formula.shipped.is_none(), "{name} says unreachable, {default} says reachable");
                Err(format!(
                    "the formula says unreachable, but {default}, asked for a certificate, says reachable"
                ))
            }
            (checker::Verdict::Unreachable, other) => panic!("{default} has no certificate: {other:?}"),
        })
    }

    fn no_certificate(&self, halt: &Halt) {
        self.job.console.lacks(Missing::Certificate, &render::halt(halt, &self.job.options));
    }

    /// A trace to one of some targets that are reachable; none if the time does not suffice.
    fn trace(&self, targets: &[Target], sources: &mut Sources) -> Result<Option<Trace>, Status> {
        let report = self.evaluate(self.formula, targets, Wanted::Trace, sources)?;
        self.trace_of(report, targets, sources)
    }

    /// The trace of an evaluation that found a target reachable.
    fn trace_of(
        &self,
        mut report: Report,
        targets: &[Target],
        sources: &mut Sources,
    ) -> Result<Option<Trace>, Status> {
        let name = self.formula.shipped.unwrap_or_default();
        if let TraceReport::Wrong(reason) = &report.trace {
            if reason.ends_with(TOO_MANY) {
                self.job.console.note(&format!("there is no trace, since it cannot be replayed: {reason}"));
                return Ok(None);
            }
            assert!(name == NOT_MONOTONE, "the derivation of `{name}` is no run: {reason}");
            let formula = Formula::default();
            let message =
                format!("the trace is that of {}, since {name} does not keep all of it", formula.name);
            self.job.console.note(&message);
            report = self.evaluate(&formula, targets, Wanted::Trace, sources)?;
        }
        match report.trace {
            TraceReport::Replayed(trace) => Ok(Some(trace)),
            TraceReport::Stopped(halt) => Ok(self.no_trace(&halt)),
            other => match report.verdict {
                checker::Verdict::Unknown(halt) => Ok(self.no_trace(&halt)),
                _ => panic!("`{name}` and the formula that is asked for its trace disagree: {other:?}"),
            },
        }
    }

    fn no_trace(&self, halt: &Halt) -> Option<Trace> {
        self.job.console.lacks(Missing::Trace, &render::halt(halt, &self.job.options));
        None
    }

    /// A user's formula is believed only as far as its traces go: what it says is reachable without one is unknown. The first
    /// trace is kept.
    fn confirm_all(&self, verdicts: &mut [Verdict], sources: &mut Sources) -> Result<Option<Trace>, Status> {
        if !verdicts.contains(&Verdict::Reachable) {
            return self.confirm_together(verdicts, sources);
        }
        let mut first = None;
        for (target, verdict) in self.targets.iter().zip(verdicts.iter_mut()) {
            if *verdict == Verdict::Reachable {
                match self.confirm(std::slice::from_ref(target), sources)? {
                    Ok(trace) => first = first.or(Some(trace)),
                    Err(reason) => *verdict = Verdict::Unknown(reason),
                }
            }
        }
        let first = first.filter(|_| self.wants_trace());
        Ok(first.map(|trace| self.shortest(verdicts, sources).unwrap_or(trace)))
    }

    /// A formula may be true of several targets together and of none alone. What its trace leads to is reachable; the formula says
    /// nothing about the others.
    fn confirm_together(
        &self,
        verdicts: &mut [Verdict],
        sources: &mut Sources,
    ) -> Result<Option<Trace>, Status> {
        let trace = match self.confirm(self.targets, sources)? {
            Ok(trace) => trace,
            Err(reason) => {
                verdicts.fill(Verdict::Unknown(reason));
                return Ok(None);
            }
        };
        for (target, verdict) in self.targets.iter().zip(verdicts.iter_mut()) {
            *verdict = match trace.goal().is_some_and(|goal| target.goals.contains(&goal.goal)) {
                true => Verdict::Reachable,
                false => Verdict::Unknown(TOGETHER.to_owned()),
            };
        }
        Ok(self.wants_trace().then_some(trace))
    }

    /// A trace to what a user's formula says is reachable, or why there is none.
    fn confirm(&self, targets: &[Target], sources: &mut Sources) -> Result<Result<Trace, String>, Status> {
        let report = self.evaluate(self.formula, targets, Wanted::Trace, sources)?;
        Ok(match report.trace {
            TraceReport::Replayed(trace) => Ok(trace),
            TraceReport::Wrong(reason) => Err(format!(
                "the formula says reachable, but its derivation is no run of the program: {reason}"
            )),
            TraceReport::Stopped(halt) => {
                let reason = render::halt(&halt, &self.job.options);
                Err(format!("the formula says reachable, which is not confirmed: {reason}"))
            }
            TraceReport::None => Err("the formula says reachable, which is not confirmed".to_owned()),
        })
    }

    fn verdict(&self, verdict: &checker::Verdict) -> Verdict {
        match verdict {
            checker::Verdict::Reachable => Verdict::Reachable,
            checker::Verdict::Unreachable => Verdict::Unreachable,
            checker::Verdict::Unknown(halt) => Verdict::Unknown(render::halt(halt, &self.job.options)),
        }
    }

    fn evaluate(
        &self,
        formula: &Formula,
        targets: &[Target],
        wanted: Wanted,
        sources: &mut Sources,
    ) -> Result<Report, Status> {
        let options = checker::Options {
            trace: wanted == Wanted::Trace,
            certificate: self.options.certificate.is_some(),
            symbolic: self.options.no_explicit && wanted != Wanted::Certificate,
            ..self.settings()
        };
        let params = &self.options.params;
        let report =
            formula.with_file(params, |file| checker::check(self.rsm, targets, file, &options, sources));
        report.map_err(|failure| formula::report(&failure, sources, self.job))
    }

    /// What the solver is told, whatever it is asked for.
    pub fn settings(&self) -> checker::Options {
        let (reductions, symbolic) = (self.reductions, self.options.no_explicit);
        checker::Options { reductions, symbolic, ..formula::options(self.job) }
    }

    /// A trace with the fewest steps to a target that is reachable, if one is wanted and can be found.
    fn shortest(&self, verdicts: &[Verdict], sources: &mut Sources) -> Option<Trace> {
        if !self.options.shortest {
            return None;
        }
        let targets = self.reachable(verdicts);
        match checker::shortest(self.rsm, &targets, &self.settings(), sources) {
            Ok(trace) => trace,
            Err(error) => {
                let reason = match error {
                    ShortestError::Halted(halt) => render::halt(&halt, &self.job.options),
                    other => other.to_string(),
                };
                self.job.console.note(&format!("the trace may not be the shortest: {reason}"));
                None
            }
        }
    }

    /// The targets that are reachable.
    pub fn reachable(&self, verdicts: &[Verdict]) -> Vec<Target> {
        let reachable = self.targets.iter().zip(verdicts).filter(|(_, v)| **v == Verdict::Reachable);
        reachable.map(|(target, _)| target.clone()).collect()
    }
}
