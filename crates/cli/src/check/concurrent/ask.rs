//! The question within a bound, put to the solver, which evaluates the formula.

use super::super::ask::{TOGETHER, Verdict};
use super::super::without::Without;
use super::conclude::so_far;
use crate::args::{CheckOptions, EngineName, TraceForm};
use crate::early::Missing;
use crate::formula::{self, Formula};
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use base::Sources;
use bp::Concurrency;
use checker::{
    Bound, EveryBound, Scheduling, TargetReport, ThreadReport, ThreadTarget, ThreadTraceReport, Trials,
};
use rsm::trace::Trace;
use rsm::values::TooLarge;
use rsm::{Concurrent, Goal, ThreadGoal};
use solver::Statistics;

/// What is asked.
pub struct Question<'a> {
    /// The program.
    pub program: &'a Concurrent,
    /// What to reach.
    pub targets: &'a [ThreadTarget],
    /// How its threads come to be.
    pub concurrency: Concurrency,
    /// How often they may take turns.
    pub bound: Bound,
    /// How to answer.
    pub options: &'a CheckOptions,
    /// What makes it quicker.
    pub without: Without,
    /// The algorithm.
    pub formula: &'a Formula,
    /// Limits and output.
    pub job: &'a Job,
}

/// What was found out about a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Within the bound.
    pub verdict: Verdict,
    /// The least bound that reaches it.
    pub least: Option<u32>,
}

impl Finding {
    /// Nothing, and why.
    pub fn unknown(reason: String) -> Self {
        Self { verdict: Verdict::Unknown(reason), least: None }
    }
}

/// Everything that was found out.
pub struct Answer {
    /// That of all targets together.
    pub finding: Finding,
    /// One for each target.
    pub findings: Vec<Finding>,
    /// Why a larger bound would not change `UNREACHABLE`.
    pub every_bound: Option<EveryBound>,
    /// A run to one of the targets.
    pub trace: Option<Trace>,
    /// The figures of the solver.
    pub statistics: Option<Statistics>,
}

/// The finding on "one of them".
pub fn disjunction(findings: &[Finding]) -> Finding {
    let verdicts: Vec<Verdict> = findings.iter().map(|finding| finding.verdict.clone()).collect();
    let verdict = super::super::ask::disjunction(&verdicts);
    let least = findings.iter().filter_map(|finding| finding.least).min();
    Finding { verdict, least }
}

/// Is told what is certain: the finding on all targets together, and one for each.
pub type Foresee<'f> = &'f dyn Fn(&Finding, &[Finding]);

