//! `getafix translate`: the question about a program as a text for other solvers.

use crate::answer::Subject;
use crate::args::TranslateOptions;
use crate::c;
use crate::formula;
use crate::program;
use crate::status::Status;
use crate::watch::Job;
use checker::{Dialect, Target};
use rsm::Goal;

/// Prints the translation.
pub fn run(options: &TranslateOptions, job: &Job) -> Status {
    job.console.begin(Subject::text());
    if c::is_c(&options.file) {
        return c::translate::run(options, job);
    }
    translate(options, job).unwrap_or_else(|status| status)
}

fn translate(options: &TranslateOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.console.error(&message);
        Status::Rejected
    };
    options.c.given().map_or(Ok(()), |option| Err(rejected(c::only(option))))?;
    let formula = formula::find(options.algorithm.as_deref()).map_err(rejected)?.unwrap_or_default();
    let mut program = program::load(&options.file, job).map_err(|_| Status::Rejected)?;
    let rsm = program.machine("translate", job).map_err(|_| Status::Rejected)?;
    formula::must_be_sequential(&formula).map_err(rejected)?;
    let targets = program::targets(&rsm, &options.targets, job).map_err(|_| Status::Rejected)?;
    if options.chc {
        let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
        job.console.print(&horn::translate(&rsm, &goals));
        return Ok(Status::Evaluated);
    }
    let dialect = if options.mucke { Dialect::Mucke } else { Dialect::Calculus };
    let (settings, sources) = (formula::options(job), &mut program.sources);
    let text = formula.with_file(&options.params, &options.labels, |file| {
        checker::translate(&rsm, &targets, file, &settings, sources, dialect)
    });
    let text = text.map_err(|failure| formula::report(&failure, sources, job))?;
    job.console.print(&text);
    Ok(Status::Evaluated)
}
