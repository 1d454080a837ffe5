//! Who answers a task: a build of getafix, or the solver's engine for Horn clauses alone.

use super::expected::Question;
use crate::clock;
use base::Stop;
use smt::{Horn, Manner, Solution};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// The property holds, or does not.
    Holds(bool),
    /// Nothing, or not in time.
    Unknown,
    /// The program or the question is not for it.
    Refused,
}

impl Said {
    /// How a table says it.
    pub fn word(self) -> &'static str {
        match self {
            Said::Holds(true) => "holds",
            Said::Holds(false) => "violated",
            Said::Unknown => "-",
            Said::Refused => "refused",
        }
    }
}

/// A task, and what may be used up.
pub struct Task<'a> {
    pub path: &'a Path,
    pub question: Question,
    /// Seconds of a processor for each process.
    pub seconds: u64,
    /// The data model, as an option of getafix.
    pub data_model: &'a str,
    /// More options of getafix.
    pub options: &'a [String],
    /// Where files may be written.
    pub scratch: &'a Path,
}

/// A program cannot be started, or a file cannot be written.
fn failed(what: &Path, error: &io::Error) -> String {
    format!("{}: {error}", what.display())
}

/// What `getafix check` says, and the seconds of a processor, solvers included.
pub fn checked(getafix: &Path, task: &Task) -> Result<(Said, f64), String> {
    let begun = clock::of_ended_children();
    let mut command = limited(task.seconds, getafix);
    let clock = (4 * task.seconds).to_string();
    let words = ["check", "--trace", "none", "--quiet", "--timeout", &clock, "--data-model", task.data_model];
    command.args(words).args(task.options).arg(task.path);
    if let Some(text) = task.question.property() {
        let property = task.scratch.join("task.prp");
        fs::write(&property, text).map_err(|error| failed(&property, &error))?;
        command.arg("--property").arg(property);
    }
    let output = command.output().map_err(|error| failed(getafix, &error))?;
    let said = match output.status.code() {
        Some(0) => Said::Holds(true),
        Some(10) => Said::Holds(false),
        // Without a status it was ended when its time was over.
        Some(5) | None => Said::Unknown,
        Some(_) => Said::Refused,
    };
    Ok((said, since(begun)))
}

/// What the engine for Horn clauses says about the clauses that `getafix translate` prints, with half of the time for each manner; nothing, if there are no clauses of the question.
pub fn alone(getafix: &Path, solver: &Path, task: &Task) -> Result<Option<(Said, f64)>, String> {
    if task.question != Question::Unreach {
        return Ok(None);
    }
    let begun = clock::of_ended_children();
    let Output { status, stdout, .. } = limited(task.seconds, getafix)
        .args(["translate", "--chc", "--data-model", task.data_model])
        .arg(task.path)
        .stderr(Stdio::null())
        .output()
        .map_err(|error| failed(getafix, &error))?;
    let text = String::from_utf8_lossy(&stdout);
    if !status.success() {
        return Ok(Some((Said::Refused, since(begun))));
    }
    // The engine is told these by whoever starts it.
    let is_clause = |line: &&str| !line.starts_with("(set-logic") && !line.starts_with("(check-sat");
    let clauses: Vec<&str> = text.lines().filter(is_clause).collect();
    let is_exact = text.lines().any(|line| line == "; unsat: yes.");
    for global in [true, false] {
        let effort = u64::from(u32::MAX);
        let manner = Manner { global, effort, seconds: (task.seconds / 2).max(1), ..Manner::default() };
        let said = match Horn::start(solver, &clauses.join("\n"), manner).wait(&Stop::default()) {
            Solution::Sat(_) => Said::Holds(true),
            Solution::Unsat if is_exact => Said::Holds(false),
            _ => continue,
        };
        return Ok(Some((said, since(begun))));
    }
    Ok(Some((Said::Unknown, since(begun))))
}

/// A program none of whose processes takes more than some seconds of a processor.
fn limited(seconds: u64, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t \"$0\" && exec \"$@\""]).arg(seconds.to_string()).arg(program);
    command
}

/// The processor time of what was started since then and has ended.
fn since(begun: Option<Duration>) -> f64 {
    clock::of_ended_children().zip(begun).map_or(0.0, |(now, begun)| (now - begun).as_secs_f64())
}

/// All programs below a folder, in order.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, &error))? {
            let path = entry.map_err(|error| failed(&folder, &error))?.path();
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
