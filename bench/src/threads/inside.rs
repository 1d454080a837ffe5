//! One question, answered in this process: what the parent starts for every run.
//!
//! Prints one line of words `key=value`: the verdict, the least bound, the time in nanoseconds, nodes, the largest resident set.

use super::question::{Question, Route, SEQUENTIAL, Saving};
use crate::clock::Clock;
use crate::programs::inside::{check, checked, complaint, load, on_large_stack, options, verdict};
use base::Sources;
use checker::{
    Asker, Bound, Engine, Explicit, FormulaFile, Limits, Missing, Outcome, Problem, Scheduling, Target,
    TraceReport, Verdict, Wanted,
};
use rsm::Concurrent;
use sequentialize::Scheme;
use std::process::ExitCode;

/// What came of a question.
struct Answer {
    is_reachable: bool,
    least: Option<u32>,
    nodes: u64,
}

/// Answers the question that the words are.
pub fn execute(words: &[String]) -> Result<ExitCode, String> {
    let question: Question = words.join(" ").parse()?;
    on_large_stack(move || answer(&question))
}

fn answer(question: &Question) -> Result<String, String> {
    let (sources, program) = checked(question.text())?;
    let threads = bp::ThreadOptions { slots: 0, async_labels: false };
    let program = bp::lower_threads(&program, threads).map_err(|errors| complaint(&sources, &errors))?;
    let target = checker::find_thread_target(&program, "ERROR").map_err(|error| error.to_string())?;
    let mut clock = Clock::start();
    let answer = match question.route {
        Route::Formula(name) => formula(question, &program, target, name)?,
        Route::Explicit => explicit(question.bound, &program, target)?,
        Route::Sequentialized(scheme) => sequentialized(question.bound, &program, &target, scheme)?,
    };
    let time = clock.lap().as_nanos();
    let least = answer.least.map_or(String::new(), |least| format!(" least={least}"));
    Ok(format!("{}{least} time={time} nodes={}", verdict(answer.is_reachable), answer.nodes))
}

/// What a formula for threads says.
fn formula(question: &Question, program: &Concurrent, target: Target, name: &str) -> Result<Answer, String> {
    let algorithm = checker::algorithm(name).expect("the algorithm is known");
    let mut read =
        |name: &str| checker::part(name).map(str::to_owned).ok_or(format!("`{name}` is not there"));
    let file =
        FormulaFile { name: algorithm.name, text: algorithm.text, read: &mut read, params: &[], labels: &[] };
    let scheduling = Scheduling {
        symmetry: question.without != Some(Saving::Symmetry),
        visibility: question.without != Some(Saving::Visibility),
        order: question.without != Some(Saving::Order),
        early_stop: !question.complete,
        ..Scheduling::default()
    };
    let (options, mut sources) = (options(question.trace), Sources::default());
    let report =
        checker::check_threads(program, &[target], question.bound, file, scheduling, &options, &mut sources);
    let report = report.map_err(|failure| format!("{failure:?}"))?;
    let is_reachable = match report.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(halt) => return Err(format!("{halt:?}")),
    };
    if question.trace && is_reachable && !matches!(report.trace, TraceReport::Replayed(_)) {
        return Err("there is no trace that can be replayed".to_owned());
    }
    Ok(Answer { is_reachable, least: report.finding.least, nodes: report.statistics.peak_nodes })
}

/// What the explicit engine says; states take the place of nodes.
fn explicit(bound: Bound, program: &Concurrent, target: Target) -> Result<Answer, String> {
    let (question, wanted) = (checker::Question::Reach, Wanted::default());
    let problem = Problem {
        program,
        question,
        targets: &[target],
        bound: Some(bound),
        wanted,
        watch: Default::default(),
    };
    let mut known = |_: &Outcome, _: Option<Missing>| {};
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut known };
    let outcome = Explicit::default().answer(&problem, &Limits::default(), &mut asker);
    let outcome = outcome.map_err(|failure| format!("{failure:?}"))?;
    let is_reachable = match outcome.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(reason) => return Err(format!("{reason:?}")),
    };
    let nodes = outcome.figures.search.map_or(0, |search| search.n_states);
    Ok(Answer { is_reachable, least: outcome.finding.least, nodes })
}

/// What a sequential program that asks the same says.
fn sequentialized(
    bound: Bound,
    program: &Concurrent,
    target: &Target,
    scheme: Scheme,
) -> Result<Answer, String> {
    let bound = match bound {
        Bound::Switches(number) => sequentialize::Bound::Switches(number),
        Bound::Rounds(number) => sequentialize::Bound::Rounds(number),
        Bound::Every => return Err("a sequential program asks within a bound".to_owned()),
    };
    let text = sequentialize::sequentialize(program, &target.goals, bound, scheme);
    let (rsm, target) = load(text.map_err(|error| error.to_string())?)?;
    let (is_reachable, nodes) = check(&rsm, target, SEQUENTIAL, false)?;
    Ok(Answer { is_reachable, least: None, nodes })
}
