//! One run of one engine, in this process: what the parent starts for every cell.
//!
//! Prints one line of words `key=value`: the verdict, times in nanoseconds, nodes, the largest resident set.

use super::engine::Engine;
use crate::clock::{self, Clock};
use base::{Gauge, Sources, Stop};
use checker::{
    Asker, Engine as _, Formula, FormulaFile, Limits, Localised, Problem, Question, Symbolic, Target,
    TraceReport, Verdict, Wanted,
};
use rsm::{Concurrent, Reductions, Rsm};
use solver::{Settings, Solver};
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use templates::{Templates, Vocabulary};

/// Recursion is as deep as diagrams have variables.
const STACK: usize = 1 << 30;

/// Runs an engine, or the phases of an algorithm, on a file.
pub fn execute(words: &[String]) -> Result<ExitCode, String> {
    if words == ["loop"] {
        return on_large_stack(|| Ok(super::counts::fixed_loop()));
    }
    let [name, file] = words else { return Err("`inside` needs an engine and a file".to_owned()) };
    let (name, file) = (name.clone(), file.clone());
    on_large_stack(move || {
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        match name.strip_prefix("phases:") {
            Some(name) => phases(name, text),
            None => answer(&name, text),
        }
    })
}

/// Does some work on a thread with a large stack, and prints what it returns with the largest resident set.
pub fn on_large_stack(
    work: impl FnOnce() -> Result<String, String> + Send + 'static,
) -> Result<ExitCode, String> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| format!("no thread: {error}"))?;
    let mut line = thread.join().map_err(|_| "the run panicked".to_owned())??;
    if let Some(resident) = crate::child::resident("self") {
        let _ = write!(line, " resident={resident}");
    }
    println!("{line}");
    Ok(ExitCode::SUCCESS)
}

/// The verdict of an engine with the time from text to verdict.
fn answer(name: &str, text: String) -> Result<String, String> {
    let engine = Engine::inside(name).ok_or_else(|| format!("there is no engine `{name}`"))?;
    let mut clock = Clock::start();
    let (rsm, target) = load(text)?;
    let (is_reachable, nodes) = match &engine {
        Engine::Check => by_default(rsm, target)?,
        Engine::Handwritten(algorithm) => {
            let reduced = rsm::reduce(&rsm, &target.places().collect::<Vec<_>>(), Reductions::ALL);
            let templates = Templates::new(&rsm, &reduced);
            let answer = handwritten::check(
                &templates,
                &target.places().collect::<Vec<_>>(),
                *algorithm,
                &Stop::default(),
            );
            let answer = answer.map_err(|exhausted| format!("{exhausted:?}"))?;
            (answer.is_reachable, answer.peak_nodes as u64)
        }
        Engine::Formula(algorithm) => check(&rsm, target, algorithm, false)?,
        Engine::Traced(algorithm) => check(&rsm, target, algorithm, true)?,
        Engine::Spacer | Engine::External(_) => return Err(format!("`{name}` is another program")),
    };
    // Views are looked at on another thread, and their time counts.
    let of_all = clock::of_all_threads().filter(|_| engine == Engine::Check).unwrap_or_default();
    let time = clock.lap().max(of_all).as_nanos();
    Ok(format!("{} time={time} nodes={nodes}", verdict(is_reachable)))
}

/// The verdict of what answers if nobody names a formula, and the peak number of nodes of the formula that had it.
fn by_default(rsm: Rsm, target: Target) -> Result<(bool, u64), String> {
    let (program, targets) = (Concurrent::sequential(rsm), [target]);
    let problem = Problem {
        program: &program,
        question: Question::Reach,
        targets: &targets,
        bound: None,
        watch: Default::default(),
        wanted: Wanted::default(),
    };
    let whole = Symbolic::new(Formula::default());
    let mut sources = Sources::default();
    let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
    let outcome = Localised { whole: &whole }.answer(&problem, &Limits::default(), &mut asker);
    let outcome = outcome.map_err(|failure| format!("{failure:?}"))?;
    let nodes = outcome.figures.statistics.map_or(0, |statistics| statistics.peak_nodes);
    match outcome.finding.verdict {
        Verdict::Yes => Ok((true, nodes)),
        Verdict::No => Ok((false, nodes)),
        Verdict::Unknown(halt) => Err(format!("{halt:?}")),
    }
}

/// The word for a verdict in the line that a run prints.
pub fn verdict(is_reachable: bool) -> &'static str {
    if is_reachable { "verdict=reachable" } else { "verdict=unreachable" }
}

/// The program of a text and its question.
pub fn load(text: String) -> Result<(Rsm, Target), String> {
    let (sources, program) = checked(text)?;
    let rsm = bp::lower(&program).map_err(|errors| complaint(&sources, &errors))?;
    let target = checker::find_target(&rsm, "ERROR").map_err(|error| error.to_string())?;
    Ok((rsm, target))
}

