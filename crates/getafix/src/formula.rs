//! The formula that `--algorithm` names, and how it is put to the checker.

use crate::algorithms;
use crate::answer::Value;
use crate::job::Job;
use crate::status::Status;
use base::Sources;
use checker::{Failure, Formula, Limits, Options, Programs};
use rsm::Reductions;
use std::path::Path;

/// The formula that a text names, if there is a text: an algorithm of the list, or a file.
pub fn find(name: Option<&str>, job: &Job) -> Result<Option<Formula>, String> {
    let Some(name) = name else { return Ok(None) };
    if let Some(formula) = Formula::shipped(name) {
        return Ok(Some(formula));
    }
    if name.ends_with(".mu") || name.contains('/') {
        let text = job.texts.text(Path::new(name)).map_err(|problem| format!("`{name}` {problem}"))?;
        let texts = job.texts.clone();
        return Ok(Some(Formula::own(name, text, move |path| texts.text(path.as_ref()))));
    }
    Err(format!("there is no algorithm `{name}`; there are {}, or pass a file FILE.mu", algorithms::names()))
}

/// An algorithm for threads has nothing to say about a sequential program.
pub fn must_be_sequential(formula: &Formula) -> Result<(), String> {
    match formula.programs() {
        None | Some(Programs::Sequential | Programs::Questions) => Ok(()),
        Some(Programs::Abstractions) => Err(format!(
            "`{}` is about programs in C, through predicates; use {}",
            formula.short_name(),
            algorithms::names_for(Programs::Sequential)
        )),
        Some(Programs::Switches | Programs::SwitchQuestions | Programs::Rounds | Programs::AnyNumber) => {
            Err(format!(
                "`{}` is for concurrent programs, and this one is sequential; use {}",
                formula.short_name(),
                algorithms::names_for(Programs::Sequential)
            ))
        }
    }
}

/// The limits of this run, for engines.
pub fn limits(job: &Job) -> Limits {
    Limits {
        memory: job.memory_of_diagrams(),
        end: job.limits.timeout,
        stop: job.stop.clone(),
        gauge: job.gauge.clone(),
        clock: job.clock(),
        peers: None,
    }
}

/// What solvers may take that are processes of their own.
pub fn share(job: &Job) -> smt::Share {
    let limits = limits(job);
    smt::Share { memory: limits.memory, time: limits.time_left() }
}

/// The same for a stage of an evaluation.
pub fn options(job: &Job) -> Options {
    let Limits { memory, stop, gauge, clock, .. } = limits(job);
    let (reductions, symbolic, trace, certificate) = (Reductions::ALL, false, false, false);
    let (keeps_points, game) = (false, None);
    Options { reductions, keeps_points, game, symbolic, trace, certificate, memory, stop, gauge, clock }
}

/// Tells why a question could not be asked.
pub fn report(failure: &Failure, sources: &Sources, job: &Job) -> Status {
    match failure {
        Failure::Formula(diagnostics) => {
            job.record.diagnose_all(sources, diagnostics);
            Status::Rejected
        }
        Failure::Stopped(reason) => {
            job.record.answer(&Value::Unknown(job.limits_set().reason(reason)));
            Status::Unknown
        }
        Failure::Disagreement(complaints) => {
            complaints.iter().for_each(|message| job.record.error(message));
            Status::Bug
        }
    }
}
