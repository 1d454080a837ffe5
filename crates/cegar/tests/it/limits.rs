//! No limits: every question is asked to its end.

use base::{Gauge, Stop};
use checker::Limits;
use std::sync::Arc;

/// Nothing ends before it is done.
pub fn limits() -> Limits {
    Limits {
        memory: None,
        end: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || std::time::Duration::ZERO,
    }
}
