//! `getafix check`: can a run of the program reach a target, or what else is asked?
//!
//! Contract: a problem and an engine are made from the options, the engine answers, and `present` finds the words. The first line of
//! stdout is the verdict. Nothing is printed before all of it is known, but an answer that is known is not lost if the time runs out
//! on the way to a trace, a certificate or a comparison.

mod asides;
mod bound;
mod dead;
mod engines;
mod observed;
pub mod proved;
mod question;
mod stage;
pub mod states;
mod without;

pub use bound::{few_threads, find as bound, formula as formula_for, thread_options};
pub use without::reductions;

use crate::answer::Subject;
use crate::c;
use crate::early::Early;
use crate::formula;
use crate::job::Job;
use crate::json::{self, Times};
use crate::options::{BoundOptions, CheckOptions, EngineName, ProgramStage, QuestionOptions, TraceForm};
use crate::program::{self, Program};
use crate::render;
use crate::request::Output;
use crate::status::Status;
use base::{Known, Sources};
use bound::NoBound;
use bp::Concurrency;
use certificate::Claim;
use checker::{
    Asker, Bound, Engine, Explicit, Failure, Finding, Formula, Limits, Missing, Outcome, Peers, Problem,
    Question, Symbolic, Target, Unknown, Verdict, Wanted, WantedTrace, Watch, Words,
};
use engines::Engines;
use observed::Observed;
use present::answer::{Answer, Conclusion, TraceStyle};
use present::reason::LimitsSet;
use question::Watched;
use rsm::Concurrent;
use rsm::interleave::Scheduler;
use serde_json::{Value, json};
use std::num::NonZeroU8;
use std::sync::Arc;
use without::Without;

/// Checks a program, or shows one of its stages.
pub fn run(options: &CheckOptions, job: &Job) -> Status {
    if is_in_c(options) { run_c(options, job) } else { run_program(options, job) }
}

/// The program is in C.
pub fn is_in_c(options: &CheckOptions) -> bool {
    c::is_c(&options.file, &options.c)
}

/// The same of a program in C.
pub fn run_c(options: &CheckOptions, job: &Job) -> Status {
    job.record.begin(Subject::program());
    c::check::run(options, job)
}

/// The same of a Boolean program.
pub fn run_program(options: &CheckOptions, job: &Job) -> Status {
    job.record.begin(Subject::program());
    if let Err(message) = only_c(options) {
        job.record.error(&message);
        return Status::Rejected;
    }
    check(options, job).unwrap_or_else(|status| status)
}

fn check(options: &CheckOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    question::consistent(options).map_err(rejected)?;
    engines::consistent(options, question::question(&options.question)).map_err(rejected)?;
    let without = Without::read(&options.without).map_err(rejected)?;
    let named = formula::find(options.formula.algorithm.as_deref(), job).map_err(rejected)?;
    let mut program = program::load(&options.file, job)?;
    if options.show == Some(ProgramStage::Ast) {
        job.record.show("ast", &bp::print(program.checked.program()));
        return Ok(Status::Evaluated);
    }
    let (machine, bound) = match machine(options, &program, job)? {
        Machine::Shown => return Ok(Status::Evaluated),
        Machine::Asked(machine, bound) => (machine, bound),
    };
    engines::gives_evidence(options, question::question(&options.question), bound).map_err(rejected)?;
    let watched = match bound {
        None => Watched::find(&options.question, &mut program, &machine.machine, job)?,
        Some(_) => None,
    };
    let observed = match bound {
        None => None,
        Some(_) => Observed::find(&options.question, &mut program, &machine, job)?,
    };
    if let Some(stage @ (ProgramStage::Monitor | ProgramStage::MonitorDot)) = options.show {
        return Ok(question::show(stage, watched.as_deref(), observed.as_deref(), &program, job));
    }
    let machine = match &watched {
        Some(watched) => Concurrent::sequential(watched.machine().clone()),
        None => machine,
    };
    if let Some(stage) = options.show.filter(|stage| stage::of_machine(*stage)) {
        stage::show_machine(stage, &machine, &program, job);
        return Ok(Status::Evaluated);
    }
    let explicit = engines::explicit(options, &without);
    let watching = Watching { watched, observed };
    let asked = asked(options, named.as_ref(), machine, bound, watching, job)?;
    let asked = with_slots(options, asked, explicit, &mut program, job)?;
    let problem = asked.problem();
    let formula = bound::formula(&options.formula.params, named, &problem).map_err(rejected)?;
    let symbolic = Symbolic {
        formula,
        params: options.formula.params.clone(),
        labels: options.formula.labels.clone(),
        reductions: without.reductions,
        scheduling: without.scheduling,
        only_bits: options.formula.no_explicit,
        must_evaluate: options.engine == Some(EngineName::Compare),
    };
    if let Some(stage) = options.show {
        return stage::show(stage, &problem, &symbolic, &mut program.sources, job);
    }
    if bound::orders_freely(&symbolic.formula, &problem) {
        job.record.note("this algorithm lets rounds have any order that is the same in all of them, not only that of the text");
    }
    // Only where the targets are looked for on the way is it known how far they are out of reach.
    if let Some(bound) = bound.filter(|_| without.scheduling.early_stop) {
        job.gauge.measure_in(present::units::unit(bound));
    }
    let localise = without.localise && options.formula.algorithm.is_none();
    let engines = Engines { symbolic: &symbolic, explicit, localise };
    let mut outcome = answer(options, &asked, engines, &mut program.sources, job)?;
    if job.output.html {
        let proof = proved::shown(&asked, &outcome, engines, &program.sources, job);
        let reasons = render::reasons(&program.sources, &outcome.formula.reasons);
        let reasons = reasons.iter().map(json::step).collect();
        let pictures = pictures(&asked, &program.sources);
        job.record.keep(|reply| (reply.proof, reply.reasons, reply.pictures) = (proof, reasons, pictures));
    }
    if !options.certificate {
        outcome.certificate = None;
        outcome.unfinished.retain(|(missing, _)| *missing != Missing::Certificate);
    }
    concluded(options, &asked, &outcome, &program, job)
}

