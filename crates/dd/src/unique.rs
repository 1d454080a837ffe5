//! The unique table: open addressing over hashes and node numbers, without the nodes themselves.
//!
//! A slot holds the whole hash of a node next to its number. A lookup that fails never reads another node, one
//! that succeeds reads a node only to confirm, and neither growth nor collection reads any: the store is larger
//! than the processor's caches, and each such read would be a wait.
//!
//! Invariant: from the home slot of a node (its hash) up to its slot, none is empty.

use crate::cache::mix;
use crate::store::Node;

/// A hash in the upper half, a node number in the lower; the terminal is in no slot, so 0 is free.
type Slot = u64;

pub(crate) struct Unique {
    slots: Vec<Slot>,
}

/// Where a node that is not in the table belongs.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: usize,
    hash: u32,
}

impl Unique {
    /// A table of `n_slots`, a power of two.
    pub fn new(n_slots: usize) -> Self {
        Self { slots: vec![0; n_slots] }
    }

    pub fn bytes(&self) -> usize {
        Self::bytes_of(self.slots.len())
    }

    pub fn bytes_of(n_slots: usize) -> usize {
        n_slots * size_of::<Slot>()
    }

    /// The number of slots that suits a store of `n_nodes`: between a half and a quarter is in use.
    pub fn slots_for(n_nodes: usize) -> usize {
        (n_nodes * 2).next_power_of_two()
    }

    /// The number of the node, or the place for it.
    #[inline]
    pub fn find(&self, node: &Node, nodes: &[Node]) -> Result<u32, Place> {
        let hash = mix(node.level, node.low, node.high);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(Place { at, hash });
            }
            if (slot >> 32) as u32 == hash && nodes[slot as u32 as usize] == *node {
                return Ok(slot as u32);
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters a node at its place.
    #[inline]
    pub fn fill(&mut self, place: Place, number: u32) {
        self.slots[place.at] = u64::from(place.hash) << 32 | u64::from(number);
    }

    /// Puts a slot where its hash leads.
    fn enter(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Enlarges the table and keeps its entries.
    pub fn resize(&mut self, n_slots: usize) {
        if n_slots > self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
            old.into_iter().filter(|slot| *slot != 0).for_each(|slot| self.enter(slot));
        }
    }

    /// Drops every node that is not alive, in place.
    pub fn retain(&mut self, alive: impl Fn(u32) -> bool) {
        // Starting behind an empty slot, each entry is taken out and entered again after all that precede it in
        // its run: it moves towards its home or stays, never to a slot that is still to be visited.
        let n_slots = self.slots.len();
        let start = self.slots.iter().position(|slot| *slot == 0).expect("the table is never full");
        for step in 1..n_slots {
            let slot = std::mem::take(&mut self.slots[(start + step) & (n_slots - 1)]);
            if slot != 0 && alive(slot as u32) {
                self.enter(slot);
            }
        }
    }
}
