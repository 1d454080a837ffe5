//! `#timer`: a stopwatch. Its times go to stderr, because stdout is the same in every run.

use calculus::system::Timer;
use std::time::Duration;

/// Time collected so far, and since when it runs.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    collected: Duration,
    since: Option<Duration>,
}

impl Default for Stopwatch {
    /// Runs from the start of the program.
    fn default() -> Self {
        Self { collected: Duration::ZERO, since: Some(Duration::ZERO) }
    }
}

impl Stopwatch {
    /// Obeys one `#timer`; the line to show, if it shows one.
    pub fn turn(&mut self, word: Timer, now: Duration) -> Option<String> {
        let running = self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        match word {
            Timer::Go => {
                self.since.get_or_insert(now);
            }
            Timer::Stop => {
                self.collected += running;
                self.since = None;
            }
            Timer::Reset => {
                self.collected = Duration::ZERO;
                self.since = self.since.map(|_| now);
            }
            Timer::Show => {
                return Some(format!("#timer {:.3}s\n", (self.collected + running).as_secs_f64()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_only_between_go_and_stop() {
        let at = Duration::from_secs;
        let mut watch = Stopwatch::default();
        assert_eq!(watch.turn(Timer::Show, at(2)), Some("#timer 2.000s\n".to_owned()));
        watch.turn(Timer::Stop, at(3));
        assert_eq!(watch.turn(Timer::Show, at(9)), Some("#timer 3.000s\n".to_owned()));
        watch.turn(Timer::Reset, at(9));
        watch.turn(Timer::Go, at(10));
        assert_eq!(watch.turn(Timer::Show, at(11)), Some("#timer 1.000s\n".to_owned()));
    }
}
