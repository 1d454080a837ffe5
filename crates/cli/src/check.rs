//! `getafix check`: can a run of the program reach a target?
//!
//! Contract: the first line of stdout is `REACHABLE`, `UNREACHABLE` or `UNKNOWN: reason`, that of all targets
//! together; with several targets a line `TARGET: verdict` for each follows, then the trace. Nothing is printed before all
//! of it is known, but a verdict that is known is not lost if time or memory run out on the way to a trace, a certificate or
//! a comparison: what is missing is said below it. Of a concurrent program the verdict is followed by the bound that it holds
//! within.

mod ask;
mod concurrent;
mod stage;
mod twin;
mod without;

pub use concurrent::{bound, default_algorithm, few_threads, thread_options};
pub use without::reductions;

use crate::answer::Subject;
use crate::args::{CheckOptions, EngineName, ProgramStage, TraceForm};
use crate::early::{Early, Missing};
use crate::formula::Formula;
use crate::json::{self, Conclusion, Times};
use crate::program;
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use ask::{Answer, Question, Verdict};
use base::{Known, Sources};
use bp::Concurrency;
use checker::Target;
use present::trace::Story;
use rsm::trace::Trace;
use rsm::{Concurrent, Goal, Reduced, Reductions, Rsm};
use serde_json::json;
use solver::Statistics;
use without::Without;

/// Checks a program, or shows one of its stages.
pub fn run(options: &CheckOptions, job: &Job) -> Status {
    job.console.begin(Subject::program());
    check(options, job).unwrap_or_else(|status| status)
}

fn check(options: &CheckOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.console.error(&message);
        Status::Rejected
    };
    consistent(options).map_err(rejected)?;
    let without = Without::read(&options.without).map_err(rejected)?;
    let reductions = without.reductions;
    let formula = Formula::find(options.algorithm.as_deref()).map_err(rejected)?;
    let mut program = program::load(&options.file, job).map_err(|_| Status::Rejected)?;
    if options.show == Some(ProgramStage::Ast) {
        job.console.show("ast", &bp::print(program.checked.program()));
        return Ok(Status::Evaluated);
    }
    if program.concurrency(options.bound.async_labels) != Concurrency::Sequential {
        return concurrent::check(options, without, formula, program, job);
    }
    formula.must_be_sequential().map_err(rejected)?;
    if options.bound.is_given() {
        job.console.note("the program is sequential, so the bound does not matter");
    }
    let rsm = program.machine("check", job).map_err(|_| Status::Rejected)?;
    if let Some(stage) = options.show.filter(|stage| stage::of_machine(*stage)) {
        stage::show_machine(stage, &rsm, job);
        return Ok(Status::Evaluated);
    }
    let targets = program::targets(&rsm, &options.targets, job).map_err(|_| Status::Rejected)?;
    let question = Question { rsm: &rsm, targets: &targets, options, reductions, formula: &formula, job };
    if let Some(stage) = options.show {
        return stage::show_question(stage, &question, &mut program.sources);
    }
    let conclude = Conclude::new(options, &targets, formula.shipped.is_some());
    let early = conclude.clone();
    job.console.foresee(Box::new(move |known, reason| early.foretell(known, reason)));
    let foresee = |verdict: &Verdict, verdicts: &[Verdict]| {
        let (early, verdict, verdicts) = (conclude.clone(), verdict.clone(), verdicts.to_vec());
        job.console.foresee(Box::new(move |_, _| Some(early.without_trace(&verdict, &verdicts))));
    };
    let answer = question.answer(&mut program.sources, &foresee)?;
    remark_on_dead_code(&rsm, &targets, &answer.verdicts, job);
    report_statistics(answer.statistics.as_ref(), job);
    let (text, trace) = match &answer.trace {
        Some(trace) => show_trace(options, &Concurrent::sequential(rsm), &program.sources, trace),
        None => (String::new(), json!(null)),
    };
    let (conclusion, status) = conclude.conclusion(&answer.verdict, &answer.verdicts, &text, trace);
    job.console.conclude(conclusion);
    Ok(status.max(write_certificate(options, &answer, job)))
}

