//! The log of a run: which rule added which tuples when.
//!
//! Invariant: the premises of an entry's tuples lie in earlier entries, so the position of an entry is a rank and
//! derivations rebuilt from the log are finite.

use crate::table::{RowId, TableId};
use dd::Bdd;
use rustc_hash::FxHashMap;

/// Set in the rule number of an entry that comes from a fact; the other bits are its clause.
pub(crate) const FACT: u32 = 1 << 31;

/// A row after a rule found new tuples for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// All tuples of the row from then on.
    pub full: Bdd,
    pub rule: u32,
}

/// Entries in order of time.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    of_row: FxHashMap<TableId, FxHashMap<RowId, Vec<u32>>>,
}

impl Log {
    pub fn add(&mut self, table: TableId, row: RowId, full: Bdd, rule: u32) {
        let rows = self.of_row.entry(table).or_default();
        rows.entry(row).or_default().push(self.entries.len() as u32);
        self.entries.push(Entry { full, rule });
    }

    /// The table's rows were logged.
    pub fn knows(&self, table: TableId, row: RowId) -> bool {
        self.of_row.get(&table).is_some_and(|rows| rows.contains_key(&row))
    }

    /// The rank and the rule of the first entry of a row that satisfies `has`; entries only ever gain tuples.
    pub fn first(&self, table: TableId, row: RowId, has: impl Fn(Bdd) -> bool) -> Option<(u32, u32)> {
        let ranks = self.of_row.get(&table)?.get(&row)?;
        let at = ranks.partition_point(|&rank| !has(self.entries[rank as usize].full));
        let rank = *ranks.get(at)?;
        Some((rank, self.entries[rank as usize].rule))
    }

    /// A row's tuples before a rank.
    pub fn before(&self, table: TableId, row: RowId, rank: u32) -> Bdd {
        let Some(ranks) = self.of_row.get(&table).and_then(|rows| rows.get(&row)) else { return Bdd::FALSE };
        let at = ranks.partition_point(|&r| r < rank);
        if at == 0 { Bdd::FALSE } else { self.entries[ranks[at - 1] as usize].full }
    }

    /// Forgets the entries of a table.
    pub fn forget(&mut self, table: TableId) {
        self.of_row.remove(&table);
    }

    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.of_row
            .values()
            .flat_map(|rows| rows.values())
            .flatten()
            .map(|&rank| self.entries[rank as usize].full)
    }
}
