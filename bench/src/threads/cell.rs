//! One cell: the runs of a question.

use super::arguments::Arguments;
use super::question::Question;
use crate::Scratch;
use crate::child::{self, End, Run};
use crate::programs::cell::{ENOUGH, Outcome, nanoseconds, value, word};
use std::path::Path;
use std::time::Duration;

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The fastest processor time.
    pub time: Option<Duration>,
    /// The least bound that was found.
    pub least: Option<u32>,
    /// The most diagram nodes at once.
    pub nodes: Option<u64>,
    /// The largest resident set in KiB.
    pub resident: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
}

impl Cell {
    /// The seconds that it took.
    pub fn seconds(&self) -> Option<f64> {
        self.time.map(|time| time.as_secs_f64())
    }

    /// The time as a column of a table, or what else happened.
    pub fn time(&self) -> String {
        match (&self.outcome, self.seconds()) {
            (Outcome::Answered(_), Some(seconds)) => seconds_text(seconds),
            (Outcome::TimedOut, _) => "timeout".to_owned(),
            (Outcome::Failed(_), _) => "FAILED".to_owned(),
            _ => "unknown".to_owned(),
        }
    }

    /// The verdict in the paper's words.
    pub fn verdict(&self) -> &'static str {
        match self.outcome {
            Outcome::Answered(true) => "Yes",
            Outcome::Answered(false) => "No",
            _ => "?",
        }
    }

    /// The least bound as a column.
    pub fn least(&self) -> String {
        self.least.map_or("-".to_owned(), |least| least.to_string())
    }

    /// The peak number of nodes as a column.
    pub fn nodes(&self) -> String {
        self.nodes.map_or("-".to_owned(), |nodes| nodes.to_string())
    }

    /// The memory in MiB as a column.
    pub fn memory(&self) -> String {
        self.resident.map_or("-".to_owned(), |kib| format!("{:.1}", kib as f64 / 1024.0))
    }

    /// This time over another.
    pub fn over(&self, other: &Cell) -> Option<f64> {
        Some(self.seconds()? / other.seconds()?)
    }
}

/// Seconds with as many digits as they deserve.
pub fn seconds_text(seconds: f64) -> String {
    if seconds < 0.1 { format!("{seconds:.4}") } else { format!("{seconds:.2}") }
}

/// A ratio as a column.
pub fn ratio_text(ratio: Option<f64>) -> String {
    match ratio {
        None => "-".to_owned(),
        Some(ratio) if ratio < 100.0 => format!("{ratio:.2}"),
        Some(ratio) => format!("{ratio:.0}"),
    }
}

/// What came of all questions.
#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    /// How many were asked.
    pub n_asked: usize,
    /// How many of them were answered; the others ran out of time, or failed.
    pub n_answered: usize,
    /// What went wrong, a line each.
    pub complaints: Vec<String>,
}

impl Tally {
    /// Counts an answer and judges it.
    fn count(&mut self, question: &Question, cell: &Cell) {
        self.n_asked += 1;
        self.n_answered += usize::from(matches!(cell.outcome, Outcome::Answered(_)));
        self.complaints.extend(complaint(question, cell));
    }
}

/// Measures, and collects what came of it.
pub struct Bench<'a> {
    /// How to measure.
    pub arguments: &'a Arguments,
    directory: &'a Scratch,
    /// What came of it so far.
    pub tally: Tally,
}

impl<'a> Bench<'a> {
    /// Nothing is measured yet.
    pub fn new(arguments: &'a Arguments, directory: &'a Scratch) -> Self {
        Self { arguments, directory, tally: Tally::default() }
    }

    /// Where files may be written.
    pub fn directory(&self) -> &Path {
        &self.directory.0
    }

    /// The fastest of some runs, given the longest time of each.
    pub fn fastest(&self, run: impl Fn(Duration) -> Cell) -> Cell {
        let mut runs: Vec<Cell> = Vec::new();
        for _ in 0..self.arguments.repeat {
            let spent: Option<Duration> = runs.iter().map(|cell| cell.time).sum();
            if spent.is_some_and(|spent| spent < ENOUGH) {
                runs.push(run(self.arguments.timeout));
            }
        }
        fastest(&runs)
    }

    /// One of two things, the first in a quick look.
    pub fn quick_or<T>(&self, quick: T, full: T) -> T {
        if self.arguments.is_quick { quick } else { full }
    }

