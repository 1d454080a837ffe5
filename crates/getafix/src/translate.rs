//! `getafix translate`: the question about a program as a text for other solvers.

use crate::answer::Subject;
use crate::c;
use crate::check;
use crate::formula;
use crate::job::Job;
use crate::options::TranslateOptions;
use crate::program::{self, Program};
use crate::status::Status;
use bp::Concurrency;
use checker::{AskedOfThreads, Dialect, Formula, Problem, Question, Scheduling, Target, Wanted, WantedTrace};
use rsm::Goal;

/// Prints the translation.
pub fn run(options: &TranslateOptions, job: &Job) -> Status {
    job.record.begin(Subject::text());
    if c::is_c(&options.file, &options.c) {
        return c::translate::run(options, job);
    }
    translate(options, job).unwrap_or_else(|status| status)
}

fn translate(options: &TranslateOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    options.c.given().map_or(Ok(()), |option| Err(rejected(c::only(option))))?;
    let named = formula::find(options.algorithm.as_deref(), job).map_err(rejected)?;
    let mut program = program::load(&options.file, job)?;
    let concurrency = program.concurrency(options.bound.async_labels);
    if concurrency != Concurrency::Sequential && !options.chc {
        return translate_threads(options, named, &mut program, concurrency, job);
    }
    let rsm = program.machine("translate --chc", job)?;
    let formula = named.unwrap_or_default();
    formula::must_be_sequential(&formula).map_err(rejected)?;
    let targets = match formula.asks_for_targets() {
        true => program::targets(&rsm, &options.targets, job)?,
        false => Vec::new(),
    };
    if options.chc {
        let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
        job.record.print(&horn::translate(&rsm, &goals));
        return Ok(Status::Evaluated);
    }
    let (settings, sources) = (formula::options(job), &mut program.sources);
    let text = formula.with_file(&options.params, &options.labels, |file| {
        checker::translate(&rsm, &targets, file, &settings, sources, dialect(options))
    });
    let text = text.map_err(|failure| formula::report(&failure, sources, job))?;
    job.record.print(&text);
    Ok(Status::Evaluated)
}

/// The question about a program with threads, within its bound.
fn translate_threads(
    options: &TranslateOptions,
    named: Option<Formula>,
    program: &mut Program,
    concurrency: Concurrency,
    job: &Job,
) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    let bound = check::bound(&options.bound, concurrency).map_err(|problem| problem.report(program, job))?;
    let lowered = program.threads(check::thread_options(&options.bound), job);
    let threads = lowered?;
    check::few_threads(&threads).map_err(rejected)?;
    let targets = match named.as_ref().is_none_or(Formula::asks_for_targets) {
        true => program::thread_targets(&threads, &options.targets, job)?,
        false => Vec::new(),
    };
    let wanted = Wanted { trace: WantedTrace::None, certificate: false };
    let (question, bounded) = (Question::Reach, Some(bound));
    let problem = Problem {
        program: &threads,
        question,
        targets: &targets,
        bound: bounded,
        watch: Default::default(),
        wanted,
    };
    let formula = check::formula_for(&options.params, named, &problem).map_err(rejected)?;
    let (settings, sources) = (formula::options(job), &mut program.sources);
    let asked =
        AskedOfThreads { program: &threads, targets: &targets, bound, scheduling: Scheduling::default() };
    let text = formula.with_file(&options.params, &options.labels, |file| {
        checker::translate_threads(asked, file, &settings, sources, dialect(options))
    });
    let text = text.map_err(|failure| formula::report(&failure, sources, job))?;
    job.record.print(&text);
    Ok(Status::Evaluated)
}

fn dialect(options: &TranslateOptions) -> Dialect {
    if options.mucke { Dialect::Mucke } else { Dialect::Calculus }
}
