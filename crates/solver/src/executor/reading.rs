//! Readings: how a plan sees rows, and where what it finds goes.
//!
//! A plan is run for one of four purposes, each a type of its own, so that none is a state that somebody could forget to leave:
//! [`Growing`] for the new tuples of a fixed point, [`Aside`] for a value by itself, [`Past`] for a derivation, which reads rows as they
//! were before a rank, and [`Demand`] for one row of a fixed point. What must be whole, a sum or a group, is computed
//! in the reading's [`Reading::Whole`]: no goal cuts it short.

use crate::derivations::log::{Log, Origin};
use crate::fault::Fault;
use crate::fixpoint::demand::RowPlans;
use crate::fixpoint::work::Work;
use crate::store::table::{RowId, TableId};
use crate::store::{Addition, Fact, Store};
use calculus::system::RelationId;
use dd::Bdd;

/// How rows are read and results are taken.
pub(crate) trait Reading {
    /// Plans are run from a single tuple.
    const FROM_TUPLE: bool = false;

    /// How what must be whole is computed meanwhile.
    type Whole<'b>: Whole
    where
        Self: 'b;

    fn whole(&mut self) -> Self::Whole<'_>;

    /// A row's diagram and frame.
    #[inline]
    fn content(&self, store: &Store, table: TableId, row: RowId) -> (Bdd, u32) {
        store.content(table, row)
    }

    /// A row was looked at.
    #[inline]
    fn saw(&mut self, _table: TableId, _row: RowId) {}

    /// The values of formulas about some relations may be remembered.
    #[inline]
    fn may_remember(&self, _relations: &[RelationId]) -> bool {
        true
    }

    /// Nothing further is wanted.
    #[inline]
    fn is_over(&self) -> bool {
        false
    }

    /// Values hold for this run only.
    #[inline]
    fn is_past(&self) -> bool {
        false
    }

    /// New tuples of the table are propagated.
    #[inline]
    fn propagates(&self, _table: TableId) -> bool {
        false
    }

    /// Does what may fail before new tuples are stored.
    #[inline]
    fn propagate(&mut self, _store: &mut Store, _addition: &Addition) -> Result<(), Fault> {
        Ok(())
    }

    /// A row has got new tuples; `content` is its diagram and frame.
    #[inline]
    fn entered(&mut self, _place: (TableId, RowId), _content: (Bdd, u32), _origin: Origin) {}

    /// Takes tuples under a key.
    #[inline]
    fn add(&mut self, store: &mut Store, found: Found) -> Result<(), Fault> {
        match store.news(found.table, found.key, found.tuples)? {
            Some(addition) => self.take_up(store, &addition, found.origin),
            None => Ok(()),
        }
    }

    /// Takes what is new in a row.
    #[inline]
    fn take_up(&mut self, store: &mut Store, addition: &Addition, origin: Origin) -> Result<(), Fault> {
        self.propagate(store, addition)?;
        store.enter(addition);
        self.entered((addition.table, addition.row), (addition.full, 0), origin);
        Ok(())
    }

    /// Takes a fact; its frame stays beside the diagram if the key is new and nobody is told.
    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
        let origin = Origin::Fact(fact.clause);
        if !self.propagates(fact.table)
            && let Some((row, full)) = store.enter_framed(fact)?
        {
            self.entered((fact.table, row), (full, fact.frame), origin);
            return Ok(());
        }
        let pairs = store.frames.pairs(fact.frame).to_vec();
        let tuples = store.with_equalities(fact.diagram, &pairs)?;
        self.add(store, Found { table: fact.table, key: &fact.key, tuples, origin })
    }
}

/// Tuples that a plan has found.
pub(crate) struct Found<'k> {
    pub table: TableId,
    pub key: &'k [u32],
    pub tuples: Bdd,
    pub origin: Origin,
}

/// A reading that nothing cuts short and that propagates nothing: it may fill groups.
pub(crate) trait Whole: Reading {
    /// What is known of the past, if anything is.
    fn log(&mut self) -> Option<&mut Log>;

    /// A table is about to be filled anew.
    fn forget(&mut self, table: TableId) {
        if let Some(log) = self.log() {
            log.forget(table);
        }
    }

    /// Some of the relations are read as they were.
    fn reads_past(&self, _relations: &[RelationId]) -> bool {
        false
    }
}

/// Values as they are; nothing is propagated. Additions enter the log if it is to know them.
pub(crate) struct Aside<'a, const LOGGED: bool> {
    pub log: Option<&'a mut Log>,
}