    /// Measures questions, in turn, so that a slow moment of the machine meets all of them.
    pub fn measure(&mut self, questions: &[Question]) -> Result<Vec<Cell>, String> {
        let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
        let command = |question: &Question| -> Vec<String> {
            let words = question.to_string();
            let words = words.split(' ').map(str::to_owned);
            [program.display().to_string(), "inside-threads".to_owned()].into_iter().chain(words).collect()
        };
        let mut runs: Vec<Vec<Cell>> = questions.iter().map(|_| Vec::new()).collect();
        for n in 0..self.arguments.repeat {
            for (question, runs) in questions.iter().zip(&mut runs) {
                if n == 0 {
                    eprintln!("{question} …");
                }
                let spent: Option<Duration> = runs.iter().map(|cell| cell.time).sum();
                if spent.is_some_and(|spent| spent < ENOUGH) {
                    let complaints = self.directory.0.join("stderr");
                    let run = child::run(&command(question), &complaints, self.arguments.timeout);
                    runs.push(understand(run));
                }
            }
        }
        let cells: Vec<Cell> = runs.iter().map(|runs| fastest(runs)).collect();
        questions.iter().zip(&cells).for_each(|(question, cell)| self.tally.count(question, cell));
        Ok(cells)
    }
}

/// What a run says.
pub fn understand(run: Run) -> Cell {
    let outcome = match run.end {
        End::TimedOut => Outcome::TimedOut,
        End::Failed(reason) => Outcome::Failed(reason),
        End::Finished => value(&run.output, "verdict").map_or(Outcome::Unknown, word),
    };
    let number = |key: &str| value(&run.output, key).and_then(|number| number.parse().ok());
    Cell {
        time: nanoseconds(&run.output, "time"),
        least: value(&run.output, "least").and_then(|least| least.parse().ok()),
        nodes: number("nodes"),
        resident: number("resident").or(run.resident),
        outcome,
    }
}

/// The last run with the fastest time and the most memory of all; without a time if the last run has none.
fn fastest(runs: &[Cell]) -> Cell {
    let last = runs.last().expect("at least one run").clone();
    let fastest = runs.iter().filter_map(|cell| cell.time).min();
    let resident = runs.iter().filter_map(|cell| cell.resident).max();
    Cell { time: last.time.and(fastest), resident, ..last }
}

/// What is wrong with an answer; a run that ended too late has none.
fn complaint(question: &Question, cell: &Cell) -> Option<String> {
    let expected = question.expected();
    match &cell.outcome {
        Outcome::Failed(reason) => Some(format!("{question}: {reason}")),
        Outcome::Answered(found) if *found != expected.is_some() => {
            let found = if *found { "reachable" } else { "unreachable" };
            Some(format!("{question}: found {found}, which is wrong"))
        }
        Outcome::Answered(_) if cell.least.is_some() && cell.least != expected => {
            Some(format!("{question}: expected the least bound {expected:?}, found {:?}", cell.least))
        }
        Outcome::Answered(_) | Outcome::TimedOut | Outcome::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str) -> Cell {
        let time = Duration::from_secs(1);
        let end = End::Finished;
        understand(Run { output: output.to_owned(), time, resident: None, end, status: Some(0) })
    }

    fn judge(question: &str, output: &str) -> Option<String> {
        complaint(&question.parse().unwrap_or_else(|error| panic!("{error}")), &said(output))
    }

    #[test]
    fn a_run_tells_verdict_bound_time_nodes_and_memory() {
        let cell = said("verdict=reachable least=3 time=250000000 nodes=7 resident=2048\n");
        assert_eq!((cell.verdict(), cell.least, cell.time().as_str()), ("Yes", Some(3), "0.25"));
        assert_eq!((cell.nodes().as_str(), cell.memory().as_str()), ("7", "2.0"));
    }

    #[test]
    fn the_fastest_run_and_the_most_memory_count() {
        let first = said("verdict=unreachable time=3000000 nodes=7 resident=2048\n");
        let second = said("verdict=unreachable time=2000000 nodes=7 resident=1024\n");
        let cell = fastest(&[second, first]);
        assert_eq!((cell.time().as_str(), cell.memory().as_str()), ("0.0020", "2.0"));
    }

    #[test]
    fn a_question_that_ran_out_of_time_is_not_answered() {
        let question = "2A1S switches:4 bounded_contexts".parse().unwrap_or_else(|error| panic!("{error}"));
        let mut tally = Tally::default();
        tally.count(&question, &said("verdict=reachable least=4 time=1"));
        tally.count(&question, &Cell { outcome: Outcome::TimedOut, ..said("") });
        assert_eq!(tally, Tally { n_asked: 2, n_answered: 1, complaints: Vec::new() });
    }

    #[test]
    fn answers_are_compared_with_what_is_known() {
        let question = "2A1S switches:4 bounded_contexts";
        assert_eq!(judge(question, "verdict=reachable least=4 time=1"), None);
        assert_eq!(
            judge(question, "verdict=unreachable time=1").as_deref(),
            Some("2A1S switches:4 bounded_contexts: found unreachable, which is wrong")
        );
        assert_eq!(
            judge(question, "verdict=reachable least=3 time=1").as_deref(),
            Some("2A1S switches:4 bounded_contexts: expected the least bound Some(4), found Some(3)")
        );
    }
}
