//! One question about threads, from the program to the report.

use super::closure;
use super::contexts;
use super::target::ThreadTarget;
use super::thread_run;
use super::{Bound, EveryBound, Scheduling, TargetReport, ThreadReport, ThreadTraceReport};
use crate::algorithm::part;
use crate::formula::{self, Checked, FormulaFile};
use crate::session::{Failure, Options, Verdict};
use base::Sources;
use rsm::interleave::Closure;
use rsm::{Concurrent, Goal, Reduced, ThreadGoal};
use solver::{Halt, Settings, Solver};
use templates::{Templates, Threads, Vocabulary};

/// Answers whether some run within a bound reaches the targets.
pub fn check_threads(
    program: &Concurrent,
    targets: &[ThreadTarget],
    bound: Bound,
    file: FormulaFile,
    scheduling: Scheduling,
    options: &Options,
    sources: &mut Sources,
) -> Result<ThreadReport, Failure> {
    let FormulaFile { name, text, read, params } = file;
    let mut inquiry =
        Inquiry { program, targets, bound, scheduling, options, keeps_shared: false, traces: false };
    inquiry.traces = options.trace && !inquiry.lacks_values();
    let file = FormulaFile { name, text, read: &mut *read, params };
    let (mut report, mut open) = inquiry.ask(file, sources)?;
    // An early answer leaves targets open that may be reached later. They are asked for together, one by one if that decides none.
    let mut together = open.len();
    while !open.is_empty() {
        let asked: Vec<usize> = open.drain(..together.min(open.len())).collect();
        let others: Vec<ThreadTarget> = asked.iter().map(|n| targets[*n].clone()).collect();
        let file = FormulaFile { name, text, read: &mut *read, params };
        let inquiry = Inquiry { targets: &others, traces: false, ..inquiry };
        let (found, still_open) = inquiry.ask(file, sources)?;
        for (n, found) in asked.iter().zip(found.targets) {
            report.targets[*n] = found;
        }
        together = if still_open.len() < asked.len() { targets.len() } else { 1 };
        open.extend(still_open.into_iter().map(|n| asked[n]));
    }
    if report.verdict == Verdict::Unreachable {
        report.every_bound = inquiry.every_bound();
    }
    if let (true, Some(least)) = (options.trace && !inquiry.traces, report.least) {
        let bound = match bound {
            Bound::Switches(_) => Bound::Switches(least),
            Bound::Rounds(_) => Bound::Rounds(least),
        };
        let file = FormulaFile { name, text, read, params };
        let (again, _) = Inquiry { bound, keeps_shared: true, traces: true, ..inquiry }.ask(file, sources)?;
        report.trace = match again.verdict {
            Verdict::Unknown(halt) => ThreadTraceReport::Stopped(halt),
            _ => again.trace,
        };
    }
    Ok(report)
}

/// So many bytes of diagrams are spent on the question whether an answer holds for every bound.
const MOST_MEMORY: u64 = 64 << 20;

/// With more bits of shared values than this, the order that a formula file asks for is not used: copies of the shared values
/// that stand apart make equalities between them exponential.
const WIDE: usize = 10;

/// A question before the formula is looked at.
#[derive(Clone, Copy)]
struct Inquiry<'i> {
    program: &'i Concurrent,
    targets: &'i [ThreadTarget],
    bound: Bound,
    scheduling: Scheduling,
    options: &'i Options,
    /// Look at shared variables that no condition depends on as well.
    keeps_shared: bool,
    /// Find a trace.
    traces: bool,
}

