//! Relations whose rows come from outside, such as those of a program.
//!
//! The giver builds diagrams over the levels of a relation's columns and says which columns are equal; such equalities stay
//! beside the diagram as the row's frame.

use crate::Solver;
use crate::answer::Halt;
use crate::derivations::log::Origin;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::store::Store;
use crate::store::table::TableId;
use calculus::system::{RelationId, VarId};
use dd::{Bdd, Exhausted, Level, Manager};
use smallvec::SmallVec;

/// A row of a relation that is given.
#[derive(Clone, Debug)]
pub struct Given {
    /// Values for some columns, at least for all that the text declares explicit.
    pub key: GivenKey,
    /// Over the levels of the other columns. Of two columns that are equal it mentions only the one declared first.
    pub diagram: Bdd,
    /// Which columns are equal in all tuples of the row.
    pub frame: FrameId,
}

/// Values for some columns.
pub type GivenKey = SmallVec<[(VarId, u32); 6]>;

/// Pairs of columns that are equal, as [`Solver::frame`] has numbered them; by default there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FrameId(u32);

impl Given {
    /// A row of which no columns are known to be equal.
    pub fn new(key: impl IntoIterator<Item = (VarId, u32)>, diagram: Bdd) -> Self {
        Self::framed(key, diagram, FrameId::default())
    }

    /// A row with columns that are equal.
    pub fn framed(key: impl IntoIterator<Item = (VarId, u32)>, diagram: Bdd, frame: FrameId) -> Self {
        Self { key: key.into_iter().collect(), diagram, frame }
    }
}

impl Solver<'_> {
    /// The store, for building the diagrams of rows. What is built there may be freed by the next question unless it was given.
    pub fn diagrams(&mut self) -> &mut Manager {
        &mut self.machine.store.dd
    }

    /// The levels of a column's bits, the highest bit first; none if it is stored explicitly.
    pub fn levels(&self, column: VarId) -> &[Level] {
        self.machine.store.layout.levels(column)
    }

    /// The number of some pairs of columns that are equal in all tuples of a row.
    pub fn frame(&mut self, pairs: Vec<(VarId, VarId)>) -> FrameId {
        FrameId(self.machine.store.frames.intern(pairs))
    }

    /// The pairs of columns that a number stands for, in each the one declared first before the other.
    pub fn equal_columns(&self, FrameId(frame): FrameId) -> &[(VarId, VarId)] {
        self.machine.store.frames.pairs(frame)
    }

    /// The column's values are keys of tables.
    pub fn is_explicit(&self, column: VarId) -> bool {
        self.machine.store.layout.is_explicit(column)
    }

    /// One past the last level that is in use.
    pub fn n_levels(&self) -> Level {
        self.machine.store.layout.n_levels() as Level
    }

    /// Fails if somebody asked to stop.
    pub fn poll(&self) -> Result<(), Exhausted> {
        self.machine.store.settings.stop.requested_after(0).map_or(Ok(()), |reason| Err(Exhausted(reason)))
    }

    /// The answer that a failed operation of the store becomes.
    pub fn stopped(&self, exhausted: Exhausted) -> Halt {
        self.machine.halt(Fault::from(exhausted))
    }

    /// Gives a relation its value, whatever its equation says. What depends on it is computed anew.
    pub fn give(&mut self, relation: RelationId, rows: impl IntoIterator<Item = Given>) -> Result<(), Halt> {
        let machine = &mut self.machine;
        let table = TableId(relation.0);
        machine.forget(&mut self.progress, relation);
        machine.clear(table);
        machine.store.set_given(relation);
        for row in rows {
            if let Err(fault) = machine.give_row(table, row) {
                return Err(machine.halt(fault));
            }
        }
        machine.store.tables[table.index()].shrink();
        machine.impose(&mut self.progress, relation);
        Ok(())
    }

    /// The rows of a relation: the values of its explicit columns, in column order, and the diagram over the levels
    /// of the others.
    pub fn rows(&mut self, relation: RelationId) -> Result<Vec<(Vec<u32>, Bdd)>, Halt> {
        let table = self.ensure(relation)?;
        let mut rows = self.machine.store.expanded_rows(table).map_err(|fault| self.machine.halt(fault))?;
        rows.retain(|(_, diagram)| *diagram != Bdd::FALSE);
        Ok(rows)
    }
}

impl Machine<'_> {
    fn give_row(&mut self, table: TableId, given: Given) -> Result<(), Fault> {
        let columns = &self.store.shape(table).keys;
        let mut key: SmallVec<[u32; 8]> = SmallVec::from_elem(0, columns.len());
        let mut literals = Vec::new();
        for (n, &(column, value)) in given.key.iter().enumerate() {
            // Almost always values come in the order of the columns.
            let is_next = columns.get(n) == Some(&column);
            match if is_next { Some(n) } else { columns.iter().position(|k| *k == column) } {
                Some(at) => key[at] = value,
                None => literals.extend(self.store.literals(column, value)),
            }
        }
        let Given { mut diagram, frame: FrameId(frame), .. } = given;
        if !literals.is_empty() {
            let cube = self.store.dd.cube(literals)?;
            diagram = self.store.dd.and(diagram, cube)?;
        }
        if self.store.table_domain(table)? != Bdd::TRUE {
            let pairs = self.store.frames.pairs(frame).to_vec();
            let equal = self.store.equal_columns(&pairs)?;
            diagram = self.store.dd.and(diagram, equal)?;
            return self.aside().add(table, &key, diagram, Origin::Given);
        }
        let row = self.store.tables[table.index()].find_or_insert(&key);
        let known = self.store.tables[table.index()].rows[row.index()];
        let (diagram, frame) = match (known.full, known.frame == frame) {
            (Bdd::FALSE, _) => (diagram, frame),
            (full, true) => (self.store.dd.or(full, diagram)?, frame),
            (full, false) => self.store.unite_framed((full, known.frame), (diagram, frame))?,
        };
        let at = &mut self.store.tables[table.index()].rows[row.index()];
        (at.full, at.frame) = (diagram, frame);
        Ok(())
    }
}

impl Store<'_> {
    /// The union of two rows: equalities of both stay a frame, those of one enter its diagram.
    fn unite_framed(&mut self, a: (Bdd, u32), b: (Bdd, u32)) -> Result<(Bdd, u32), Fault> {
        let (pairs_a, pairs_b) = (self.frames.pairs(a.1).to_vec(), self.frames.pairs(b.1).to_vec());
        let common: Vec<(VarId, VarId)> =
            pairs_a.iter().copied().filter(|pair| pairs_b.binary_search(pair).is_ok()).collect();
        let mut union = Bdd::FALSE;
        for (diagram, pairs) in [(a.0, pairs_a), (b.0, pairs_b)] {
            let own: Vec<(VarId, VarId)> =
                pairs.into_iter().filter(|pair| common.binary_search(pair).is_err()).collect();
            let part = self.with_equalities(diagram, &own)?;
            union = self.dd.or(union, part)?;
        }
        Ok((union, self.frames.intern(common)))
    }
}