/// The same about a machine with as many slots for threads that are started as a run to a target takes: those who show it know threads
/// by their slots.
fn with_slots(
    options: &CheckOptions,
    asked: Asked,
    explicit: Explicit,
    program: &mut Program,
    job: &Job,
) -> Result<Asked, Status> {
    // Who asks for a deadlock has slots for threads that never run, too.
    let is_shown = asked.wanted != Wanted::default()
        && !asked.problem().is_watched()
        && asked.problem().question != Question::Deadlock;
    if asked.bound != Some(Bound::Every) || asked.program.is_whole || !is_shown {
        return Ok(asked);
    }
    let problem = Problem { wanted: Wanted::default(), ..asked.problem() };
    let mut asker = Asker { sources: &mut program.sources, known: &mut |_, _| {} };
    let outcome = explicit.answer(&problem, &formula::limits(job), &mut asker);
    let Some(slots) = outcome.ok().and_then(|outcome| outcome.finding.least) else { return Ok(asked) };
    let threads = bp::ThreadOptions { slots: slots.max(1) as usize, ..thread_options(&options.bound) };
    let machine = program.threads(threads, job)?;
    self::asked(options, None, machine, asked.bound, Watching::default(), job)
}

/// What is asked about a machine, as the options and the formula that they name say.
fn asked(
    options: &CheckOptions,
    named: Option<&Formula>,
    machine: Concurrent,
    bound: Option<Bound>,
    Watching { watched, observed }: Watching,
    job: &Job,
) -> Result<Asked, Status> {
    let asks_for_targets = named.is_none_or(Formula::asks_for_targets);
    if !asks_for_targets && !options.targets.is_empty() {
        job.record.note("the formula does not ask for targets, so `--target` does not matter");
    }
    let targets = match bound {
        _ if !asks_for_targets => Vec::new(),
        None => question::targets(options, &machine.machine, watched.as_deref(), job)?,
        Some(_) => question::thread_targets(options, &machine, observed.as_deref(), job)?,
    };
    let question = question::question(&options.question);
    Ok(Asked {
        program: Arc::new(machine),
        question,
        words: match (question, named.and_then(|formula| formula.words)) {
            (Question::Reach, Some(words)) => words,
            _ => question::words(&options.question),
        },
        targets: targets.into(),
        claim: {
            let of_threads = observed.as_ref().map(|observed| observed.text.as_str());
            question::claim(&options.question, of_threads.or(watched.as_ref().map(|watched| watched.text())))
        },
        watched,
        observed,
        scheduler: question::scheduler(&options.question),
        bound,
        wanted: wanted(options, question, bound, job),
        limits: job.limits_set(),
    })
}

