//! `getafix validate`: is a certificate a proof?

mod threads;

use crate::answer::{Subject, Value};
use crate::args::ValidateOptions;
use crate::c;
use crate::input;
use crate::memory;
use crate::program;
use crate::render;
use crate::several;
use crate::status::Status;
use crate::watch::Job;
use bp::Concurrency;
use certificate::{Certificate, Outcome};
use checker::Target;
use present::answer::Conclusion;
use rsm::{Goal, Rsm};
use serde_json::json;

/// Checks a certificate against a program.
pub fn run(options: &ValidateOptions, job: &Job) -> Status {
    job.console.begin(Subject::program());
    if c::is_c(&options.file, &options.c) {
        return c::validate::run(options, job);
    }
    if let Some(option) = options.c.given().or(options.solver.path.is_some().then_some("--solver")) {
        job.console.error(&c::only(option));
        return Status::Rejected;
    }
    let Ok(program) = program::load(&options.file, job) else { return Status::Rejected };
    let rejected = |message: String| {
        job.console.error(&message);
        Status::Rejected
    };
    let (name, text) = match text(options) {
        Ok(text) => text,
        Err(message) => return rejected(message),
    };
    match (program.concurrency(false) == Concurrency::Sequential, certificate::threads::is_of_threads(&text))
    {
        (true, false) => {}
        (false, true) => return threads::run(options, &program, (&name, &text), job),
        (true, true) => {
            return refuse("it is about threads, and the program is sequential".to_owned(), &[], job);
        }
        (false, false) if certificate::read(&text).is_ok() => {
            return refuse("it is about a sequential program, and this one has threads".to_owned(), &[], job);
        }
        (false, false) => return rejected(threads::malformed(&program, (&name, &text))),
    }
    let Ok(rsm) = program.machine("validate", job) else { return Status::Rejected };
    let proof = match certificate::read(&text) {
        Ok(proof) => proof,
        Err(error) => return rejected(format!("{name}:{}: {}", error.line, error.message)),
    };
    let targets = match claims(options, &rsm, &proof, job) {
        Ok(targets) => targets,
        Err(status) => return status,
    };
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let (stop, memory) = (&job.stop, job.options.memory.map(memory::for_diagrams));
    match certificate::validate(&rsm, &program.sources, &goals, &proof, stop, memory) {
        Err(reason) => {
            let reason = render::stopped(reason, &job.gauge, &job.options);
            job.console.answer(&Value::Unknown(reason));
            Status::Unknown
        }
        Ok(Outcome::Refused(reason)) => refuse(reason, &targets, job),
        Ok(Outcome::Accepted(figures)) => {
            if job.options.stats {
                job.console.remark(&format!(
                    "{} points named, {} recomputed, {} steps, at most {} nodes\n",
                    figures.n_named, figures.n_recomputed, figures.n_steps, figures.peak_nodes
                ));
            }
            accept("no run", &targets, job)
        }
    }
}

/// The name and the text of the certificate.
fn text(options: &ValidateOptions) -> Result<(String, String), String> {
    if several::is_read_twice(&[options.file.clone(), options.certificate.clone()]) {
        return Err(several::READ_TWICE.to_owned());
    }
    input::main_text(&options.certificate)
}

/// The targets that the user names, or else the certificate. A certificate about labels that the program does not have is
/// one of another program.
fn claims(
    options: &ValidateOptions,
    rsm: &Rsm,
    proof: &Certificate,
    job: &Job,
) -> Result<Vec<Target>, Status> {
    if !options.targets.is_empty() || proof.targets().is_empty() {
        return program::targets(rsm, &options.targets, job).map_err(|_| Status::Rejected);
    }
    let found: Result<Vec<Target>, _> =
        proof.targets().iter().map(|name| checker::find_target(rsm, name)).collect();
    found.map_err(|error| refuse(error.to_string(), &[], job))
}

/// It is a proof: nothing of this kind reaches a target.
fn accept(nothing: &str, targets: &[Target], job: &Job) -> Status {
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    let text = format!("ACCEPTED\n{nothing} reaches {}\n", names.join(" or "));
    job.console.conclude(Conclusion::bare("accepted", text, None, entries(targets, "unreachable")));
    Status::Evaluated
}

fn refuse(reason: String, targets: &[Target], job: &Job) -> Status {
    let text = format!("REFUSED: {reason}\n");
    job.console.conclude(Conclusion::bare("refused", text, Some(reason), entries(targets, "unknown")));
    Status::Violated
}

fn entries(targets: &[Target], verdict: &str) -> Vec<serde_json::Value> {
    let entry = |target: &Target| json!({ "target": target.name, "verdict": verdict, "reason": null });
    targets.iter().map(entry).collect()
}
