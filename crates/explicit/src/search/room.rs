//! Tables that become larger in the same round.
//!
//! A table doubles, and whoever puts a million numbers elsewhere lets all others wait for it. Shares are about as large as each other, so their tables double
//! a few rounds apart: where one is about to, all do that are nearly as full. Contract: what is found does not depend on it, and where there is no room
//! everything stays as it is.

use super::{Activations, Search, States};
use crate::table::{Record, hash};

impl<const W: usize> Search<'_, W> {
    /// So many steps may make a table double that is large.
    pub(super) fn is_about_to_grow(&self, n_steps: u32) -> bool {
        [&self.states.table, &self.activations.table]
            .iter()
            .any(|table| !table.has_room_for(n_steps as usize))
    }

    /// Doubles the tables that are nearly full.
    pub(super) fn grow_early(&mut self) {
        let Self { states: States { records, table: states, .. }, activations, budget, .. } = self;
        let Activations { entries, table, .. } = activations;
        // Who has no room will say so when a table is full.
        if states.is_nearly_full() {
            let _ = budget.enlarge(states, |n| records[n as usize].hash());
        }
        if table.is_nearly_full() {
            let _ = budget.enlarge(table, |n| entries[n as usize].hash(records));
        }
    }
}

impl super::Entry {
    /// The hash of a module and the values with which it starts.
    pub(super) fn hash<const W: usize>(&self, records: &[Record<W>]) -> u64 {
        hash(u64::from(self.module), &records[self.start as usize].key)
    }
}
