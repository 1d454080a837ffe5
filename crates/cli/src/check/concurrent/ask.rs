//! The question within a bound, put to the solver, which evaluates the formula.

use super::super::ask::Verdict;
use super::super::without::Without;
use super::conclude::amount;
use crate::args::{CheckOptions, EngineName, TraceForm};
use crate::formula::{self, Formula};
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use base::Sources;
use bp::Concurrency;
use checker::{Bound, EveryBound, TargetReport, ThreadReport, ThreadTarget, ThreadTraceReport};
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

impl Question<'_> {
    /// Asks; an error is how the run ends, and the console knows why.
    /// `foresee` is told findings that are certain before a trace is looked for.
    pub fn answer(&self, sources: &mut Sources, foresee: &dyn Fn(&[Finding])) -> Result<Answer, Status> {
        match self.options.engine {
            EngineName::Symbolic => self.symbolic(sources),
            EngineName::Twin => Ok(self.twin(foresee)),
            EngineName::Compare => {
                let mut answer = self.symbolic(sources)?;
                self.compare(&mut answer.findings)?;
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
        let trace = match is_shipped {
            true => self.trace_of(report.trace, &mut findings),
            false => self.confirm_all(&mut findings, sources)?,
        };
        self.remark_on_least(&findings);
        // A larger bound lets more of the threads run that are started at run time, and these have not been looked at.
        let every_bound = report.every_bound.filter(|_| self.concurrency == Concurrency::Threads);
        Ok(Answer { findings, every_bound, trace, statistics: Some(report.statistics) })
    }

    /// A target is not believed to be reachable if the run to it is none, whoever wrote the formula.
    fn trace_of(&self, report: ThreadTraceReport, findings: &mut [Finding]) -> Option<Trace> {
        match report {
            ThreadTraceReport::None => None,
            ThreadTraceReport::Replayed(trace) => Some(*trace),
            ThreadTraceReport::Stopped(halt) => {
                let reason = render::halt(&halt, &self.job.options);
                self.job.console.note(&format!("there is no trace: {reason}"));
                None
            }
            ThreadTraceReport::Wrong(reason) if reason.ends_with(&TooLarge.to_string()) => {
                self.job.console.note(&format!("there is no trace, since it cannot be replayed: {reason}"));
                None
            }
            ThreadTraceReport::Wrong(reason) => {
                let reached = findings.iter_mut().filter(|finding| finding.verdict == Verdict::Reachable);
                reached.for_each(|finding| *finding = Finding::unknown(no_run(&reason)));
                None
            }
        }
    }

    /// A user's formula is believed only as far as its traces go. The first trace is kept.
    fn confirm_all(&self, findings: &mut [Finding], sources: &mut Sources) -> Result<Option<Trace>, Status> {
        let mut first = None;
        for (target, finding) in self.targets.iter().zip(findings.iter_mut()) {
            if finding.verdict == Verdict::Reachable {
                match self.confirm(target, sources)? {
                    Ok(trace) => first = first.or(Some(trace)),
                    Err(reason) => *finding = Finding::unknown(reason),
                }
            }
        }
        Ok(first.filter(|_| self.wants_trace()))
    }

    /// A run to what a user's formula says is reachable, or why there is none.
    fn confirm(&self, target: &ThreadTarget, sources: &mut Sources) -> Result<Result<Trace, String>, Status> {
        let report = self.evaluate(std::slice::from_ref(target), true, sources)?;
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
    fn remark_on_least(&self, findings: &[Finding]) {
        let Finding { verdict, least } = disjunction(findings);
        if self.options.bound.up_to.is_some() && verdict == Verdict::Reachable && least.is_none() {
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
                    Some(number) => format!("{reason}; unreachable within {}", amount(self.bound, number)),
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
        let (scheduling, params) = (self.without.scheduling, &self.options.params);
        let report = self.formula.with_file(params, |file| {
            checker::check_threads(self.program, targets, self.bound, file, scheduling, &options, sources)
        });
        report.map_err(|failure| formula::report(&failure, sources, self.job))
    }
}

fn no_run(reason: &str) -> String {
    format!("the formula says reachable, but what it found is no run of the program: {reason}")
}
