//! Tuples of derivations: a value for each column, shared by everything that speaks of the tuple.

use super::context::{Context, Snapshot};
use super::explain::Derivation;
use super::log::Origin;
use crate::fault::Fault;
use crate::store::table::TableId;
use crate::store::{Store, Values};
use calculus::system::{Term, VarId};
use dd::{Bdd, Level};
use std::rc::Rc;
use std::sync::Arc;

/// Terms for the columns of a table, in the order in which its tuples are written.
pub(super) type Terms = Arc<[Term]>;

/// A tuple of a table, or one that is not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tuple {
    pub table: TableId,
    /// In the order of [`Columns::vars`].
    pub values: Arc<[u32]>,
    /// Where it is explained.
    pub context: Context,
    /// It is not in the table.
    pub is_absent: bool,
}

/// How the tuples of a table are written.
pub(super) struct Columns {
    /// Those of a relation in its own order, those of a group keys first.
    pub vars: Vec<VarId>,
    /// The positions of the keys.
    keys: Vec<usize>,
    /// Levels in order, each with the position of its column and the place of its bit.
    bits: Vec<(Level, usize, usize)>,
}

impl Columns {
    fn new(store: &Store, table: TableId) -> Self {
        let shape = store.shape(table);
        let mut vars: Vec<VarId> = shape.keys.iter().chain(&shape.bits).copied().collect();
        if store.relation_of(table).is_some() {
            // The columns of a relation are numbered in their order.
            vars.sort_unstable();
        }
        let at = |var: &VarId| vars.iter().position(|column| column == var).expect("a column of the table");
        let keys = shape.keys.iter().map(at).collect();
        let mut bits = Vec::new();
        for var in &shape.bits {
            let levels = store.layout.levels(*var);
            bits.extend((0..).zip(levels).map(|(bit, level)| (*level, at(var), levels.len() - 1 - bit)));
        }
        bits.sort_unstable();
        Self { vars, keys, bits }
    }

    /// The key of a tuple.
    pub fn key(&self, values: &[u32]) -> Vec<u32> {
        self.keys.iter().map(|at| values[*at]).collect()
    }

    /// The bits of a tuple, by level.
    pub fn literals<'c>(&'c self, values: &'c [u32]) -> impl Iterator<Item = (Level, bool)> + 'c {
        self.bits.iter().map(|&(level, at, bit)| (level, values[at] >> bit & 1 == 1))
    }

    /// A diagram and a frame have the tuple.
    pub fn has(&self, store: &Store, values: &[u32], (full, frame): (Bdd, u32)) -> bool {
        let bit = |level: Level| match self.bits.binary_search_by_key(&level, |bit| bit.0) {
            Ok(found) => values[self.bits[found].1] >> self.bits[found].2 & 1 == 1,
            Err(_) => false,
        };
        let value = |column: &VarId| self.vars.iter().position(|var| var == column).map(|at| values[at]);
        store.dd.evaluate(full, bit) && store.frames.pairs(frame).iter().all(|(a, b)| value(a) == value(b))
    }

    /// The value that a table had has the tuple.
    pub fn is_in(&self, store: &Store, values: &[u32], value: &Snapshot) -> bool {
        let key = self.key(values);
        value.iter().any(|(row, full)| *row == key && self.has(store, values, (*full, 0)))
    }
}

impl Derivation<'_, '_> {
    /// How the tuples of a table are written.
    pub(super) fn columns(&mut self, table: TableId) -> Rc<Columns> {
        let make = || Rc::new(Columns::new(&self.machine.store, table));
        self.columns.entry(table).or_insert_with(make).clone()
    }

    /// The values of a tuple by column.
    pub(super) fn valuation(&mut self, tuple: &Tuple) -> Values {
        self.columns(tuple.table).vars.iter().copied().zip(tuple.values.iter().copied()).collect()
    }

    pub(super) fn key_of(&mut self, tuple: &Tuple) -> Vec<u32> {
        self.columns(tuple.table).key(&tuple.values)
    }

    /// When the log first knew a tuple, and by which rule.
    pub(super) fn log_rank(&mut self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let columns = self.columns(tuple.table);
        let store = &self.machine.store;
        let row = store.tables[tuple.table.index()].find(&columns.key(&tuple.values))?;
        let has = |content| columns.has(store, &tuple.values, content);
        self.machine.record.log.as_ref()?.first(tuple.table, row, has)
    }

    /// The diagram of a tuple's bits.
    pub(super) fn point(&mut self, tuple: &Tuple) -> Result<Bdd, Fault> {
        let columns = self.columns(tuple.table);
        Ok(self.machine.store.dd.cube(columns.literals(&tuple.values))?)
    }

    /// The terms of an atom in the order in which its tuples are written.
    pub(super) fn terms(&mut self, table: TableId, keys: &[Term], bits: &[Term]) -> Terms {
        let columns = self.columns(table);
        let shape = self.machine.store.shape(table);
        let terms: Vec<(VarId, Term)> =
            shape.keys.iter().chain(&shape.bits).copied().zip(keys.iter().chain(bits).copied()).collect();
        let term = |var: &VarId| terms.iter().find(|term| term.0 == *var).expect("a term for each column").1;
        columns.vars.iter().map(term).collect()
    }

    /// The tuple that terms stand for under the values that the executor has.
    pub(super) fn tuple(&self, table: TableId, terms: &[Term]) -> Tuple {
        let values = terms.iter().map(|term| self.machine.executor.term(*term)).collect();
        Tuple { table, values, context: Context::new(), is_absent: false }
    }
}
