//! One question about a sequential program, from the machine to the report.

use super::certify;
use super::clauses;
use super::report::{Asks, CertificateReport, Report, TraceReport};
use super::side_answers::{self, SideAnswer};
use crate::formula::conditions;
use crate::formula::labels::{self, Label};
use crate::formula::names::{self, NamedSet};
use crate::formula::{self, Checked, FormulaFile, notes};
use crate::outcome::{Finding, Unknown, Verdict, Words};
use crate::problem::Failure;
use crate::target::{Target, find_target};
use base::{Gauge, Known, Sources, Stop};
use calculus::dependencies::Dependencies;
use calculus::system::{RelationId, System};
use rsm::trace::{End, Trace};
use rsm::{
    Concurrent, Expr, Game, Goal, ModuleId, Operation, Place, Reduced, Reductions, Rsm, Term, ThreadGoal,
};
use runs::{Concretiser, KnownSteps, LastReturn, NoWay, NotConcrete, Terms, Way, Ways, follow};
use solver::{DerivationStep, Explanation, Halt, Premise, Settings, Solver};
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;
use symbolic::{Entries, Line, SymbolicProgram};
use templates::{Role, Templates, Vocabulary};

/// How a question is to be answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is left out of the program before it is looked at.
    pub reductions: Reductions,
    /// Store everything as bits of diagrams, the paper's evaluation.
    pub symbolic: bool,
    /// Find a trace if there is what is looked for.
    pub trace: bool,
    /// Write a certificate if there is not.
    pub certificate: bool,
    /// No points are merged or dropped, and each function has an entry of its own.
    pub keeps_points: bool,
    /// What is known of the program behind the machine, if that is an abstraction.
    pub game: Option<Arc<Game>>,
    /// Bytes that diagrams may take.
    pub memory: Option<u64>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
}

impl Default for Options {
    /// The verdict alone, of the program as all reductions leave it, without limits.
    fn default() -> Self {
        Self {
            reductions: Reductions::ALL,
            symbolic: false,
            trace: false,
            certificate: false,
            keeps_points: false,
            game: None,
            memory: None,
            stop: Stop::default(),
            gauge: Arc::default(),
            clock: || Duration::ZERO,
        }
    }
}

impl Options {
    /// The settings of a solver for it.
    pub(crate) fn settings(&self, record: bool) -> Settings {
        Settings {
            symbolic: self.symbolic,
            record,
            collect_from: solver::COLLECT_FROM,
            memory: self.memory,
            stop: self.stop.clone(),
            gauge: self.gauge.clone(),
            clock: self.clock,
        }
    }
}

/// Answers what a formula file asks about a program. Places in diagnostics refer to `sources`.
pub fn check(
    rsm: &Rsm,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
) -> Result<Report, Failure> {
    check_along(Arranged::by(rsm, None), targets, file, options, sources)
}

/// A program, and the line that its bits stand on, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Arranged<'r> {
    rsm: &'r Rsm,
    line: Option<&'r Line>,
}

impl<'r> Arranged<'r> {
    /// A program, with the line of another one that it is a view of, or none.
    pub fn by(rsm: &'r Rsm, line: Option<&'r Line>) -> Self {
        Self { rsm, line }
    }
}

/// The same about a view of a program, whose bits have been arranged.
pub(crate) fn check_along(
    program: Arranged,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
) -> Result<Report, Failure> {
    with_session(program, targets, file, options, sources, |session, sources| {
        let mut report = session.answer(targets);
        if options.certificate && *report.verdict() == Verdict::No {
            report.certificate = session.certificate(targets, sources);
        }
        if let Some(play) = session.play(&report.finding, sources) {
            report.derivation = runs::lines(&session.terms(sources), &play);
            report.reasons = runs::kept_reasons(&session.terms(sources), &play);
        } else if let TraceReport::NoRun(derivation) = &report.trace {
            report.derivation = runs::lines(&session.terms(sources), derivation);
            report.reasons = runs::kept_reasons(&session.terms(sources), derivation);
        }
        report.statistics = session.solver.statistics();
        report.clauses = clauses(&report.statistics, sources);
        report.labels = labels::named(session.labels);
        report.side_answers = session.side_answers(sources);
        report.warnings = [&session.checked.warnings[..], &side_answers::warnings(session.checked)].concat();
        report
    })
}

