//! `getafix abstract`: what predicates see of a program in C, as a Boolean program.

use super::proof::predicates;
use super::{Loaded, Wanted, load};
use crate::formula;
use crate::job::Job;
use crate::options::AbstractOptions;
use crate::status::Status;
use ::abstraction::{Cache, Predicates, abstraction, text};
use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, Names};
use smt::Pipe;

/// Prints the Boolean program.
pub fn run(options: &AbstractOptions, job: &Job) -> Status {
    abstracted(options, job).unwrap_or_else(|status| status)
}

fn abstracted(options: &AbstractOptions, job: &Job) -> Result<Status, Status> {
    if !super::is_c(&options.file, &options.c) {
        job.record.error(&super::only("abstract"));
        return Err(Status::Rejected);
    }
    let wanted = Wanted {
        path: &options.file,
        options: &options.c,
        targets: &options.targets,
        property: None,
        needs_target: false,
    };
    let mut loaded = load(&wanted, job)?;
    loaded.only_places(job)?;
    let path = job.outside.solver(options.proof.solver.path.as_deref()).map_err(|missing| {
        job.record.error(&missing);
        Status::Rejected
    })?;
    let given = predicates(&options.proof, &mut loaded, job)?;
    let ghosted = ghosted(&loaded);
    let predicates = chosen(&ghosted, given.as_deref());
    let limits = formula::limits(job);
    let (mut cache, mut solver) =
        (Cache::default(), Pipe::with(&path, limits.stop.clone(), formula::share(job).of_only_pipe()));
    let machine = abstraction(&ghosted, &predicates, false, &mut cache, &mut solver);
    if machine.statistics.n_inexact > 0 {
        job.record.note(&format!(
            "of {} steps less is known than could be: they have too many cases, or the solver does not know",
            machine.statistics.n_inexact
        ));
    }
    let text = text(&machine, &ghosted);
    job.record.print(&text);
    Ok(Status::Evaluated)
}

/// The program as the abstraction sees it, with the targets that are asked for.
fn ghosted(loaded: &Loaded) -> Ghosted {
    let executed = loaded.executed();
    let mut program = executed.clone();
    program.select_targets(|id, _| loaded.targets.iter().any(|target| target.includes(&executed, id)));
    Ghosted::new(&compose(&program).program)
}

fn chosen(ghosted: &Ghosted, given: Option<&[(FunctionId, Expr)]>) -> Predicates {
    let Some(given) = given else { return Predicates::of_guards(ghosted) };
    let mut predicates = Predicates::new(ghosted);
    given.iter().for_each(|(function, formula)| _ = predicates.add(ghosted, *function, formula));
    predicates
}

/// The predicates of each function, in the form of a file of predicates.
pub fn list(loaded: &Loaded, given: Option<&[(FunctionId, Expr)]>) -> String {
    let ghosted = ghosted(loaded);
    let predicates = chosen(&ghosted, given);
    let mut out = String::new();
    for (n, function) in ghosted.program.functions.iter().enumerate() {
        let id = FunctionId::new(n);
        let names = Names::new(&ghosted.program, id);
        let texts: Vec<String> =
            predicates.of(id).iter().map(|predicate| names.show(&predicate.formula)).collect();
        if !texts.is_empty() {
            out += &format!("{}: {};\n", function.name, texts.join(", "));
        }
    }
    out
}
