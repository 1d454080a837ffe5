//! How configurations were found, if somebody wants to know.
//!
//! Each remembers a pair of this share of the search or of another one. Of each configuration the first move that led there, and of every further thread that came there in the same level the move of
//! its own. Any other thread is active there because one of these was left.

use rustc_hash::FxHashMap;

/// A configuration and the thread that is active in it; threads are positions in the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pair {
    pub(super) configuration: usize,
    pub(super) thread: usize,
}

/// A pair of some share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) share: u8,
    thread: u32,
    configuration: u32,
}

impl Origin {
    pub(super) fn new(share: u8, pair: Pair) -> Self {
        Self { share, thread: pair.thread as u32, configuration: pair.configuration as u32 }
    }

    pub(super) fn pair(self) -> Pair {
        Pair { configuration: self.configuration as usize, thread: self.thread as usize }
    }
}

/// All that was written down.
#[derive(Default)]
pub(super) struct Origins {
    is_wanted: bool,
    first: Vec<Option<Origin>>,
    further: FxHashMap<Pair, Origin>,
    hit: Option<Pair>,
}

impl Origins {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// Whether anything is written down.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// A configuration is new; none led there if runs start in it.
    pub(super) fn found(&mut self, from: Option<Origin>) {
        if self.is_wanted {
            self.first.push(from);
        }
    }

    /// A thread has come to a configuration that is known.
    pub(super) fn came(&mut self, to: Pair, from: Origin) {
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

    /// Who moved to a pair, and from where; nobody if runs start there.
    pub(super) fn of(&self, to: Pair) -> Option<Origin> {
        self.further.get(&to).copied().or(self.first[to.configuration])
    }

    /// The moves that lead to a pair, if all of them are of one share: who moved, and where that led.
    pub(super) fn path(&self, mut to: Pair) -> Vec<(Pair, usize)> {
        let mut path = Vec::new();
        while let Some(from) = self.of(to).map(Origin::pair) {
            path.push((from, to.configuration));
            to = from;
        }
        path.reverse();
        path
    }

    pub(super) fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<Option<Origin>>() + self.further.capacity() * 32
    }
}
