//! The price of traces: an algorithm without them, and able to give one, which it does if `ERROR` is reachable.

use super::arguments::Arguments;
use super::cell::{self, Cell, Outcome};
use super::engine::Engine;
use super::suite;
use crate::Scratch;
use crate::report::{align, geometric_mean};
use std::process::ExitCode;

/// What the columns of the table are.
const HEADING: [&str; 7] = ["program", "without", "with", "with/without", "MiB", "MiB with", "ERROR"];

/// Measures and prints; status 1 if a run fails.
pub fn run(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    let algorithm = &arguments.algorithms[0];
    let engines = [Engine::Formula(algorithm.clone()), Engine::Traced(algorithm.clone())];
    let mut lines = vec![HEADING.map(str::to_owned).to_vec()];
    let mut ratios = [Vec::new(), Vec::new()];
    let mut has_failed = false;
    for program in suite::programs(&arguments.programs, arguments.is_quick)? {
        eprintln!("{} …", program.name);
        let cells = cell::measure(arguments, directory, &program, &engines)?;
        if let (Some(ratio), Outcome::Answered(is_reachable)) = (ratio(&cells), &cells[1].outcome) {
            ratios[usize::from(*is_reachable)].push(ratio);
        }
        if let Outcome::Failed(reason) = &cells[1].outcome {
            eprintln!("{}: {reason}", program.name);
            has_failed = true;
        }
        lines.push(line(&program.name, &cells));
    }
    println!("Milliseconds of processor time, {algorithm}, without and with traces.");
    print!("{}", align(&lines));
    for (what, ratios) in ["unreachable", "reachable"].iter().zip(&ratios) {
        if !ratios.is_empty() {
            println!("{what}: geometric mean {:.2}, {} programs", geometric_mean(ratios), ratios.len());
        }
    }
    Ok(ExitCode::from(u8::from(has_failed)))
}

fn milliseconds(cell: &Cell) -> Option<f64> {
    cell.time.map(|time| time.as_secs_f64() * 1e3)
}

/// The time with traces over the time without.
fn ratio(cells: &[Cell]) -> Option<f64> {
    Some(milliseconds(&cells[1])? / milliseconds(&cells[0])?)
}

fn line(name: &str, cells: &[Cell]) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let mut line = vec![name.to_owned()];
    line.extend(cells.iter().map(|cell| number(milliseconds(cell))));
    line.push(number(ratio(cells)));
    line.extend(cells.iter().map(|cell| number(cell.resident.map(|kib| kib as f64 / 1024.0))));
    let verdict = match &cells[1].outcome {
        Outcome::Answered(true) => "reachable",
        Outcome::Answered(false) => "unreachable",
        Outcome::TimedOut => "timeout",
        Outcome::Unknown => "unknown",
        Outcome::Failed(_) => "FAILED",
    };
    line.push(verdict.to_owned());
    line
}