/// Who watches a program, or its threads.
#[derive(Default)]
struct Watching {
    watched: Option<Arc<Watched>>,
    observed: Option<Arc<Observed>>,
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
        if options.question.deadlock {
            job.record.error("`--deadlock` is for programs with threads, and this program is sequential");
            return Err(Status::Rejected);
        }
        if options.bound.is_given() {
            job.record.note("the program is sequential, so the bound does not matter");
        }
        if options.question.scheduler.is_some() {
            job.record.note("the program is sequential, so the scheduler does not matter");
        }
        let rsm = program.machine("check", job)?;
        return Ok(Machine::Asked(Concurrent::sequential(rsm), None));
    }
    if let Err(message) = supported(options) {
        job.record.error(&message);
        return Err(Status::Rejected);
    }
    let read = match options.question.option().is_some() {
        true => bound::watched_options(&options.bound),
        false => thread_options(&options.bound),
    };
    let lowered = || program.threads(read, job).map_err(Status::from);
    if let Some(stage) = shown {
        stage::show_machine(stage, &lowered()?, program, job);
        return Ok(Machine::Shown);
    }
    let (bound, threads) = match bound::find(&options.bound, concurrency) {
        _ if of_every_schedule(&options.question) => Ok((Bound::Every, lowered()?)),
        Err(NoBound::Missing | NoBound::MissingSwitches) if bound::needs_none(options, concurrency) => {
            Ok((Bound::Every, lowered()?))
        }
        Err(problem) => Err(problem),
        Ok(bound) => Ok((bound, lowered()?)),
    }
    .map_err(|problem| problem.report(program, job))?;
    if let Err(message) = bound::few_threads(&threads) {
        job.record.error(&message);
        return Err(Status::Rejected);
    }
    Ok(Machine::Asked(threads, Some(bound)))
}

/// What there is for programs with threads.
fn supported(options: &CheckOptions) -> Result<(), String> {
    if options.search.is_some() {
        return Err("`--search` is for sequential programs, and this program is concurrent".to_owned());
    }
    match options
        .question
        .option()
        .filter(|_| options.bound.is_given() && of_every_schedule(&options.question))
    {
        Some(option) => Err(format!("`{option}` is about every schedule: it goes with no bound")),
        None => Ok(()),
    }
}

/// The question is about every schedule, whatever the number of context switches.
fn of_every_schedule(question: &QuestionOptions) -> bool {
    question.option().is_some() && !question.deadlock
}

/// What is about programs in C makes no sense with others.
fn only_c(options: &CheckOptions) -> Result<(), String> {
    let cfg = (options.show == Some(ProgramStage::Cfg)).then_some("--show cfg");
    let seed = options.seed.map(|_| "--seed");
    match options.c.given().or(options.proof.given()).or(cfg).or(seed) {
        Some(option) => Err(c::only(option)),
        None => Ok(()),
    }
}

fn wanted(options: &CheckOptions, question: Question, bound: Option<Bound>, job: &Job) -> Wanted {
    let trace = match options.trace {
        TraceForm::None if !job.output.sarif && !job.output.html => WantedTrace::None,
        _ if options.shortest => WantedTrace::Shortest,
        _ => WantedTrace::Any,
    };
    // A page tells of the proof; that of a formula is there as soon as the answer is.
    let is_there = engines::name(options, question, bound) == EngineName::Symbolic && bound.is_none();
    let is_shown = job.output.html && is_there && question == Question::Reach;
    Wanted { trace, certificate: options.certificate || is_shown }
}

/// What is asked, shared with whoever answers if the engine does not come to its end.
#[derive(Clone)]
struct Asked {
    program: Arc<Concurrent>,
    question: Question,
    words: Words,
    targets: Arc<[Target]>,
    watched: Option<Arc<Watched>>,
    observed: Option<Arc<Observed>>,
    scheduler: Scheduler,
    claim: Option<Claim>,
    bound: Option<Bound>,
    wanted: Wanted,
    limits: LimitsSet,
}

