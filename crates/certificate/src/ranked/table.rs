//! Lists of numbers by their position, found again.
//!
//! Contract: a list is found if and only if it was added. Open addressing over positions; the lists themselves stay where they are, and
//! whoever asks says how to compare.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Positions by hash.
pub(super) struct Table {
    slots: Vec<u32>,
    n_used: usize,
}

const EMPTY: u32 = u32::MAX;

/// The hash of a list that begins with two numbers.
pub(super) fn hash(first: u64, second: u64, rest: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(first);
    hasher.write_u64(second);
    rest.for_each(|value| hasher.write_u64(value));
    hasher.finish()
}

impl Table {
    /// Room for so many.
    pub(super) fn for_so_many(n: usize) -> Self {
        Self { slots: vec![EMPTY; (n * 2).next_power_of_two().max(16)], n_used: 0 }
    }

    fn start(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.slots.len() - 1)
    }

    /// The position with this hash that is meant.
    pub(super) fn find(&self, hash: u64, is_meant: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.start(hash);
        loop {
            match self.slots[at] {
                EMPTY => return None,
                position if is_meant(position) => return Some(position),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Adds a position that is not there; there must be room for it.
    pub(super) fn add(&mut self, hash: u64, position: u32) {
        self.n_used += 1;
        assert!(self.n_used < self.slots.len(), "there is room for all that was announced");
        let mut at = self.start(hash);
        while self.slots[at] != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = position;
    }
}
