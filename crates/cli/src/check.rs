//! `getafix check`: can a run of the program reach a target?
//!
//! Contract: a problem and an engine are made from the options, the engine answers, and `present` finds the words. The first line of
//! stdout is the verdict. Nothing is printed before all of it is known, but an answer that is known is not lost if the time runs out
//! on the way to a trace, a certificate or a comparison.

mod bound;
mod dead;
mod stage;
mod without;

pub use bound::{few_threads, find as bound, thread_options};
pub use without::reductions;

use crate::answer::Subject;
use crate::args::{CheckOptions, EngineName, ProgramStage, TraceForm};
use crate::c;
use crate::early::Early;
use crate::formula;
use crate::json::{self, Times};
use crate::program::{self, Program};
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use base::{Known, Sources};
use bp::Concurrency;
use checker::{
    Asker, Bound, Compare, Engine, Failure, Finding, Formula, Missing, Outcome, Problem, Question,
    Sequentialized, Symbolic, Target, Twin, Unknown, Verdict, Wanted, WantedTrace,
};
use present::answer::{Answer, TraceStyle};
use present::reason::LimitsSet;
use rsm::Concurrent;
use solver::Statistics;
use std::sync::Arc;
use without::Without;

/// Checks a program, or shows one of its stages.
pub fn run(options: &CheckOptions, job: &Job) -> Status {
    job.console.begin(Subject::program());
    if c::is_c(&options.file) {
        return c::check::run(options, job);
    }
    check(options, job).unwrap_or_else(|status| status)
}

fn check(options: &CheckOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.console.error(&message);
        Status::Rejected
    };
    only_c(options).map_err(rejected)?;
    consistent(options).map_err(rejected)?;
    let without = Without::read(&options.without).map_err(rejected)?;
    let named = formula::find(options.algorithm.as_deref()).map_err(rejected)?;
    let mut program = program::load(&options.file, job).map_err(|_| Status::Rejected)?;
    if options.show == Some(ProgramStage::Ast) {
        job.console.show("ast", &bp::print(program.checked.program()));
        return Ok(Status::Evaluated);
    }
    let (machine, bound) = match machine(options, &program, job)? {
        Machine::Shown => return Ok(Status::Evaluated),
        Machine::Asked(machine, bound) => (Arc::new(machine), bound),
    };
    let asks_for_targets = named.as_ref().is_none_or(Formula::asks_for_targets);
    if !asks_for_targets && !options.targets.is_empty() {
        job.console.note("the formula does not ask for targets, so `--target` does not matter");
    }
    let targets = match bound {
        _ if !asks_for_targets => Ok(Vec::new()),
        None => program::targets(&machine.machine, &options.targets, job),
        Some(_) => program::thread_targets(&machine, &options.targets, job),
    };
    let targets: Arc<[Target]> = targets.map_err(|_| Status::Rejected)?.into();
    let asked = Asked {
        program: machine,
        targets,
        bound,
        wanted: wanted(options),
        limits: render::limits_set(&job.options),
    };
    let problem = asked.problem();
    let formula = bound::formula(options, named, &problem).map_err(rejected)?;
    let symbolic = Symbolic {
        formula,
        params: options.params.clone(),
        labels: options.labels.clone(),
        reductions: without.reductions,
        scheduling: without.scheduling,
        only_bits: options.no_explicit,
        must_evaluate: options.engine == EngineName::Compare,
    };
    if let Some(stage) = options.show {
        return stage::show(stage, &problem, &symbolic, &mut program.sources, job);
    }
    if bound::orders_freely(&symbolic.formula, &problem) {
        job.console.note("this algorithm lets rounds have any order that is the same in all of them, not only that of the text");
    }
    // Only where the targets are looked for on the way is it known how far they are out of reach.
    if let Some(bound) = bound.filter(|_| without.scheduling.early_stop) {
        job.gauge.measure_in(present::units::unit(bound));
    }
    let outcome = answer(options, &asked, symbolic, &mut program.sources, job)?;
    conclude(options, &problem, &outcome, &program, job)
}

/// What a program has become on the way to a question.
enum Machine {
    /// It was only to be shown.
    Shown,
    /// What is asked about, and within what.
    Asked(Concurrent, Option<Bound>),
}

