//! One cell: the runs of an engine on a program.

use super::arguments::Arguments;
use super::engine::Engine;
use super::suite::Program;
use crate::Scratch;
use crate::child::{self, End, Run};
use std::path::PathBuf;
use std::time::Duration;

/// Time after which a cell is not repeated.
pub const ENOUGH: Duration = Duration::from_secs(3);

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The fastest time: processor time of engines that tell it, else time on the wall.
    pub time: Option<Duration>,
    /// The most diagram nodes at once, if the engine tells.
    pub nodes: Option<u64>,
    /// The largest resident set in KiB.
    pub resident: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of the runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// `ERROR` is reachable, or not.
    Answered(bool),
    /// The engine gave up.
    Unknown,
    /// A run took too long.
    TimedOut,
    /// A run failed, and why.
    Failed(String),
}

/// What one run said.
struct Said {
    outcome: Outcome,
    time: Duration,
    nodes: Option<u64>,
    resident: Option<u64>,
}

/// The file of a program, written if need be; for Spacer that of its clauses.
pub fn file(directory: &Scratch, program: &Program, engine: &Engine) -> Result<PathBuf, String> {
    let stem: String = program.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let write = |suffix: &str, text: &str| {
        let path = directory.0.join(format!("{stem}{suffix}"));
        std::fs::write(&path, text).map_err(|error| format!("cannot write a temporary file: {error}"))?;
        Ok(path)
    };
    match (engine, &program.path) {
        (Engine::Spacer, _) => {
            let (rsm, target) = super::inside::load(program.text.clone())?;
            write(".smt2", &horn::translate(&rsm, &target.places().collect::<Vec<_>>()))
        }
        (_, Some(path)) => Ok(path.clone()),
        (_, None) => write(".bp", &program.text),
    }
}

/// Measures engines on a program, in turn, so that a slow moment of the machine meets all of them.
pub fn measure(
    arguments: &Arguments,
    directory: &Scratch,
    program: &Program,
    engines: &[Engine],
) -> Result<Vec<Cell>, String> {
    let mut commands = Vec::new();
    for engine in engines {
        let path = file(directory, program, engine)?;
        commands.push(engine.command(&path, arguments.timeout.as_secs())?);
    }
    let mut said: Vec<Vec<Said>> = engines.iter().map(|_| Vec::new()).collect();
    for _ in 0..arguments.repeat {
        for ((command, engine), said) in commands.iter().zip(engines).zip(&mut said) {
            let is_worthwhile = said.iter().all(|said| matches!(said.outcome, Outcome::Answered(_)))
                && said.iter().map(|said| said.time).sum::<Duration>() < ENOUGH;
            if is_worthwhile {
                // Spacer is told the limit and keeps it, reading the file not counted.
                let grace = if *engine == Engine::Spacer { 2 } else { 1 };
                let run = child::run(command, &directory.0.join("stderr"), arguments.timeout * grace);
                said.push(understand(engine, run));
            }
        }
    }
    Ok(said.iter().map(|said| summarise(said)).collect())
}

fn summarise(said: &[Said]) -> Cell {
    let last = said.last().expect("at least one run");
    let time = said.iter().map(|said| said.time).min();
    Cell {
        time: time.filter(|_| matches!(last.outcome, Outcome::Answered(_))),
        nodes: last.nodes,
        resident: said.iter().filter_map(|said| said.resident).max(),
        outcome: last.outcome.clone(),
    }
}

/// What a run of an engine says.
fn understand(engine: &Engine, run: Run) -> Said {
    let mut said = Said { outcome: Outcome::TimedOut, time: run.time, nodes: None, resident: run.resident };
    if run.end == End::TimedOut {
        return said;
    }
    if let Engine::External(_) = engine {
        said.outcome = external(&run);
        return said;
    }
    if let End::Failed(reason) = run.end {
        said.outcome = Outcome::Failed(reason);
        return said;
    }
    if *engine == Engine::Spacer {
        let mut words = run.output.split_whitespace();
        said.outcome = words.next().map_or(Outcome::Unknown, word);
        let seconds = words.next().and_then(|word| word.parse().ok());
        said.time = seconds.map_or(run.time, Duration::from_secs_f64);
        return said;
    }
    said.outcome = value(&run.output, "verdict").map_or(Outcome::Unknown, word);
    said.time = nanoseconds(&run.output, "time").unwrap_or(run.time);
    said.nodes = value(&run.output, "nodes").and_then(|nodes| nodes.parse().ok());
    said.resident = value(&run.output, "resident").and_then(|resident| resident.parse().ok());
    said
}

/// The value of a key in a line of words `key=value`.
pub fn value<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// A time in a line of words `key=value`.
pub fn nanoseconds(line: &str, key: &str) -> Option<Duration> {
    Some(Duration::from_nanos(value(line, key)?.parse().ok()?))
}

/// The outcome that a word names.
pub fn word(word: &str) -> Outcome {
    match word {
        "reachable" => Outcome::Answered(true),
        "unreachable" => Outcome::Answered(false),
        _ => Outcome::Unknown,
    }
}

/// The verdict of another program: an exit status as that of `getafix check`, else the last word of its output that is one.
fn external(run: &Run) -> Outcome {
    let words = run.output.split(|c: char| !c.is_alphabetic());
    let verdict = |word: &str| match word.to_ascii_lowercase().as_str() {
        "reachable" | "yes" | "sat" => Some(true),
        "unreachable" | "no" | "unsat" => Some(false),
        _ => None,
    };
    match (run.status, words.filter_map(verdict).next_back()) {
        (Some(10), _) => Outcome::Answered(true),
        (_, Some(is_reachable)) => Outcome::Answered(is_reachable),
        (Some(0), None) => Outcome::Answered(false),
        (Some(5), None) => Outcome::Unknown,
        (_, None) => match &run.end {
            End::Failed(reason) => Outcome::Failed(reason.clone()),
            End::Finished | End::TimedOut => Outcome::Unknown,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(output: &str, status: i32) -> Run {
        let end = if status == 0 { End::Finished } else { End::Failed("status".to_owned()) };
        Run {
            output: output.to_owned(),
            time: Duration::from_secs(1),
            resident: None,
            end,
            status: Some(status),
        }
    }

    #[test]
    fn a_run_of_our_own_tells_time_nodes_and_memory() {
        let run = ran("verdict=reachable time=2500 nodes=7 resident=4096\n", 0);
        let said = understand(&Engine::Formula("hybrid".to_owned()), run);
        assert_eq!((said.outcome, said.time), (Outcome::Answered(true), Duration::from_nanos(2500)));
        assert_eq!((said.nodes, said.resident), (Some(7), Some(4096)));
    }

    #[test]
    fn spacer_tells_an_answer_and_seconds() {
        let said = understand(&Engine::Spacer, ran("unreachable 0.250\n", 0));
        assert_eq!((said.outcome, said.time), (Outcome::Answered(false), Duration::from_millis(250)));
    }

    #[test]
    fn other_programs_answer_by_status_or_output() {
        assert_eq!(external(&ran("", 10)), Outcome::Answered(true));
        assert_eq!(external(&ran("", 0)), Outcome::Answered(false));
        assert_eq!(external(&ran("Label ERROR is REACHABLE.\n", 0)), Outcome::Answered(true));
        assert_eq!(external(&ran("", 5)), Outcome::Unknown);
        assert_eq!(external(&ran("", 3)), Outcome::Failed("status".to_owned()));
    }
}
