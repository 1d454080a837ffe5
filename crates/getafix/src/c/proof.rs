//! What proofs about programs in C need: the solver, and predicates.

use super::Loaded;
use crate::job::Job;
use crate::options::{CheckOptions, ProofOptions};
use crate::status::Status;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId};
use std::path::PathBuf;

/// The solver, if there is one. Whoever names one, or wants what only it can give, is told if there is none.
pub fn solver(options: &CheckOptions, job: &Job) -> Result<Option<PathBuf>, Status> {
    let is_needed =
        options.proof.solver.path.is_some() || options.proof.predicates.is_some() || options.certificate;
    match job.outside.solver(options.proof.solver.path.as_deref()) {
        Ok(path) => Ok(Some(path)),
        Err(missing) if is_needed => {
            job.record.error(&missing);
            Err(Status::Rejected)
        }
        Err(missing) => {
            job.record.note(&format!("nothing is proved: {missing}"));
            Ok(None)
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
    let (name, text) = job.named_text(path).map_err(|message| {
        job.record.error(&message);
        Status::Rejected
    })?;
    let file = loaded.sources.add(name, text);
    let ghosted = Ghosted::new(&loaded.executed());
    integers::read::predicates(&ghosted.program, &loaded.sources, file).map(Some).map_err(|mistake| {
        job.record.diagnose_all(&loaded.sources, &[mistake]);
        Status::Rejected
    })
}
