//! Processor time of the current thread.
//!
//! The kernel counts it in nanoseconds in `/proc/thread-self/schedstat`. Where that file is missing, the clock on the wall
//! takes its place.

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
