//! The log of a run: which rule added which tuples when.
//!
//! Invariant: the premises of an entry's tuples lie in earlier entries, so the position of an entry is a rank and
//! derivations rebuilt from the log are finite.

use crate::planner::plan::RuleId;
use crate::store::table::{RowId, TableId};
use dd::Bdd;
use rustc_hash::FxHashMap;

/// Where tuples come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A fact, by the number of its clause.
    Fact(u32),
    /// A rule.
    Rule(RuleId),
    /// A rule with a row for each of its literals, which [`Log::rows`] finds under this number.
    Instance(RuleId, u32),
    /// A value that was given, or computed as a whole.
    Given,
}

/// A row after a rule found new tuples for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// All tuples of the row from then on: a diagram and a frame.
    pub content: (Bdd, u32),
    pub origin: Origin,
}

/// Entries in order of time.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    of_row: FxHashMap<TableId, FxHashMap<RowId, Vec<u32>>>,
    /// By the table of the head: the rows of instances, one behind the other.
    rows: FxHashMap<TableId, Vec<RowId>>,
}

impl Log {
    pub fn add(&mut self, table: TableId, row: RowId, content: (Bdd, u32), origin: Origin) {
        let rows = self.of_row.entry(table).or_default();
        rows.entry(row).or_default().push(self.entries.len() as u32);
        self.entries.push(Entry { content, origin });
    }

    /// Remembers the rows of an instance; its number.
    pub fn note(&mut self, head: TableId, rows: impl Iterator<Item = RowId>) -> u32 {
        let of_table = self.rows.entry(head).or_default();
        let number = of_table.len() as u32;
        of_table.extend(rows);
        number
    }

    /// The rows of an instance with so many literals. Formulas have any.
    pub fn rows(&self, head: TableId, number: u32, n_literals: usize) -> Option<&[RowId]> {
        self.rows.get(&head)?.get(number as usize..)?.get(..n_literals)
    }

    /// Some rows of the table were logged.
    pub fn knows_some(&self, table: TableId) -> bool {
        self.of_row.get(&table).is_some_and(|rows| !rows.is_empty())
    }

    /// The row was logged.
    pub fn knows(&self, table: TableId, row: RowId) -> bool {
        self.of_row.get(&table).is_some_and(|rows| rows.contains_key(&row))
    }

    /// The rank and the origin of the first entry of a row that satisfies `has`; entries only ever gain tuples.
    pub fn first(
        &self,
        table: TableId,
        row: RowId,
        has: impl Fn((Bdd, u32)) -> bool,
    ) -> Option<(u32, Origin)> {
        let ranks = self.of_row.get(&table)?.get(&row)?;
        let at = ranks.partition_point(|&rank| !has(self.entries[rank as usize].content));
        let rank = *ranks.get(at)?;
        Some((rank, self.entries[rank as usize].origin))
    }

    /// The ranks of a row's entries, ascending.
    pub fn ranks(&self, table: TableId, row: RowId) -> &[u32] {
        self.of_row.get(&table).and_then(|rows| rows.get(&row)).map_or(&[], |ranks| ranks)
    }

    /// A row's tuples before a rank.
    pub fn before(&self, table: TableId, row: RowId, rank: u32) -> (Bdd, u32) {
        let ranks = self.ranks(table, row);
        let at = ranks.partition_point(|&r| r < rank);
        if at == 0 { (Bdd::FALSE, 0) } else { self.entries[ranks[at - 1] as usize].content }
    }

    /// Forgets the entries of a table.
    pub fn forget(&mut self, table: TableId) {
        self.of_row.remove(&table);
        self.rows.remove(&table);
    }

    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.of_row
            .values()
            .flat_map(|rows| rows.values())
            .flatten()
            .map(|&rank| self.entries[rank as usize].content.0)
    }
}
