//! What is in the rows of tables: adding to them, reading them with their frames, comparing and copying tables.

use super::Store;
use super::table::{RowId, TableId};
use crate::answer::Shortcut;
use crate::fault::Fault;
use calculus::system::{RelationId, VarId};
use dd::Bdd;

/// Keys of a full relation that may be written out.
pub(crate) const MOST_KEYS: u128 = 1 << 22;

/// A tuple set that is given outright: a key and a diagram.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub table: TableId,
    pub key: Box<[u32]>,
    pub diagram: Bdd,
    pub frame: u32,
    pub clause: u32,
}

/// Tuples that a row does not have yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addition {
    pub table: TableId,
    pub row: RowId,
    pub new: Bdd,
    /// All tuples of the row with the new ones.
    pub full: Bdd,
}

impl Store<'_> {
    /// What of some tuples is new under a key. Everything that can fail is done here, and nothing is stored: a plan that is
    /// run again must find the same as new. [`Store::enter`] stores it.
    #[inline]
    pub fn news(&mut self, table: TableId, key: &[u32], tuples: Bdd) -> Result<Option<Addition>, Fault> {
        let domain = self.table_domain(table)?;
        let tuples = if domain == Bdd::TRUE { tuples } else { self.dd.and(tuples, domain)? };
        if tuples == Bdd::FALSE {
            return Ok(None);
        }
        let row = self.tables[table.index()].find_or_insert(key);
        self.news_in(table, row, tuples)
    }

    /// The same for a row that is there.
    #[inline]
    pub fn news_at(&mut self, table: TableId, row: RowId, tuples: Bdd) -> Result<Option<Addition>, Fault> {
        let domain = self.table_domain(table)?;
        let tuples = if domain == Bdd::TRUE { tuples } else { self.dd.and(tuples, domain)? };
        self.news_in(table, row, tuples)
    }

    #[inline]
    fn news_in(&mut self, table: TableId, row: RowId, tuples: Bdd) -> Result<Option<Addition>, Fault> {
        let full = self.expanded(table, row)?;
        let new = self.dd.difference(tuples, full)?;
        if new == Bdd::FALSE {
            return Ok(None);
        }
        let full = self.dd.or(full, new)?;
        Ok(Some(Addition { table, row, new, full }))
    }

    /// Stores what is new.
    #[inline]
    pub fn enter(&mut self, addition: &Addition) {
        self.touch(addition.table);
        let at = &mut self.tables[addition.table.index()].rows[addition.row.index()];
        (at.full, at.frame) = (addition.full, 0);
    }

    /// Adds a fact whose equalities can stay beside the diagram: those of the row are the same, or there are no tuples yet.
    /// Returns the row and its diagram; `None` if the fact must be added like other tuples.
    pub fn enter_framed(&mut self, fact: &Fact) -> Result<Option<(RowId, Bdd)>, Fault> {
        if fact.frame == 0 || self.table_domain(fact.table)? != Bdd::TRUE {
            return Ok(None);
        }
        let table = &mut self.tables[fact.table.index()];
        if let Some(row) = table.find(&fact.key)
            && table.rows[row.index()].frame != fact.frame
            && table.rows[row.index()].full != Bdd::FALSE
        {
            return Ok(None);
        }
        let row = table.find_or_insert(&fact.key);
        let full = self.dd.or(table.rows[row.index()].full, fact.diagram)?;
        let at = &mut table.rows[row.index()];
        (at.full, at.frame) = (full, fact.frame);
        self.touch(fact.table);
        self.shortcuts.count(Shortcut::Frames);
        Ok(Some((row, full)))
    }

    /// A row's diagram and its frame.
    #[inline]
    pub fn content(&self, table: TableId, row: RowId) -> (Bdd, u32) {
        let content = &self.tables[table.index()].rows[row.index()];
        (content.full, content.frame)
    }

    /// A row's diagram with its frame conjoined.
    #[inline]
    pub fn expanded(&mut self, table: TableId, row: RowId) -> Result<Bdd, Fault> {
        self.with_frame(self.content(table, row))
    }

    /// The rows of a table: keys, and diagrams with frames conjoined.
    pub fn expanded_rows(&mut self, table: TableId) -> Result<Vec<(Vec<u32>, Bdd)>, Fault> {
        let mut rows = Vec::with_capacity(self.tables[table.index()].len());
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let diagram = self.expanded(table, row)?;
            rows.push((self.tables[table.index()].key(row).to_vec(), diagram));
        }
        Ok(rows)
    }

    /// A diagram with a frame conjoined.
    #[inline]
    pub fn with_frame(&mut self, (full, frame): (Bdd, u32)) -> Result<Bdd, Fault> {
        if frame == 0 {
            return Ok(full);
        }
        let equalities = match self.frames.diagram(frame) {
            Some(diagram) => diagram,
            None => {
                let pairs = self.frames.pairs(frame).to_vec();
                let diagram = self.equal_columns(&pairs)?;
                self.frames.set_diagram(frame, diagram);
                diagram
            }
        };
        Ok(self.dd.and(full, equalities)?)
    }

    /// The conjunction of equalities between columns, on their own levels; it is kept for good.
    pub fn equal_columns(&mut self, pairs: &[(VarId, VarId)]) -> Result<Bdd, Fault> {
        let result = self.with_equalities(Bdd::TRUE, pairs)?;
        self.roots.pin(result);
        Ok(result)
    }

    /// A diagram with equalities between columns conjoined.
    pub fn with_equalities(&mut self, diagram: Bdd, pairs: &[(VarId, VarId)]) -> Result<Bdd, Fault> {
        let mut result = diagram;
        for &(a, b) in pairs {
            let equal = self.equal_bits(a, b)?;
            result = self.dd.and(result, equal)?;
        }
        Ok(result)
    }

    /// The two tables hold the same tuples, in whatever way they write them down.
    pub fn same(&mut self, a: TableId, b: TableId) -> Result<bool, Fault> {
        Ok(self.within(a, b)? && self.within(b, a)?)
    }

    /// Every row of a table that has tuples is a row of the other.
    fn within(&mut self, a: TableId, b: TableId) -> Result<bool, Fault> {
        for row in (0..self.tables[a.index()].len()).map(RowId::new) {
            let content = self.tables[a.index()].rows[row.index()];
            let Some(other) = self.tables[b.index()].find(self.tables[a.index()].key(row)) else {
                if content.full != Bdd::FALSE {
                    return Ok(false);
                }
                continue;
            };
            let known = self.tables[b.index()].rows[other.index()];
            if (content.full, content.frame) != (known.full, known.frame)
                && self.expanded(a, row)? != self.expanded(b, other)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the rows of a table into another, which is empty.
    pub fn copy(&mut self, from: TableId, to: TableId) {
        for row in 0..self.tables[from.index()].len() {
            let key: Vec<u32> = self.tables[from.index()].key(RowId::new(row)).to_vec();
            let content = self.tables[from.index()].rows[row];
            let at = self.tables[to.index()].find_or_insert(&key);
            let target = &mut self.tables[to.index()].rows[at.index()];
            (target.full, target.frame) = (content.full, content.frame);
        }
    }

    /// Writes all tuples into the table of a relation, which is empty.
    pub fn fill(&mut self, relation: RelationId) -> Result<(), Fault> {
        let table = TableId(relation.0);
        let keys = self.shape(table).keys.clone();
        let sizes: Vec<u64> = keys.iter().map(|&v| self.system.sort_of(v).size()).collect();
        let size = sizes.iter().fold(1u128, |n, &s| n.saturating_mul(u128::from(s)));
        if size > MOST_KEYS {
            let what = format!("the keys of the full relation `{}`", self.shape(table).name);
            return Err(Fault::TooLarge { what, size });
        }
        let domain = self.table_domain(table)?;
        let mut key = vec![0u32; keys.len()];
        for mut n in 0..size as u64 {
            for (value, size) in key.iter_mut().zip(&sizes).rev() {
                *value = (n % size) as u32;
                n /= size;
            }
            let row = self.tables[table.index()].find_or_insert(&key);
            self.tables[table.index()].rows[row.index()].full = domain;
        }
        Ok(())
    }
}
