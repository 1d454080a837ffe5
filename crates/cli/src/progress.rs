//! The progress line on a terminal: what is being computed and how far it has come.

use crate::args::RunOptions;
use crate::console::Console;
use base::{Gauge, Reading};
use std::io::IsTerminal;
use std::time::Duration;

/// Short runs show nothing.
const FIRST: Duration = Duration::from_millis(400);

/// The time between two lines.
const STEP: Duration = Duration::from_millis(100);

/// The longest line that every terminal shows without wrapping, if its width is not known.
const WIDTH: usize = 79;

/// When to show the next line, if progress is shown at all.
pub struct Progress {
    next: Option<Duration>,
}

impl Progress {
    /// Shows progress on a terminal that can erase a line, unless `--quiet`.
    pub fn new(options: &RunOptions) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let shown = !options.quiet && !dumb && std::io::stderr().is_terminal();
        Self { next: shown.then_some(FIRST) }
    }

    /// Shows a line if it is time for one.
    pub fn tick(&mut self, now: Duration, gauge: &Gauge, console: &Console) {
        if self.next.is_some_and(|next| now >= next) {
            self.next = Some(now + STEP);
            let parts: Vec<Reading> = gauge.parts().into_iter().map(|(_, reading)| reading).collect();
            let readings = if parts.is_empty() { vec![gauge.read()] } else { parts };
            console.progress(&line(now, &readings, gauge.safe_within(), width()));
        }
    }
}

/// How many characters fit on a line. The last column stays free, since some terminals wrap when it is written.
fn width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(WIDTH, |(terminal_size::Width(width), _)| usize::from(width).saturating_sub(1))
}

/// What is known first, then what is being done.
fn line(now: Duration, readings: &[Reading], safe_within: Option<(u32, String)>, width: usize) -> String {
    let mut parts = vec![format!("{:.1}s", now.as_secs_f64())];
    if let Some((number, unit)) = safe_within {
        parts.push(format!("unreachable within {number} {unit} so far"));
    }
    readings.iter().for_each(|reading| parts.extend(done(reading)));
    cut(&parts.join(", "), width)
}

/// What one of those at work does.
fn done(reading: &Reading) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(search) = &reading.search {
        parts.push(present::reason::searched(search));
    } else if !reading.relation.is_empty() {
        let Reading { relation, rounds, keys, nodes, bytes, .. } = reading;
        parts.push(format!(
            "`{relation}`: round {rounds}, {keys} keys, {nodes} nodes, {}",
            present::units::bytes(*bytes)
        ));
    }
    if reading.abstractions > 0 {
        let Reading { abstractions, predicates, queries, .. } = reading;
        parts.push(format!("abstraction {abstractions}: {predicates} predicates, {queries} queries"));
    }
    if reading.steps > 0 {
        parts.push(present::units::executed(reading.runs, reading.steps));
    }
    parts
}

/// A text that is not longer than so many characters; an ellipsis says that there was more.
fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true if width == 0 => String::new(),
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Searched;

    #[test]
    fn a_line_fits_the_terminal() {
        let relation = "R".repeat(200);
        let reading = Reading { relation, rounds: 7, keys: 3, nodes: 9, bytes: 2048, ..Reading::default() };
        for width in [0, 1, 20, 79, 132] {
            assert_eq!(
                line(Duration::from_secs(1), std::slice::from_ref(&reading), None, width).chars().count(),
                width
            );
        }
        let reading = Reading { relation: "R".to_owned(), ..reading };
        assert_eq!(
            line(Duration::from_secs(1), std::slice::from_ref(&reading), None, 79),
            "1.0s, `R`: round 7, 3 keys, 9 nodes, 2.0 KB"
        );
        assert_eq!(
            line(Duration::from_secs(1), std::slice::from_ref(&reading), None, 20),
            "1.0s, `R`: round 7,…"
        );
        let search = Some(Searched { states: 1, entries: 2, shorter_than: Some(9), bytes: 64 });
        let reading = Reading { search: search.map(Box::new), ..Reading::default() };
        let expected = "1.0s, 1 state, 2 entries, 64 B, all runs of fewer than 9 steps";
        assert_eq!(line(Duration::from_secs(1), std::slice::from_ref(&reading), None, 79), expected);
    }

    #[test]
    fn what_is_known_comes_first() {
        let text = |within| line(Duration::from_secs(1), &[Reading::default()], within, 79);
        assert_eq!(text(None), "1.0s");
        let within = Some((4, "context switches".to_owned()));
        assert_eq!(text(within), "1.0s, unreachable within 4 context switches so far");
    }
}