impl Asked {
    fn problem(&self) -> Problem<'_> {
        Problem {
            program: &self.program,
            question: self.question,
            targets: &self.targets,
            bound: self.bound,
            watch: Watch {
                observer: self.observed.as_ref().map(|observed| &observed.observer),
                scheduler: self.scheduler,
                claim: self.claim.as_ref(),
            },
            wanted: self.wanted,
        }
    }

    /// An answer as far as it is known, and what is being worked on.
    fn early(&self, outcome: &Outcome, missing: Option<Missing>) -> Early {
        let mut outcome = Outcome { trace: None, ..outcome.clone() };
        if !outcome.asked.otherwise {
            outcome.asked.words = self.words;
        }
        let conclusion = self.conclusion(&outcome, &Sources::default(), TraceStyle::None);
        Early { conclusion, status: status(&outcome), missing }
    }

    fn conclusion(&self, outcome: &Outcome, sources: &Sources, style: TraceStyle) -> Conclusion {
        let problem = self.problem();
        let watching = self.watched.as_ref().map(|watched| watched.watching());
        let observing = self.observed.as_ref().map(|observed| observed.observing());
        Answer { problem: &problem, outcome, limits: self.limits, watching, observing }
            .conclusion(sources, style)
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

/// Those who search with this process. They must be asked the same about the same program.
fn peers(options: &CheckOptions, asked: &Asked, job: &Job) -> Result<Option<Arc<dyn Peers>>, Status> {
    if !options.sharing.hosts {
        return Ok(None);
    }
    let asks = asks(options, asked);
    let claim = match &asked.claim {
        Some(Claim::Ltl(text) | Claim::Fair(text) | Claim::Monitor(text)) => text,
        // The targets say it.
        Some(Claim::Nonterm | Claim::Repeat(_)) | None => "",
    };
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    let (_, text) = job.read(&options.file)?;
    job.outside.peers(&asks, &[&text, claim]).map_err(rejected)
}

/// What processes that search together must all be asked, apart from the texts of the program and of what it is to satisfy.
fn asks(options: &CheckOptions, asked: &Asked) -> String {
    let targets: Vec<&str> = asked.targets.iter().map(|target| target.name.as_str()).collect();
    let mut asks = vec![
        format!("targets {}", targets.join(" ")),
        format!("question {}", options.question.option().unwrap_or("--target")),
        format!("{} workers each", options.sharing.workers.map_or(1, NonZeroU8::get)),
    ];
    let BoundOptions { switches, rounds, up_to, async_labels } = options.bound;
    let bounds = [("-k", switches), ("--rounds", rounds), ("--up-to", up_to)];
    asks.extend(bounds.into_iter().filter_map(|(option, bound)| Some(format!("{option} {}", bound?))));
    asks.extend(options.question.scheduler.map(|scheduler| format!("--scheduler {}", scheduler.name())));
    asks.extend(options.without.iter().map(|reduction| format!("--without {reduction}")));
    let given = [
        ("--async-labels", async_labels),
        ("--fair", options.question.fair),
        ("with a run", asked.problem().wants_trace()),
        ("with a certificate", options.certificate),
    ];
    asks.extend(given.iter().filter(|(_, is_given)| *is_given).map(|(option, _)| (*option).to_owned()));
    asks.join(", ")
}

/// Puts the problem to the engine that was asked for.
fn answer(
    options: &CheckOptions,
    asked: &Asked,
    engines: Engines,
    sources: &mut Sources,
    job: &Job,
) -> Result<Outcome, Status> {
    let problem = asked.problem();
    let mut known = |outcome: &Outcome, missing: Option<Missing>| {
        let (early, outcome) = (asked.clone(), outcome.clone());
        job.record.foresee(Box::new(move |_, _| Some(early.early(&outcome, missing))));
    };
    let mut asker = Asker { sources: &mut *sources, known: &mut known };
    let peers = peers(options, asked, job)?;
    let limits = Limits { peers, ..formula::limits(job) };
    let answered = engines::with(options, &problem, engines, job, |engine| {
        let (early, is_believed) = (asked.clone(), engine.is_believed());
        job.record.foresee(Box::new(move |known, reason| early.foretell(known, reason, is_believed)));
        engine.answer(&problem, &limits, &mut asker)
    });
    let mut outcome = answered.map_err(|failure| refused(&failure, sources, job))?;
    if !outcome.asked.otherwise {
        outcome.asked.words = asked.words;
    }
    outcome.by.get_or_insert_with(|| {
        engines::shown(engines::name(options, asked.question, asked.bound)).to_owned()
    });
    if (asked.words, &outcome.finding.verdict) == (Words::Violated, &Verdict::No) {
        let program = asked.watched.as_ref().map_or(&*asked.program, |watched| watched.program());
        outcome.finite_runs.get_or_insert_with(|| checker::finite_runs(program, &limits));
    } else {
        outcome.finite_runs = None;
    }
    job.record.diagnose_all(sources, &outcome.formula.warnings);
    // `--up-to` asks for the least number, which not every formula knows.
    let by_formula = outcome.by.as_deref() != Some("explicit");
    if by_formula
        && options.bound.up_to.is_some()
        && outcome.finding.is_yes()
        && outcome.finding.least.is_none()
    {
        outcome.remarks.push("the formula does not count context switches, so fewer may suffice".to_owned());
    }
    Ok(outcome)
}

/// Says why there is no answer.
fn refused(failure: &Failure, sources: &Sources, job: &Job) -> Status {
    let Failure::Disagreement(complaints) = failure else { return formula::report(failure, sources, job) };
    complaints.iter().for_each(|message| job.record.error(message));
    job.record.error("the engines disagree: this is a bug in getafix, please report it with the input");
    Status::Bug
}

/// Says everything.
fn concluded(
    options: &CheckOptions,
    asked: &Asked,
    outcome: &Outcome,
    program: &Program,
    job: &Job,
) -> Result<Status, Status> {
    outcome.remarks.iter().for_each(|remark| job.record.note(remark));
    if asked.watched.is_none() && asked.observed.is_none() {
        dead::remarks(&asked.problem(), outcome).iter().for_each(|remark| job.record.note(remark));
    }
    if let (Some(engine), Some(EngineName::Portfolio), false) =
        (&outcome.by, options.engine, outcome.finding.verdict.is_unknown())
    {
        job.record.note(&format!("the answer is that of the {engine} engine"));
    }
    report_statistics(outcome, job);
    let source = &program.sources.file(program.checked.program().file).text;
    conclude(options, source, |style| asked.conclusion(outcome, &program.sources, style), job);
    asides::answer(&outcome.formula.side_answers, &program.sources, job);
    job.record.keep(|reply| reply.certificate.clone_from(&outcome.certificate));
    Ok(status(outcome))
}

/// What a page draws: all states, if they are few, and who calls whom.
fn pictures(asked: &Asked, sources: &Sources) -> Value {
    let program = asked.watched.as_ref().map_or(&*asked.program, |watched| watched.program());
    let goals = if asked.watched.is_none() { asked.problem().goals() } else { Vec::new() };
    let states = states::find(program, &goals, sources).filter(|states| !states.is_cut);
    let states = states.map_or(Value::Null, |states| states.object());
    json!({ "states": states, "calls": states::calls(program, sources) })
}

/// Says an answer in the forms that are wanted; the run is told in each of them.
pub fn conclude(options: &CheckOptions, source: &str, told: impl Fn(TraceStyle) -> Conclusion, job: &Job) {
    let Output { text, json, sarif, html, .. } = job.output;
    let words = match options.trace {
        TraceForm::None => TraceStyle::None,
        TraceForm::Source => TraceStyle::Margin,
        TraceForm::Text | TraceForm::Json => TraceStyle::Text,
    };
    let is_told = options.trace != TraceForm::None;
    let object = (sarif || html || json && is_told).then(|| told(TraceStyle::Object));
    let mut conclusion = match (&object, text) {
        (Some(object), false) if is_told => object.clone(),
        (_, text) => told(if text { words } else { TraceStyle::None }),
    };
    if let Some(object) = object {
        if is_told {
            conclusion.trace.clone_from(&object.trace);
            conclusion.further.clone_from(&object.further);
        }
        let told = (sarif || html).then_some(object);
        let source = html.then(|| source.to_owned());
        job.record.keep(|reply| (reply.told, reply.source) = (told, source));
    }
    job.record.conclude(conclusion);
}

fn report_statistics(outcome: &Outcome, job: &Job) {
    let times = if job.output.stats { Times::Shown } else { Times::Hidden };
    let localised = outcome.figures.localised.as_ref();
    if let Some(figures) = localised {
        job.record.note(&render::localised(figures));
    }
    if let Some(statistics) = &outcome.figures.statistics {
        let mut object = json::statistics(statistics, &outcome.figures.clauses, times);
        if let Some(figures) = localised {
            object["localised"] = json::localised(figures);
        }
        job.record.statistics(object);
        if job.output.stats {
            job.record.remark(&render::table(statistics, &outcome.figures.clauses));
        }
    }
    if let Some(search) = &outcome.figures.search {
        job.record.searched(json::searched(search, times));
        if job.output.stats {
            job.record.remark(&render::searched(search));
        }
    }
}
