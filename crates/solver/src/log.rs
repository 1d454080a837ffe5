//! The log of a run: which rule added which tuples when.
//!
//! Invariant: the premises of an entry's tuples lie in earlier entries, so the position of an entry is a rank and
//! derivations rebuilt from the log are finite.

use crate::table::{RowId, TableId};
use dd::Bdd;
use rustc_hash::FxHashMap;

/// Set in the rule number of an entry that comes from a fact; the other bits are its clause.
pub(crate) const FACT: u32 = 1 << 31;

/// Tuples that were new when a rule found them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub table: TableId,
    pub row: RowId,
    pub new: Bdd,
    pub rule: u32,
}

/// Entries in order of time.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    of_row: FxHashMap<(TableId, RowId), Vec<u32>>,
}

impl Log {
    pub fn add(&mut self, table: TableId, row: RowId, new: Bdd, rule: u32) {
        self.of_row.entry((table, row)).or_default().push(self.entries.len() as u32);
        self.entries.push(Entry { table, row, new, rule });
    }

    pub fn entry(&self, rank: u32) -> &Entry {
        &self.entries[rank as usize]
    }

    /// The ranks of a row's entries, in order.
    pub fn ranks(&self, table: TableId, row: RowId) -> &[u32] {
        self.of_row.get(&(table, row)).map_or(&[], Vec::as_slice)
    }

    /// Forgets the entries of a table.
    pub fn forget(&mut self, table: TableId) {
        self.of_row.retain(|(t, _), _| *t != table);
    }

    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.of_row.values().flatten().map(|&rank| self.entries[rank as usize].new)
    }
}
