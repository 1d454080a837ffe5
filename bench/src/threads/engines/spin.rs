//! Spin: a model is made into a search, which is compiled and run.

use super::suite::Program;
use crate::child::{self, End, Run};
use crate::programs::cell::Outcome;
use crate::threads::cell::{Bench, Cell};
use std::process::{Command, Stdio};

/// Spin and a compiler, which are installed.
pub struct Spin;

impl Spin {
    /// Looks for both.
    pub fn find() -> Option<Self> {
        let is_there = |program: &str, word: &str| {
            let run = Command::new(program).arg(word).stdout(Stdio::null()).stderr(Stdio::null()).status();
            run.is_ok_and(|status| status.success())
        };
        (is_there("spin", "-V") && is_there("gcc", "--version")).then_some(Self)
    }

    /// Searches a model for a failing assertion, with Spin's reduction of interleavings.
    pub fn measure(&self, bench: &mut Bench, program: &Program, model: &str) -> Result<Cell, String> {
        let what = format!("{} Spin", program.name);
        eprintln!("{what} …");
        let directory = bench.directory().to_owned();
        std::fs::write(directory.join("model.pml"), model).map_err(|error| format!("no model: {error}"))?;
        for command in [
            &["spin", "-a", "model.pml"][..],
            &["gcc", "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"],
        ] {
            let made = Command::new(command[0]).args(&command[1..]).current_dir(&directory).output();
            let made = made.map_err(|error| format!("cannot run `{}`: {error}", command[0]))?;
            if !made.status.success() {
                let said = String::from_utf8_lossy(&made.stdout).into_owned();
                return Err(format!("{what}: `{}` failed: {said}", command.join(" ")));
            }
        }
        // The search leaves a file where it is started.
        let search = format!("cd '{}' && exec ./pan -m1000000 -w24", directory.display());
        let pan = ["sh", "-c", &search].map(str::to_owned);
        let complaints = directory.join("stderr");
        let cell = bench.fastest(|timeout| understand(child::run(&pan, &complaints, timeout)));
        super::judge(bench, &what, &cell, program.least);
        Ok(cell)
    }
}

/// What the search says. Its time is that of the clock.
fn understand(run: Run) -> Cell {
    let number_before = |word: &str| -> Option<u64> {
        let line = run.output.lines().find(|line| line.contains(word))?;
        line.split(word).next()?.split_whitespace().last()?.parse().ok()
    };
    let errors =
        run.output.lines().find_map(|line| line.split("errors: ").nth(1)?.trim().parse::<u64>().ok());
    let is_complete =
        !run.output.contains("max search depth too small") && !run.output.contains("out of memory");
    let outcome = match (&run.end, errors) {
        (End::TimedOut, _) => Outcome::TimedOut,
        (_, Some(0)) if is_complete => Outcome::Answered(false),
        (_, Some(0)) => Outcome::Unknown,
        (_, Some(_)) => Outcome::Answered(true),
        (End::Failed(reason), None) => Outcome::Failed(reason.clone()),
        (End::Finished, None) => Outcome::Unknown,
    };
    Cell {
        time: Some(run.time),
        least: None,
        nodes: number_before(" states, stored"),
        resident: run.resident,
        outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn said(output: &str) -> Cell {
        let (time, end) = (Duration::from_millis(20), End::Finished);
        understand(Run { output: output.to_owned(), time, resident: None, end, status: Some(0) })
    }

    #[test]
    fn a_search_tells_errors_and_states() {
        let cell = said("State-vector 36 byte, depth reached 57, errors: 0\n     8081 states, stored\n");
        assert_eq!((cell.verdict(), cell.nodes), ("No", Some(8081)));
        let cell = said("pan:1: assertion violated 0\nState-vector 36 byte, depth reached 57, errors: 1\n");
        assert_eq!(cell.verdict(), "Yes");
        let cell =
            said("error: max search depth too small\nState-vector 36 byte, depth reached 9, errors: 0\n");
        assert_eq!(cell.verdict(), "?");
    }
}
