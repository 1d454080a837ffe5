//! The comparison: times of all engines, ratios to the checker written by hand, means, memory, growth.

use super::arguments::Arguments;
use super::cell::{self, Cell, Outcome};
use super::engine::{self, Engine};
use super::suite::{self, Program};
use crate::Scratch;
use crate::report::{align, geometric_mean};
use std::process::ExitCode;
use std::time::Duration;

/// One program with the cells of all engines.
struct Row {
    name: String,
    n_lines: usize,
    expected: Option<bool>,
    cells: Vec<Cell>,
}

/// Measures and prints; status 1 if verdicts disagree.
pub fn run(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    let programs = suite::programs(&arguments.programs, arguments.is_quick)?;
    let engines = engines(arguments);
    let mut rows = Vec::new();
    for program in &programs {
        eprintln!("{} …", program.name);
        rows.push(measure(arguments, directory, program, &engines)?);
    }
    println!("Milliseconds of processor time, from text to verdict.");
    print!("{}", align(&times(&engines, &rows)));
    println!("\nRatios of times, and memory.");
    print!("{}", align(&ratios(&engines, &rows)));
    for line in means(&engines, &rows).into_iter().chain(growth(&engines, &rows)) {
        println!("{line}");
    }
    let complaints = complaints(&engines, &rows);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    Ok(ExitCode::from(u8::from(!complaints.is_empty())))
}

/// The engines that take part: formulas first, the one that matters before all.
fn engines(arguments: &Arguments) -> Vec<Engine> {
    let mut engines: Vec<Engine> = arguments.algorithms.iter().cloned().map(Engine::Formula).collect();
    engines.push(Engine::Check);
    engines.extend(handwritten::Algorithm::ALL.map(Engine::Handwritten));
    if arguments.spacer {
        match engine::spacer_is_missing() {
            None => engines.push(Engine::Spacer),
            Some(note) => println!("{note}"),
        }
    }
    engines.extend(arguments.external.clone().map(Engine::External));
    engines
}

fn measure(
    arguments: &Arguments,
    directory: &Scratch,
    program: &Program,
    engines: &[Engine],
) -> Result<Row, String> {
    Ok(Row {
        name: program.name.clone(),
        n_lines: program.text.lines().count(),
        expected: program.expected(),
        cells: cell::measure(arguments, directory, program, engines)?,
    })
}

/// The shortest of the times of some engines.
fn best(engines: &[Engine], row: &Row, which: fn(&Engine) -> bool) -> Option<Duration> {
    let chosen = engines.iter().zip(&row.cells).filter(|(engine, _)| which(engine));
    chosen.filter_map(|(_, cell)| cell.time).min()
}

fn is_handwritten(engine: &Engine) -> bool {
    matches!(engine, Engine::Handwritten(_))
}

fn is_formula(engine: &Engine) -> bool {
    matches!(engine, Engine::Formula(_))
}

fn is_spacer(engine: &Engine) -> bool {
    *engine == Engine::Spacer
}

fn ratio(above: Option<Duration>, below: Option<Duration>) -> Option<f64> {
    Some(above?.as_secs_f64() / below?.as_secs_f64())
}

/// The default formula over the best algorithm written by hand.
fn default_over_handwritten(engines: &[Engine], row: &Row) -> Option<f64> {
    ratio(row.cells[0].time, best(engines, row, is_handwritten))
}

/// The best formula over the best algorithm written by hand.
fn best_over_handwritten(engines: &[Engine], row: &Row) -> Option<f64> {
    ratio(best(engines, row, is_formula), best(engines, row, is_handwritten))
}

/// Spacer over the default formula.
fn spacer_over_default(engines: &[Engine], row: &Row) -> Option<f64> {
    ratio(best(engines, row, is_spacer), row.cells[0].time)
}