impl Inquiry<'_> {
    /// A trace has values for all shared variables, also for those that do not matter; so it is found by looking at them,
    /// within the bound that suffices.
    fn lacks_values(&self) -> bool {
        let reduced = self.reduced();
        let used = reduced.modules.iter().find(|module| module.is_used);
        used.is_some_and(|module| (0..self.program.n_shared as u32).any(|n| !module.touched.contains(&n)))
    }

    /// Why no bound at all makes a target reachable that the formula has not reached.
    fn every_bound(&self) -> Option<EveryBound> {
        match closure::explore(self.program, &self.goals(), &self.options.stop) {
            Some(Closure::Closed { switches, is_reached: false }) => Some(EveryBound::Closed { switches }),
            Some(Closure::Closed { .. }) => None,
            _ => self.is_safe_under_any_schedule().then_some(EveryBound::AnySchedule),
        }
    }

    fn is_safe_under_any_schedule(&self) -> bool {
        let text = part("any_schedule.mu").expect("a part that is there");
        let mut read = |name: &str| Err(format!("`{name}` is not there"));
        let file = FormulaFile { name: "any_schedule.mu", text, read: &mut read, params: &[] };
        let memory = Some(self.options.memory.map_or(MOST_MEMORY, |memory| memory.min(MOST_MEMORY)));
        let options = Options { memory, ..self.options.clone() };
        // Copies are all alike here, so one stands for any number.
        let inquiry = Inquiry { bound: Bound::Rounds(0), options: &options, traces: false, ..*self };
        let report = inquiry.ask(file, &mut Sources::default());
        report.is_ok_and(|(report, _)| report.verdict == Verdict::Unreachable)
    }

    fn goals(&self) -> Vec<ThreadGoal> {
        self.targets.iter().flat_map(|target| target.goals.iter().copied()).collect()
    }

    fn reduced(&self) -> Reduced {
        let places: Vec<Goal> = self.goals().iter().map(|goal| goal.goal).collect();
        rsm::reduce_threads(self.program, &places, self.options.reductions, self.keeps_shared)
    }

    /// Asks; also says which targets are open: an early answer need not decide them.
    fn ask(&self, file: FormulaFile, sources: &mut Sources) -> Result<(ThreadReport, Vec<usize>), Failure> {
        let Self { program, bound, scheduling, options, .. } = *self;
        let goals = self.goals();
        let reduced = self.reduced();
        let any = match bound {
            Bound::Switches(k) => Some(k.saturating_add(1)),
            Bound::Rounds(_) => None,
        };
        let names_copies = goals.iter().any(|goal| goal.copy.is_some());
        let threads = Threads {
            program,
            instances: Threads::instances(program, any),
            symmetry: scheduling.symmetry && !names_copies,
            visibility: scheduling.visibility,
        };
        let templates = Templates::of_threads(threads, &reduced);
        let mut file = file;
        let mut checked =
            formula::check(sources, &templates, &mut file, Some(bound)).map_err(Failure::Formula)?;
        if !scheduling.order || templates.slots.shared.len() > WIDE {
            checked.forget_order(sources);
        }
        let settings = Settings {
            symbolic: options.symbolic,
            record: self.traces && checked.notes.rounds.is_some(),
            collect_from: solver::COLLECT_FROM,
            memory: options.memory,
            stop: options.stop.clone(),
            gauge: options.gauge.clone(),
            clock: options.clock,
        };
        let solver = Solver::new(&checked.system, settings).map_err(Failure::Formula)?;
        let words = Vocabulary::new(&checked.system, &templates);
        let mut question = Question {
            program,
            bound,
            templates: &templates,
            words,
            checked: &checked,
            solver,
            options,
            traces: self.traces,
        };
        Ok(question.report(self.targets, &goals, scheduling))
    }
}

/// A question that is ready to be asked.
pub(super) struct Question<'a, 's, 'r> {
    pub program: &'r Concurrent,
    pub bound: Bound,
    pub templates: &'a Templates<'r>,
    pub words: Vocabulary,
    pub checked: &'s Checked,
    pub solver: Solver<'s>,
    pub options: &'a Options,
    traces: bool,
}

