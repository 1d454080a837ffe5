//! What proofs about programs in C need and leave behind: the solver, predicates, claims.

use super::Loaded;
use crate::args::{CheckOptions, ProofOptions};
use crate::input;
use crate::status::Status;
use crate::watch::Job;
use cegar::Solved;
use checker::Arithmetic;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, InputId, Program};
use present::integer::Outlined;
use proof::{Claim, Header, Statement, subject};
use std::path::PathBuf;

/// The solver, if there is one. Whoever names one, or wants what only it can give, is told if there is none.
pub fn solver(options: &CheckOptions, job: &Job) -> Result<Option<PathBuf>, Status> {
    let is_needed = options.proof.solver.path.is_some()
        || options.proof.predicates.is_some()
        || options.certificate.is_some();
    match smt::find(options.proof.solver.path.as_deref()) {
        Ok(path) => Ok(Some(path)),
        Err(missing) if is_needed => {
            job.console.error(&missing.to_string());
            Err(Status::Rejected)
        }
        Err(missing) => {
            job.console.note(&format!("nothing is proved: {missing}"));
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
    let text = input::read_text(path).map_err(|message| {
        job.console.error(&message);
        Status::Rejected
    })?;
    let file = loaded.sources.add(path.display().to_string(), text);
    let ghosted = Ghosted::new(&loaded.executed());
    integers::read::predicates(&ghosted.program, &loaded.sources, file).map(Some).map_err(|mistake| {
        job.console.diagnose_all(&loaded.sources, &[mistake]);
        Status::Rejected
    })
}

/// The program that a claim is about, before it is composed.
fn claimed(loaded: &Loaded, claim: &Claim) -> Program {
    let executed = loaded.executed();
    let mut program = executed.clone();
    if claim.statement == Statement::Unreachable {
        program.select_targets(|id, _| loaded.targets.iter().any(|target| target.includes(&executed, id)));
    }
    program
}

/// What a person reads of the claim that an answer rests on.
pub fn outlined(loaded: &Loaded, solved: &Solved) -> Option<Outlined> {
    let claim = solved.claim.as_ref()?;
    let program = claimed(loaded, claim);
    let invariants = proof::outline(claim, &subject(&program, &claim.statement), &loaded.sources);
    let fixed = match &claim.statement {
        Statement::Endless(inputs) => &inputs[..],
        _ => &[],
    };
    let input = |(id, number): &(InputId, i128)| {
        let input = program.input(*id);
        (input.name.clone(), loaded.sources.line_column(input.span).0, *number)
    };
    Some(Outlined { inputs: fixed.iter().map(input).collect(), invariants })
}

/// The text of the claim that an answer rests on.
pub fn claim(loaded: &Loaded, solved: &Solved) -> Option<String> {
    let claim = solved.claim.as_ref()?;
    let program = claimed(loaded, claim);
    let integers = match loaded.arithmetic {
        Arithmetic::Mathematical => "math",
        Arithmetic::Checked => "checked",
        Arithmetic::Wrapping => "wrap",
    };
    let header = Header {
        integers: integers.to_owned(),
        targets: loaded.targets.iter().map(|target| target.name.clone()).collect(),
        statement: claim.statement.clone(),
    };
    Some(proof::write(&header, claim, &subject(&program, &claim.statement), &loaded.sources))
}
