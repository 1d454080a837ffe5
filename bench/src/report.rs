//! The table of a run.

use crate::answers::Verdict;
use crate::measure::{Measurement, Outcome};

/// One system with the measurements of all contenders.
pub struct Row {
    /// The system.
    pub name: String,
    /// One for each contender.
    pub measurements: Vec<Measurement>,
}

/// The table of one contender, or of two with the ratio of their times.
pub fn table(rows: &[Row]) -> String {
    let n_contenders = rows.first().map_or(1, |row| row.measurements.len());
    let mut lines = vec![heading(n_contenders)];
    lines.extend(rows.iter().map(line));
    align(&lines)
}

/// The geometric mean of the ratios and what it is taken over; `None` without a ratio.
pub fn mean(rows: &[Row]) -> Option<String> {
    let ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
    if ratios.is_empty() {
        return None;
    }
    let mean = geometric_mean(&ratios);
    Some(format!("geometric mean of B/A over {} of {} systems: {mean:.2}", ratios.len(), rows.len()))
}

/// The geometric mean of some ratios; there is at least one.
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// What went wrong, a line each.
pub fn complaints(rows: &[Row]) -> Vec<String> {
    let mut complaints = Vec::new();
    for row in rows {
        for measurement in &row.measurements {
            match &measurement.outcome {
                Outcome::Answered(Verdict::Wrong(expected, found)) => {
                    complaints.push(format!("{}: expected `{expected}`, found `{found}`", row.name));
                }
                Outcome::Failed(reason) => complaints.push(format!("{}: {reason}", row.name)),
                _ => {}
            }
        }
    }
    complaints
}

fn heading(n_contenders: usize) -> Vec<String> {
    let names: &[&str] = match n_contenders {
        1 => &["system", "ms", "peak nodes", "MiB", "answers"],
        _ => &[
            "system",
            "A ms",
            "B ms",
            "B/A",
            "A nodes",
            "B nodes",
            "A MiB",
            "B MiB",
            "A answers",
            "B answers",
        ],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn line(row: &Row) -> Vec<String> {
    let dash = || "-".to_owned();
    let mut cells = vec![row.name.clone()];
    let mut column = |cell: &dyn Fn(&Measurement) -> String| cells.extend(row.measurements.iter().map(cell));
    column(&|m| m.time.map_or_else(dash, |time| format!("{:.1}", time.as_secs_f64() * 1e3)));
    column(&|m| m.peak_nodes.map_or_else(dash, |nodes| nodes.to_string()));
    column(&|m| m.resident.map_or_else(dash, |kib| format!("{:.1}", kib as f64 / 1024.0)));
    column(&|m| outcome(&m.outcome).to_owned());
    if row.measurements.len() == 2 {
        cells.insert(3, ratio(row).map_or_else(dash, |ratio| format!("{ratio:.2}")));
    }
    cells
}

fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Answered(Verdict::Right) => "ok",
        Outcome::Answered(Verdict::Unchecked) => "unchecked",
        Outcome::Answered(Verdict::Wrong(..)) => "WRONG",
        Outcome::TimedOut => "timeout",
        Outcome::Failed(_) => "FAILED",
    }
}

/// The second time over the first, if both answered and neither is wrong.
fn ratio(row: &Row) -> Option<f64> {
    let [a, b] = row.measurements.as_slice() else { return None };
    if [a, b].iter().any(|m| matches!(m.outcome, Outcome::Answered(Verdict::Wrong(..)))) {
        return None;
    }
    Some(b.time?.as_secs_f64() / a.time?.as_secs_f64())
}

/// Columns as wide as their widest cell; the first to the left, the others to the right.
pub fn align(lines: &[Vec<String>]) -> String {
    let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(String::len).max();
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            match column {
                0 => text.push_str(&format!("{cell:<width$}")),
                _ => text.push_str(&format!("  {cell:>width$}")),
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn measured(millis: u64, verdict: Verdict) -> Measurement {
        Measurement {
            time: Some(Duration::from_millis(millis)),
            peak_nodes: Some(120),
            resident: Some(2048),
            outcome: Outcome::Answered(verdict),
        }
    }

    fn row(name: &str, measurements: Vec<Measurement>) -> Row {
        Row { name: name.to_owned(), measurements }
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [row("cube:6", vec![measured(1500, Verdict::Right)])];
        let text = "system      ms  peak nodes  MiB  answers\n\
                    cube:6  1500.0         120  2.0       ok\n";
        assert_eq!(table(&rows), text);
    }

    #[test]
    fn the_mean_leaves_out_what_has_no_ratio() {
        let wrong = Verdict::Wrong("1".to_owned(), "2".to_owned());
        let rows = [
            row("a", vec![measured(10, Verdict::Right), measured(20, Verdict::Right)]),
            row("b", vec![measured(10, Verdict::Right), measured(80, Verdict::Unchecked)]),
            row("c", vec![measured(10, Verdict::Right), measured(5, wrong)]),
        ];
        assert_eq!(mean(&rows).as_deref(), Some("geometric mean of B/A over 2 of 3 systems: 4.00"));
        assert_eq!(complaints(&rows), ["c: expected `1`, found `2`"]);
    }
}
