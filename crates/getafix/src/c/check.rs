//! `getafix check` of a program in C: it is executed, and what runs do not show is proved.

use super::proof::{lacks, predicates, solver};
use super::{Loaded, Wanted, load};
use crate::check::states::call_graph;
use crate::check::{conclude, status_of};
use crate::early::Early;
use crate::formula;
use crate::job::Job;
use crate::options::{CheckOptions, ProgramStage, TraceForm};
use crate::status::Status;
use c::Property;
use cegar::Cegar;
use checker::{
    Asker, Engine, Execution, ExecutionFigures, Missing, Outcome, Unknown, Verdict, Wanted as WantedEvidence,
    WantedTrace, Words, WorkFigures,
};
use present::answer::{Answer, TraceStyle};
use present::units;
use serde_json::json;

/// Checks a program, or shows what it is translated to.
pub fn run(options: &CheckOptions, job: &Job) -> Status {
    check(options, job).unwrap_or_else(|status| status)
}

fn check(options: &CheckOptions, job: &Job) -> Result<Status, Status> {
    if let Some(option) = foreign(options) {
        job.record.error(&format!(
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
    let mut loaded = load(&wanted, job)?;
    if let Some(stage) = options.show {
        if stage == ProgramStage::Predicates {
            let given = predicates(&options.proof, &mut loaded, job)?;
            job.record.show("predicates", &super::abstraction::list(&loaded, given.as_deref()));
            return Ok(Status::Evaluated);
        }
        show(stage, &loaded, job);
        return Ok(Status::Evaluated);
    }
    // Whoever sets a limit of time wants it to be used.
    let effort = if job.limits.timeout.is_some() { None } else { Execution::default().effort };
    let solver = solver(options, job)?;
    let engine = Cegar {
        execution: Execution { seed: options.seed.unwrap_or(0), effort },
        solver: solver.clone().ok(),
        given: predicates(&options.proof, &mut loaded, job)?,
        stages: cegar::STAGES,
        assumes_defined: options.c.assume.is_some(),
        jobs: options.proof.jobs.max(1),
    };
    job.record.keep(|reply| reply.expected = loaded.expected);
    let problem = loaded.problem(evidence(options, job));
    let limits = job.limits_set();
    let mut known = |outcome: &Outcome, missing: Option<Missing>| {
        let answer = Answer { problem: &problem, outcome, limits, watching: None, observing: None };
        let conclusion = answer.conclusion(&loaded.sources, TraceStyle::None);
        let status = status_of(&outcome.finding);
        job.record
            .foresee(Box::new(move |_, _| Some(Early { conclusion: conclusion.clone(), status, missing })));
    };
    let mut asker = Asker { sources: &mut loaded.sources.clone(), known: &mut known };
    let answered = engine.answer(&problem, &formula::limits(job), &mut asker);
    let mut outcome = answered.map_err(|failure| formula::report(&failure, &loaded.sources, job))?;
    if let Err(missing) = &solver {
        lacks(missing, &mut outcome.finding, job);
    }
    if options.certificate {
        outcome.unfinished.extend(no_claim(&outcome).map(|why| (Missing::Certificate, why)));
        job.record.keep(|reply| reply.certificate.clone_from(&outcome.certificate));
    }
    outcome.remarks.iter().for_each(|remark| job.record.note(remark));
    expectation(&loaded, &outcome, job);
    report(&outcome.figures, job);
    if job.output.html {
        let pictures = json!({ "states": null, "calls": calls(&loaded) });
        job.record.keep(|reply| reply.pictures = pictures);
    }
    let answer = Answer { problem: &problem, outcome: &outcome, limits, watching: None, observing: None };
    let source = &loaded.sources.file(loaded.file).text;
    conclude(options, source, |style| answer.conclusion(&loaded.sources, style), job);
    super::witness::write(options, &loaded, &outcome, job);
    Ok(status_of(&outcome.finding))
}

/// Who calls whom, for a page.
fn calls(loaded: &Loaded) -> serde_json::Value {
    let program = loaded.executed();
    let function =
        |function: &integers::Function| (function.name.clone(), loaded.sources.line_column(function.span).0);
    let mut calls = Vec::new();
    for (from, function) in program.functions.iter().enumerate() {
        for edge in &function.edges {
            if let integers::Action::Call { callee, .. } = &edge.action {
                calls.push((from, callee.index()));
            }
        }
    }
    let functions: Vec<_> = program.functions.iter().map(function).collect();
    let mains: Vec<usize> =
        functions.iter().enumerate().filter(|(_, (name, _))| name == "main").map(|(n, _)| n).collect();
    call_graph(&functions, calls, &mains)
}

/// The evidence that is wanted: a witness tells of the run, and of what was proved.
fn evidence(options: &CheckOptions, job: &Job) -> WantedEvidence {
    let has_witness = options.proof.witness;
    let is_told = options.trace != TraceForm::None || has_witness || job.output.sarif || job.output.html;
    WantedEvidence {
        trace: if is_told { WantedTrace::Any } else { WantedTrace::None },
        certificate: options.certificate || has_witness,
    }
}

/// Why an answer that may rest on a claim does not.
fn no_claim(outcome: &Outcome) -> Option<Unknown> {
    let is_run = outcome.finding.is_yes() && outcome.asked.words != Words::InfiniteRun;
    if outcome.certificate.is_some() || is_run || outcome.finding.verdict.is_unknown() {
        return None;
    }
    Some(match &outcome.integers.proof.unproved {
        _ if outcome.figures.executed.n_runs == 0 => {
            Unknown::because("there is nothing that could be reached")
        }
        Some(why) => Unknown::Each(vec![("runs decide it, and it is not proved", why.clone())]),
        None => Unknown::because("runs decide it, and it is not proved"),
    })
}

/// An option that is about Boolean programs.
fn foreign(options: &CheckOptions) -> Option<&'static str> {
    let stage = |stage: ProgramStage| options.show == Some(stage);
    let all = [
        ("--algorithm", options.formula.algorithm.is_some()),
        ("--param", !options.formula.params.is_empty()),
        ("--label", !options.formula.labels.is_empty()),
        ("--engine", options.engine.is_some()),
        ("--search", options.search.is_some()),
        ("--workers", options.sharing.workers.is_some()),
        ("--hosts", options.sharing.hosts),
        ("--no-explicit", options.formula.no_explicit),
        ("--without", !options.without.is_empty()),
        ("--shortest", options.shortest),
        ("-k", options.bound.switches.is_some()),
        ("--rounds", options.bound.rounds.is_some()),
        ("--up-to", options.bound.up_to.is_some()),
        ("--async-labels", options.bound.async_labels),
        ("--show ast", stage(ProgramStage::Ast)),
        ("--show rsm", stage(ProgramStage::Rsm)),
        ("--show states", stage(ProgramStage::States)),
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
        ProgramStage::Dot => job.record.show("dot", &integers::dot(&program)),
        ProgramStage::Reduced => {
            job.record.show("reduced", &integers::show(&integers::compose::compose(&program).program));
        }
        _ => job.record.show("cfg", &integers::show(&program)),
    }
}

/// Says if a task expects something else.
fn expectation(loaded: &Loaded, outcome: &Outcome, job: &Job) {
    let holds = match outcome.finding.verdict {
        Verdict::Yes => false,
        Verdict::No => true,
        Verdict::Unknown(_) => return,
    };
    if loaded.expected == Some(!holds) {
        job.record.note(&format!(
            "the task expects that the property {}",
            if holds { "is violated" } else { "holds" }
        ));
    }
}

fn report(WorkFigures { executed, proving: work, .. }: &WorkFigures, job: &Job) {
    let ExecutionFigures { n_runs, n_steps, n_instructions, time, .. } = *executed;
    let mut object = json!({
        "runs": n_runs,
        "steps": n_steps,
        "instructions": n_instructions,
        "rounds": work.n_rounds,
        "predicates": work.n_predicates,
        "queries": work.n_queries,
        "shared": work.n_hits,
    });
    if job.output.stats {
        object["seconds"] = json!(time.as_secs_f64());
        let per_second = n_steps as f64 / time.as_secs_f64().max(1e-9) / 1e6;
        job.record.remark(&format!(
            "{}, {n_instructions} instructions, {:.3}s, {per_second:.1} million steps per second\n",
            units::executed(n_runs, n_steps),
            time.as_secs_f64(),
        ));
        if work.n_rounds > 0 {
            let n_parts = work.n_hits + work.n_misses;
            let share = 100 * work.n_hits / n_parts.max(1);
            job.record.remark(&format!(
                "{} rounds of abstraction, {} predicates in the last, {} queries; of {n_parts} parts {share} % were known\n",
                work.n_rounds, work.n_predicates, work.n_queries,
            ));
            job.record.remark(&format!(
                "abstractions {:.3}s, formulas {:.3}s, waiting for Horn clauses {:.3}s, checks of claims {:.3}s\n",
                work.abstracting.as_secs_f64(),
                work.evaluating.as_secs_f64(),
                work.waiting.as_secs_f64(),
                work.checking.as_secs_f64(),
            ));
        }
    }
    job.record.statistics(object);
}
