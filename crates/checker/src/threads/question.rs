//! One question about threads within one bound, from the program to the report.

use super::contexts;
use super::find_thread_target;
use super::thread_run;
use super::{Bound, Scheduling};
use crate::engine::Failure;
use crate::formula::{self, Checked, FormulaFile};
use crate::labels::{self, Label};
use crate::notes;
use crate::outcome::{Finding, Verdict};
use crate::report::{Asks, Report, TraceReport};
use crate::session::Options;
use crate::target::Target;
use base::{Counting, Known, Sources};
use calculus::system::VarId;
use rsm::{Concurrent, Goal, Reduced, Reductions, ThreadGoal};
use solver::{Halt, Solver};
use templates::{Templates, Threads, Vocabulary};

/// With more bits of shared values than this, the order that a formula file asks for is not used: copies of the shared values
/// that stand apart make equalities between them exponential.
const WIDE: usize = 10;

/// A question before the formula is looked at.
#[derive(Clone, Copy)]
pub(super) struct Inquiry<'i> {
    pub program: &'i Concurrent,
    pub targets: &'i [Target],
    pub bound: Bound,
    pub scheduling: Scheduling,
    pub options: &'i Options,
    /// Look at shared variables that no condition depends on as well.
    pub keeps_shared: bool,
    /// Find a trace.
    pub traces: bool,
    /// Tell what becomes known: this is the question itself, not a part of the way to its answer.
    pub tells: bool,
    /// So many units of work may be done.
    pub granted: u64,
}

/// What an inquiry found out.
pub(super) struct Asked {
    pub report: Report,
    /// The targets that an early answer does not decide, by their positions.
    pub open: Vec<usize>,
    /// The units of work it took.
    pub work: u64,
}

impl Inquiry<'_> {
    /// A trace has values for all shared variables that are mentioned, also for those that do not matter; so it is found by
    /// looking at them, within the bound that suffices.
    pub fn lacks_values(&self) -> bool {
        let reduced = self.reduced(&[], self.options.reductions);
        let used = reduced.modules.iter().find(|module| module.is_used);
        let shared = thread_run::shared_places(self.program);
        used.is_some_and(|module| shared.iter().any(|n| !module.touched.contains(n)))
    }

    pub fn goals(&self) -> Vec<ThreadGoal> {
        self.targets.iter().flat_map(|target| target.goals.iter().copied()).collect()
    }

    fn reduced(&self, labels: &[Label], which: Reductions) -> Reduced {
        let goals = self.goals().into_iter().map(|goal| goal.goal);
        let places: Vec<Goal> = goals.chain(labels::places(labels)).collect();
        rsm::reduce_threads(self.program, &places, which, self.keeps_shared)
    }

    /// Asks.
    pub fn ask(&self, file: FormulaFile, sources: &mut Sources) -> Result<Asked, Failure> {
        let Self { program, bound, scheduling, options, .. } = *self;
        let mut file = file;
        let goals = self.goals();
        let notes = file.notes(sources);
        let resolve = |name: &str| find_thread_target(program, name);
        let labels = labels::find(&notes, file.labels, resolve).map_err(Failure::Formula)?;
        let which =
            notes::reductions(&notes, options.reductions).map_err(|error| Failure::Formula(vec![error]))?;
        let reduced = self.reduced(&labels, which);
        let any = match bound {
            Bound::Switches(k) => Some(k.saturating_add(1)),
            Bound::Rounds(_) | Bound::Every => None,
        };
        let names_copies = goals.iter().any(|goal| goal.copy.is_some());
        let threads = Threads {
            program,
            instances: Threads::instances(program, any),
            symmetry: scheduling.symmetry && !names_copies,
            visibility: scheduling.visibility,
        };
        let mut templates = Templates::of_threads(threads, &reduced);
        labels::add(&labels, &mut templates).map_err(Failure::Formula)?;
        let mut checked =
            formula::check(sources, &templates, &mut file, Some(bound)).map_err(Failure::Formula)?;
        if !scheduling.order || templates.slots.shared.len() > WIDE {
            checked.forget_order(sources);
        }
        let settings = options.settings(self.traces && checked.notes.rounds.is_some());
        let mut solver = Solver::new(&checked.system, settings).map_err(Failure::Formula)?;
        solver.grant(self.granted);
        let words = Vocabulary::new(&checked.system, &templates);
        let mut question = Question {
            program,
            templates: &templates,
            words,
            checked: &checked,
            solver,
            options,
            labels: &labels,
            traces: self.traces,
            tells: self.tells,
        };
        let (report, open) = question.report(self.targets, &goals, scheduling);
        Ok(Asked { report, open, work: question.solver.work() })
    }
}

/// A question that is ready to be asked.
pub(super) struct Question<'a, 's, 'r> {
    pub program: &'r Concurrent,
    pub templates: &'a Templates<'r>,
    pub words: Vocabulary,
    pub checked: &'s Checked,
    pub solver: Solver<'s>,
    pub options: &'a Options,
    labels: &'a [Label],
    traces: bool,
    tells: bool,
}