/// The checked program of a text, and the text for complaints.
pub fn checked(text: String) -> Result<(Sources, bp::Checked), String> {
    let mut sources = Sources::default();
    match bp::load(&mut sources, "program.bp", text) {
        Ok((program, _)) => Ok((sources, program)),
        Err(errors) => Err(complaint(&sources, &errors)),
    }
}

/// The first of some complaints about a program.
pub fn complaint(sources: &Sources, errors: &[base::Diagnostic]) -> String {
    errors.first().map_or("no program".to_owned(), |error| base::render(sources, error))
}

/// What a run may do: everything, without limits.
pub fn options(trace: bool) -> checker::Options {
    checker::Options { trace, ..checker::Options::default() }
}

/// The text of a formula file.
fn text_of(algorithm: &str) -> Result<String, String> {
    match checker::algorithm(algorithm) {
        Some(known) => Ok(known.text.to_owned()),
        None => {
            std::fs::read_to_string(algorithm).map_err(|error| format!("cannot read `{algorithm}`: {error}"))
        }
    }
}

/// The verdict of an algorithm, and its peak number of nodes.
pub fn check(rsm: &Rsm, target: Target, algorithm: &str, trace: bool) -> Result<(bool, u64), String> {
    let text = text_of(algorithm)?;
    let mut read = |path: &str| Err(format!("nothing to load: {path}"));
    let file = FormulaFile { name: algorithm, text: &text, read: &mut read, params: &[], labels: &[] };
    let report = checker::check(rsm, &[target], file, &options(trace), &mut Sources::default());
    let report = report.map_err(|failure| format!("{failure:?}"))?;
    let is_reachable = match report.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(halt) => return Err(format!("{halt:?}")),
    };
    if trace && is_reachable && !matches!(report.trace, TraceReport::Replayed(_)) {
        return Err("there is no trace that can be replayed".to_owned());
    }
    Ok((is_reachable, report.statistics.peak_nodes))
}

/// What an engine does, step by step, with the time of each.
fn phases(name: &str, text: String) -> Result<String, String> {
    let engine = Engine::inside(name).ok_or_else(|| format!("there is no engine `{name}`"))?;
    let mut laps = Laps { clock: Clock::start(), line: String::new() };
    let (rsm, target) = load(text)?;
    laps.end("load");
    let reduced = rsm::reduce(&rsm, &target.places().collect::<Vec<_>>(), Reductions::ALL);
    laps.end("reduce");
    let templates = Templates::new(&rsm, &reduced);
    laps.end("order");
    let is_reachable = match engine {
        Engine::Handwritten(algorithm) => {
            let answer = handwritten::check(
                &templates,
                &target.places().collect::<Vec<_>>(),
                algorithm,
                &Stop::default(),
            );
            laps.end("solve");
            answer.map_err(|exhausted| format!("{exhausted:?}"))?.is_reachable
        }
        Engine::Formula(algorithm) => solve(&templates, &target, &algorithm, &mut laps)?,
        _ => return Err(format!("`{name}` has no phases")),
    };
    Ok(format!("{}{}", verdict(is_reachable), laps.line))
}

/// Times of phases, written as words.
struct Laps {
    clock: Clock,
    line: String,
}

impl Laps {
    fn end(&mut self, phase: &str) {
        let _ = write!(self.line, " {phase}={}", self.clock.lap().as_nanos());
    }
}

/// The phases in which formulas differ from other engines.
fn solve(templates: &Templates, target: &Target, algorithm: &str, laps: &mut Laps) -> Result<bool, String> {
    let text = text_of(algorithm)?;
    let prelude = format!("{}#load \"{algorithm}\";\n", templates.prelude());
    let mut give = |_: &str| Ok(text.clone());
    let (tree, errors) = calculus::load(&mut Sources::default(), "templates", prelude, &mut give);
    let (system, _) = calculus::check(&tree, &[]).map_err(|more| format!("{errors:?} {more:?}"))?;
    let settings = Settings {
        symbolic: false,
        record: false,
        collect_from: solver::COLLECT_FROM,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    };
    let mut solver = Solver::new(&system, settings).map_err(|errors| format!("{errors:?}"))?;
    let words = Vocabulary::new(&system, templates);
    laps.end("formula");
    let given = templates.give(&system, &words, &mut solver);
    let given =
        given.and_then(|()| templates.give_target(&target.places().collect::<Vec<_>>(), &words, &mut solver));
    given.map_err(|halt| format!("{halt:?}"))?;
    laps.end("give");
    let query = system.items.iter().rev().find_map(|item| match item.action {
        calculus::system::Action::Query(query) => Some(query),
        _ => None,
    });
    let answer = solver.query(query.ok_or("the formula file asks nothing")?);
    laps.end("solve");
    answer.map_err(|halt| format!("{halt:?}"))
}
