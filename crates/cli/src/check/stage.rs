//! `--show`: a stage on the way from the text to the answer, instead of the answer.

use super::ask::Question;
use crate::args::ProgramStage;
use crate::formula;
use crate::status::Status;
use crate::watch::Job;
use base::Sources;
use checker::Stage;
use rsm::{Goal, Rsm};

/// The stage is one of the machine and needs no target.
pub fn of_machine(stage: ProgramStage) -> bool {
    matches!(stage, ProgramStage::Rsm | ProgramStage::Dot)
}

/// Prints a stage of the machine.
pub fn show_machine(stage: ProgramStage, rsm: &Rsm, job: &Job) {
    match stage {
        ProgramStage::Dot => job.console.show("dot", &rsm::dot(rsm)),
        _ => job.console.show("rsm", &rsm::show(rsm)),
    }
}

/// Prints a stage that depends on the targets and the formula.
pub fn show_question(
    stage: ProgramStage,
    question: &Question,
    sources: &mut Sources,
) -> Result<Status, Status> {
    let (rsm, targets, job) = (question.rsm, question.targets, question.job);
    let (name, stage) = match stage {
        ProgramStage::Relations => ("relations", Stage::Relations),
        ProgramStage::Formula => ("formula", Stage::Formula),
        ProgramStage::Plan => ("plan", Stage::Plan),
        ProgramStage::Order => ("order", Stage::Order),
        _ => {
            let goals: Vec<Goal> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
            let reduced = rsm::reduce(rsm, &goals, question.reductions);
            job.console.show("reduced", &reduced.show(rsm));
            return Ok(Status::Evaluated);
        }
    };
    let options = question.settings();
    let shown = question.formula.with_file(&question.options.params, |file| {
        checker::show(rsm, targets, file, &options, sources, stage)
    });
    let text = shown.map_err(|failure| formula::report(&failure, sources, job))?;
    job.console.show(name, &text);
    Ok(Status::Evaluated)
}
