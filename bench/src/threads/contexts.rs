//! The table of the paper next to ours. Paper: PLDI09, figure 3.

use super::cell::{Bench, Cell, ratio_text};
use super::question::{Configuration, Question, Route};
use crate::programs::cell::Outcome;
use crate::report::{align, geometric_mean};
use checker::Bound;

/// A configuration of the paper: its name, and for 1 to 6 context switches whether `ERROR` is reached, and the seconds.
type Published = (&'static str, [(bool, f64); 6]);

/// What the paper reports.
const PUBLISHED: [Published; 4] = [
    ("1A1S", [(false, 5.4), (false, 5.5), (false, 5.7), (false, 5.8), (false, 6.3), (false, 7.3)]),
    ("1A2S", [(false, 5.5), (false, 5.5), (true, 5.7), (true, 6.8), (true, 9.2), (true, 17.4)]),
    ("2A1S", [(false, 5.4), (false, 5.6), (false, 6.0), (true, 7.6), (true, 9.1), (true, 9.1)]),
    ("2A2S", [(false, 5.5), (false, 5.6), (true, 5.9), (true, 7.6), (true, 13.0), (true, 57.1)]),
];

/// The seconds that the paper's solver takes before it begins: the least of all cells.
const START_UP: f64 = 5.4;

/// Published seconds are rounded to tenths, so that what remains without the start-up means little below this.
const LEAST_NET: f64 = 0.5;

/// What the columns are.
const HEADING: [&str; 11] = [
    "threads",
    "k",
    "paper",
    "paper s",
    "ours",
    "least",
    "s",
    "s with trace",
    "s complete",
    "paper/s",
    "net/complete",
];

/// Measures and prints; a verdict that is not the paper's is a complaint.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let n_bounds = bench.quick_or(4, 6);
    let mut rows = Vec::new();
    for (name, published) in PUBLISHED {
        let configuration: Configuration = name.parse()?;
        for (k, (paper, paper_seconds)) in (1..).zip(published).take(n_bounds) {
            let question =
                Question::new(configuration, Bound::Switches(k), Route::Formula("bounded_contexts"));
            let questions = [question, Question { trace: true, ..question }, question.complete()];
            let cells = bench.measure(&questions)?;
            rows.push(Row { name, k, paper, paper_seconds, cells });
        }
    }
    bench.tally.complaints.extend(rows.iter().filter_map(Row::complaint));
    let lines: Vec<Vec<String>> =
        [HEADING.map(str::to_owned).to_vec()].into_iter().chain(rows.iter().map(Row::line)).collect();
    println!("Seconds within k context switches, the paper's (figure 3) and ours.");
    print!("{}", align(&lines));
    let n_same = rows.iter().filter(|row| row.found() == Some(row.paper)).count();
    println!("the paper's verdict in {n_same} of {} cells", rows.len());
    for (what, ratio) in
        [("paper/s", Row::ratio as fn(&Row) -> Option<f64>), ("net/complete", Row::net_ratio)]
    {
        let ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
        if !ratios.is_empty() {
            println!("{what}: geometric mean {:.0}, {} cells", geometric_mean(&ratios), ratios.len());
        }
    }
    Ok(())
}

/// A line of the table before it is text.
struct Row {
    name: &'static str,
    k: u32,
    paper: bool,
    paper_seconds: f64,
    /// To `ERROR`, the same with a trace, all states.
    cells: Vec<Cell>,
}

impl Row {
    /// Our verdict.
    fn found(&self) -> Option<bool> {
        match self.cells[0].outcome {
            Outcome::Answered(found) => Some(found),
            _ => None,
        }
    }

    fn complaint(&self) -> Option<String> {
        let differs = self.found().is_some_and(|found| found != self.paper);
        differs.then(|| format!("{} within {} switches: the paper says otherwise", self.name, self.k))
    }

    /// The paper's time over ours.
    fn ratio(&self) -> Option<f64> {
        self.cells[0].seconds().map(|seconds| self.paper_seconds / seconds)
    }

    /// The paper's time without its start-up over ours for all states.
    fn net_ratio(&self) -> Option<f64> {
        let net = self.paper_seconds - START_UP;
        self.cells[2].seconds().filter(|_| net >= LEAST_NET).map(|seconds| net / seconds)
    }

    fn line(&self) -> Vec<String> {
        let paper = if self.paper { "Yes" } else { "No" };
        let mut line = vec![self.name.to_owned(), self.k.to_string(), paper.to_owned()];
        line.extend([format!("{:.1}", self.paper_seconds), self.cells[0].verdict().to_owned()]);
        line.push(self.cells[0].least());
        line.extend(self.cells.iter().map(Cell::time));
        line.extend([ratio_text(self.ratio()), ratio_text(self.net_ratio())]);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_and_the_text_of_the_program_agree() {
        for (name, published) in PUBLISHED {
            let configuration: Configuration = name.parse().unwrap_or_else(|error| panic!("{error}"));
            let least = configuration.least(Bound::Switches(0));
            for (k, (is_reachable, _)) in (1..).zip(published) {
                assert_eq!(is_reachable, least.is_some_and(|least| least <= k), "{name}, {k}");
            }
        }
    }
}
