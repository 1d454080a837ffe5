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