/// The machine of a program, sequential or with threads, and the bound.
fn machine(options: &CheckOptions, program: &Program, job: &Job) -> Result<Machine, Status> {
    let concurrency = program.concurrency(options.bound.async_labels);
    let shown = options.show.filter(|stage| stage::of_machine(*stage));
    if concurrency == Concurrency::Sequential {
        if options.bound.is_given() {
            job.console.note("the program is sequential, so the bound does not matter");
        }
        let rsm = program.machine("check", job).map_err(|_| Status::Rejected)?;
        if let Some(stage) = shown {
            stage::show_machine(stage, &rsm, job);
            return Ok(Machine::Shown);
        }
        return Ok(Machine::Asked(Concurrent::sequential(rsm), None));
    }
    if let Err(message) = supported(options) {
        job.console.error(&message);
        return Err(Status::Rejected);
    }
    let lowered = || program.threads(thread_options(&options.bound), job).map_err(|_| Status::Rejected);
    if let Some(stage) = shown {
        stage::show_machine(stage, &lowered()?.machine, job);
        return Ok(Machine::Shown);
    }
    let bound = bound::find(&options.bound, concurrency).map_err(|problem| problem.report(program, job))?;
    let threads = lowered()?;
    if let Err(message) = bound::few_threads(&threads) {
        job.console.error(&message);
        return Err(Status::Rejected);
    }
    Ok(Machine::Asked(threads, Some(bound)))
}

/// What there is for sequential programs only.
fn supported(options: &CheckOptions) -> Result<(), String> {
    let is_shown = |stage: ProgramStage| options.show == Some(stage);
    let only_sequential = [
        ("--shortest", options.shortest),
        ("--certificate", options.certificate.is_some()),
        ("--show relations", is_shown(ProgramStage::Relations)),
        ("--show formula", is_shown(ProgramStage::Formula)),
        ("--show plan", is_shown(ProgramStage::Plan)),
        ("--show order", is_shown(ProgramStage::Order)),
    ];
    match only_sequential.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            Err(format!("`{option}` is for sequential programs, and this program is concurrent"))
        }
        None => Ok(()),
    }
}

/// What is about programs in C makes no sense with others.
fn only_c(options: &CheckOptions) -> Result<(), String> {
    let cfg = (options.show == Some(ProgramStage::Cfg)).then_some("--show cfg");
    let seed = options.seed.map(|_| "--seed");
    match options.c.given().or(cfg).or(seed) {
        Some(option) => Err(c::only(option)),
        None => Ok(()),
    }
}

/// The twin has no formula, so options about formulas make no sense with it.
fn consistent(options: &CheckOptions) -> Result<(), String> {
    let of_the_solver = [
        ("--algorithm", options.algorithm.is_some()),
        ("--param", !options.params.is_empty()),
        ("--label", !options.labels.is_empty()),
        ("--no-explicit", options.no_explicit),
        ("--without", !options.without.is_empty()),
        ("--certificate", options.certificate.is_some()),
    ];
    match of_the_solver.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if options.engine == EngineName::Twin => {
            Err(format!("`{option}` is about the solver, but `--engine twin` does without it"))
        }
        _ => Ok(()),
    }
}

fn wanted(options: &CheckOptions) -> Wanted {
    let trace = match options.trace {
        TraceForm::None => WantedTrace::None,
        _ if options.shortest => WantedTrace::Shortest,
        _ => WantedTrace::Any,
    };
    Wanted { trace, certificate: options.certificate.is_some() }
}

/// What is asked, shared with whoever answers if the engine does not come to its end.
#[derive(Clone)]
struct Asked {
    program: Arc<Concurrent>,
    targets: Arc<[Target]>,
    bound: Option<Bound>,
    wanted: Wanted,
    limits: LimitsSet,
}

impl Asked {
    fn problem(&self) -> Problem<'_> {
        Problem {
            program: &self.program,
            question: Question::Reach,
            targets: &self.targets,
            bound: self.bound,
            wanted: self.wanted,
        }
    }

    /// An answer as far as it is known, and what is being worked on.
    fn early(&self, outcome: &Outcome, missing: Option<Missing>) -> Early {
        let problem = self.problem();
        let answer = Answer { problem: &problem, outcome, limits: self.limits };
        let conclusion = answer.conclusion(&Sources::default(), TraceStyle::None);
        Early { conclusion, status: status(outcome), missing }
    }

    /// The answer from what an engine tells while it works.
    fn foretell(&self, known: Known, reason: &str, is_believed: bool) -> Option<Early> {
        let problem = self.problem();
        let outcome = Outcome::from_known(&problem, known, Unknown::because(reason), is_believed)?;
        Some(self.early(&outcome, outcome.lacks(&problem)))
    }
}

fn status(outcome: &Outcome) -> Status {
    status_of(&outcome.finding)
}