/// A program and what a formula file may say about it.
struct Named<'r> {
    rsm: &'r Rsm,
    line: Option<&'r Line>,
    labels: Vec<Label>,
    sets: Vec<NamedSet>,
    conditions: Vec<conditions::Named>,
    /// The file speaks of variables.
    is_about_variables: bool,
    /// The game that the file speaks of.
    game: Option<Arc<Game>>,
    /// The places of targets and labels.
    fixed: Vec<Goal>,
    /// The file tells states apart that mean the same to runs.
    tells_states_apart: bool,
}

impl<'r> Named<'r> {
    fn reduced(&self, which: Reductions) -> Reduced {
        rsm::reduce(self.rsm, &self.fixed, which)
    }

    fn templates(&self, reduced: &'r Reduced, entries: Entries) -> Result<Templates<'r>, Failure> {
        let mut mentioned = conditions::mentioned(&self.conditions, self.rsm);
        mentioned.extend(self.game.iter().flat_map(|game| game.conditions()));
        if self.tells_states_apart {
            mentioned.extend(every_variable(self.rsm));
        }
        let program = match self.line {
            Some(line) if mentioned.is_empty() => SymbolicProgram::along(self.rsm, reduced, entries, line),
            _ => SymbolicProgram::mentioning(self.rsm, reduced, entries, &mentioned),
        };
        let mut templates = Templates::of_program(program);
        if self.tells_states_apart {
            templates.tell_states_apart();
        }
        if self.is_about_variables {
            templates.add_variables();
        }
        if let Some(game) = &self.game {
            templates.add_game(game.clone());
        }
        labels::add(&self.labels, &mut templates).map_err(Failure::Formula)?;
        names::add(&self.sets, &mut templates).map_err(Failure::Formula)?;
        conditions::add(&self.conditions, &mut templates).map_err(Failure::Formula)?;
        Ok(templates)
    }
}

/// All variables, as conditions of the functions that have them.
pub(crate) fn every_variable(rsm: &Rsm) -> impl Iterator<Item = (ModuleId, Expr)> + '_ {
    let read = |m: ModuleId, place: Place| {
        let ty = rsm.variable(m, place).ty.clone();
        (m, Expr { code: Box::new([Term { operation: Operation::Read(place), ty }]) })
    };
    let globals = (0..rsm.globals.len() as u32).map(move |n| read(rsm.main, Place::Global(n)));
    let modules = rsm.modules.iter().enumerate().map(|(m, module)| (ModuleId::new(m), module));
    let locals = modules
        .flat_map(move |(m, module)| (0..module.locals.len() as u32).map(move |n| read(m, Place::Local(n))));
    globals.chain(locals)
}

