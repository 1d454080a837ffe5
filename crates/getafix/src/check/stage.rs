//! `--show`: a stage on the way from the text to the answer, instead of the answer.

use super::states;
use crate::formula;
use crate::job::Job;
use crate::options::ProgramStage;
use crate::program::Program;
use crate::status::Status;
use base::Sources;
use checker::{AskedOfThreads, Problem, Stage, Symbolic};
use rsm::{Concurrent, ThreadGoal};
use serde_json::json;

/// The stage is one of the machine and needs no target.
pub fn of_machine(stage: ProgramStage) -> bool {
    matches!(stage, ProgramStage::Rsm | ProgramStage::Dot | ProgramStage::States)
}

/// Where errors are.
fn goals(machine: &Concurrent) -> Vec<ThreadGoal> {
    let targets = match machine.is_sequential() {
        true => checker::default_targets(&machine.machine),
        false => checker::default_thread_targets(machine),
    };
    targets.unwrap_or_default().into_iter().flat_map(|target| target.goals).collect()
}

/// Prints a stage of the machine.
pub fn show_machine(stage: ProgramStage, machine: &Concurrent, program: &Program, job: &Job) {
    match stage {
        ProgramStage::Dot => job.record.show("dot", &rsm::dot(&machine.machine)),
        ProgramStage::States => match states::find(machine, &goals(machine), &program.sources) {
            None => job.record.show("states", "there is no list of states: one step alone has too many outcomes, or there may be any number of threads\n"),
            Some(found) => {
                job.record.show("states", &found.text());
                if job.output.html {
                    let source = program.sources.file(program.checked.program().file).text.clone();
                    let pictures = json!({ "first": "states", "states": found.object(), "calls": states::calls(machine, &program.sources) });
                    job.record.keep(|reply| (reply.source, reply.pictures) = (Some(source), pictures));
                }
            }
        },
        _ => job.record.show("rsm", &rsm::show(&machine.machine)),
    }
}

/// Prints a stage that depends on the targets and the formula.
pub fn show(
    stage: ProgramStage,
    problem: &Problem,
    engine: &Symbolic,
    sources: &mut Sources,
    job: &Job,
) -> Result<Status, Status> {
    if cfg!(target_family = "wasm") {
        job.record.error("of the stages, a module for browsers shows the states alone");
        return Err(Status::Rejected);
    }
    let machine = &problem.program.machine;
    let (name, stage) = match stage {
        ProgramStage::Relations => ("relations", Stage::Relations),
        ProgramStage::Formula => ("formula", Stage::Formula),
        ProgramStage::Plan => ("plan", Stage::Plan),
        ProgramStage::Order => ("order", Stage::Order),
        ProgramStage::Labels => ("labels", Stage::Labels),
        _ => ("reduced", Stage::Reduced),
    };
    let (reductions, symbolic) = (engine.reductions, engine.only_bits);
    let options = checker::Options { reductions, symbolic, ..formula::options(job) };
    let shown = engine.formula.with_file(&engine.params, &engine.labels, |file| match problem.bound {
        None => checker::show(machine, problem.targets, file, &options, sources, stage),
        Some(bound) => {
            let Problem { program, targets, .. } = *problem;
            let asked = AskedOfThreads { program, targets, bound, scheduling: engine.scheduling };
            checker::show_threads(asked, file, &options, sources, stage)
        }
    });
    let text = shown.map_err(|failure| formula::report(&failure, sources, job))?;
    job.record.show(name, &text);
    Ok(Status::Evaluated)
}