impl Question<'_, '_, '_> {
    fn report(
        &mut self,
        targets: &[ThreadTarget],
        goals: &[ThreadGoal],
        how: Scheduling,
    ) -> (ThreadReport, Vec<usize>) {
        let given = self.templates.give(&self.checked.system, &self.words, &mut self.solver);
        let given = given.and_then(|()| if how.early_stop { Ok(()) } else { self.complete() });
        let all = match given {
            Ok(()) => self.ask(goals),
            Err(halt) => TargetReport { verdict: Verdict::Unknown(halt), least: None },
        };
        let is_reachable = all.verdict == Verdict::Reachable;
        let trace = match is_reachable && self.traces {
            true => self.trace(goals),
            false => ThreadTraceReport::None,
        };
        let mut open = Vec::new();
        let reports = match (is_reachable && targets.len() > 1, all.least) {
            (true, Some(least)) if how.early_stop => self.reached(targets, least, &mut open),
            (true, _) => self.each(targets, &trace),
            (false, _) => vec![all.clone(); targets.len()],
        };
        // Without early stops the targets are looked for at the end only.
        let safe_within = match all.verdict {
            Verdict::Unknown(_) if how.early_stop => self.solver.stratum().checked_sub(1),
            _ => None,
        };
        let report = ThreadReport {
            verdict: all.verdict,
            least: all.least,
            safe_within,
            targets: reports,
            every_bound: None,
            trace,
            warnings: self.checked.warnings.clone(),
            statistics: self.solver.statistics(),
        };
        (report, open)
    }

    /// The targets that are reached within the least bound for any of them; the others are open.
    fn reached(&mut self, targets: &[ThreadTarget], least: u32, open: &mut Vec<usize>) -> Vec<TargetReport> {
        let mut reports = Vec::new();
        for (n, target) in targets.iter().enumerate() {
            let given = self.templates.give_thread_target(&target.goals, &self.words, &mut self.solver);
            let own = given.ok().and_then(|()| self.least());
            if own != Some(least) {
                open.push(n);
            }
            reports.push(TargetReport { verdict: Verdict::Reachable, least: own });
        }
        reports
    }

    /// Computes all relations that do not depend on the target.
    fn complete(&mut self) -> Result<(), Halt> {
        crate::session::complete(&self.checked.system, &self.words, &mut self.solver)
    }

    fn ask(&mut self, goals: &[ThreadGoal]) -> TargetReport {
        let given = self.templates.give_thread_target(goals, &self.words, &mut self.solver);
        match given.and_then(|()| self.solver.query(self.checked.query)) {
            Ok(true) => TargetReport { verdict: Verdict::Reachable, least: self.least() },
            Ok(false) => TargetReport { verdict: Verdict::Unreachable, least: None },
            Err(halt) => TargetReport { verdict: Verdict::Unknown(halt), least: None },
        }
    }

    /// The least value of the first variable of the query, if it counts.
    fn least(&mut self) -> Option<u32> {
        let (binders, matrix) = self.checked.matrix();
        let found = self.solver.found(&binders, matrix).ok()??;
        let (variable, value) = *found.first()?;
        (Some(self.checked.system.vars[variable.index()].sort) == self.checked.system.strata).then_some(value)
    }

    /// Each target alone, after what does not depend on it.
    fn each(&mut self, targets: &[ThreadTarget], trace: &ThreadTraceReport) -> Vec<TargetReport> {
        if let Err(halt) = self.complete() {
            let reached = |target: &ThreadTarget| match trace {
                ThreadTraceReport::Replayed(trace) => target.goals.contains(&trace.goal),
                _ => false,
            };
            let report = |target| match reached(target) {
                true => TargetReport { verdict: Verdict::Reachable, least: None },
                false => TargetReport { verdict: Verdict::Unknown(halt.clone()), least: None },
            };
            return targets.iter().map(report).collect();
        }
        targets.iter().map(|target| self.ask(&target.goals)).collect()
    }

    /// The run behind the last answer.
    fn trace(&mut self, goals: &[ThreadGoal]) -> ThreadTraceReport {
        let ways = match contexts::find(self) {
            Ok(ways) => ways,
            Err(halt) => return ThreadTraceReport::Stopped(halt),
        };
        let mut wrong = "the formula does not say which threads run and what they share".to_owned();
        for contexts in &ways {
            match thread_run::interleave(self.program, contexts, goals, self.options) {
                Ok(trace) => match trace.replay(self.program, goals) {
                    Ok(()) => return ThreadTraceReport::Replayed(Box::new(trace)),
                    Err(error) => wrong = error.to_string(),
                },
                Err(thread_run::Problem::Stopped(halt)) => return ThreadTraceReport::Stopped(halt),
                Err(thread_run::Problem::NoRun(reason)) => wrong = reason,
            }
        }
        ThreadTraceReport::Wrong(wrong)
    }
}
