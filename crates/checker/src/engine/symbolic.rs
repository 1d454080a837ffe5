//! A formula, evaluated by the solver: the answer, and the evidence for it.
//!
//! A formula whose author claims that it is exact is believed, and a derivation of it that is no run is a mistake in the formula. Any other
//! is believed only as far as its runs go: a run that it says is there, and that is not shown, is unknown.

use super::{Asker, Engine, Failure, Limits};
use crate::evaluation::shortest;
use crate::evaluation::{self, Options};
use crate::evaluation::{Asks, CertificateReport, Report, TraceReport};
use crate::formula::Formula;
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Problem, Question, WantedTrace};
use crate::target::Target;
use crate::threads::{self, Scheduling};
use base::{Diagnostic, Sources};
use rsm::Reductions;
use rsm::trace::Trace;
use runs::ShortestError;

/// Why there is no certificate for a question of another kind.
const NO_CERTIFICATE: &str =
    "a certificate proves that targets are unreachable, and that is not what this formula asks";

/// Why there is nothing to show.
const NO_TRACE: &str = "there is no trace: the answer does not rest on a run";

/// The same of a formula about threads.
const NO_TARGET: &str =
    "there is no trace: in programs with threads runs lead to targets, and the formula asks for none";

/// A formula and how it is evaluated.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The formula.
    pub formula: Formula,
    /// Values for its parameters.
    pub params: Vec<(String, u64)>,
    /// Labels of the program for those that it names.
    pub labels: Vec<(String, String)>,
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

impl Symbolic {
    /// A formula, evaluated with everything that makes it quick.
    pub fn new(formula: Formula) -> Self {
        Self {
            formula,
            params: Vec::new(),
            labels: Vec::new(),
            reductions: Reductions::ALL,
            scheduling: Scheduling::default(),
            only_bits: false,
            must_evaluate: false,
        }
    }

