//! How far a computation has come, readable from another thread at any time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Written by an engine, read by whoever shows progress or reports an unfinished run.
#[derive(Debug, Default)]
pub struct Gauge {
    relation: Mutex<String>,
    rounds: AtomicU64,
    keys: AtomicU64,
    nodes: AtomicU64,
    bytes: AtomicU64,
    /// How many strata are complete: values of what the work goes by, such as numbers of context switches.
    strata: AtomicU64,
    /// What strata are, in the user's words.
    unit: Mutex<String>,
}

/// One look at a [`Gauge`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The relation being computed.
    pub relation: String,
    /// Rounds, or steps of the work list, so far.
    pub rounds: u64,
    /// Keys in its tables.
    pub keys: u64,
    /// Diagram nodes in use.
    pub nodes: u64,
    /// Bytes the diagrams take.
    pub bytes: u64,
}

impl Gauge {
    /// Names the relation that is being computed from now on.
    pub fn enter(&self, relation: &str) {
        if let Ok(mut name) = self.relation.lock() {
            relation.clone_into(&mut name);
        }
    }

    /// Records the counters.
    pub fn set(&self, rounds: u64, keys: u64, nodes: u64, bytes: u64) {
        self.rounds.store(rounds, Ordering::Relaxed);
        self.keys.store(keys, Ordering::Relaxed);
        self.nodes.store(nodes, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Says what strata are, in the user's words: `context switches`. Until then nobody is told about them.
    pub fn measure_in(&self, unit: &str) {
        if let Ok(mut text) = self.unit.lock() {
            unit.clone_into(&mut text);
        }
    }

    /// So many strata are complete.
    pub fn complete(&self, strata: u64) {
        self.strata.store(strata, Ordering::Relaxed);
    }

    /// How many strata are complete, and what they are, if somebody said so.
    pub fn completed(&self) -> Option<(u64, String)> {
        let unit = self.unit.lock().ok().filter(|unit| !unit.is_empty())?.clone();
        Some((self.strata.load(Ordering::Relaxed), unit))
    }

    /// The present values.
    pub fn read(&self) -> Reading {
        Reading {
            relation: self.relation.lock().map(|name| name.clone()).unwrap_or_default(),
            rounds: self.rounds.load(Ordering::Relaxed),
            keys: self.keys.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}