impl Question<'_> {
    /// Asks; an error is how the run ends, and the console knows why.
    /// `foresee` is told findings that are certain before a trace or a comparison is finished.
    pub fn answer(&self, sources: &mut Sources, foresee: Foresee) -> Result<Answer, Status> {
        match self.options.engine {
            EngineName::Symbolic => self.symbolic(sources),
            EngineName::Twin => Ok(self.twin(foresee)),
            EngineName::Compare => {
                let mut answer = self.symbolic(sources)?;
                foresee(&answer.finding, &answer.findings);
                self.job.console.go_on_to(Missing::Comparison);
                self.compare(&mut answer)?;
                Ok(answer)
            }
        }
    }

    /// A trace is to be shown.
    pub fn wants_trace(&self) -> bool {
        self.options.trace != TraceForm::None
    }

    /// All goals of all targets.
    pub fn goals(&self) -> Vec<ThreadGoal> {
        self.targets.iter().flat_map(|target| target.goals.iter().copied()).collect()
    }

    /// The places of all goals.
    pub fn places(&self) -> Vec<Goal> {
        self.goals().iter().map(|goal| goal.goal).collect()
    }

    /// The solver evaluates the formula and explains the answer.
    fn symbolic(&self, sources: &mut Sources) -> Result<Answer, Status> {
        let is_shipped = self.formula.shipped.is_some();
        let report = self.evaluate(self.targets, is_shipped && self.wants_trace(), sources)?;
        if !is_shipped {
            self.job.console.diagnose_all(sources, &report.warnings);
        }
        let safe_within = report.safe_within;
        let finding = |target| self.finding(target, safe_within);
        let mut findings: Vec<Finding> = report.targets.iter().map(finding).collect();
        let mut all = finding(&TargetReport { verdict: report.verdict, least: report.least });
        let trace = match is_shipped {
            true => match self.trace_of(report.trace) {
                Ok(trace) => trace,
                Err(reason) => {
                    let reached = findings.iter_mut().filter(|found| found.verdict == Verdict::Reachable);
                    reached.for_each(|found| *found = Finding::unknown(reason.clone()));
                    all = Finding::unknown(reason);
                    None
                }
            },
            false if all.verdict == Verdict::Reachable => {
                let trace = self.confirm_all(&mut findings, sources)?;
                let least = all.least;
                all = disjunction(&findings);
                all.least = all.least.or(least.filter(|_| all.verdict == Verdict::Reachable));
                trace
            }
            false => None,
        };
        self.remark_on_least(&all);
        // A larger bound lets more of the threads run that are started at run time, and these have not been looked at.
        let every_bound = report.every_bound.filter(|_| self.concurrency == Concurrency::Threads);
        Ok(Answer { finding: all, findings, every_bound, trace, statistics: Some(report.statistics) })
    }

    /// The trace, if there is one. A target is not believed to be reachable if the run to it is none, whoever wrote the
    /// formula; then the error says why.
    fn trace_of(&self, report: ThreadTraceReport) -> Result<Option<Trace>, String> {
        match report {
            ThreadTraceReport::None => Ok(None),
            ThreadTraceReport::Replayed(trace) => Ok(Some(*trace)),
            ThreadTraceReport::Stopped(halt) => {
                self.job.console.lacks(Missing::Trace, &render::halt(&halt, &self.job.options));
                Ok(None)
            }
            ThreadTraceReport::Wrong(reason) if reason.ends_with(&TooLarge.to_string()) => {
                self.job.console.note(&format!("there is no trace, since it cannot be replayed: {reason}"));
                Ok(None)
            }
            ThreadTraceReport::Wrong(reason) => Err(no_run(&reason)),
        }
    }

    /// A user's formula is believed only as far as its traces go. The first trace is kept.
    fn confirm_all(&self, findings: &mut [Finding], sources: &mut Sources) -> Result<Option<Trace>, Status> {
        if !findings.iter().any(|finding| finding.verdict == Verdict::Reachable) {
            return self.confirm_together(findings, sources);
        }
        let mut first = None;
        for (target, finding) in self.targets.iter().zip(findings.iter_mut()) {
            if finding.verdict == Verdict::Reachable {
                match self.confirm(std::slice::from_ref(target), sources)? {
                    Ok(trace) => first = first.or(Some(trace)),
                    Err(reason) => *finding = Finding::unknown(reason),
                }
            }
        }
        Ok(first.filter(|_| self.wants_trace()))
    }

    /// A formula may be true of several targets together and of none alone. What its run leads to is reachable; the formula says
    /// nothing about the others.
    fn confirm_together(
        &self,
        findings: &mut [Finding],
        sources: &mut Sources,
    ) -> Result<Option<Trace>, Status> {
        let trace = match self.confirm(self.targets, sources)? {
            Ok(trace) => trace,
            Err(reason) => {
                findings.fill(Finding::unknown(reason));
                return Ok(None);
            }
        };
        for (target, finding) in self.targets.iter().zip(findings.iter_mut()) {
            *finding = match trace.goal().is_some_and(|goal| target.goals.contains(&goal)) {
                true => Finding { verdict: Verdict::Reachable, least: None },
                false => Finding::unknown(TOGETHER.to_owned()),
            };
        }
        Ok(self.wants_trace().then_some(trace))
    }

    /// A run to what a user's formula says is reachable, or why there is none.
    fn confirm(
        &self,
        targets: &[ThreadTarget],
        sources: &mut Sources,
    ) -> Result<Result<Trace, String>, Status> {
        let report = self.evaluate(targets, true, sources)?;
        Ok(match report.trace {
            ThreadTraceReport::Replayed(trace) => Ok(*trace),
            ThreadTraceReport::Wrong(reason) => Err(no_run(&reason)),
            ThreadTraceReport::Stopped(halt) => {
                let reason = render::halt(&halt, &self.job.options);
                Err(format!("the formula says reachable, which is not confirmed: {reason}"))
            }
            ThreadTraceReport::None => Err("the formula says reachable, which is not confirmed".to_owned()),
        })
    }

    /// `--up-to` asks for the least number, which not every formula knows.
    fn remark_on_least(&self, Finding { verdict, least }: &Finding) {
        if self.options.bound.up_to.is_some() && *verdict == Verdict::Reachable && least.is_none() {
            self.job.console.note("the formula does not count context switches, so fewer may suffice");
        }
    }

    /// What a report says; of an unknown verdict also how far the search got.
    fn finding(&self, report: &TargetReport, safe_within: Option<u32>) -> Finding {
        let verdict = match &report.verdict {
            checker::Verdict::Reachable => Verdict::Reachable,
            checker::Verdict::Unreachable => Verdict::Unreachable,
            checker::Verdict::Unknown(halt) => {
                let reason = render::halt(halt, &self.job.options);
                Verdict::Unknown(match safe_within {
                    Some(number) => so_far(&reason, self.bound, number),
                    None => reason,
                })
            }
        };
        Finding { verdict, least: report.least }
    }

    fn evaluate(
        &self,
        targets: &[ThreadTarget],
        wants_trace: bool,
        sources: &mut Sources,
    ) -> Result<ThreadReport, Status> {
        let options = checker::Options {
            reductions: self.without.reductions,
            symbolic: self.options.no_explicit,
            trace: wants_trace,
            ..formula::options(self.job)
        };
        let (scheduling, params) = (self.scheduling(), &self.options.params);
        let report = self.formula.with_file(params, |file| {
            checker::check_threads(self.program, targets, self.bound, file, scheduling, &options, sources)
        });
        report.map_err(|failure| formula::report(&failure, sources, self.job))
    }
}

/// What is known of the formulas that come with the program: smaller bounds allow less, and no bound allows what no schedule does.
impl Question<'_> {
    fn scheduling(&self) -> Scheduling {
        let scheduling = self.without.scheduling;
        let is_shipped = self.formula.shipped.is_some();
        let every_bound = match scheduling.every_bound {
            // Another engine is compared with the formula, which has to answer.
            Trials::After if is_shipped && self.options.engine != EngineName::Compare => Trials::First,
            other => other,
        };
        Scheduling { deepening: scheduling.deepening.filter(|_| is_shipped), every_bound, ..scheduling }
    }
}

fn no_run(reason: &str) -> String {
    format!("the formula says reachable, but what it found is no run of the program: {reason}")
}
