//! What proofs about programs in C need and leave behind: the solver, predicates, claims.

use super::Loaded;
use crate::args::{CheckOptions, ProofOptions};
use crate::input;
use crate::status::Status;
use crate::watch::Job;
use cegar::Solved;
use checker::{Arithmetic, IntegerTarget};
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, InputId, Program};
use present::integer::Outlined;
use proof::{Claim, Header, Statement, Types, subject};
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

/// The program that a claim about these integers tells of, before it is composed.
pub fn claimed(loaded: &Loaded, claim: &Claim, arithmetic: Arithmetic) -> Program {
    let executed = arithmetic.program(&loaded.program);
    let mut program = executed.clone();
    if claim.statement == Statement::Unreachable {
        let targets = targets(loaded, arithmetic);
        program.select_targets(|id, _| targets.iter().any(|target| target.includes(&executed, id)));
    }
    program
}

/// What a claim says is not reached. One that shows more than was asked, since overflows decide whether the answer is right, says that no result overflows.
fn targets(loaded: &Loaded, arithmetic: Arithmetic) -> Vec<IntegerTarget> {
    let is_more = arithmetic == Arithmetic::Checked && loaded.arithmetic != Arithmetic::Checked;
    loaded.targets.iter().cloned().chain(is_more.then(IntegerTarget::overflow)).collect()
}

/// The claim that tells a person most, and what it is about. If no result leaves its type, types are not told.
pub fn readable(loaded: &Loaded, solved: &Solved) -> Option<(Claim, Ghosted)> {
    let (claim, arithmetic) = solved.told()?;
    let subject = subject(&claimed(loaded, claim, arithmetic), &claim.statement);
    let types = match solved.arithmetic {
        Arithmetic::Machine | Arithmetic::Mathematical => Types::Told,
        Arithmetic::Checked | Arithmetic::Wrapping => Types::Granted,
    };
    Some((claim.plain(&subject, types), subject))
}

/// What a person reads of the claim that an answer rests on.
pub fn outlined(loaded: &Loaded, solved: &Solved) -> Option<Outlined> {
    let (claim, subject) = readable(loaded, solved)?;
    let program = &loaded.program;
    let invariants = proof::outline(&claim, &subject, &loaded.sources);
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
    let program = claimed(loaded, claim, solved.arithmetic);
    let integers = match solved.arithmetic {
        Arithmetic::Machine | Arithmetic::Mathematical => "math",
        Arithmetic::Checked => "checked",
        Arithmetic::Wrapping => "wrap",
    };
    let header = Header {
        integers: integers.to_owned(),
        targets: targets(loaded, solved.arithmetic).into_iter().map(|target| target.name).collect(),
        statement: claim.statement.clone(),
    };
    Some(proof::write(&header, claim, &subject(&program, &claim.statement), &loaded.sources))
}
