//! What proofs about programs in C need: the solver, and predicates.

use super::Loaded;
use crate::job::Job;
use crate::options::{CheckOptions, ProofOptions};
use crate::status::Status;
use checker::{Finding, Unknown, Verdict};
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId};
use std::path::PathBuf;

/// The solver, or why there is none. Whoever names one, or wants what only it can give, is refused if there is none.
pub fn solver(options: &CheckOptions, job: &Job) -> Result<Result<PathBuf, String>, Status> {
    let is_needed =
        options.proof.solver.path.is_some() || options.proof.predicates.is_some() || options.certificate;
    match job.outside.solver(options.proof.solver.path.as_deref()) {
        Err(missing) if is_needed => {
            job.record.error(&missing);
            Err(Status::Rejected)
        }
        found => Ok(found),
    }
}

/// What is in the way without a solver.
const WITHOUT: &str = "nothing is proved without an SMT solver: `getafix doctor` says how one is installed";

/// Says that an answer is no better for want of a solver: in a remark, and in its reason, which JSON, lists and pages have, too.
pub fn lacks(missing: &str, finding: &mut Finding, job: &Job) {
    let Verdict::Unknown(unknown) = &mut finding.verdict else { return };
    job.record.note(&format!("nothing is proved: {missing}"));
    hinder(unknown);
}

/// Adds to a reason that there is no solver. What was tried without one until time or memory ran out could not have proved anything.
fn hinder(unknown: &mut Unknown) {
    match unknown {
        Unknown::Because(reason) => reason.push_str(&format!("; {WITHOUT}")),
        Unknown::UnlessOverflow(inner) | Unknown::UnlessMisused(inner) => hinder(inner),
        _ => {
            let other = std::mem::replace(unknown, Unknown::because(""));
            *unknown = Unknown::Hindered(WITHOUT.to_owned(), Box::new(other));
        }
    }
}

/// The predicates of a file, if there is one.
pub fn predicates(
    options: &ProofOptions,
    loaded: &mut Loaded,
    job: &Job,
) -> Result<Option<Vec<(FunctionId, Expr)>>, Status> {
    let Some(path) = &options.predicates else { return Ok(None) };
    let (name, text) = job.read(path)?;
    let file = loaded.sources.add(name, text);
    let ghosted = Ghosted::new(&loaded.executed());
    integers::read::predicates(&ghosted.program, &loaded.sources, file).map(Some).map_err(|mistake| {
        job.record.diagnose_all(&loaded.sources, &[mistake]);
        Status::Rejected
    })
}