/// An algorithm as a formula over the same algorithm written by hand.
fn same_algorithm(engines: &[Engine], row: &Row, algorithm: handwritten::Algorithm) -> Option<f64> {
    let time = |wanted: Engine| row.cells[engines.iter().position(|engine| *engine == wanted)?].time;
    ratio(time(Engine::Formula(algorithm.name().to_owned())), time(Engine::Handwritten(algorithm)))
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

fn times(engines: &[Engine], rows: &[Row]) -> Vec<Vec<String>> {
    let mut heading = vec!["program".to_owned(), "lines".to_owned()];
    heading.extend(engines.iter().map(Engine::name));
    heading.push("ERROR".to_owned());
    let cell = |cell: &Cell| match (&cell.outcome, cell.time) {
        (Outcome::Answered(_), Some(time)) => format!("{:.1}", time.as_secs_f64() * 1e3),
        (Outcome::TimedOut, _) => "timeout".to_owned(),
        (Outcome::Failed(_), _) => "FAILED".to_owned(),
        _ => "unknown".to_owned(),
    };
    let line = |row: &Row| {
        let mut line = vec![row.name.clone(), row.n_lines.to_string()];
        line.extend(row.cells.iter().map(cell));
        let is_reachable = verdicts(row).next().map(|(_, is_reachable)| is_reachable);
        let verdict = is_reachable.map_or("unknown", |yes| if yes { "reachable" } else { "unreachable" });
        line.push(verdict.to_owned());
        line
    };
    std::iter::once(heading).chain(rows.iter().map(line)).collect()
}

fn ratios(engines: &[Engine], rows: &[Row]) -> Vec<Vec<String>> {
    let default = engines[0].name();
    let names = [
        "program".to_owned(),
        format!("{default}/hand"),
        "best/hand".to_owned(),
        "summary/hand:summary".to_owned(),
        "entry_forward/hand:entry_forward".to_owned(),
        format!("spacer/{default}"),
        format!("{default} nodes"),
        "hand nodes".to_owned(),
        format!("{default} MiB"),
        "hand MiB".to_owned(),
    ];
    let line = |row: &Row| {
        let quickest = engines.iter().zip(&row.cells).filter(|(engine, _)| is_handwritten(engine));
        let quickest =
            quickest.map(|(_, cell)| cell).filter(|cell| cell.time.is_some()).min_by_key(|c| c.time);
        let nodes = |cell: Option<&Cell>| {
            cell.and_then(|cell| cell.nodes).map_or("-".to_owned(), |nodes| nodes.to_string())
        };
        let memory = |cell: Option<&Cell>| {
            let resident = cell.and_then(|cell| cell.resident);
            resident.map_or("-".to_owned(), |kib| format!("{:.1}", kib as f64 / 1024.0))
        };
        let [summary, entry_forward] =
            handwritten::Algorithm::ALL.map(|algorithm| number(same_algorithm(engines, row, algorithm)));
        vec![
            row.name.clone(),
            number(default_over_handwritten(engines, row)),
            number(best_over_handwritten(engines, row)),
            summary,
            entry_forward,
            number(spacer_over_default(engines, row)),
            nodes(row.cells.first()),
            nodes(quickest),
            memory(row.cells.first()),
            memory(quickest),
        ]
    };
    std::iter::once(names.to_vec()).chain(rows.iter().map(line)).collect()
}

fn means(engines: &[Engine], rows: &[Row]) -> Vec<String> {
    let mean = |what: &str, ratio: &dyn Fn(&Row) -> Option<f64>| {
        let ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
        let n = ratios.len();
        (n > 0).then(|| {
            let worst = ratios.iter().copied().fold(0.0, f64::max);
            let mean = geometric_mean(&ratios);
            format!("{what}: geometric mean {mean:.2}, largest {worst:.2}, {n} of {} programs", rows.len())
        })
    };
    let default = engines[0].name();
    let [summary, entry_forward] = handwritten::Algorithm::ALL;
    let all = [
        mean(&format!("{default}/best by hand"), &|row| default_over_handwritten(engines, row)),
        mean("best formula/best by hand", &|row| best_over_handwritten(engines, row)),
        mean("summary/summary by hand", &|row| same_algorithm(engines, row, summary)),
        mean("entry_forward/entry_forward by hand", &|row| same_algorithm(engines, row, entry_forward)),
        mean(&format!("spacer/{default}"), &|row| spacer_over_default(engines, row)),
    ];
    all.into_iter().flatten().collect()
}

/// Time at ten times the size over time at the size, for programs of one family and the same options.
fn growth(engines: &[Engine], rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for small in rows {
        let Some((family, size)) = size(&small.name) else { continue };
        let is_tenfold = |row: &&Row| matches!(size_of(&row.name, family), Some(n) if n / 10 == size || n / 10 == size - 1);
        for large in rows.iter().filter(is_tenfold) {
            let grown: Vec<String> = engines
                .iter()
                .zip(small.cells.iter().zip(&large.cells))
                .filter_map(|(engine, (s, l))| {
                    Some(format!("{} {:.1}", engine.name(), ratio(l.time, s.time)?))
                })
                .collect();
            lines.push(format!("growth {} to {}: {}", small.name, large.name, grown.join(", ")));
        }
    }
    lines
}

/// The family and the size of a program without options.
fn size(name: &str) -> Option<(&str, u32)> {
    let (family, n) = name.split_once(':')?;
    Some((family, n.parse().ok()?))
}

fn size_of(name: &str, family: &str) -> Option<u32> {
    size(name).filter(|found| found.0 == family).map(|found| found.1)
}

/// The verdicts of a row by engine.
fn verdicts(row: &Row) -> impl Iterator<Item = (usize, bool)> {
    row.cells.iter().enumerate().filter_map(|(n, cell)| match cell.outcome {
        Outcome::Answered(is_reachable) => Some((n, is_reachable)),
        _ => None,
    })
}

/// What went wrong, a line each.
fn complaints(engines: &[Engine], rows: &[Row]) -> Vec<String> {
    let mut complaints = Vec::new();
    for row in rows {
        let first = verdicts(row).next().map(|(n, is_reachable)| (engines[n].name(), is_reachable));
        let known = row.expected.map(|expected| ("the text".to_owned(), expected)).or(first);
        if let Some((source, expected)) = known {
            let wrong = verdicts(row).filter(|(_, is_reachable)| *is_reachable != expected);
            let names: Vec<String> = wrong.map(|(n, _)| engines[n].name()).collect();
            if !names.is_empty() {
                complaints.push(format!("{}: {} disagree with {source}", row.name, names.join(", ")));
            }
        }
        for (engine, cell) in engines.iter().zip(&row.cells) {
            if let Outcome::Failed(reason) = &cell.outcome {
                complaints.push(format!("{}: {} failed: {reason}", row.name, engine.name()));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(millis: u64, is_reachable: bool) -> Cell {
        Cell {
            time: Some(Duration::from_millis(millis)),
            nodes: Some(10),
            resident: Some(1024),
            outcome: Outcome::Answered(is_reachable),
        }
    }

    fn row(name: &str, cells: Vec<Cell>) -> Row {
        Row { name: name.to_owned(), n_lines: 9, expected: None, cells }
    }

    fn two_engines() -> Vec<Engine> {
        vec![Engine::Formula("summary".to_owned()), Engine::Handwritten(handwritten::Algorithm::Summary)]
    }

    #[test]
    fn ratios_are_taken_to_the_quickest_by_hand() {
        let rows = [row("t2:20", vec![cell(30, false), cell(10, false)])];
        assert_eq!(
            means(&two_engines(), &rows)[0],
            "summary/best by hand: geometric mean 3.00, largest 3.00, 1 of 1 programs"
        );
    }

    #[test]
    fn ten_times_the_size_is_compared_within_a_family() {
        let rows = [
            row("t1:21", vec![cell(10, false), cell(5, false)]),
            row("t1:201", vec![cell(100, false), cell(50, false)]),
            row("t2:201", vec![cell(1, false), cell(1, false)]),
        ];
        assert_eq!(
            growth(&two_engines(), &rows),
            ["growth t1:21 to t1:201: summary 10.0, hand:summary 10.0"]
        );
    }

    #[test]
    fn verdicts_that_disagree_are_named() {
        let rows = [row("t1:2", vec![cell(1, true), cell(1, false)])];
        assert_eq!(complaints(&two_engines(), &rows), ["t1:2: hand:summary disagree with summary"]);
    }
}