/// A fixed point under way: what is new is propagated, and the first tuple of the goal ends it.
pub(crate) struct Growing<'a> {
    pub work: &'a mut Work,
    pub log: Option<&'a mut Log>,
}

/// A rule run backwards from a single tuple. Rows that the log knows are read as they were before the rank, if there is one.
pub(crate) struct Past<'a> {
    pub rank: Option<u32>,
    pub log: Option<&'a mut Log>,
}

/// One row of a fixed point: which rows of the component it reads is written down.
pub(crate) struct Demand<'a> {
    pub component: &'a RowPlans,
    pub reads: &'a mut Vec<(TableId, RowId)>,
    pub log: Option<&'a mut Log>,
}

impl<const LOGGED: bool> Reading for Aside<'_, LOGGED> {
    type Whole<'b>
        = Aside<'b, LOGGED>
    where
        Self: 'b;

    fn whole(&mut self) -> Aside<'_, LOGGED> {
        Aside { log: self.log.as_deref_mut() }
    }

    #[inline]
    fn entered(&mut self, (table, row): (TableId, RowId), content: (Bdd, u32), origin: Origin) {
        if LOGGED && let Some(log) = &mut self.log {
            log.add(table, row, content, origin);
        }
    }
}

impl<const LOGGED: bool> Whole for Aside<'_, LOGGED> {
    fn log(&mut self) -> Option<&mut Log> {
        self.log.as_deref_mut()
    }
}

impl Reading for Growing<'_> {
    type Whole<'b>
        = Aside<'b, true>
    where
        Self: 'b;

    fn whole(&mut self) -> Aside<'_, true> {
        Aside { log: self.log.as_deref_mut() }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.work.is_over()
    }

    #[inline]
    fn propagates(&self, table: TableId) -> bool {
        self.work.is_active(table)
    }

    #[inline]
    fn propagate(&mut self, store: &mut Store, addition: &Addition) -> Result<(), Fault> {
        match self.work.is_active(addition.table) {
            true => self.work.enqueue(store, addition.table, addition.row, addition.new),
            false => Ok(()),
        }
    }

    #[inline]
    fn entered(&mut self, place: (TableId, RowId), content: (Bdd, u32), origin: Origin) {
        self.work.added(place.0);
        self.whole().entered(place, content, origin);
    }
}

impl Reading for Past<'_> {
    const FROM_TUPLE: bool = true;

    type Whole<'b>
        = Past<'b>
    where
        Self: 'b;

    fn whole(&mut self) -> Past<'_> {
        Past { rank: self.rank, log: self.log.as_deref_mut() }
    }

    #[inline]
    fn content(&self, store: &Store, table: TableId, row: RowId) -> (Bdd, u32) {
        match (self.rank, &self.log) {
            (Some(rank), Some(log)) if log.knows(table, row) => log.before(table, row, rank),
            _ => store.content(table, row),
        }
    }

    #[inline]
    fn is_past(&self) -> bool {
        self.rank.is_some()
    }
}

impl Whole for Past<'_> {
    fn log(&mut self) -> Option<&mut Log> {
        self.log.as_deref_mut()
    }

    fn reads_past(&self, relations: &[RelationId]) -> bool {
        let logged = |log: &&mut Log| relations.iter().any(|r| log.knows_some(TableId(r.0)));
        self.rank.is_some() && self.log.as_ref().is_some_and(logged)
    }
}

impl Reading for Demand<'_> {
    type Whole<'b>
        = Demand<'b>
    where
        Self: 'b;

    fn whole(&mut self) -> Demand<'_> {
        Demand { component: self.component, reads: self.reads, log: self.log.as_deref_mut() }
    }

    #[inline]
    fn saw(&mut self, table: TableId, row: RowId) {
        if self.component.has(table) {
            self.reads.push((table, row));
        }
    }

    fn may_remember(&self, relations: &[RelationId]) -> bool {
        !relations.iter().any(|relation| self.component.has(TableId(relation.0)))
    }

    #[inline]
    fn entered(&mut self, (table, row): (TableId, RowId), content: (Bdd, u32), origin: Origin) {
        if let Some(log) = &mut self.log {
            log.add(table, row, content, origin);
        }
    }
}

impl Whole for Demand<'_> {
    fn log(&mut self) -> Option<&mut Log> {
        self.log.as_deref_mut()
    }
}
