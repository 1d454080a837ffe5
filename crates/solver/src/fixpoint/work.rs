//! The work list: rows with new tuples, smallest stratum first, then smallest rank, first come first served within a rank.
//!
//! Rows of a network have ranks of their own, their positions, and wait in a set of numbers; others wait in a heap.
//! Knows which tables grow and which one's first tuple ends it all. A goal is set with [`Work::aim`] and taken back with
//! [`Work::end_aim`], whatever happened in between.

use super::network::Network;
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::store::Store;
use crate::store::table::{RowId, TableId};
use base::WorkList;
use dd::Bdd;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// After so many rows of which none stood later in the order than all before, those that stand later have their turn, too.
const PATIENCE: u64 = 4_000;

/// Then at least so many times as many rows are taken in order as were not.
const TIMES: u64 = 8;

/// Stratum, rank and time of arrival of a row that waits.
type Turn = ((u32, u32), u64);

/// Rows that wait, and how far the work has come.
#[derive(Debug, Default)]
pub(crate) struct Work {
    heap: BinaryHeap<Reverse<(Turn, TableId, RowId)>>,
    /// The positions in the network that wait.
    waiting: WorkList,
    sweep: Sweep,
    pub network: Rc<Network>,
    arrivals: u64,
    /// For each table: its new tuples are to be propagated.
    active: Vec<bool>,
    goal: Option<Goal>,
    /// The stratum of the row that was taken last: rows of smaller ones have nothing new.
    pub stratum: u32,
    /// Steps of the work list or rounds so far, for progress.
    pub rounds: u64,
    /// The tables of the fixed point under way, or of the last one.
    pub growing: Vec<TableId>,
}

/// Rows are taken in order, so whatever stands after a loop waits until the loop is done; if that takes very long a goal behind it may be near all the same. So now
/// and then all that waits has its turn once.
#[derive(Debug, Default)]
struct Sweep {
    /// The position after the last that was taken in order.
    reached: usize,
    /// So many rows have been taken in order since that changed.
    n_taken: u64,
    /// So many have been taken out of order by the last sweep.
    n_swept: u64,
    /// Where the sweep that is under way goes on.
    at: Option<usize>,
}

impl Sweep {
    /// The first position has its turn. That may be the last one before a sweep.
    fn take(&mut self, first: usize, patience: u64) {
        self.n_taken += 1;
        if first >= self.reached {
            (self.reached, self.n_taken) = (first + 1, 0);
        } else if self.n_taken > patience.max(TIMES * self.n_swept) {
            (self.n_taken, self.n_swept, self.at) = (0, 0, Some(first));
        }
    }
}

/// The table whose first tuple ends the work.
#[derive(Debug)]
struct Goal {
    table: TableId,
    is_reached: bool,
}

impl Work {
    /// New tuples of this table are to be propagated.
    #[inline]
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

    /// From now on the first tuple of a table ends the work.
    pub fn aim(&mut self, table: TableId) {
        self.goal = Some(Goal { table, is_reached: false });
    }

    /// There is no goal any more. Says whether it was reached.
    pub fn end_aim(&mut self) -> bool {
        self.goal.take().is_some_and(|goal| goal.is_reached)
    }

    /// The goal has been reached.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.is_reached)
    }

    /// A table has got tuples.
    #[inline]
    pub fn added(&mut self, table: TableId) {
        if let Some(goal) = &mut self.goal {
            goal.is_reached |= goal.table == table;
        }
    }

    /// Adds to the tuples of a row that wait to be propagated.
    pub fn enqueue(&mut self, store: &mut Store, table: TableId, row: RowId, new: Bdd) -> Result<(), Fault> {
        let pending = store.tables[table.index()].rows[row.index()].pending;
        let pending = store.dd.or(pending, new)?;
        let at = &mut store.tables[table.index()].rows[row.index()];
        at.pending = pending;
        if std::mem::replace(&mut at.queued, true) {
            return Ok(());
        }
        let rank = at.rank;
        match (rank as usize) < self.network.n_rows() {
            true => self.waiting.insert(rank as usize),
            false => self.push((store.stratum(table, row), rank), table, row),
        }
        Ok(())
    }

    fn push(&mut self, turn: (u32, u32), table: TableId, row: RowId) {
        self.arrivals += 1;
        self.heap.push(Reverse(((turn, self.arrivals), table, row)));
    }

    /// The position of a row in the network, if new tuples of it drive instances; relations without keys are closed by plans.
    #[inline]
    pub fn position(&self, store: &Store, table: TableId, row: RowId) -> Option<usize> {
        let rank = store.tables[table.index()].rows[row.index()].rank as usize;
        (rank < self.network.n_rows() && !store.shape(table).keys.is_empty()).then_some(rank)
    }

    /// The row whose turn it is.
    pub fn pop(&mut self, store: &mut Store) -> Option<(TableId, RowId)> {
        if let Some(first) = self.waiting.first() {
            let (table, row) = self.network.place(first);
            let turn = || (store.stratum(table, row), first as u32);
            if self.heap.peek().is_none_or(|Reverse((first, ..))| turn() < first.0) {
                let position = self.swept(store, store.stratum(table, row)).unwrap_or(first);
                store.shortcuts.add(Shortcut::OutOfOrder, position != first);
                self.waiting.remove(position);
                return Some(self.network.place(position));
            }
        }
        self.heap.pop().map(|Reverse((_, table, row))| (table, row))
    }

    /// The position whose turn it is though it is not the first, if there is one in a stratum.
    fn swept(&mut self, store: &Store, stratum: u32) -> Option<usize> {
        let Some(at) = self.sweep.at else {
            let patience = if store.settings.collect_from == 0 { 0 } else { PATIENCE };
            self.sweep.take(self.waiting.first()?, patience);
            return None;
        };
        let is_of_stratum = |position: &usize| {
            let (table, row) = self.network.place(*position);
            store.stratum(table, row) == stratum
        };
        let next = self.waiting.first_from(at).filter(is_of_stratum);
        self.sweep.at = next.map(|next| next + 1);
        self.sweep.n_swept += u64::from(next.is_some());
        next
    }

    /// Puts a row back that was not taken up after all.
    pub fn push_back(&mut self, table: TableId, row: RowId) {
        self.push((0, 0), table, row);
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty() && self.waiting.first().is_none()
    }

    /// Forgets what waits.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.leave();
    }

    /// The rows of a network are known by their positions from now on.
    pub fn follow(&mut self, network: Network) {
        (self.waiting, self.sweep) = (WorkList::new(network.n_rows()), Sweep::default());
        self.network = Rc::new(network);
    }

    /// There is no network any more, and nothing waits in it.
    pub fn leave(&mut self) {
        self.waiting = WorkList::default();
        self.network = Rc::default();
    }
}