/// How a run ends in which this was found out.
pub fn status_of(finding: &Finding) -> Status {
    match finding.verdict {
        Verdict::Yes => Status::Violated,
        Verdict::No => Status::Evaluated,
        Verdict::Unknown(_) => Status::Unknown,
    }
}

/// Puts the problem to the engine that was asked for.
fn answer(
    options: &CheckOptions,
    asked: &Asked,
    symbolic: Symbolic,
    sources: &mut Sources,
    job: &Job,
) -> Result<Outcome, Status> {
    let problem = asked.problem();
    let sequential: &[Sequentialized] = if asked.bound.is_some() { &Sequentialized::ALL } else { &[] };
    let is_comparable = !bound::orders_freely(&symbolic.formula, &problem);
    let compare = Compare {
        first: &symbolic,
        others: vec![&Twin],
        together: sequential.iter().map(|engine| engine as &dyn Engine).collect(),
    };
    let engine: &dyn Engine = match options.engine {
        EngineName::Symbolic => &symbolic,
        EngineName::Twin => &Twin,
        EngineName::Compare if is_comparable => &compare,
        EngineName::Compare => {
            job.console.note("not compared: the rounds of the others have the order of the text");
            &symbolic
        }
    };
    let (early, is_believed) = (asked.clone(), engine.is_believed());
    job.console.foresee(Box::new(move |known, reason| early.foretell(known, reason, is_believed)));
    let mut known = |outcome: &Outcome, missing: Option<Missing>| {
        let (early, outcome) = (asked.clone(), outcome.clone());
        job.console.foresee(Box::new(move |_, _| Some(early.early(&outcome, missing))));
    };
    let mut asker = Asker { sources: &mut *sources, known: &mut known };
    let answered = engine.answer(&problem, &formula::limits(job), &mut asker);
    let mut outcome = answered.map_err(|failure| refused(&failure, sources, job))?;
    job.console.diagnose_all(sources, &outcome.warnings);
    // `--up-to` asks for the least number, which not every formula knows.
    if options.bound.up_to.is_some() && outcome.finding.is_yes() && outcome.finding.least.is_none() {
        outcome.remarks.push("the formula does not count context switches, so fewer may suffice".to_owned());
    }
    Ok(outcome)
}

/// Says why there is no answer.
fn refused(failure: &Failure, sources: &Sources, job: &Job) -> Status {
    let Failure::Disagreement(complaints) = failure else { return formula::report(failure, sources, job) };
    complaints.iter().for_each(|message| job.console.error(message));
    job.console.error("the engines disagree: this is a bug in getafix, please report it with the input");
    Status::Bug
}

/// Says everything.
fn conclude(
    options: &CheckOptions,
    problem: &Problem,
    outcome: &Outcome,
    program: &Program,
    job: &Job,
) -> Result<Status, Status> {
    outcome.remarks.iter().for_each(|remark| job.console.note(remark));
    dead::remarks(problem, outcome).iter().for_each(|remark| job.console.note(remark));
    report_statistics(outcome.statistics.as_ref(), job);
    let answer = Answer { problem, outcome, limits: render::limits_set(&job.options) };
    job.console.conclude(answer.conclusion(&program.sources, style(options)));
    Ok(status(outcome).max(write_certificate(options, outcome, job)))
}

/// How a run is to be shown.
pub fn style(options: &CheckOptions) -> TraceStyle {
    match options.trace {
        TraceForm::None => TraceStyle::None,
        _ if options.run.json => TraceStyle::Object,
        TraceForm::Source => TraceStyle::Margin,
        TraceForm::Text | TraceForm::Json => TraceStyle::Text,
    }
}

/// Writes the certificate, if there is one.
fn write_certificate(options: &CheckOptions, outcome: &Outcome, job: &Job) -> Status {
    let (Some(path), Some(text)) = (&options.certificate, &outcome.certificate) else {
        return Status::Evaluated;
    };
    if path.as_os_str() == "-" {
        job.console.print(text);
        return Status::Evaluated;
    }
    let Err(error) = std::fs::write(path, text) else { return Status::Evaluated };
    job.console.error(&format!("cannot write `{}`: {error}", path.display()));
    Status::Rejected
}

fn report_statistics(statistics: Option<&Statistics>, job: &Job) {
    let Some(statistics) = statistics else { return };
    let times = if job.options.stats { Times::Shown } else { Times::Hidden };
    job.console.statistics(json::statistics(statistics, times));
    if job.options.stats {
        job.console.remark(&render::table(statistics));
    }
}