/// Writes the certificate, if there is one.
fn write_certificate(options: &CheckOptions, answer: &Answer, job: &Job) -> Status {
    let (Some(path), Some(text)) = (&options.certificate, &answer.certificate) else {
        return Status::Evaluated;
    };
    if path.as_os_str() == "-" {
        job.console.print(text);
        return Status::Evaluated;
    }
    let Err(error) = std::fs::write(path, text) else { return Status::Evaluated };
    job.console.error(&format!("cannot write `{}`: {error}", path.display()));
    Status::Rejected
}

/// The twin has no formula, so options about formulas make no sense with it.
fn consistent(options: &CheckOptions) -> Result<(), String> {
    let of_the_solver = [
        ("--algorithm", options.algorithm.is_some()),
        ("--param", !options.params.is_empty()),
        ("--no-explicit", options.no_explicit),
        ("--without", !options.without.is_empty()),
        ("--certificate", options.certificate.is_some()),
    ];
    match of_the_solver.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if options.engine == EngineName::Twin => {
            Err(format!("`{option}` is about the solver, but `--engine twin` does without it"))
        }
        _ => Ok(()),
    }
}

/// Says which of the targets that are unreachable have no path leading to them at all.
fn remark_on_dead_code(rsm: &Rsm, targets: &[Target], verdicts: &[Verdict], job: &Job) {
    let unreachable = |(_, verdict): &(&Target, &Verdict)| **verdict == Verdict::Unreachable;
    let suspects: Vec<&Target> = targets.iter().zip(verdicts).filter(unreachable).map(|t| t.0).collect();
    let goals: Vec<Goal> = suspects.iter().flat_map(|target| target.goals.iter().copied()).collect();
    if goals.is_empty() {
        return;
    }
    let reduced = rsm::reduce(rsm, &goals, Reductions { dead_code: true, ..Reductions::NONE });
    for target in suspects {
        remark_on_dead_target(rsm, &reduced, &target.name, &target.goals, job);
    }
}

/// Says so if all goals of a target are dropped with the dead code.
fn remark_on_dead_target(rsm: &Rsm, reduced: &Reduced, name: &str, goals: &[Goal], job: &Job) {
    let is_dead = |goal: &Goal| {
        let (module, node) = match *goal {
            Goal::At(module, node) => (module, node),
            Goal::Failure(module, edge) => (module, rsm.module(module).edge(edge).from),
        };
        reduced.modules[module.index()].points.binary_search(&node).is_err()
    };
    if !goals.is_empty() && goals.iter().all(is_dead) {
        job.console.note(&format!("`{name}` is in dead code: no path of the program leads to it"));
    }
}

fn report_statistics(statistics: Option<&Statistics>, job: &Job) {
    let Some(statistics) = statistics else { return };
    let times = if job.options.stats { Times::Shown } else { Times::Hidden };
    job.console.statistics(json::statistics(statistics, times));
    if job.options.stats {
        job.console.remark(&render::table(statistics));
    }
}

/// What the answer is about and how it is to be shown.
#[derive(Clone)]
struct Conclude {
    targets: Vec<Target>,
    form: TraceForm,
    wants_certificate: bool,
    /// The formula comes with the program, so what it says is reachable is believed before there is a trace.
    is_shipped: bool,
}

impl Conclude {
    fn new(options: &CheckOptions, targets: &[Target], is_shipped: bool) -> Self {
        Self {
            targets: targets.to_vec(),
            form: options.trace,
            wants_certificate: options.certificate.is_some(),
            is_shipped,
        }
    }

