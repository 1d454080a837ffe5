//! Tasks of the competition on software verification, as their names tell what is right, next to the solver's engine for Horn clauses alone.

use crate::clock;
use base::{Sources, Stop};
use integers::clauses::Clauses;
use integers::compose::compose;
use integers::ghosts::Ghosted;
use smt::{Horn, Manner, Solution};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const HELP: &str = "usage: bench tasks FOLDER … [--timeout SECONDS] [--before PROGRAM]

Checks every .c and .i below the folders whose name has `true-unreach-call` or `false-unreach-call`, with release/getafix of the target
directory, with PROGRAM, another getafix, if it is given, and asks the solver's engine for Horn clauses about the same program, with and
without `global`. Seconds are those of a processor, solvers included; the limit is one by the clock.
Exit status: 0 no wrong answer, 1 a wrong one.";

/// What is measured: programs that check, and the Horn engine.
struct Asked {
    folders: Vec<PathBuf>,
    seconds: u64,
    before: Option<PathBuf>,
}

impl Asked {
    fn new(arguments: &[String]) -> Result<Self, String> {
        let mut asked = Self { folders: Vec::new(), seconds: 60, before: None };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--timeout" => {
                    let number = rest.next().and_then(|number| number.parse().ok());
                    asked.seconds = number.ok_or("--timeout takes a number of seconds")?;
                }
                "--before" => asked.before = Some(rest.next().ok_or("--before takes a program")?.into()),
                path => asked.folders.push(path.into()),
            }
        }
        if asked.folders.is_empty() { Err(HELP.to_owned()) } else { Ok(asked) }
    }
}

/// What came out for all tasks.
#[derive(Clone, Copy, Default)]
struct Sum {
    n_right: usize,
    n_wrong: usize,
    time: f64,
}

impl Sum {
    fn add(&mut self, (answer, time): (&str, f64), expected: &str) {
        self.n_right += usize::from(answer == expected);
        self.n_wrong += usize::from(answer != expected && matches!(answer, "reachable" | "unreachable"));
        self.time += time;
    }
}

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    if arguments.iter().any(|argument| argument == "--help") {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let asked = Asked::new(arguments)?;
    let getafix = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("getafix");
    let solver = smt::find(None).map_err(|missing| missing.to_string())?;
    let programs: Vec<&Path> = asked.before.as_deref().into_iter().chain([getafix.as_path()]).collect();
    let before = if asked.before.is_some() { " before | s |" } else { "" };
    println!("| task | expected |{before} getafix | s | Horn engine | s |");
    println!("|---|---|{}---|---|---|---|", "---|".repeat(2 * (programs.len() - 1)));
    let mut n = 0;
    let mut sums = vec![Sum::default(); programs.len() + 1];
    for path in asked.folders.iter().map(|folder| files(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = match (name.contains("true-unreach-call"), name.contains("false-unreach-call")) {
            (true, _) => "unreachable",
            (_, true) => "reachable",
            _ => continue,
        };
        n += 1;
        let mut answers = Vec::new();
        for program in &programs {
            answers.push(checked(program, &path, asked.seconds)?);
        }
        answers.push(alone(&solver, &path, asked.seconds));
        sums.iter_mut().zip(&answers).for_each(|(sum, answer)| sum.add(*answer, expected));
        let cells: String = answers.iter().map(|(answer, time)| format!(" {answer} | {time:.1} |")).collect();
        println!("| {} | {expected} |{cells}", name.split('_').next().unwrap_or(&name));
    }
    let cells: String = sums
        .iter()
        .map(|sum| format!(" {} right, {} wrong | {:.0} |", sum.n_right, sum.n_wrong, sum.time))
        .collect();
    println!("| {n} tasks | |{cells}");
    Ok(if sums.iter().all(|sum| sum.n_wrong == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All programs below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            match path.extension().and_then(|name| name.to_str()) {
                _ if path.is_dir() => pending.push(path),
                Some("c" | "i") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

fn checked(getafix: &Path, path: &Path, seconds: u64) -> Result<(&'static str, f64), String> {
    let begun = clock::of_ended_children();
    let output = Command::new(getafix)
        .args(["check", "--trace", "none", "--quiet", "--timeout"])
        .arg(seconds.to_string())
        .arg(path)
        .output()
        .map_err(|error| format!("{}: {error}", getafix.display()))?;
    let answer = match output.status.code() {
        Some(0) => "unreachable",
        Some(10) => "reachable",
        Some(5) => "unknown",
        _ => "refused",
    };
    Ok((answer, since(begun)))
}

/// The processor time of what was started since then and has ended.
fn since(begun: Option<Duration>) -> f64 {
    clock::of_ended_children().zip(begun).map_or(0.0, |(now, begun)| (now - begun).as_secs_f64())
}

/// The Horn engine, with half of the time for each manner.
fn alone(solver: &Path, path: &Path, seconds: u64) -> (&'static str, f64) {
    let begun = clock::of_ended_children();
    let mut sources = Sources::default();
    let Ok(text) = std::fs::read_to_string(path) else { return ("refused", 0.0) };
    let file = sources.add("task.c", text);
    let Ok(translation) = c::translate(&sources, file, &c::Options::default()) else {
        return ("refused", 0.0);
    };
    let clauses = Clauses::new(&Ghosted::new(&compose(&translation.program).program));
    let mut answer = "unknown";
    for global in [true, false] {
        let effort = u64::from(u32::MAX);
        let manner = Manner { global, effort, seconds: seconds / 2, ..Manner::default() };
        match Horn::start(solver, &clauses.script, manner).wait(&Stop::default()) {
            Solution::Sat(_) => answer = "unreachable",
            Solution::Unsat if translation.program.unknowns.is_empty() => answer = "reachable",
            _ => continue,
        }
        break;
    }
    (answer, since(begun))
}
