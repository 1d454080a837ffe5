//! The way to stop an engine from outside, even in the middle of one long operation.
//!
//! An engine owns no clock: it polls a [`Stop`], and whoever owns the clock, the memory meter or the
//! Ctrl-C handler requests the stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

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
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Asks whoever polls this flag to stop. The first reason stays.
    pub fn request(&self, reason: StopReason) {
        let code = match reason {
            StopReason::Time => 1,
            StopReason::Memory => 2,
            StopReason::Interrupt => 3,
            StopReason::Work => 4,
        };
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The request, if there is one.
    pub fn requested(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Time),
            2 => Some(StopReason::Memory),
            3 => Some(StopReason::Interrupt),
            _ => Some(StopReason::Work),
        }
    }
}
