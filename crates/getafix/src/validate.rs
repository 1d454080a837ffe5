//! `getafix validate`: is a certificate a proof?

mod forever;
mod threads;

use crate::answer::{Subject, Value};
use crate::c;
use crate::check::proved;
use crate::input::{READ_TWICE, is_read_twice};
use crate::job::Job;
use crate::options::ValidateOptions;
use crate::program;
use crate::status::Status;
use base::StopReason;
use bp::Concurrency;
use certificate::{Certificate, Figures, Outcome};
use checker::Target;
use present::answer::Conclusion;
use rsm::{Goal, Rsm};

/// Checks a certificate against a program.
pub fn run(options: &ValidateOptions, job: &Job) -> Status {
    job.record.begin(Subject::program());
    if c::is_c(&options.file, &options.c) {
        return c::validate::run(options, job);
    }
    if let Some(option) = options.c.given().or(options.solver.path.is_some().then_some("--solver")) {
        job.record.error(&c::only(option));
        return Status::Rejected;
    }
    let Ok(mut program) = program::load(&options.file, job) else { return Status::Rejected };
    keep_source(&program.sources.file(program.checked.program().file).text, job);
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    let (name, text) = match text(options, job) {
        Ok(text) => text,
        Err(message) => return rejected(message),
    };
    if forever::is_meant(&text) {
        return forever::run(options, &mut program, (&name, &text), job);
    }
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
    let (stop, memory) = (&job.stop, job.memory_of_diagrams());
    let judged = certificate::validate(&rsm, &program.sources, &goals, &proof, stop, memory);
    if job.output.html && matches!(judged, Ok(Outcome::Accepted(_))) {
        let proof = proved::of_summaries(&rsm, &program.sources, &goals, &text, job);
        job.record.keep(|reply| reply.proof = proof);
    }
    conclude(judged, ("no run", &targets), job, |Figures { n_named, n_recomputed, n_steps, peak_nodes }| {
        format!(
            "{n_named} points named, {n_recomputed} recomputed, {n_steps} steps, at most {peak_nodes} nodes\n"
        )
    })
}

/// The name and the text of the certificate.
fn text(options: &ValidateOptions, job: &Job) -> Result<(String, String), String> {
    if is_read_twice(&[&options.file, &options.certificate]) {
        return Err(READ_TWICE.to_owned());
    }
    job.named_text(&options.certificate)
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
        return program::targets(rsm, &options.targets, job).map_err(Status::from);
    }
    let found: Result<Vec<Target>, _> =
        proof.targets().iter().map(|name| checker::find_target(rsm, name)).collect();
    found.map_err(|error| refuse(error.to_string(), &[], job))
}

/// Says what a validator has found, with figures if they are wanted: that nothing of a kind reaches the targets, if it is a proof.
fn conclude<F>(
    judged: Result<Outcome<F>, StopReason>,
    (nothing, targets): (&str, &[Target]),
    job: &Job,
    told: impl FnOnce(F) -> String,
) -> Status {
    match judged {
        Err(reason) => {
            job.record.answer(&Value::Unknown(job.stopped(reason)));
            Status::Unknown
        }
        Ok(Outcome::Refused(reason)) => refuse(reason, targets, job),
        Ok(Outcome::Accepted(figures)) => {
            if job.output.stats {
                job.record.remark(&told(figures));
            }
            let names = names(targets);
            let what = format!("{nothing} reaches {}", names.join(" or "));
            concluded(Conclusion::accepted(&what, &names), job);
            Status::Evaluated
        }
    }
}

/// For a page: the program.
pub fn keep_source(text: &str, job: &Job) {
    if job.output.html {
        job.record.keep(|reply| reply.source = Some(text.to_owned()));
    }
}

/// Says the verdict about a certificate, also to whoever makes a page of it.
pub fn concluded(conclusion: Conclusion, job: &Job) {
    if job.output.html {
        let told = Some(conclusion.clone());
        job.record.keep(|reply| reply.told = told);
    }
    job.record.conclude(conclusion);
}

fn refuse(reason: String, targets: &[Target], job: &Job) -> Status {
    concluded(Conclusion::refused(reason, &names(targets)), job);
    Status::Violated
}

fn names(targets: &[Target]) -> Vec<String> {
    targets.iter().map(|target| target.name.clone()).collect()
}