    /// The answer from what an engine tells while it works.
    fn foretell(&self, known: Known, reason: &str) -> Option<Early> {
        let unknown = |reason: String| vec![Verdict::Unknown(reason); self.targets.len()];
        let (verdict, verdicts) = match known {
            Known::Nothing | Known::SafeWithin(_) => return None,
            Known::Unreachable => (Verdict::Unreachable, vec![Verdict::Unreachable; self.targets.len()]),
            Known::Reachable { .. } if !self.is_shipped => {
                let reason = format!("the formula says reachable, which is not confirmed: {reason}");
                (Verdict::Unknown(reason.clone()), unknown(reason))
            }
            Known::Reachable { .. } if self.targets.len() == 1 => {
                (Verdict::Reachable, vec![Verdict::Reachable])
            }
            Known::Reachable { .. } => (Verdict::Reachable, unknown(reason.to_owned())),
        };
        Some(self.without_trace(&verdict, &verdicts))
    }

    /// The answer without a trace.
    fn without_trace(&self, verdict: &Verdict, verdicts: &[Verdict]) -> Early {
        let (conclusion, status) = self.conclusion(verdict, verdicts, "", json!(null));
        let missing = match verdict {
            Verdict::Reachable if self.form != TraceForm::None => Some(Missing::Trace),
            Verdict::Unreachable if self.wants_certificate => Some(Missing::Certificate),
            _ => None,
        };
        Early { conclusion, status, missing }
    }

    /// The conclusion from these verdicts, that about all targets and those about each, with a trace as text and as JSON.
    fn conclusion(
        &self,
        verdict: &Verdict,
        verdicts: &[Verdict],
        text: &str,
        trace: serde_json::Value,
    ) -> (Conclusion, Status) {
        let (line, status) = match verdict {
            Verdict::Reachable => ("REACHABLE".to_owned(), Status::Violated),
            Verdict::Unreachable => ("UNREACHABLE".to_owned(), Status::Evaluated),
            Verdict::Unknown(reason) => (format!("UNKNOWN: {reason}"), Status::Unknown),
        };
        let reason = if let Verdict::Unknown(reason) = verdict { Some(reason.clone()) } else { None };
        let text = format!("{line}\n{}{text}", self.details(verdicts));
        let targets = self.targets.iter().zip(verdicts).map(entry).collect();
        (Conclusion { text, verdict: verdict.word(), reason, targets, trace, within: None }, status)
    }

    /// What is known of each target.
    fn details(&self, verdicts: &[Verdict]) -> String {
        match (&self.targets[..], verdicts) {
            ([target], [Verdict::Unreachable]) => match target.name.as_str() {
                "assert" => "no assertion can fail\n".to_owned(),
                name => format!("no run reaches {name}\n"),
            },
            ([_], _) => String::new(),
            (targets, verdicts) => {
                let line =
                    |(target, verdict): (&Target, &Verdict)| format!("{}: {}\n", target.name, verdict.word());
                targets.iter().zip(verdicts).map(line).collect()
            }
        }
    }
}

/// The trace as text and as JSON, as far as they are wanted.
fn show_trace(
    options: &CheckOptions,
    program: &Concurrent,
    sources: &Sources,
    trace: &Trace,
) -> (String, serde_json::Value) {
    let story = Story::new(program, sources, trace);
    match options.trace {
        TraceForm::None => (String::new(), json!(null)),
        _ if options.run.json => (String::new(), story.object()),
        TraceForm::Text => (story.text(), json!(null)),
        TraceForm::Source => (story.margin(), json!(null)),
        TraceForm::Json => unreachable!("a trace in JSON is a part of the whole answer in JSON"),
    }
}

/// An entry of `targets` of the JSON object.
fn entry((target, verdict): (&Target, &Verdict)) -> serde_json::Value {
    let reason = if let Verdict::Unknown(reason) = verdict { Some(reason) } else { None };
    json!({ "target": target.name, "verdict": verdict.word(), "reason": reason })
}