/// Prepares a question: reduces the program, checks the formula, lays out the variables.
pub(crate) fn with_session<T>(
    Arranged { rsm, line }: Arranged,
    targets: &[Target],
    mut file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    ask: impl FnOnce(&mut Session, &Sources) -> T,
) -> Result<T, Failure> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let (notes, mentions) = file.notes(sources);
    let is_about_variables = mentions.variables || notes.iter().any(|note| note.word == "#variable");
    let game = options.game.clone().filter(|_| mentions.game);
    let is_game = game.is_some();
    let resolve = |name: &str| find_target(rsm, name);
    let written = names::written(&notes, file.labels).map_err(Failure::Formula)?;
    let labels = labels::find(&written, resolve).map_err(Failure::Formula)?;
    let sets = names::sets(&written, rsm).map_err(Failure::Formula)?;
    let fixed = goals.iter().copied().chain(labels::places(&labels)).collect();
    let conditions = conditions::find(&notes, rsm).map_err(Failure::Formula)?;
    let sees_variables = is_about_variables || !conditions.is_empty();
    let mut named = Named {
        rsm,
        line,
        labels,
        sets,
        conditions,
        is_about_variables,
        game,
        fixed,
        tells_states_apart: false,
    };
    let mut which =
        notes::reductions(&notes, options.reductions).map_err(|error| Failure::Formula(vec![error]))?;
    let mut entries = Entries::Folded;
    if sees_variables {
        which = Reductions { dead_code: which.dead_code, ..Reductions::NONE };
        entries = Entries::Kept;
    }
    if options.keeps_points {
        which = Reductions { live_variables: which.live_variables, ..Reductions::NONE };
        entries = Entries::Kept;
    }
    // Where all ways on from a state matter, no points are merged; and what the game asks about is live.
    if is_game {
        which = Reductions::NONE;
        entries = Entries::Kept;
    }
    let (reduced, kept) = (named.reduced(which), OnceCell::new());
    let mut templates = named.templates(&reduced, entries)?;
    let mut checked = formula::check(sources, &templates, &mut file, None).map_err(Failure::Formula)?;
    // States of an abstraction stand for many of the program; that they can be told apart says nothing.
    named.tells_states_apart = checked.tells_states_apart && !is_game;
    if named.tells_states_apart || checked.sees_blocked_runs {
        // Points that no path leads to are no states of the program, whatever was asked for.
        if named.tells_states_apart {
            which = Reductions { dead_code: true, ..Reductions::NONE };
        }
        which = which.keeping(|reduction| reduction.keeps_blocked_runs);
        let reduced = kept.get_or_init(|| named.reduced(which));
        templates = named.templates(reduced, Entries::Kept)?;
        checked = formula::check(sources, &templates, &mut file, None).map_err(Failure::Formula)?;
    }
    let record = options.trace || checked.needs_run() || side_answers::need_derivations(&checked);
    let solver = Solver::new(&checked.system, options.settings(record)).map_err(Failure::Formula)?;
    let words = Vocabulary::new(&checked.system, &templates);
    let (labels, sets) = (&named.labels[..], &named.sets[..]);
    let (templates, checked) = (&templates, &checked);
    let mut session = Session { templates, words, checked, solver, goals: &goals, labels, sets, options };
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
    /// The labels of the formula.
    pub labels: &'a [Label],
    /// The functions and variables that it names.
    pub sets: &'a [NamedSet],
    options: &'a Options,
}

/// Why nothing is known about a target of which the formula is not true alone.
const TOGETHER: &str = "the formula is true of all targets together, and not of this one alone";

