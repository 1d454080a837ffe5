//! Tasks of the competition on software verification, as their names tell what is right, next to the solver's engine for Horn clauses alone.

use base::{Sources, Stop};
use integers::clauses::Clauses;
use integers::compose::compose;
use integers::ghosts::Ghosted;
use smt::{Horn, Manner, Solution};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "usage: bench tasks FOLDER [--timeout SECONDS]

Checks every .c and .i below FOLDER whose name has `true-unreach-call` or `false-unreach-call`, with release/getafix of the target
directory, and asks the solver's engine for Horn clauses about the same program, with and without `global`.
Exit status: 0 no wrong answer, 1 a wrong one.";

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let mut seconds = 60;
    let mut folder = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--help" => {
                println!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            "--timeout" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or("--timeout takes a number of seconds")?;
            }
            path => folder = Some(PathBuf::from(path)),
        }
    }
    let folder = folder.ok_or(HELP)?;
    let getafix = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("getafix");
    let solver = smt::find(None).map_err(|missing| missing.to_string())?;
    println!("| task | expected | getafix | s | Horn engine | s |\n|---|---|---|---|---|---|");
    let (mut n, mut n_ours, mut n_theirs, mut n_wrong) = (0, 0, 0, 0);
    for path in files(&folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = match (name.contains("true-unreach-call"), name.contains("false-unreach-call")) {
            (true, _) => "unreachable",
            (_, true) => "reachable",
            _ => continue,
        };
        n += 1;
        let (ours, our_time) = checked(&getafix, &path, seconds)?;
        let (theirs, their_time) = alone(&solver, &path, seconds);
        n_ours += usize::from(ours == expected);
        n_theirs += usize::from(theirs == expected);
        n_wrong += usize::from(ours != expected && ours != "unknown");
        let short = name.split('_').next().unwrap_or(&name);
        println!("| {short} | {expected} | {ours} | {our_time:.1} | {theirs} | {their_time:.1} |");
    }
    println!(
        "\n{n} tasks: getafix {n_ours}, each with a run or a checked claim; the Horn engine alone {n_theirs}; wrong {n_wrong}"
    );
    Ok(if n_wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
    let begun = Instant::now();
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
    Ok((answer, begun.elapsed().as_secs_f64()))
}

/// The Horn engine, with half of the time for each manner.
fn alone(solver: &Path, path: &Path, seconds: u64) -> (&'static str, f64) {
    let begun = Instant::now();
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
    (answer, begun.elapsed().as_secs_f64())
}
