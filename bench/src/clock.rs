//! Processor time of the current thread, and of all threads of this process.
//!
//! The kernel counts that of a thread in nanoseconds in `/proc/thread-self/schedstat`, and that of a process, threads that have ended
//! included, in hundredths of a second in `/proc/self/stat`. Where these files are missing, the clock on the wall takes their place.

use std::time::{Duration, Instant};

/// A stopwatch for one thread.
pub struct Clock {
    start: Instant,
    before: Option<Duration>,
}

impl Clock {
    pub fn start() -> Self {
        Self { start: Instant::now(), before: processor_time() }
    }

    /// The time since the start, or since the last lap.
    pub fn lap(&mut self) -> Duration {
        let now = Self::start();
        let lap = match (self.before, now.before) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => now.start - self.start,
        };
        *self = now;
        lap
    }
}

fn processor_time() -> Option<Duration> {
    // The kernel brings the count up to date when the thread leaves its processor.
    std::thread::sleep(Duration::from_nanos(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// The processor time of all threads of this process so far, in hundredths of a second.
pub fn of_all_threads() -> Option<Duration> {
    of_process(11)
}

/// The processor time of the processes that this one started and that have ended, with those that they started.
pub fn of_ended_children() -> Option<Duration> {
    of_process(13)
}

/// Two counts of the system, from this one on: that of programs and that of what the system did for them.
fn of_process(first: usize) -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have blanks.
    let mut words = text.rsplit_once(')')?.1.split_whitespace().skip(first);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_threads_that_have_ended_counts() {
        let Some(before) = of_all_threads() else { return };
        let busy = std::thread::spawn(|| {
            let (mut clock, mut spent) = (Clock::start(), Duration::ZERO);
            while spent < Duration::from_millis(30) {
                spent += clock.lap();
            }
        });
        assert!(busy.join().is_ok());
        assert!(of_all_threads().is_some_and(|after| after > before));
    }
}