impl Session<'_, '_, '_> {
    /// The answer with all targets, those with each alone, and a trace. What is certain is told as soon as it is known.
    fn answer(&mut self, targets: &[Target]) -> Report {
        let asks = Asks::new(self.checked);
        if let Err(halt) = self.templates.give(&self.checked.system, &self.words, &mut self.solver) {
            let unknown = Finding::unknown(halt.into());
            return Report::new(asks, unknown.clone(), vec![unknown; targets.len()]);
        }
        let finding = self.ask(self.goals);
        if self.checked.notes.verdict.is_some() || asks.words == Words::Reachable {
            match finding.verdict {
                Verdict::Yes => self.options.gauge.tell(Known::Reachable { least: finding.least }),
                Verdict::No => self.options.gauge.tell(Known::Unreachable),
                Verdict::Unknown(_) => {}
            }
        }
        let is_split = finding.is_yes() && targets.len() > 1;
        let mut report = Report::new(asks, finding.clone(), vec![finding; targets.len()]);
        let is_shown = self.has_run(&report.finding) && self.options.trace;
        if is_shown || (self.needs_run(&report.finding) && !is_split) {
            (report.trace, report.further) = self.trace(self.goals);
        }
        match is_split {
            true => self.each(targets, &mut report),
            false if self.needs_run(&report.finding) => {
                report.finding = confirmed(&report.finding, &report.trace);
                report.findings.fill(report.finding.clone());
            }
            false => {}
        }
        report
    }

    /// An answer of this kind has a run.
    fn has_run(&self, finding: &Finding) -> bool {
        let yes_has_run = self.checked.true_has_run == self.checked.verdict.true_is_yes;
        match finding.verdict {
            Verdict::Yes => yes_has_run,
            Verdict::No => !yes_has_run,
            Verdict::Unknown(_) => false,
        }
    }

    /// An answer is believed only with a run.
    fn needs_run(&self, finding: &Finding) -> bool {
        finding.is_yes() && self.checked.needs_run()
    }

    /// What does not depend on the target is computed once, then each target is asked for alone. That which a trace leads to
    /// is reachable, whatever there is time for.
    fn each(&mut self, targets: &[Target], report: &mut Report) {
        let complete = complete(&self.checked.system, &self.words, &mut self.solver);
        let reached = |target: &Target, report: &TraceReport| match report {
            TraceReport::Replayed(trace) => target.is_reached_by(trace),
            _ => false,
        };
        let mut traces = Vec::new();
        for (target, finding) in targets.iter().zip(&mut report.findings) {
            *finding = match &complete {
                _ if reached(target, &report.trace) => Finding::new(Verdict::Yes),
                Ok(()) => self.ask(&target.places().collect::<Vec<Goal>>()),
                Err(halt) => Finding::unknown(halt.clone().into()),
            };
            if self.needs_run(finding) && !reached(target, &report.trace) {
                let (trace, further) = self.trace(&target.places().collect::<Vec<Goal>>());
                *finding = confirmed(finding, &trace);
                traces.push((trace, further));
            }
        }
        if report.findings.iter().any(Finding::is_yes) {
            let is_replayed = |trace: &TraceReport| matches!(trace, TraceReport::Replayed(_));
            if !is_replayed(&report.trace)
                && let Some(runs) = traces.into_iter().find(|runs| is_replayed(&runs.0))
            {
                (report.trace, report.further) = runs;
            }
            return;
        }
        if report.findings.iter().all(|finding| finding.verdict == Verdict::No) {
            self.together(targets, report);
        } else if self.checked.needs_run() {
            report.finding = Finding::any(&report.findings);
        }
    }

    /// A formula may be true of several targets together and of none alone. What its run leads to is reachable; the formula says
    /// nothing about the others.
    fn together(&mut self, targets: &[Target], report: &mut Report) {
        if report.trace == TraceReport::None && self.ask(self.goals).is_yes() {
            (report.trace, report.further) = self.trace(self.goals);
        }
        if self.checked.needs_run() {
            report.finding = confirmed(&report.finding, &report.trace);
        }
        for (target, finding) in targets.iter().zip(&mut report.findings) {
            *finding = match &report.trace {
                TraceReport::Replayed(trace) if target.is_reached_by(trace) => Finding::new(Verdict::Yes),
                _ => Finding::unknown(Unknown::because(TOGETHER)),
            };
        }
    }

    /// The terms in which tuples are told.
    fn terms<'t>(&'t self, sources: &'t Sources) -> Terms<'t> {
        Terms { system: &self.checked.system, templates: self.templates, words: &self.words, sources }
    }

    /// What the file asks beside the verdict, about all targets.
    fn side_answers(&mut self, sources: &Sources) -> Vec<SideAnswer> {
        let (system, templates) = (&self.checked.system, self.templates);
        match self.templates.give_target(self.goals, &self.words, &mut self.solver) {
            Ok(()) => {
                let terms = Terms { system, templates, words: &self.words, sources };
                side_answers::answer(self.checked, &terms, &mut self.solver)
            }
            Err(_) => Vec::new(),
        }
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

    fn ask(&mut self, goals: &[Goal]) -> Finding {
        let given = self.templates.give_target(goals, &self.words, &mut self.solver);
        match given.and_then(|()| self.solver.query(self.checked.query)) {
            Ok(truth) if truth == self.checked.verdict.true_is_yes => {
                Finding { verdict: Verdict::Yes, least: self.least() }
            }
            Ok(_) => Finding::new(Verdict::No),
            Err(halt) => Finding::unknown(halt.into()),
        }
    }

    /// The least value of the variable that bounds the answer.
    fn least(&mut self) -> Option<u32> {
        let number = self.checked.verdict.within.as_ref()?.number;
        let (mut binders, matrix) = self.checked.matrix();
        // The first variable has its least value.
        binders.sort_by_key(|binder| *binder != number);
        let system = &self.checked.system;
        let var = *system.binders[number.index()].leaves.first()?;
        let value = match system.strata == Some(system.vars[var.index()].sort) {
            true => self.solver.found(&binders, matrix).ok()??.iter().find(|found| found.0 == var)?.1,
            false => {
                let found = self.solver.witness(&binders, matrix, true).ok()??;
                return found.first()?.1.parse().ok();
            }
        };
        system.sort_of(var).value_name(value).parse().ok()
    }

    /// The run behind the last answer, and others if the answer is about several.
    fn trace(&mut self, goals: &[Goal]) -> (TraceReport, Vec<Trace>) {
        let alone = |report: TraceReport| (report, Vec::new());
        let derivation = match derivation(self.checked, &mut self.solver) {
            Ok(Some(derivation)) => derivation,
            Ok(None) => return alone(TraceReport::Wrong("the query has no derivation".to_owned())),
            Err(halt) => return alone(TraceReport::Stopped(halt.into())),
        };
        let mut known = KnownSteps::new(&self.checked.system, &self.words, self.templates, &derivation);
        let ways = match self.ways(&derivation, &mut known, goals) {
            Ok(ways) => ways,
            Err(report) => return alone(report),
        };
        let first = match self.concrete(&known, &ways.first, goals, LastReturn::Taken) {
            // Where a caller does not allow a return, the run is stuck before it.
            TraceReport::Wrong(reason) if self.checked.sees_blocked_runs => {
                match self.concrete(&known, &ways.first, goals, LastReturn::Blocked) {
                    TraceReport::Wrong(_) => TraceReport::Wrong(reason),
                    report => report,
                }
            }
            report => report,
        };
        let mut further: Vec<Trace> = Vec::new();
        for way in &ways.further {
            if let TraceReport::Replayed(trace) = self.replayed(&known, way, goals, LastReturn::Taken)
                && !further.contains(&trace)
                && !matches!(&first, TraceReport::Replayed(first) if *first == trace)
            {
                further.push(*trace);
            }
        }
        (first, further)
    }

    /// Why something is violated, with the first choices of those who could not avoid it, if there are such: a play.
    fn play(&mut self, finding: &Finding, sources: &Sources) -> Option<Explanation> {
        let depth = self.checked.system.depth();
        let is_shown = finding.is_yes() || self.has_run(finding);
        // Who asks for runs alone has nothing to choose.
        let is_game =
            self.checked.verdict.words == Words::Violated && self.checked.sees_blocked_runs && is_shown;
        if depth == 0 || !is_game || !self.options.trace || self.ask(self.goals).verdict != finding.verdict {
            return None;
        }
        let is_true = self.has_run(finding) == self.checked.true_has_run;
        let relevance = self.terms(sources).relevance();
        self.solver.follow_choices(depth, Some(relevance));
        // Where the answer has no run, there is still a reason for it.
        let (checked, solver) = (self.checked, &mut self.solver);
        let play = match is_true {
            true => explained(checked, solver),
            false => solver.refute(checked.query),
        };
        self.solver.follow_choices(0, None);
        play.ok().flatten().filter(runs::follows_choices)
    }

    /// A way as a run that the concrete semantics has replayed, if it is one of the kind that is asked for.
    fn concrete(&mut self, known: &KnownSteps, way: &Way, goals: &[Goal], last: LastReturn) -> TraceReport {
        match self.replayed(known, way, goals, last) {
            TraceReport::Replayed(trace)
                if trace.cycle().is_none() && self.checked.verdict.words == Words::InfiniteRun =>
            {
                TraceReport::Wrong("it ends".to_owned())
            }
            TraceReport::Replayed(trace)
                if trace.end == End::Here
                    && self.checked.verdict.words == Words::Reachable
                    && !goals.is_empty() =>
            {
                TraceReport::Wrong("the derivation does not end at the target".to_owned())
            }
            report => report,
        }
    }

    /// A way as a run that the concrete semantics has replayed.
    fn replayed(&mut self, known: &KnownSteps, way: &Way, goals: &[Goal], last: LastReturn) -> TraceReport {
        let concretiser = Concretiser::new(self.templates, &self.words, &mut self.solver, known, way);
        match concretiser.trace(goals, last) {
            Err(NotConcrete::Exhausted(exhausted)) => {
                TraceReport::Stopped(self.solver.stopped(exhausted).into())
            }
            Err(NotConcrete::NoStep(reason)) => TraceReport::Wrong(reason),
            Ok(trace) => {
                let goals: Vec<ThreadGoal> = goals.iter().copied().map(ThreadGoal::from).collect();
                TraceReport::replayed(trace, &Concurrent::sequential(self.templates.rsm.clone()), &goals)
            }
        }
    }

    /// The ways that a derivation describes; a shorter one through the same facts, if that, too, is one that the formula means.
    fn ways(
        &mut self,
        derivation: &Explanation,
        known: &mut KnownSteps,
        goals: &[Goal],
    ) -> Result<Ways, TraceReport> {
        let followed = follow(&self.checked.system, &self.words, self.templates, derivation, known);
        let (ends, length) = match &followed {
            Ok(ways) => (ways.first.end().into_iter().collect(), ways.first.n_steps()),
            Err(_) => (known.targets.clone(), u128::MAX),
        };
        let is_infinite =
            |step: &DerivationStep| step.premises.iter().any(|premise| matches!(premise, Premise::Again(_)));
        let is_long = !self.checked.sees_blocked_runs && !derivation.steps.iter().any(is_infinite);
        let short = if is_long { runs::shortest_way(known, &ends) } else { None };
        if let Some(short) = short.filter(|short| short.n_steps() < length) {
            match self.again(known, short, goals) {
                Ok(Some(ways)) => return Ok(ways),
                Ok(None) => {}
                Err(halt) => return Err(TraceReport::Stopped(halt.into())),
            }
        }
        followed.map_err(|problem| match problem {
            NoWay::NoRun => TraceReport::NoRun(Box::new(derivation.clone())),
            NoWay::Wrong(reason) => TraceReport::Wrong(reason),
        })
    }

    /// If the facts of a way alone make the answer the same: the ways that a derivation from these describes.
    fn again(&self, known: &mut KnownSteps, short: Way, goals: &[Goal]) -> Result<Option<Ways>, Halt> {
        let (checked, templates, words) = (self.checked, self.templates, &self.words);
        let settings = self.options.settings(true);
        let solver =
            &mut Solver::new(&checked.system, settings).expect("the same formula was laid out before");
        templates.give_plain(&checked.system, words, solver)?;
        templates.give_target(goals, words, solver)?;
        let truth =
            runs::suffices(&checked.system, checked.query, words, templates, (known, &short), solver)?;
        if truth != checked.true_has_run {
            return Ok(None);
        }
        let Some(derivation) = derivation(checked, solver)? else { return Ok(None) };
        let ways = follow(&checked.system, words, templates, &derivation, known);
        Ok(Some(ways.unwrap_or(Ways { first: short, further: Vec::new() })))
    }
}