    /// What is known of formulas that are exact: what a smaller bound allows is allowed, and no bound allows what no schedule does.
    fn scheduling(&self) -> Scheduling {
        let scheduling = self.scheduling;
        if !self.formula.is_plain() {
            return Scheduling { deepening: None, every_bound: false, ..scheduling };
        }
        if self.formula.asks_beside() {
            return Scheduling { deepening: None, every_bound: false, ..scheduling };
        }
        let every_bound = scheduling.every_bound && self.formula.is_exact && !self.must_evaluate;
        let deepening = scheduling.deepening.filter(|_| self.formula.is_exact);
        Scheduling { deepening, every_bound, ..scheduling }
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &str {
        "formula"
    }

    fn is_believed(&self) -> bool {
        self.formula.is_exact
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
        let is_exact = engine.formula.is_exact;
        let derives = problem.wanted.trace == WantedTrace::Any && (is_exact || problem.bound.is_none());
        let purpose = if derives { Purpose::Trace } else { Purpose::Verdict };
        let report = self.evaluate(&engine.formula, problem.targets, purpose, asker.sources)?;
        let asks = report.asks.clone();
        let mut outcome = Outcome::new(report.finding, report.findings);
        outcome.asked.words = asks.words;
        outcome.asked.otherwise = !asks.is_plain && !asks.is_asked_by(problem.question);
        outcome.asked.about = asks.about.clone();
        outcome.asked.has_run = outcome.finding.is_yes() == asks.yes_has_run;
        outcome.asked.within = asks.within.clone();
        outcome.safe_within = report.safe_within;
        if problem.wants_trace() {
            outcome.formula.derivation = report.derivation;
            outcome.formula.reasons = report.reasons;
        }
        outcome.every_bound = report.every_bound.filter(|_| problem.program.is_whole);
        outcome.figures.statistics = Some(report.statistics);
        outcome.figures.clauses = report.clauses;
        outcome.run.further = report.further;
        outcome.asked.labels = report.labels;
        outcome.formula.side_answers = report.side_answers;
        if engine.formula.shipped.is_none() {
            outcome.formula.warnings = report.warnings;
        }
        if is_exact || outcome.finding.verdict == Verdict::No {
            (asker.known)(&outcome, outcome.lacks(problem));
        }
        self.certify(&mut outcome, report.certificate, &asks, asker.sources)?;
        match problem.bound {
            Some(_) if !is_exact && outcome.finding.is_yes() => match asks.words {
                words if !words.needs_run() => self.show_if_there(&mut outcome, asker.sources)?,
                _ => self.confirm_all(&mut outcome, asker.sources)?,
            },
            _ => self.show(&mut outcome, report.trace, &asks, asker.sources)?,
        }
        if outcome.trace.is_none() {
            outcome.run.further.clear();
        }
        outcome.remarks.append(&mut self.remarks);
        outcome.unfinished.append(&mut self.unfinished);
        Ok(outcome)
    }

    fn options(&self) -> Options {
        let Limits { memory, stop, gauge, clock, .. } = self.limits.clone();
        Options {
            reductions: self.engine.reductions,
            symbolic: self.engine.only_bits,
            memory,
            stop,
            gauge,
            clock,
            ..Options::default()
        }
    }

    fn evaluate(
        &self,
        formula: &Formula,
        targets: &[Target],
        purpose: Purpose,
        sources: &mut Sources,
    ) -> Result<Report, Failure> {
        let options = Options {
            trace: purpose == Purpose::Trace,
            certificate: self.problem.wanted.certificate,
            symbolic: self.engine.only_bits && purpose != Purpose::Certificate,
            ..self.options()
        };
        let program = self.problem.program;
        // What is said about parameters and labels is said about the formula that was asked for.
        let (params, labels) = match std::ptr::eq(formula, &self.engine.formula) {
            true => (&self.engine.params[..], &self.engine.labels[..]),
            false => (&[][..], &[][..]),
        };
        formula.with_file(params, labels, |file| match self.problem.bound {
            None => evaluation::check(&program.machine, targets, file, &options, sources),
            Some(bound) => {
                let scheduling = self.engine.scheduling();
                threads::check_threads(program, targets, bound, file, scheduling, &options, sources)
            }
        })
    }

    /// The certificate, if need be that of another algorithm. If that one contradicts the verdict, it is a bug, or the formula is
    /// the user's and nothing is known.
    fn certify(
        &mut self,
        outcome: &mut Outcome,
        report: CertificateReport,
        asks: &Asks,
        sources: &mut Sources,
    ) -> Result<(), Failure> {
        match report {
            CertificateReport::None => return Ok(()),
            _ if !asks.is_plain => {
                self.unfinished.push((Missing::Certificate, Unknown::because(NO_CERTIFICATE)));
            }
            CertificateReport::Written(text) => outcome.certificate = Some(text),
            CertificateReport::Stopped(reason) => self.unfinished.push((Missing::Certificate, reason)),
            CertificateReport::NoSummaries => {
                let formula = Formula::default();
                let (name, default) = (&self.engine.formula.name, &formula.name);
                self.remarks.push(match self.engine.only_bits {
                    true => format!("the certificate is that of {default} with explicit program points"),
                    false if asks.tells_states_apart => {
                        format!("the certificate is that of {default}, since {name} tells states apart")
                    }
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

    /// The run that an answer comes with.
    fn show(
        &mut self,
        outcome: &mut Outcome,
        report: TraceReport,
        asks: &Asks,
        sources: &mut Sources,
    ) -> Result<(), Failure> {
        if self.problem.wanted.trace == WantedTrace::Shortest && outcome.finding.is_yes() {
            match asks.is_plain {
                true => outcome.trace = self.shortest(outcome, sources),
                false => {
                    self.remarks.push("the trace may not be the shortest of those that are meant".to_owned())
                }
            }
            if outcome.trace.is_some() {
                return Ok(());
            }
            let targets = self.reachable(outcome);
            let found = self.evaluate(&self.engine.formula, &targets, Purpose::Trace, sources)?;
            outcome.run.further = found.further;
            return self.trace(outcome, found.trace, asks, sources);
        }
        self.trace(outcome, report, asks, sources)
    }

    fn trace(
        &mut self,
        outcome: &mut Outcome,
        mut report: TraceReport,
        asks: &Asks,
        sources: &mut Sources,
    ) -> Result<(), Failure> {
        if matches!(report, TraceReport::Wrong(_) | TraceReport::NoRun(_))
            && !asks.is_monotone
            && asks.is_plain
        {
            report = self.trace_of_default(outcome, sources)?;
        }
        let is_wanted = self.problem.wants_trace();
        match report {
            TraceReport::Replayed(trace) => {
                if self.problem.question == Question::Repeat
                    && !outcome.asked.otherwise
                    && let Err(error) = trace.round(self.problem.program, &self.problem.goals())
                {
                    return self.refute(outcome, &error.to_string(), asks);
                }
                outcome.trace = Some(*trace).filter(|_| is_wanted);
            }
            TraceReport::Stopped(reason) if is_wanted => self.unfinished.push((Missing::Trace, reason)),
            TraceReport::Unclear(reason) if is_wanted => {
                self.remarks.push(format!("there is no trace, since it cannot be replayed: {reason}"));
            }
            TraceReport::None if is_wanted && outcome.finding.is_yes() && self.asks_for_no_target(asks) => {
                self.remarks.push(NO_TARGET.to_owned());
            }
            TraceReport::None if is_wanted && outcome.finding.is_yes() && !asks.yes_has_run => {
                if !outcome.formula.derivation.is_empty() {
                    return Ok(());
                }
                self.remarks.push(NO_TRACE.to_owned());
            }
            TraceReport::None if is_wanted && outcome.finding.is_yes() => {
                self.unfinished.push((Missing::Trace, Unknown::because("it was not found")));
            }
            TraceReport::NoRun(_)
                if is_wanted && outcome.formula.derivation.is_empty() && !asks.words.needs_run() =>
            {
                self.remarks.push(NO_TRACE.to_owned());
            }
            TraceReport::Wrong(reason) => return self.refute(outcome, &reason, asks),
            _ => {}
        }
        Ok(())
    }

    /// In programs with threads runs lead to targets.
    fn asks_for_no_target(&self, asks: &Asks) -> bool {
        self.problem.bound.is_some() && !asks.is_about_targets
    }

    /// What was found is no run.
    fn refute(&mut self, outcome: &mut Outcome, reason: &str, asks: &Asks) -> Result<(), Failure> {
        match asks.exact {
            // In threads a formula knows less than the program does: what it found may be no run, and then it is no answer.
            Some(span) if self.problem.bound.is_none() => {
                let message = "the formula says that it is exact, but what it found is no run of the program";
                Err(Failure::Formula(vec![Diagnostic::error(span, message).note(reason.to_owned(), None)]))
            }
            _ => {
                let unknown = Finding::unknown(Unknown::NoRun(reason.to_owned()));
                let reached = outcome.findings.iter_mut().filter(|finding| finding.is_yes());
                reached.for_each(|finding| *finding = unknown.clone());
                outcome.finding = unknown;
                Ok(())
            }
        }
    }

    /// Where a formula is not monotone, its derivations may have gaps: a fact may rest on what was not known. Then the run is that of
    /// another algorithm.
    fn trace_of_default(
        &mut self,
        outcome: &mut Outcome,
        sources: &mut Sources,
    ) -> Result<TraceReport, Failure> {
        let other = Formula::default();
        let name = self.engine.formula.name.trim_end_matches(".mu");
        let default = other.name.trim_end_matches(".mu");
        self.remarks.push(format!("the trace is that of {default}, since {name} does not keep all of it"));
        let found = self.evaluate(&other, self.problem.targets, Purpose::Trace, sources)?;
        if outcome.finding.verdict.is_unknown() && found.finding.is_yes() {
            outcome.finding = found.finding;
            outcome.findings = found.findings;
        }
        Ok(found.trace)
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

    /// An answer that is believed by itself is shown as a run, if there is one.
    fn show_if_there(&mut self, outcome: &mut Outcome, sources: &mut Sources) -> Result<(), Failure> {
        if self.problem.wants_trace() {
            match self.confirm(self.problem.targets, sources)? {
                Ok(trace) => outcome.trace = Some(trace),
                Err(_) if self.problem.targets.is_empty() => self.remarks.push(NO_TARGET.to_owned()),
                Err(_) => self.remarks.push(NO_TRACE.to_owned()),
            }
        }
        Ok(())
    }

    /// Looks for a run to each target that a formula of the user says is reachable. The first is kept.
    fn confirm_all(&mut self, outcome: &mut Outcome, sources: &mut Sources) -> Result<(), Failure> {
        let least = outcome.finding.least;
        let trace = match outcome.findings.iter().any(Finding::is_yes) {
            false => match self.confirm(self.problem.targets, sources)? {
                Ok(trace) => Some(trace),
                Err(reason) => {
                    outcome.finding = Finding::unknown(reason);
                    return Ok(());
                }
            },
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
        if !outcome.findings.is_empty() {
            outcome.finding = Finding::any(&outcome.findings);
        }
        if outcome.finding.is_yes() {
            outcome.finding.least = outcome.finding.least.or(least);
        }
        let trace = trace.filter(|_| self.problem.wants_trace());
        outcome.trace = trace.map(|trace| self.shortest(outcome, sources).unwrap_or(trace));
        Ok(())
    }

    /// A run to what the formula says is reachable, or why there is none.
    fn confirm(&self, targets: &[Target], sources: &mut Sources) -> Result<Result<Trace, Unknown>, Failure> {
        let found = self.evaluate(&self.engine.formula, targets, Purpose::Trace, sources)?;
        Ok(match found.trace {
            TraceReport::Replayed(trace) => Ok(*trace),
            TraceReport::Wrong(reason) | TraceReport::Unclear(reason) => Err(Unknown::NoRun(reason)),
            TraceReport::Stopped(reason) => Err(Unknown::Unconfirmed(Box::new(reason))),
            TraceReport::None | TraceReport::NoRun(_) => {
                Err(Unknown::Unconfirmed(Box::new(Unknown::because("no run was found"))))
            }
        })
    }
}
