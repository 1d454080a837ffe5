//! Spin: a model is made into a search, which is compiled and run.

use crate::child::{self, End, Run};
use crate::programs::cell::Outcome;
use crate::threads::cell::{Bench, Cell};
use std::process::{Command, Stdio};
use std::time::Duration;

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

    /// Searches a model, with Spin's reduction of interleavings. The time is processor time of the search alone.
    pub fn measure(
        &self,
        bench: &mut Bench,
        what: &str,
        model: &str,
        asking: Asking<'_>,
    ) -> Result<Cell, String> {
        eprintln!("{what} …");
        let directory = bench.directory().to_owned();
        let model = match asking {
            Asking::Assertion | Asking::Deadlock => model.to_owned(),
            Asking::Formula(formula) | Asking::FairFormula(formula) => {
                format!("{model}ltl asked {{ {formula} }}\n")
            }
        };
        std::fs::write(directory.join("model.pml"), model).map_err(|error| format!("no model: {error}"))?;
        let (compiled, options) = match asking {
            Asking::Assertion => ("-DSAFETY -DCOLLAPSE", "-E"),
            Asking::Deadlock => ("-DSAFETY", ""),
            Asking::Formula(_) => ("-DNOFAIR", "-a"),
            Asking::FairFormula(_) => ("-DNFAIR=8", "-a -f"),
        };
        for command in ["spin -a model.pml", &format!("gcc -O2 -w {compiled} -o pan pan.c")] {
            let made = Command::new("sh").args(["-c", command]).current_dir(&directory).output();
            let made = made.map_err(|error| format!("cannot run `{command}`: {error}"))?;
            if !made.status.success() {
                let said = String::from_utf8_lossy(&made.stdout).into_owned();
                return Err(format!("{what}: `{command}` failed: {said}"));
            }
        }
        let complaints = directory.join("stderr");
        let search = |(depth, table): (u32, u32)| {
            // The search leaves a file where it is started. The last line that the shell prints is the time of the search.
            let search =
                format!("cd '{}' && ./pan {options} -m{depth} -w{table}; times", directory.display());
            let pan = ["sh", "-c", &search].map(str::to_owned);
            bench.fastest(|timeout| understand(child::run(&pan, &complaints, timeout)))
        };
        let [small, large, largest] = SIZES;
        let is_enough = |cell: &Cell| cell.outcome != Outcome::Unknown;
        let cell = Some(search(small)).filter(is_enough).or_else(|| Some(search(large)).filter(is_enough));
        Ok(cell.unwrap_or_else(|| search(largest)))
    }
}

/// The most steps of a run, and the size of the table as a power of two: the first that suffice, since larger ones take longer.
const SIZES: [(u32, u32); 3] = [(10_000, 16), (1_000_000, 20), (20_000_000, 24)];

/// What is looked for in a model.
#[derive(Clone, Copy)]
pub enum Asking<'a> {
    /// A failing assertion; nobody minds deadlocks.
    Assertion,
    /// A deadlock, which Spin calls an invalid end state; an assertion would be found, too.
    Deadlock,
    /// An infinite run that violates a formula.
    Formula(&'a str),
    /// The same of a weakly fair schedule.
    FairFormula(&'a str),
}

/// The processor time of what a shell has started, as its word `times` prints it last: minutes and seconds of the user and of the system.
fn processor_time(output: &str) -> Option<Duration> {
    let time = |word: &str| -> Option<f64> {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let (user, system) = output.lines().last()?.split_once(' ')?;
    Some(Duration::from_secs_f64(time(user)? + time(system)?))
}

/// What the search says.
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
        time: processor_time(&run.output),
        least: None,
        nodes: number_before(" states, stored"),
        resident: run.resident,
        outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str) -> Cell {
        let (time, end) = (Duration::from_millis(20), End::Finished);
        understand(Run { output: output.to_owned(), time, resident: None, end, status: Some(0) })
    }

    #[test]
    fn a_search_tells_errors_and_states() {
        let cell = said(
            "State-vector 36 byte, depth reached 57, errors: 0\n     8081 states, stored\n0m0.00s 0m0.00s\n1m1.50s 0m0.25s\n",
        );
        assert_eq!((cell.verdict(), cell.nodes), ("No", Some(8081)));
        assert_eq!(cell.seconds(), Some(61.75));
        let cell = said("pan:1: assertion violated 0\nState-vector 36 byte, depth reached 57, errors: 1\n");
        assert_eq!(cell.verdict(), "Yes");
        let cell =
            said("error: max search depth too small\nState-vector 36 byte, depth reached 9, errors: 0\n");
        assert_eq!(cell.verdict(), "?");
    }
}
