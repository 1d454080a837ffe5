//! The way to stop an engine from outside, even in the middle of one long operation.
//!
//! An engine owns no clock: it polls a [`Stop`], and whoever owns the clock, the memory meter or the
//! Ctrl-C handler requests the stop. How often it polls is a measure of its work that does not depend on time, so that work
//! can be granted in so many looks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Why a computation was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The user interrupted.
    Interrupt,
    /// The share of work that was granted is used up.
    Work,
}

/// A flag shared between an engine and its owner. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<Flag>,
    /// Whoever is stopped there is stopped here.
    outer: Option<Arc<Stop>>,
}

#[derive(Debug)]
struct Flag {
    code: AtomicU8,
    /// How often somebody has looked, and how often somebody may.
    looks: AtomicU64,
    granted: AtomicU64,
}

impl Default for Flag {
    fn default() -> Self {
        Self { code: AtomicU8::new(0), looks: AtomicU64::new(0), granted: AtomicU64::new(u64::MAX) }
    }
}

impl Stop {
    /// A flag of its own for a part of the work, which also stops when the whole does.
    pub fn part(&self) -> Self {
        Self { flag: Arc::default(), outer: Some(Arc::new(self.clone())) }
    }

    /// Asks whoever polls this flag to stop. The first reason stays.
    pub fn request(&self, reason: StopReason) {
        let code = match reason {
            StopReason::Time => 1,
            StopReason::Memory => 2,
            StopReason::Interrupt => 3,
            StopReason::Work => 4,
        };
        let _ = self.flag.code.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whoever has looked more often than this stops when it looks next.
    pub fn grant(&self, looks: u64) {
        self.flag.granted.store(looks, Ordering::Relaxed);
    }

    /// How often somebody has looked for a request.
    pub fn looks(&self) -> u64 {
        self.flag.looks.load(Ordering::Relaxed)
    }

    /// The request, if there is one.
    pub fn requested(&self) -> Option<StopReason> {
        let looks = self.flag.looks.fetch_add(1, Ordering::Relaxed);
        match self.flag.code.load(Ordering::Relaxed) {
            0 => {}
            1 => return Some(StopReason::Time),
            2 => return Some(StopReason::Memory),
            3 => return Some(StopReason::Interrupt),
            _ => return Some(StopReason::Work),
        }
        if looks >= self.flag.granted.load(Ordering::Relaxed) {
            return Some(StopReason::Work);
        }
        self.outer.as_ref().and_then(|outer| outer.requested())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_the_whole_not_with_a_part() {
        let whole = Stop::default();
        let (one, other) = (whole.part(), whole.part());
        one.request(StopReason::Work);
        assert_eq!((one.requested(), other.requested()), (Some(StopReason::Work), None));
        assert_eq!(whole.requested(), None);
        whole.request(StopReason::Time);
        assert_eq!((one.requested(), other.requested()), (Some(StopReason::Work), Some(StopReason::Time)));
    }

    #[test]
    fn looks_are_counted_and_granted() {
        let stop = Stop::default();
        stop.grant(2);
        let found: Vec<Option<StopReason>> = (0..3).map(|_| stop.clone().requested()).collect();
        assert_eq!(found, [None, None, Some(StopReason::Work)]);
        assert_eq!(stop.looks(), 3);
    }
}
