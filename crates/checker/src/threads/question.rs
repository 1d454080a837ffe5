//! One question about threads within one bound, from the program to the report.

use super::contexts;
use super::find_thread_target;
use super::thread_run;
use super::{Bound, Scheduling};
use crate::evaluation::Options;
use crate::evaluation::Staged;
use crate::evaluation::side_answers::{self, SideAnswer};
use crate::evaluation::{Asks, Report, TraceReport, clauses};
use crate::formula::labels::{self, Label};
use crate::formula::names::{self, NamedSet};
use crate::formula::notes;
use crate::formula::{self, Checked, FormulaFile};
use crate::outcome::{Finding, Verdict};
use crate::problem::Failure;
use crate::target::Target;
use base::{Counting, Known, Sources};
use calculus::system::VarId;
use rsm::{Concurrent, Goal, Reduced, Reductions, ThreadGoal};
use runs::Terms;
use solver::{Halt, Solver};
use std::cell::OnceCell;
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

    /// The words for the threads of the program.
    fn templates<'r>(
        &'r self,
        labels: &[Label],
        sets: &[NamedSet],
        reduced: &'r Reduced,
    ) -> Result<Templates<'r>, Failure> {
        let Self { program, bound, scheduling, .. } = *self;
        let any = match bound {
            Bound::Switches(k) => Some(k.saturating_add(1)),
            Bound::Rounds(_) | Bound::Every => None,
        };
        let labelled = labels.iter().flat_map(|label| label.target.goals.iter().copied());
        let names_copies = self.goals().into_iter().chain(labelled).any(|goal| goal.copy.is_some());
        let threads = Threads {
            program,
            instances: Threads::instances(program, any),
            symmetry: scheduling.symmetry && !names_copies,
            visibility: scheduling.visibility,
        };
        let mut templates = Templates::of_threads(threads, reduced);
        labels::add(labels, &mut templates).map_err(Failure::Formula)?;
        names::add(sets, &mut templates).map_err(Failure::Formula)?;
        Ok(templates)
    }

    /// Asks.
    pub fn ask(&self, file: FormulaFile, sources: &mut Sources) -> Result<Asked, Failure> {
        self.with(file, sources, |question, sources| {
            let (report, open) = question.report(self.targets, &self.goals(), self.scheduling, sources);
            Asked { report, open, work: question.solver.work() }
        })
    }

    /// Prepares the question.
    fn with<T>(
        &self,
        mut file: FormulaFile,
        sources: &mut Sources,
        ask: impl FnOnce(&mut Question, &Sources) -> T,
    ) -> Result<T, Failure> {
        let Self { program, bound, scheduling, options, .. } = *self;
        let (notes, _) = file.notes(sources);
        if let Some(note) = notes.iter().find(|note| matches!(note.word, "#where" | "#variable")) {
            let message = format!("`{}` is for sequential programs, and this one has threads", note.word);
            return Err(Failure::Formula(vec![base::Diagnostic::error(note.span, message)]));
        }
        let resolve = |name: &str| find_thread_target(program, name);
        let written = names::written(&notes, file.labels).map_err(Failure::Formula)?;
        let labels = labels::find(&written, resolve).map_err(Failure::Formula)?;
        let sets = names::sets(&written, &program.machine).map_err(Failure::Formula)?;
        let which =
            notes::reductions(&notes, options.reductions).map_err(|error| Failure::Formula(vec![error]))?;
        let (reduced, kept) = (self.reduced(&labels, which), OnceCell::new());
        let mut templates = self.templates(&labels, &sets, &reduced)?;
        let mut check = |templates: &Templates| {
            formula::check(sources, templates, &mut file, Some(bound)).map_err(Failure::Formula)
        };
        let mut checked = check(&templates)?;
        if checked.sees_blocked_runs {
            let which = which.keeping(|reduction| reduction.keeps_blocked_runs);
            let reduced = kept.get_or_init(|| self.reduced(&labels, which));
            templates = self.templates(&labels, &sets, reduced)?;
            checked = check(&templates)?;
        }
        if !scheduling.order || templates.slots.shared.len() > WIDE {
            checked.forget_order(sources);
        }
        let record =
            (self.traces && checked.notes.rounds.is_some()) || side_answers::need_derivations(&checked);
        let settings = options.settings(record);
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
            sets: &sets,
            traces: self.traces,
            tells: self.tells,
        };
        Ok(ask(&mut question, sources))
    }
}

/// A question about threads whose stages are to be shown.
#[derive(Clone, Copy)]
pub struct AskedOfThreads<'a> {
    /// The program.
    pub program: &'a Concurrent,
    /// What is to be reached.
    pub targets: &'a [Target],
    /// Within what.
    pub bound: Bound,
    /// What makes it quicker.
    pub scheduling: Scheduling,
}

impl AskedOfThreads<'_> {
    /// Prepares the question.
    pub(crate) fn with<T>(
        &self,
        file: FormulaFile,
        options: &Options,
        sources: &mut Sources,
        show: impl FnOnce(Staged, &Sources) -> T,
    ) -> Result<T, Failure> {
        let Self { program, targets, bound, scheduling } = *self;
        let (keeps_shared, traces, tells, granted) = (false, false, false, u64::MAX);
        let inquiry =
            Inquiry { program, targets, bound, scheduling, options, keeps_shared, traces, tells, granted };
        let goals = inquiry.goals();
        inquiry.with(file, sources, |question, sources| {
            let Question { templates, words, checked, solver, labels, sets, .. } = question;
            show(Staged { templates, words, checked, solver, labels, sets, goals }, sources)
        })
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
    /// The labels of the formula.
    pub labels: &'a [Label],
    /// The functions that it names.
    pub sets: &'a [NamedSet],
    traces: bool,
    tells: bool,
}

impl Question<'_, '_, '_> {
    fn report(
        &mut self,
        targets: &[Target],
        goals: &[ThreadGoal],
        how: Scheduling,
        sources: &Sources,
    ) -> (Report, Vec<usize>) {
        let stops_early = how.early_stop && self.is_in_order();
        let given = self.templates.give(&self.checked.system, &self.words, &mut self.solver);
        let given = given.and_then(|()| if stops_early { Ok(()) } else { self.complete() });
        let all = match given {
            Ok(()) => self.ask_first(goals, stops_early),
            Err(halt) => Finding::unknown(halt.into()),
        };
        let is_reachable = all.verdict == Verdict::Yes;
        let trace = match is_reachable && self.traces {
            true if self.checked.verdict.true_is_yes && self.checked.is_about_targets => self.trace(goals),
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
        let side_answers = match self.tells {
            true => self.side_answers(goals, sources),
            false => Vec::new(),
        };
        let statistics = self.solver.statistics();
        let report = Report {
            clauses: clauses(&statistics, sources),
            statistics,
            safe_within,
            trace,
            labels: labels::named(self.labels),
            side_answers,
            warnings: [&self.checked.warnings[..], &side_answers::warnings(self.checked)].concat(),
            ..Report::new(Asks::new(self.checked), all, reports)
        };
        (report, open)
    }

    /// What the file asks beside the verdict, about all targets.
    fn side_answers(&mut self, goals: &[ThreadGoal], sources: &Sources) -> Vec<SideAnswer> {
        let terms =
            Terms { system: &self.checked.system, templates: self.templates, words: &self.words, sources };
        match self.templates.give_thread_target(goals, &self.words, &mut self.solver) {
            Ok(()) => side_answers::answer(self.checked, &terms, &mut self.solver),
            Err(_) => Vec::new(),
        }
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
        crate::evaluation::complete(&self.checked.system, &self.words, &mut self.solver)
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
