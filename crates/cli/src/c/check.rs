//! `getafix check` of a program in C: it is executed, and what runs do not show is proved.

use super::proof::{claim, outlined, predicates, solver};
use super::{Loaded, Wanted, load};
use crate::args::{CheckOptions, ProgramStage, TraceForm};
use crate::check::{status_of, style, write_certificate, write_sarif};
use crate::early::Early;
use crate::formula;
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use c::Property;
use cegar::{Cegar, Solved, Work};
use checker::{
    Execution, Figures, IntegerOutcome, IntegerProblem, Missing, Question, Unknown, Verdict, Words,
};
use present::answer::TraceStyle;
use present::integer::IntegerAnswer;
use present::units;
use serde_json::json;

/// Checks a program, or shows what it is translated to.
pub fn run(options: &CheckOptions, job: &Job) -> Status {
    check(options, job).unwrap_or_else(|status| status)
}

fn check(options: &CheckOptions, job: &Job) -> Result<Status, Status> {
    if let Some(option) = foreign(options) {
        job.console.error(&format!(
            "`{option}` is about Boolean programs, and `{}` is in C",
            options.file.display()
        ));
        return Err(Status::Rejected);
    }
    let wanted = Wanted {
        path: &options.file,
        options: &options.c,
        targets: &options.targets,
        property: options.question.nonterm.then_some(Property::Termination),
        needs_target: options.show.is_none(),
    };
    let mut loaded = load(&wanted, job).map_err(|_| Status::Rejected)?;
    if let Some(stage) = options.show {
        if stage == ProgramStage::Predicates {
            let given = predicates(&options.proof, &mut loaded, job)?;
            job.console.show("predicates", &super::abstraction::list(&loaded, given.as_deref()));
            return Ok(Status::Evaluated);
        }
        show(stage, &loaded, job);
        return Ok(Status::Evaluated);
    }
    let question = match loaded.property {
        Some(Property::Termination) => Question::Infinite,
        _ => Question::Reach,
    };
    // Whoever sets a limit of time wants it to be used.
    let effort = if job.options.timeout.is_some() { None } else { Execution::default().effort };
    let engine = Cegar {
        execution: Execution { seed: options.seed.unwrap_or(0), effort },
        solver: solver(options, job)?,
        given: predicates(&options.proof, &mut loaded, job)?,
        wants_claim: options.certificate.is_some() || options.proof.witness.is_some(),
        stages: cegar::STAGES,
    };
    let problem = IntegerProblem {
        program: &loaded.program,
        question,
        targets: &loaded.targets,
        arithmetic: loaded.arithmetic,
        wants_trace: options.trace != TraceForm::None
            || options.proof.witness.is_some()
            || options.sarif.is_some(),
    };
    let limits_set = render::limits_set(&job.options);
    let mut known = |outcome: &IntegerOutcome, missing: Missing| {
        let answer = IntegerAnswer { problem: &problem, outcome, limits: limits_set, proof: None };
        let conclusion = answer.conclusion(&loaded.sources, TraceStyle::None);
        let status = status_of(&outcome.finding);
        job.console.foresee(Box::new(move |_, _| {
            Some(Early { conclusion: conclusion.clone(), status, missing: Some(missing) })
        }));
    };
    let mut solved = engine.answer(&problem, &formula::limits(job), &loaded.sources, &mut known);
    if options.certificate.is_some() {
        solved.outcome.unfinished.extend(no_claim(&solved).map(|why| (Missing::Certificate, why)));
    }
    let outcome = &solved.outcome;
    outcome.remarks.iter().for_each(|remark| job.console.note(remark));
    expectation(&loaded, outcome, job);
    report(&outcome.figures, &solved.work, job);
    let outlined = outlined(&loaded, &solved);
    let proof = outlined.as_ref();
    let answer = IntegerAnswer { problem: &problem, outcome, limits: limits_set, proof };
    job.console.conclude(answer.conclusion(&loaded.sources, style(options)));
    let written = write_certificate(options, claim(&loaded, &solved).as_deref(), job);
    let written = written.max(super::witness::write(options, &loaded, &solved, job));
    let told = || answer.conclusion(&loaded.sources, TraceStyle::Object);
    let written = written.max(write_sarif(options, told, job));
    Ok(status_of(&outcome.finding).max(written))
}

