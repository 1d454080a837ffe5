//! Predicate abstraction next to YASM's paper, and whole tasks next to the solver's engine for Horn clauses alone.
//!
//! Times are by the clock, since half of the work is the solver's, in a process of its own; where a table says so, they are those of processors.

mod tasks;

use crate::{clock, options};
use abstraction::{Cache, Predicates};
use base::{Sources, Stop};
use cegar::Analysis;
use checker::Limits;
use generate::levels_in_c::{Innermost, levels_in_c};
use integers::compose::compose;
use integers::ghosts::Ghosted;
use smt::Pipe;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

pub use tasks::execute as tasks;

const HELP: &str = "usage: bench yasm [--quick]

  --quick  fewer levels

Prints Table 3 and Figure 4 of YASM 2008 (SPIN) next to the paper's figures: seconds from the text to the answer, solver included.";

const ACK: &str = include_str!("../../crates/cegar/tests/programs/ack.c");
const SHIFT: &str = include_str!("../../crates/cegar/tests/programs/shift.c");
const QUICKSORT: &str = include_str!("../../crates/cegar/tests/programs/quicksort.c");

/// Levels, and the paper's seconds: T1 reachable, T2 infinite, T2 unreachable.
const TABLE: [(usize, [f64; 3]); 7] = [
    (20, [6.5, 4.9, 4.3]),
    (50, [11.7, 8.9, 6.3]),
    (100, [20.3, 20.3, 11.1]),
    (200, [36.7, 25.2, 27.6]),
    (300, [47.6, 34.4, 42.1]),
    (400, [68.1, 43.2, 64.5]),
    (500, [105.2, 60.6, 86.6]),
];

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let Some(is_quick) = options::quick(arguments, "yasm", HELP)? else { return Ok(ExitCode::SUCCESS) };
    println!("| levels | T1 reachable | paper | T2 infinite | paper | T2 unreachable | paper | queries |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut is_right = true;
    for (n, paper) in TABLE.into_iter().filter(|(n, _)| !is_quick || *n <= 100) {
        let predicates = "*: g < 0, g <= 0;";
        let reached = ask(&levels_in_c(n, Innermost::Negates), predicates, Question::Must)?;
        let endless = levels_in_c(n, Innermost::CallsItself);
        let infinite = ask(&endless, predicates, Question::Infinite)?;
        let unreached = ask(&endless, predicates, Question::May)?;
        is_right &= reached.answer && infinite.answer && !unreached.answer;
        let seconds = [&reached, &infinite, &unreached].map(|asked| asked.time.as_secs_f64());
        println!(
            "| {n} | {:.2} | {} | {:.2} | {} | {:.2} | {} | {} |",
            seconds[0], paper[0], seconds[1], paper[1], seconds[2], paper[2], reached.n_queries
        );
    }
    is_right &= without_predicates(if is_quick { &[50, 100] } else { &[100, 500, 1000, 2000] })?;
    println!(
        "\n| program | infinite run | predicates | paper | predicates | queries |\n|---|---|---|---|---|---|"
    );
    let quicksort = "quicksort: left < right, hi < lo, lo = left, hi = right; main: mleft < mright;";
    for (name, text, predicates, seconds, n_predicates) in [
        ("Ack", ACK, "ack: x > 0, y > 0, n > 0; main: mx > 0, my > 0;", 2.1, 5),
        ("Shift", SHIFT, "foo: y <= 0; main: x <= 0, x = 0, x <= -1, x <= 2;", 1.9, 5),
        ("Quicksort", QUICKSORT, quicksort, 10.0, 7),
    ] {
        let asked = ask(text, predicates, Question::Infinite)?;
        is_right &= asked.answer;
        println!(
            "| {name} | {:.2} | {} | {seconds} | {n_predicates} | {} |",
            asked.time.as_secs_f64(),
            asked.n_predicates,
            asked.n_queries
        );
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same programs as a user asks about them: nothing is given, and the seconds are those of a processor, solvers included.
fn without_predicates(levels: &[usize]) -> Result<bool, String> {
    println!(
        "\n| levels | T1, one more, unreachable | T1 reachable | T2 unreachable | T2 infinite |\n|---|---|---|---|---|"
    );
    let getafix = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("getafix");
    let file = std::env::temp_dir().join(format!("bench-levels-{}.c", std::process::id()));
    let mut is_right = true;
    for &n in levels {
        let mut cells = String::new();
        for (levels, innermost, options, status) in [
            (n + 1, Innermost::Negates, &["--int", "math"][..], 0),
            (n, Innermost::Negates, &[], 10),
            (n, Innermost::CallsItself, &["--int", "math"], 0),
            (n, Innermost::CallsItself, &["--nonterm"], 10),
        ] {
            std::fs::write(&file, levels_in_c(levels, innermost)).map_err(|error| error.to_string())?;
            let begun = clock::of_ended_children();
            let mut command = Command::new(&getafix);
            command.args(["check", "--quiet", "--trace", "none"]).args(options).arg(&file);
            let output = command.output().map_err(|error| format!("{}: {error}", getafix.display()))?;
            let spent =
                clock::of_ended_children().zip(begun).map_or(0.0, |(now, begun)| (now - begun).as_secs_f64());
            is_right &= output.status.code() == Some(status);
            write!(cells, " {spent:.2} |").expect("a string takes every text");
        }
        println!("| {n} |{cells}");
    }
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    Ok(is_right)
}

enum Question {
    May,
    Must,
    Infinite,
}

struct Asked {
    answer: bool,
    time: Duration,
    n_predicates: usize,
    n_queries: u64,
}

/// From the text to the answer, with a solver that is started for it.
fn ask(text: &str, predicates: &str, question: Question) -> Result<Asked, String> {
    let begun = Instant::now();
    let mut sources = Sources::default();
    let file = sources.add("bench.c", text);
    let show = |errors: &[base::Diagnostic], sources: &Sources| -> String {
        errors.iter().map(|error| base::render(sources, error)).collect()
    };
    let program = c::translate(&sources, file, &c::Options::default())
        .map_err(|errors| show(&errors, &sources))?
        .program;
    let ghosted = Ghosted::new(&compose(&program).program);
    let file = sources.add("bench.pred", predicates);
    let given = integers::read::predicates(&ghosted.program, &sources, file)
        .map_err(|error| show(&[error], &sources))?;
    let mut predicates = Predicates::new(&ghosted);
    given.iter().for_each(|(function, formula)| _ = predicates.add(&ghosted, *function, formula));
    let solver = smt::find(None).map_err(|missing| missing.to_string())?;
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    let with_game = !matches!(question, Question::May);
    let analysis = Analysis::new(&ghosted, &predicates, with_game, &mut cache, &mut pipe);
    let limits = limits();
    let answer = match question {
        Question::May => analysis.may_reach(&limits).map(|(answer, _)| answer),
        Question::Must => analysis.must_reach(&limits),
        Question::Infinite => analysis.runs_for_ever(&limits).map(|(answer, _)| answer),
    };
    let answer = answer.map_err(|unknown| format!("{unknown:?}"))?;
    let n_queries = analysis.abstraction.statistics.n_asked;
    Ok(Asked { answer, time: begun.elapsed(), n_predicates: predicates.len(), n_queries })
}

fn limits() -> Limits {
    Limits::default()
}
