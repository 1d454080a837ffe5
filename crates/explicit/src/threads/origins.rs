//! How configurations were found, if somebody wants to know.
//!
//! Of each configuration the first move that led there, and of every further thread that came there in the same level the move of
//! its own. Any other thread is active there because one of these was left.

use rustc_hash::FxHashMap;

/// A configuration and the thread that is active in it; threads are positions in the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pair {
    pub(super) configuration: usize,
    pub(super) thread: usize,
}

/// All that was written down.
#[derive(Default)]
pub(super) struct Origins {
    is_wanted: bool,
    first: Vec<Option<Pair>>,
    further: FxHashMap<Pair, Pair>,
    hit: Option<Pair>,
}

impl Origins {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// A configuration is new; none led there if runs start in it.
    pub(super) fn found(&mut self, from: Option<Pair>) {
        if self.is_wanted {
            self.first.push(from);
        }
    }

    /// A thread has come to a configuration that is known.
    pub(super) fn came(&mut self, to: Pair, from: Pair) {
        if self.is_wanted {
            self.further.insert(to, from);
        }
    }

    /// A target is met when this thread goes on from this configuration.
    pub(super) fn met(&mut self, pair: Pair) {
        if self.is_wanted && self.hit.is_none() {
            self.hit = Some(pair);
        }
    }

    /// Where a target was met first.
    pub(super) fn hit(&self) -> Option<Pair> {
        self.hit
    }

    /// The moves that lead to a pair: who moved, and where that led.
    pub(super) fn path(&self, mut to: Pair) -> Vec<(Pair, usize)> {
        let mut path = Vec::new();
        while let Some(from) = self.further.get(&to).copied().or(self.first[to.configuration]) {
            path.push((from, to.configuration));
            to = from;
        }
        path.reverse();
        path
    }

    pub(super) fn bytes(&self) -> usize {
        self.first.capacity() * 24 + self.further.capacity() * 40
    }
}
