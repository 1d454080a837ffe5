//! What every package is asked: a program with an error, one in C without, and two threads that keep each other out.

use super::{Dist, copy};
use std::path::Path;
use std::process::Command;

/// Whether proofs about programs in C are to be expected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// It comes along.
    There,
    /// It is found, or the answer says that it is not.
    Perhaps,
}

/// The programs, the first line of the answer, and the status.
const QUESTIONS: [(&str, &str, i32); 3] = [
    ("lock.bp", "REACHABLE", 10),
    ("locked.c", "UNREACHABLE", 0),
    ("peterson.bp", "UNREACHABLE for every schedule", 0),
];

/// What was tried when a package has been removed from a place, unless one of these is left there.
pub fn removed(place: &Path, files: &[&str]) -> Result<String, String> {
    match files.iter().find(|file| place.join(file).exists()) {
        Some(file) => Err(format!("{file} is left after it was removed")),
        None => Ok("tried: removed, and nothing is left".to_owned()),
    }
}

/// Asks a program that was unpacked or installed, in an empty folder.
pub fn asked(dist: &Dist, program: &Path, solver: Solver) -> Result<Vec<String>, String> {
    let folder = dist.empty("examples")?;
    let mut said = Vec::new();
    for (file, line, status) in QUESTIONS {
        copy(&dist.root.join("examples").join(file), &folder.join(file))?;
        let output = Command::new(program).args(["check", file]).current_dir(&folder).output();
        let output = output.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let first = text.lines().next().unwrap_or_default();
        let is_right = first == line && output.status.code() == Some(status);
        let lacks = file.ends_with(".c")
            && solver == Solver::Perhaps
            && output.status.code() == Some(5)
            && first.contains("without an SMT solver");
        if !is_right && !lacks {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "{file}: `{first}` ({}), and not `{line}`: {}",
                output.status,
                errors.trim()
            ));
        }
        said.push(format!("{file} {}", if lacks { "UNKNOWN without a solver" } else { line }));
    }
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(vec![format!("tried: {}", said.join(", "))])
}
