//! Certificates about every schedule of a program with threads.

use super::{conclude, refuse};
use crate::check::proved;
use crate::job::Job;
use crate::options::ValidateOptions;
use crate::program::{self, Program};
use crate::status::Status;
use bp::ThreadOptions;
use certificate::Outcome;
use certificate::threads::{ClosedSet, Figures, Problem, read, validate};
use checker::Target;
use rsm::{Concurrent, ThreadGoal};

/// What there is of threads that are started at run time does not matter: no certificate speaks of them.
const OPTIONS: ThreadOptions = ThreadOptions { slots: 1, async_labels: false };

/// Checks a certificate, given its name and its text.
pub fn run(options: &ValidateOptions, program: &Program, (name, text): (&str, &str), job: &Job) -> Status {
    let Ok(threads) = program.threads(OPTIONS, job) else { return Status::Rejected };
    let closed = match read(&threads, text) {
        Ok(closed) => closed,
        Err(Problem::Foreign(reason)) => return refuse(reason, &[], job),
        Err(Problem::Malformed(error)) => {
            job.record.error(&format!("{name}:{}: {}", error.line, error.message));
            return Status::Rejected;
        }
    };
    let targets = match claims(options, &threads, &closed, job) {
        Ok(targets) => targets,
        Err(status) => return status,
    };
    let goals: Vec<ThreadGoal> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
    let judged = validate(&threads, &goals, &closed, &job.stop);
    if job.output.html && matches!(judged, Ok(Outcome::Accepted(_))) {
        let proof = proved::of_closed(&threads, &goals, &closed, &program.sources, job);
        job.record.keep(|reply| reply.proof = proof);
    }
    conclude(judged, ("no schedule", &targets), job, |Figures { n_configurations, n_moves, n_steps }| {
        format!("{n_configurations} configurations, {n_moves} moves, {n_steps} states of threads\n")
    })
}

/// What is wrong with a text that is no certificate at all.
pub fn malformed(program: &Program, (name, text): (&str, &str)) -> String {
    let threads = bp::lower_threads(&program.checked, OPTIONS);
    match threads.map(|threads| read(&threads, text)) {
        Ok(Err(Problem::Malformed(error))) => format!("{name}:{}: {}", error.line, error.message),
        _ => format!("{name}: this is no certificate"),
    }
}

/// The targets that the user names, or else the certificate.
fn claims(
    options: &ValidateOptions,
    program: &Concurrent,
    closed: &ClosedSet,
    job: &Job,
) -> Result<Vec<Target>, Status> {
    if !options.targets.is_empty() || closed.targets.is_empty() {
        return program::thread_targets(program, &options.targets, job).map_err(Status::from);
    }
    let found = closed.targets.iter().map(|name| checker::find_thread_target(program, name));
    found.collect::<Result<_, _>>().map_err(|error| refuse(error.to_string(), &[], job))
}
