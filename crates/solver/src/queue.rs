//! The work list: rows with new tuples, smallest stratum first, then smallest rank, first come first served within a rank.

use crate::table::{RowId, TableId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Stratum, rank and time of arrival of a row that waits.
type Turn = ((u32, u32), u64);

/// Rows that wait.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<(Turn, TableId, RowId)>>,
    arrivals: u64,
    active: Vec<bool>,
}

impl Queue {
    /// New tuples of this table are to be propagated.
    pub fn is_active(&self, table: TableId) -> bool {
        self.active.get(table.index()).copied().unwrap_or(false)
    }

    /// Says whether new tuples of a table are to be propagated.
    pub fn set_active(&mut self, table: TableId, active: bool) {
        if self.active.len() <= table.index() {
            self.active.resize(table.index() + 1, false);
        }
        self.active[table.index()] = active;
    }

    pub fn push(&mut self, rank: (u32, u32), table: TableId, row: RowId) {
        self.arrivals += 1;
        self.heap.push(Reverse(((rank, self.arrivals), table, row)));
    }

    pub fn pop(&mut self) -> Option<(TableId, RowId)> {
        self.heap.pop().map(|Reverse((_, table, row))| (table, row))
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Forgets what waits.
    pub fn clear(&mut self) {
        self.heap.clear();
    }
}
