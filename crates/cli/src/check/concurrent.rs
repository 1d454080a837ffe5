//! Concurrent programs: the same question within a bound.
//!
//! Contract: as for sequential programs, and the verdict is followed by what it holds within. `REACHABLE` names the least bound
//! that is known, `UNREACHABLE` the one that was asked for, and whether a larger one would change the answer.

mod ask;
mod bound;
mod compare;
mod conclude;
mod sequential;
mod twin;

pub use bound::{default_algorithm, few_threads, find as bound, thread_options};

use super::stage;
use super::without::Without;
use super::{remark_on_dead_target, report_statistics, show_trace};
use crate::args::{CheckOptions, ProgramStage};
use crate::formula::Formula;
use crate::program::{self, Program};
use crate::status::Status;
use crate::watch::Job;
use ask::{Answer, Finding, Question};
use bp::Concurrency;
use checker::Bound;
use conclude::Conclude;
use rsm::interleave;
use rsm::trace::Trace;
use rsm::{Goal, Reductions};
use serde_json::json;

/// Checks a program with threads, or shows one of its stages.
pub fn check(
    options: &CheckOptions,
    without: Without,
    formula: Formula,
    mut program: Program,
    job: &Job,
) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.console.error(&message);
        Status::Rejected
    };
    supported(options).map_err(rejected)?;
    let concurrency = program.concurrency(options.bound.async_labels);
    if let Some(stage) = options.show.filter(|stage| stage::of_machine(*stage)) {
        let machine = program.threads(thread_options(&options.bound), job).map_err(|_| Status::Rejected)?;
        stage::show_machine(stage, &machine.machine, job);
        return Ok(Status::Evaluated);
    }
    let bound = bound::find(&options.bound, concurrency).map_err(|problem| problem.report(&program, job))?;
    let threads = program.threads(thread_options(&options.bound), job).map_err(|_| Status::Rejected)?;
    bound::few_threads(&threads).map_err(rejected)?;
    let formula = bound::formula(options, formula, bound, &threads).map_err(rejected)?;
    if bound::orders_freely(&formula, &threads) {
        job.console.note("this algorithm lets rounds have any order that is the same in all of them, not only that of the text");
    }
    let targets = program::thread_targets(&threads, &options.targets, job).map_err(|_| Status::Rejected)?;
    let question = Question {
        program: &threads,
        targets: &targets,
        concurrency,
        bound,
        options,
        without,
        formula: &formula,
        job,
    };
    if options.show == Some(ProgramStage::Reduced) {
        let reduced = rsm::reduce_threads(&threads, &question.places(), without.reductions, false);
        job.console.show("reduced", &reduced.show(&threads.machine));
        return Ok(Status::Evaluated);
    }
    // Only where the targets are looked for on the way is it known how far they are out of reach.
    if without.scheduling.early_stop {
        job.gauge.measure_in(conclude::unit(bound));
    }
    let mut conclude = Conclude {
        bound,
        targets: targets.clone(),
        is_shipped: formula.shipped.is_some(),
        wants_trace: question.wants_trace(),
        run: None,
    };
    let early = conclude.clone();
    job.console.foresee(Box::new(move |known, reason| early.foretell(known, reason)));
    let foresee = |finding: &Finding, findings: &[Finding]| {
        let (early, finding, findings) = (conclude.clone(), finding.clone(), findings.to_vec());
        job.console.foresee(Box::new(move |_, _| Some(early.without_trace(&finding, &findings))));
    };
    let answer = question.answer(&mut program.sources, &foresee)?;
    conclude.run = answer.trace.as_ref().and_then(|trace| needed(bound, trace));
    remark_on_dead_code(&question, &answer.findings);
    report_statistics(answer.statistics.as_ref(), job);
    let (text, trace) = match &answer.trace {
        Some(trace) => show_trace(options, &threads, &program.sources, trace),
        None => (String::new(), json!(null)),
    };
    let Answer { finding, findings, every_bound, .. } = &answer;
    let (conclusion, status) = conclude.conclusion(finding, findings, *every_bound, (text, trace));
    job.console.conclude(conclusion);
    Ok(status)
}

/// How many switches or rounds a run takes.
fn needed(bound: Bound, trace: &Trace) -> Option<u32> {
    let number = match bound {
        Bound::Switches(_) => Some(trace.n_switches()),
        Bound::Rounds(_) => trace.n_rounds(&interleave::declaration_order(&trace.counts())),
    };
    number.and_then(|number| u32::try_from(number).ok())
}

/// What there is for sequential programs only.
fn supported(options: &CheckOptions) -> Result<(), String> {
    let is_shown = |stage: ProgramStage| options.show == Some(stage);
    let only_sequential = [
        ("--shortest", options.shortest),
        ("--certificate", options.certificate.is_some()),
        ("--show relations", is_shown(ProgramStage::Relations)),
        ("--show formula", is_shown(ProgramStage::Formula)),
        ("--show plan", is_shown(ProgramStage::Plan)),
        ("--show order", is_shown(ProgramStage::Order)),
    ];
    match only_sequential.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            Err(format!("`{option}` is for sequential programs, and this program is concurrent"))
        }
        None => Ok(()),
    }
}

/// Says which of the targets that are unreachable have no path leading to them at all.
fn remark_on_dead_code(question: &Question, findings: &[Finding]) {
    let Question { program, targets, job, .. } = question;
    let places = question.places();
    let unreachable = |finding: &Finding| finding.verdict == super::ask::Verdict::Unreachable;
    // What threads do that are started at run time is a part of the machine only if the bound lets some of them run.
    let is_whole = question.concurrency == Concurrency::Threads;
    if !is_whole || places.is_empty() || !findings.iter().any(unreachable) {
        return;
    }
    let dead_code = Reductions { dead_code: true, ..Reductions::NONE };
    let reduced = rsm::reduce_threads(program, &places, dead_code, false);
    for (target, _) in targets.iter().zip(findings).filter(|(_, finding)| unreachable(finding)) {
        let goals: Vec<Goal> = target.goals.iter().map(|goal| goal.goal).collect();
        remark_on_dead_target(&program.machine, &reduced, &target.name, &goals, job);
    }
}