/// Why the query that a solver has answered last is true, or false, whichever has a run.
fn derivation(checked: &Checked, solver: &mut Solver) -> Result<Option<Explanation>, Halt> {
    match checked.true_has_run {
        true => explained(checked, solver),
        false => solver.refute(checked.query),
    }
}

/// Why the query that a solver has answered last is true.
fn explained(checked: &Checked, solver: &mut Solver) -> Result<Option<Explanation>, Halt> {
    let (mut binders, matrix) = checked.matrix();
    if let Some(within) = &checked.verdict.within {
        binders.sort_by_key(|binder| *binder != within.number);
    }
    solver.explain_found(&binders, matrix)
}

/// What is known of an answer that needs a run, with what became of that.
fn confirmed(finding: &Finding, trace: &TraceReport) -> Finding {
    Finding::unknown(match trace {
        TraceReport::Replayed(_) => return finding.clone(),
        TraceReport::Wrong(reason) | TraceReport::Unclear(reason) => Unknown::NoRun(reason.clone()),
        TraceReport::NoRun(_) => Unknown::NoRun("it has none in it".to_owned()),
        TraceReport::Stopped(reason) => Unknown::Unconfirmed(Box::new(reason.clone())),
        TraceReport::None => Unknown::Unconfirmed(Box::new(Unknown::because("no run was looked for"))),
    })
}
