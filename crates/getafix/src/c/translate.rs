//! `getafix translate` of a program in C: Horn clauses.

use super::{Wanted, load};
use crate::job::Job;
use crate::options::TranslateOptions;
use crate::status::Status;

/// Prints the clauses.
pub fn run(options: &TranslateOptions, job: &Job) -> Status {
    let foreign = [
        ("--algorithm", options.algorithm.is_some()),
        ("--param", !options.params.is_empty()),
        ("--mucke", options.mucke),
    ];
    if let Some((option, _)) = foreign.iter().find(|(_, is_given)| *is_given) {
        job.record.error(&format!(
            "`{option}` is about Boolean programs, and `{}` is in C",
            options.file.display()
        ));
        return Status::Rejected;
    }
    if !options.chc {
        job.record.error("programs in C are translated to Horn clauses only: pass `--chc`");
        return Status::Rejected;
    }
    let wanted = Wanted {
        path: &options.file,
        options: &options.c,
        targets: &options.targets,
        property: None,
        needs_target: true,
    };
    let Ok(loaded) = load(&wanted, job) else { return Status::Rejected };
    if loaded.property == Some(c::Property::Termination) {
        job.record.error("the clauses are about targets, not about runs without end");
        return Status::Rejected;
    }
    if let Err(status) = loaded.only_places(job) {
        return status;
    }
    let mut program = loaded.executed();
    let executed = program.clone();
    program.select_targets(|id, _| loaded.targets.iter().any(|target| target.includes(&executed, id)));
    let program = integers::cells::cells(&program, &integers::cells::Choice::natural(&program));
    let composed = integers::compose::compose(&program);
    job.record.print(&integers::clauses::clauses(&composed.program));
    Status::Evaluated
}
