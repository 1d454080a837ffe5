//! Readings: how a plan sees rows, and where what it finds goes.
//!
//! A plan is run for one of four purposes, each a type of its own, so that none is a state that somebody could forget to leave:
//! [`Growing`] for the new tuples of a fixed point, [`Aside`] for a value by itself, [`Past`] for a derivation, which reads rows as they
//! were before a rank, and [`Keys`] for ranking, which looks at keys and at no diagram. What must be whole, a sum or a group, is computed
//! in the reading's [`Reading::Whole`]: no goal cuts it short.

use crate::derivations::log::{Log, Origin};
use crate::fault::Fault;
use crate::fixpoint::rank::KeyGraph;
use crate::fixpoint::work::Work;
use crate::store::table::{RowId, TableId};
use crate::store::{Addition, Fact, Store};
use calculus::system::RelationId;
use dd::Bdd;

/// How rows are read and results are taken.
pub(crate) trait Reading {
    /// Diagrams are not looked at.
    const KEYS_ONLY: bool = false;
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
        let content = &store.tables[table.index()].rows[row.index()];
        (content.full, content.frame)
    }

    /// A row was taken into a slot; slots are filled in order.
    #[inline]
    fn took(&mut self, _slot: usize, _table: TableId, _row: RowId) {}

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

    /// Takes tuples under a key.
    fn add(
        &mut self,
        store: &mut Store,
        table: TableId,
        key: &[u32],
        tuples: Bdd,
        origin: Origin,
    ) -> Result<(), Fault>;

    /// Takes a fact; its frame stays beside the diagram if the key is new.
    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault>;
}

/// A reading that nothing cuts short and that propagates nothing: it may fill groups.
pub(crate) trait Whole: Reading {
    /// A table is about to be filled anew.
    fn forget(&mut self, table: TableId);

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

/// Keys alone: every diagram is taken for true.
pub(crate) struct Keys<'a> {
    pub graph: &'a mut KeyGraph,
    pub log: Option<&'a mut Log>,
}

/// Enters what is new; returns it.
fn enter(
    store: &mut Store,
    table: TableId,
    key: &[u32],
    tuples: Bdd,
    before: impl FnOnce(&mut Store, &Addition) -> Result<(), Fault>,
) -> Result<Option<Addition>, Fault> {
    let Some(addition) = store.news(table, key, tuples)? else { return Ok(None) };
    before(store, &addition)?;
    store.enter(&addition);
    Ok(Some(addition))
}

/// Logs what a row has become.
fn note(log: &mut Option<&mut Log>, table: TableId, row: RowId, content: (Bdd, u32), origin: Origin) {
    if let Some(log) = log {
        log.add(table, row, content, origin);
    }
}

/// Adds a fact like other tuples, its equalities conjoined.
fn add_expanded(reading: &mut impl Reading, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
    let pairs = store.frames.pairs(fact.frame).to_vec();
    let diagram = store.with_equalities(fact.diagram, &pairs)?;
    reading.add(store, fact.table, &fact.key, diagram, Origin::Fact(fact.clause))
}

impl<const LOGGED: bool> Reading for Aside<'_, LOGGED> {
    type Whole<'b>
        = Aside<'b, LOGGED>
    where
        Self: 'b;

    fn whole(&mut self) -> Aside<'_, LOGGED> {
        Aside { log: self.log.as_deref_mut() }
    }

    fn add(
        &mut self,
        store: &mut Store,
        table: TableId,
        key: &[u32],
        tuples: Bdd,
        origin: Origin,
    ) -> Result<(), Fault> {
        if let Some(added) = enter(store, table, key, tuples, |_, _| Ok(()))?
            && LOGGED
        {
            note(&mut self.log, table, added.row, (added.full, 0), origin);
        }
        Ok(())
    }

    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
        match store.enter_framed(fact)? {
            Some((row, full)) => {
                if LOGGED {
                    note(&mut self.log, fact.table, row, (full, fact.frame), Origin::Fact(fact.clause));
                }
                Ok(())
            }
            None => add_expanded(self, store, fact),
        }
    }
}

impl<const LOGGED: bool> Whole for Aside<'_, LOGGED> {
    fn forget(&mut self, table: TableId) {
        if let Some(log) = &mut self.log {
            log.forget(table);
        }
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

    fn add(
        &mut self,
        store: &mut Store,
        table: TableId,
        key: &[u32],
        tuples: Bdd,
        origin: Origin,
    ) -> Result<(), Fault> {
        let work = &mut *self.work;
        let propagate = |store: &mut Store, added: &Addition| match work.is_active(table) {
            true => work.enqueue(store, table, added.row, added.new),
            false => Ok(()),
        };
        if let Some(added) = enter(store, table, key, tuples, propagate)? {
            note(&mut self.log, table, added.row, (added.full, 0), origin);
            self.work.added(table);
        }
        Ok(())
    }

    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
        match self.work.is_active(fact.table) {
            true => add_expanded(self, store, fact),
            false => self.whole().add_fact(store, fact),
        }
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
        if let (Some(rank), Some(log)) = (self.rank, &self.log)
            && log.knows(table, row)
        {
            return log.before(table, row, rank);
        }
        let content = &store.tables[table.index()].rows[row.index()];
        (content.full, content.frame)
    }

    #[inline]
    fn is_past(&self) -> bool {
        self.rank.is_some()
    }

    fn add(
        &mut self,
        store: &mut Store,
        table: TableId,
        key: &[u32],
        tuples: Bdd,
        _origin: Origin,
    ) -> Result<(), Fault> {
        enter(store, table, key, tuples, |_, _| Ok(())).map(|_| ())
    }

    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
        match store.enter_framed(fact)? {
            Some(_) => Ok(()),
            None => add_expanded(self, store, fact),
        }
    }
}

impl Whole for Past<'_> {
    fn forget(&mut self, table: TableId) {
        if let Some(log) = &mut self.log {
            log.forget(table);
        }
    }

    fn reads_past(&self, relations: &[RelationId]) -> bool {
        let logged = |log: &&mut Log| relations.iter().any(|r| log.knows_some(TableId(r.0)));
        self.rank.is_some() && self.log.as_ref().is_some_and(logged)
    }
}

impl Reading for Keys<'_> {
    const KEYS_ONLY: bool = true;

    type Whole<'b>
        = Aside<'b, true>
    where
        Self: 'b;

    fn whole(&mut self) -> Aside<'_, true> {
        Aside { log: self.log.as_deref_mut() }
    }

    #[inline]
    fn took(&mut self, slot: usize, table: TableId, row: RowId) {
        self.graph.join(slot, table, row);
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.graph.is_full()
    }

    fn add(
        &mut self,
        store: &mut Store,
        table: TableId,
        key: &[u32],
        _tuples: Bdd,
        _origin: Origin,
    ) -> Result<(), Fault> {
        let row = store.tables[table.index()].find_or_insert(key);
        self.graph.reach(table, row);
        Ok(())
    }

    fn add_fact(&mut self, store: &mut Store, fact: &Fact) -> Result<(), Fault> {
        self.add(store, fact.table, &fact.key, fact.diagram, Origin::Fact(fact.clause))
    }
}
