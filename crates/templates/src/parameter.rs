//! The states among the parameters of a word: their columns, their levels, and what is equal in two of them.

use crate::vocabulary::StateColumns;
use calculus::system::VarId;
use encode::Slot;
use rsm::ModuleId;
use smallvec::SmallVec;
use solver::Solver;
use symbolic::{Slots, StateLevels, View};

/// One state of a relation: its columns, and the levels of its slots.
pub struct StateParameter {
    /// Its columns.
    pub columns: StateColumns,
    /// The levels of the columns of its slots.
    pub levels: StateLevels,
}

impl StateParameter {
    /// A state, by its columns.
    pub fn new(solver: &Solver, columns: &StateColumns) -> Self {
        let levels = |vars: &[VarId]| vars.iter().map(|v| solver.levels(*v)[0]).collect();
        let levels = StateLevels::new(levels(&columns.locals), levels(&columns.globals));
        Self { levels, columns: columns.clone() }
    }

    /// The key of the rows that are about a point.
    pub fn key(&self, module: ModuleId, counter: u32) -> [(VarId, u32); 2] {
        [(self.columns.module, module.0), (self.columns.counter, counter)]
    }

    /// The levels of a function's variables.
    pub fn view(&self, slots: &Slots, module: ModuleId) -> View {
        self.levels.view(slots, module)
    }
}

/// The slots of which a row says something else than that they stay the same: a bit for each local slot, then for each global one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Changed {
    bits: SmallVec<[u64; 4]>,
    n_locals: u32,
    n_slots: u32,
}

impl Changed {
    /// Nothing changes, or everything.
    pub fn new(slots: &Slots, everything: bool) -> Self {
        let n_slots = slots.n_locals + slots.n_globals;
        let word = if everything { u64::MAX } else { 0 };
        let bits = SmallVec::from_elem(word, n_slots.div_ceil(64) as usize);
        Self { bits, n_locals: slots.n_locals, n_slots }
    }

    /// All local slots change.
    pub fn set_locals(&mut self) {
        (0..self.n_locals).for_each(|slot| self.put(slot, true));
    }

    fn put(&mut self, slot: u32, changes: bool) {
        let (word, bit) = (&mut self.bits[slot as usize / 64], 1 << (slot % 64));
        if changes { *word |= bit } else { *word &= !bit }
    }

    /// A variable changes, or does not.
    pub fn set(&mut self, slots: &Slots, module: ModuleId, slot: Slot, changes: bool) {
        let first = match slot {
            Slot::Place(rsm::Place::Global(_)) => self.n_locals,
            _ => 0,
        };
        slots.bits(module, slot).iter().for_each(|slot| self.put(first + slot, changes));
    }

    /// The columns that are equal in two states.
    pub fn frame(&self, before: &StateParameter, after: &StateParameter) -> Vec<(VarId, VarId)> {
        let column = |state: &StateParameter, slot: u32| match slot.checked_sub(self.n_locals) {
            Some(global) => state.columns.globals[global as usize],
            None => state.columns.locals[slot as usize],
        };
        let kept = (0..self.n_slots).filter(|slot| self.bits[*slot as usize / 64] >> (slot % 64) & 1 == 0);
        kept.map(|slot| (column(before, slot), column(after, slot))).collect()
    }
}