impl Question<'_, '_, '_> {
    fn report(&mut self, targets: &[Target], goals: &[ThreadGoal], how: Scheduling) -> (Report, Vec<usize>) {
        let stops_early = how.early_stop && self.is_in_order();
        let given = self.templates.give(&self.checked.system, &self.words, &mut self.solver);
        let given = given.and_then(|()| if stops_early { Ok(()) } else { self.complete() });
        let all = match given {
            Ok(()) => self.ask_first(goals, stops_early),
            Err(halt) => Finding::unknown(halt.into()),
        };
        let is_reachable = all.verdict == Verdict::Yes;
        let trace = match is_reachable && self.traces {
            true if self.checked.verdict.true_is_yes => self.trace(goals),
            _ => TraceReport::None,
        };
        let mut open = Vec::new();
        let reports = match (is_reachable && targets.len() > 1, all.least) {
            (true, Some(least)) if stops_early => self.reached(targets, least, &mut open),
            (true, _) => self.each(targets, &trace),
            (false, _) => vec![all.clone(); targets.len()],
        };
        // Without early stops the targets are looked for at the end only.
        let safe_within = match all.verdict {
            Verdict::Unknown(_) if stops_early => self.solver.stratum().checked_sub(1),
            _ => None,
        };
        let report = Report {
            safe_within,
            trace,
            warnings: self.checked.warnings.clone(),
            statistics: self.solver.statistics(),
            ..Report::new(Asks::new(self.checked, self.labels), all, reports)
        };
        (report, open)
    }

    /// The first answer is that of the least bound, if work is done in the order of the bounds. The solver does so by keys; if the
    /// sort that counts is stored as bits, all bounds are worked on at once.
    fn is_in_order(&self) -> bool {
        let system = &self.checked.system;
        let mut vars = (0..system.vars.len()).map(VarId::new);
        let counts = vars.find(|var| Some(system.vars[var.index()].sort) == system.strata);
        counts.is_none_or(|var| self.solver.is_explicit(var))
    }

    /// Asks for all targets, and tells what becomes known on the way.
    fn ask_first(&mut self, goals: &[ThreadGoal], stops_early: bool) -> Finding {
        if !self.tells {
            return self.ask(goals);
        }
        let gauge = &self.options.gauge;
        gauge.strata_count(if stops_early { Counting::On } else { Counting::Off });
        let all = self.ask(goals);
        gauge.strata_count(Counting::Off);
        if all.verdict == Verdict::Yes {
            gauge.tell(Known::Reachable { least: all.least });
        }
        all
    }

    /// The targets that are reached within the least bound for any of them; the others are open.
    fn reached(&mut self, targets: &[Target], least: u32, open: &mut Vec<usize>) -> Vec<Finding> {
        let mut reports = Vec::new();
        for (n, target) in targets.iter().enumerate() {
            let given = self.templates.give_thread_target(&target.goals, &self.words, &mut self.solver);
            let own = given.ok().and_then(|()| self.least());
            if own != Some(least) {
                open.push(n);
            }
            reports.push(Finding { verdict: Verdict::Yes, least: own });
        }
        reports
    }

    /// Computes all relations that do not depend on the target.
    fn complete(&mut self) -> Result<(), Halt> {
        crate::session::complete(&self.checked.system, &self.words, &mut self.solver)
    }

    fn ask(&mut self, goals: &[ThreadGoal]) -> Finding {
        let given = self.templates.give_thread_target(goals, &self.words, &mut self.solver);
        match given.and_then(|()| self.solver.query(self.checked.query)) {
            Ok(truth) if truth == self.checked.verdict.true_is_yes => {
                Finding { verdict: Verdict::Yes, least: if truth { self.least() } else { None } }
            }
            Ok(_) => Finding { verdict: Verdict::No, least: None },
            Err(halt) => Finding::unknown(halt.into()),
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
    fn each(&mut self, targets: &[Target], trace: &TraceReport) -> Vec<Finding> {
        if let Err(halt) = self.complete() {
            let reached = |target: &Target| match trace {
                TraceReport::Replayed(trace) => target.is_reached_by(trace),
                _ => false,
            };
            let report = |target| match reached(target) {
                true => Finding { verdict: Verdict::Yes, least: None },
                false => Finding::unknown(halt.clone().into()),
            };
            return targets.iter().map(report).collect();
        }
        targets.iter().map(|target| self.ask(&target.goals)).collect()
    }

    /// The run behind the last answer.
    fn trace(&mut self, goals: &[ThreadGoal]) -> TraceReport {
        let ways = match contexts::find(self) {
            Ok(ways) => ways,
            Err(halt) => return TraceReport::Stopped(halt.into()),
        };
        let mut wrong = "the formula does not say which threads run and what they share".to_owned();
        for contexts in &ways {
            match thread_run::interleave(self.program, contexts, goals, self.options) {
                Ok(trace) => match TraceReport::replayed(trace, self.program, goals) {
                    TraceReport::Wrong(reason) => wrong = reason,
                    report => return report,
                },
                Err(thread_run::Problem::Stopped(reason)) => return TraceReport::Stopped(reason),
                Err(thread_run::Problem::NoRun(reason)) => wrong = reason,
            }
        }
        TraceReport::Wrong(wrong)
    }
}