/// Why an answer that may rest on a claim does not.
fn no_claim(solved: &Solved) -> Option<Unknown> {
    let outcome = &solved.outcome;
    let is_run = outcome.finding.is_yes() && outcome.words != Words::InfiniteRun;
    if solved.claim.is_some() || is_run || outcome.finding.verdict.is_unknown() {
        return None;
    }
    Some(match &solved.unproved {
        _ if outcome.figures.n_runs == 0 => Unknown::because("there is nothing that could be reached"),
        Some(why) => Unknown::Each(vec![("runs decide it, and it is not proved", why.clone())]),
        None => Unknown::because("runs decide it, and it is not proved"),
    })
}

/// An option that is about Boolean programs.
fn foreign(options: &CheckOptions) -> Option<&'static str> {
    let stage = |stage: ProgramStage| options.show == Some(stage);
    let all = [
        ("--algorithm", options.algorithm.is_some()),
        ("--param", !options.params.is_empty()),
        ("--label", !options.labels.is_empty()),
        ("--engine", options.engine.is_some()),
        ("--search", options.search.is_some()),
        ("--no-explicit", options.no_explicit),
        ("--without", !options.without.is_empty()),
        ("--shortest", options.shortest),
        ("-k", options.bound.switches.is_some()),
        ("--rounds", options.bound.rounds.is_some()),
        ("--up-to", options.bound.up_to.is_some()),
        ("--async-labels", options.bound.async_labels),
        ("--show ast", stage(ProgramStage::Ast)),
        ("--show rsm", stage(ProgramStage::Rsm)),
        ("--show relations", stage(ProgramStage::Relations)),
        ("--show formula", stage(ProgramStage::Formula)),
        ("--show plan", stage(ProgramStage::Plan)),
        ("--show order", stage(ProgramStage::Order)),
        ("--show labels", stage(ProgramStage::Labels)),
        ("--show monitor", stage(ProgramStage::Monitor)),
        ("--show monitor-dot", stage(ProgramStage::MonitorDot)),
    ];
    let question = options.question.option().filter(|option| *option != "--nonterm");
    question.or(all.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name))
}

/// Prints the integer program, as the question sees it.
fn show(stage: ProgramStage, loaded: &Loaded, job: &Job) {
    let program = loaded.executed();
    match stage {
        ProgramStage::Dot => job.console.show("dot", &integers::dot(&program)),
        ProgramStage::Reduced => {
            job.console.show("reduced", &integers::show(&integers::compose::compose(&program).program));
        }
        _ => job.console.show("cfg", &integers::show(&program)),
    }
}

/// Says if a task expects something else.
fn expectation(loaded: &Loaded, outcome: &IntegerOutcome, job: &Job) {
    let holds = match outcome.finding.verdict {
        Verdict::Yes => false,
        Verdict::No => true,
        Verdict::Unknown(_) => return,
    };
    if loaded.expected == Some(!holds) {
        job.console.note(&format!(
            "the task expects that the property {}",
            if holds { "is violated" } else { "holds" }
        ));
    }
}

fn report(figures: &Figures, work: &Work, job: &Job) {
    let Figures { n_runs, n_steps, n_instructions, time, .. } = *figures;
    let mut object = json!({
        "runs": n_runs,
        "steps": n_steps,
        "instructions": n_instructions,
        "rounds": work.n_rounds,
        "predicates": work.n_predicates,
        "queries": work.n_queries,
        "shared": work.n_hits,
    });
    if job.options.stats {
        object["seconds"] = json!(time.as_secs_f64());
        let per_second = n_steps as f64 / time.as_secs_f64().max(1e-9) / 1e6;
        job.console.remark(&format!(
            "{}, {n_instructions} instructions, {:.3}s, {per_second:.1} million steps per second\n",
            units::executed(n_runs, n_steps),
            time.as_secs_f64(),
        ));
        if work.n_rounds > 0 {
            let n_parts = work.n_hits + work.n_misses;
            let share = 100 * work.n_hits / n_parts.max(1);
            job.console.remark(&format!(
                "{} rounds of abstraction, {} predicates in the last, {} queries; of {n_parts} parts {share} % were known\n",
                work.n_rounds, work.n_predicates, work.n_queries,
            ));
            job.console.remark(&format!(
                "abstractions {:.3}s, formulas {:.3}s, waiting for Horn clauses {:.3}s, checks of claims {:.3}s\n",
                work.abstracting.as_secs_f64(),
                work.evaluating.as_secs_f64(),
                work.waiting.as_secs_f64(),
                work.checking.as_secs_f64(),
            ));
        }
    }
    job.console.statistics(object);
}
