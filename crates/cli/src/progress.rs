//! The progress line on a terminal: what is being computed and how far it has come.

use crate::args::RunOptions;
use crate::console::Console;
use crate::units::show_bytes;
use base::{Gauge, Reading};
use std::io::IsTerminal;
use std::time::Duration;

/// Short runs show nothing.
const FIRST: Duration = Duration::from_millis(400);

/// The time between two lines.
const STEP: Duration = Duration::from_millis(100);

/// The longest line that every terminal shows without wrapping.
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
            console.progress(&line(now, &gauge.read()));
        }
    }
}

fn line(now: Duration, reading: &Reading) -> String {
    let seconds = now.as_secs_f64();
    let text = if reading.relation.is_empty() {
        format!("{seconds:.1}s")
    } else {
        format!(
            "{seconds:.1}s {}: round {}, {} keys, {} nodes, {}",
            reading.relation,
            reading.rounds,
            reading.keys,
            reading.nodes,
            show_bytes(reading.bytes)
        )
    };
    text.chars().take(WIDTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_the_terminal() {
        let reading = Reading { relation: "R".repeat(200), rounds: 7, keys: 3, nodes: 9, bytes: 2048 };
        assert_eq!(line(Duration::from_secs(1), &reading).chars().count(), WIDTH);
        let reading = Reading { relation: "R".to_owned(), ..reading };
        assert_eq!(line(Duration::from_secs(1), &reading), "1.0s R: round 7, 3 keys, 9 nodes, 2.0 KB");
    }
}
