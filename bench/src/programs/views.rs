//! What views cost and bring: `check` beside the formula about the whole program alone, and beside Spacer; and the same in instructions, which other
//! processes on the machine do not change.

use super::arguments::Arguments;
use super::cell::{self, Cell, Outcome};
use super::engine::{self, Engine};
use super::suite::{self, Program};
use crate::Scratch;
use crate::child::{self, End};
use crate::report::align;
use std::process::ExitCode;
use std::time::Duration;

/// The time that `check` may take: so many times Spacer's, and so much more.
const TIMES_SPACER: u32 = 2;
const AND_MORE: Duration = Duration::from_millis(200);

/// The instructions that `check` may take, in those of the formula alone.
const MOST_INSTRUCTIONS: f64 = 1.12;

/// Instructions are counted by this, a hundred times slower than they are executed.
const COUNTER: [&str; 3] = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"];
const SLOWER: u32 = 100;

/// Measures times and prints them; status 1 if a verdict is wrong, or `check` takes more than it may.
pub fn times(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    let mut engines = vec![Engine::Formula(arguments.algorithms[0].clone()), Engine::Check];
    match engine::spacer_is_missing() {
        None if arguments.spacer => engines.push(Engine::Spacer),
        None => {}
        Some(note) => println!("{note}"),
    }
    let heading = ["program", "alone", "check", "check/alone", "spacer", "limit", "ERROR", ""];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    let mut n_wrong = 0;
    for program in suite::programs(&arguments.programs, arguments.is_quick)? {
        let cells = cell::measure(arguments, directory, &program, &engines)?;
        let (line, is_wrong) = line(&program, &cells);
        eprintln!("{}", line.join("  "));
        n_wrong += usize::from(is_wrong);
        lines.push(line);
    }
    println!(
        "Milliseconds of processor time, from text to verdict; the limit is {TIMES_SPACER} times Spacer and 200."
    );
    print!("{}", align(&lines));
    println!("{n_wrong} of {} programs are wrong or beyond the limit", lines.len() - 1);
    Ok(ExitCode::from(u8::from(n_wrong > 0)))
}

fn line(program: &Program, cells: &[Cell]) -> (Vec<String>, bool) {
    let shown = |cell: &Cell| match (&cell.outcome, cell.time) {
        (Outcome::Answered(_), Some(time)) => milliseconds(time),
        (Outcome::TimedOut, _) => "timeout".to_owned(),
        (Outcome::Failed(_), _) => "FAILED".to_owned(),
        _ => "unknown".to_owned(),
    };
    let (alone, check) = (&cells[0], &cells[1]);
    let ratio = alone.time.zip(check.time).map(|(alone, check)| check.as_secs_f64() / alone.as_secs_f64());
    let limit = cells.get(2).and_then(|spacer| Some(spacer.time? * TIMES_SPACER + AND_MORE));
    let verdict = program.expected().or(cells.iter().find_map(|cell| match cell.outcome {
        Outcome::Answered(is_reachable) => Some(is_reachable),
        _ => None,
    }));
    let is_apart = |cell: &Cell| matches!(cell.outcome, Outcome::Answered(found) if Some(found) != verdict);
    let is_late = limit.is_some_and(|limit| check.time.is_none_or(|time| time > limit));
    let remark = match (cells.iter().any(is_apart), is_late) {
        (true, _) => "WRONG",
        (false, true) => "OVER",
        (false, false) => "",
    };
    let line = vec![
        program.name.clone(),
        shown(alone),
        shown(check),
        ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
        cells.get(2).map_or("-".to_owned(), shown),
        limit.map_or("-".to_owned(), milliseconds),
        verdict.map_or("unknown", |yes| if yes { "reachable" } else { "unreachable" }).to_owned(),
        remark.to_owned(),
    ];
    (line, !remark.is_empty())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// Counts instructions and prints them; status 1 if `check` takes more than it may on a program that the formula alone has an answer for.
pub fn instructions(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    let engines = [Engine::Formula(arguments.algorithms[0].clone()), Engine::Check];
    let mut lines = vec![["program", "alone", "check", "check/alone"].map(str::to_owned).to_vec()];
    let mut n_beyond = 0;
    for program in suite::programs(&arguments.programs, arguments.is_quick)? {
        let mut counts = Vec::new();
        for engine in &engines {
            counts.push(counted(arguments, directory, &program, engine)?);
        }
        let ratio = counts[0].zip(counts[1]).map(|(alone, check)| check as f64 / alone as f64);
        n_beyond += usize::from(ratio.is_some_and(|ratio| ratio > MOST_INSTRUCTIONS));
        let shown = |count: &Option<u64>| count.map_or("-".to_owned(), |n| format!("{:.1}", n as f64 / 1e6));
        let mut line = vec![program.name.clone()];
        line.extend(counts.iter().map(shown));
        line.push(ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}")));
        eprintln!("{}", line.join("  "));
        lines.push(line);
    }
    println!("Millions of instructions, from text to verdict.");
    print!("{}", align(&lines));
    println!("{n_beyond} of {} programs are beyond {MOST_INSTRUCTIONS}", lines.len() - 1);
    Ok(ExitCode::from(u8::from(n_beyond > 0)))
}

/// The instructions of one run; `None` if it has no answer in time.
fn counted(
    arguments: &Arguments,
    directory: &Scratch,
    program: &Program,
    engine: &Engine,
) -> Result<Option<u64>, String> {
    let path = cell::file(directory, program, engine)?;
    let mut command: Vec<String> = COUNTER.map(str::to_owned).to_vec();
    command.extend(engine.command(&path, arguments.timeout.as_secs())?);
    let complaints = directory.0.join("stderr");
    let run = child::run(&command, &complaints, arguments.timeout * SLOWER);
    match run.end {
        End::TimedOut => return Ok(None),
        End::Failed(reason) => return Err(format!("{}: {reason}; is valgrind installed?", program.name)),
        End::Finished => {}
    }
    let text = std::fs::read_to_string(&complaints).map_err(|error| error.to_string())?;
    Ok(collected(&text))
}

/// The number in what callgrind says at its end.
fn collected(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("Collected :")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(milliseconds: Option<u64>, is_reachable: bool) -> Cell {
        let time = milliseconds.map(Duration::from_millis);
        let outcome = time.map_or(Outcome::TimedOut, |_| Outcome::Answered(is_reachable));
        Cell { time, nodes: None, resident: None, outcome }
    }

    fn remark(cells: &[Cell]) -> String {
        let text = "// expect: unreachable\n".to_owned();
        let (line, _) = line(&Program { name: "p".to_owned(), text, path: None }, cells);
        line.last().cloned().unwrap_or_default()
    }

    #[test]
    fn what_takes_too_long_or_is_wrong_is_said() {
        let spacer = || cell(Some(50), false);
        assert_eq!(remark(&[cell(None, false), cell(Some(300), false), spacer()]), "");
        assert_eq!(remark(&[cell(None, false), cell(Some(301), false), spacer()]), "OVER");
        assert_eq!(remark(&[cell(Some(1), false), cell(None, false), spacer()]), "OVER");
        assert_eq!(remark(&[cell(Some(1), false), cell(None, false), cell(None, false)]), "");
        assert_eq!(remark(&[cell(Some(1), false), cell(Some(1), true), spacer()]), "WRONG");
    }

    #[test]
    fn what_callgrind_counts_is_read() {
        assert_eq!(collected("==7== \n==7== Collected : 12345\n==7== I   refs:"), Some(12345));
        assert_eq!(collected("killed"), None);
    }
}
