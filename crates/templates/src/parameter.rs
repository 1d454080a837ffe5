//! The states among the parameters of a word: their columns, their levels, and what is equal in two of them.

use crate::vocabulary::StateColumns;
use calculus::system::VarId;
use encode::Slot;
use rsm::ModuleId;
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
        let levels = StateLevels { locals: levels(&columns.locals), globals: levels(&columns.globals) };
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

/// The slots of which a row says something else than that they stay the same.
pub(crate) struct Changed {
    locals: Vec<bool>,
    globals: Vec<bool>,
}

impl Changed {
    /// Nothing changes, or everything.
    pub fn new(slots: &Slots, everything: bool) -> Self {
        let list = |n: u32| vec![everything; n as usize];
        Self { locals: list(slots.n_locals), globals: list(slots.n_globals) }
    }

    /// All local slots change.
    pub fn set_locals(&mut self) {
        self.locals.fill(true);
    }

    /// A variable changes, or does not.
    pub fn set(&mut self, slots: &Slots, module: ModuleId, slot: Slot, changes: bool) {
        let list = match slot {
            Slot::Place(rsm::Place::Global(_)) => &mut self.globals,
            _ => &mut self.locals,
        };
        slots.bits(module, slot).iter().for_each(|slot| list[*slot as usize] = changes);
    }

    /// The columns that are equal in two states.
    pub fn frame(&self, before: &StateParameter, after: &StateParameter) -> Vec<(VarId, VarId)> {
        let equal = |changes: &[bool], a: &[VarId], b: &[VarId]| -> Vec<(VarId, VarId)> {
            let kept = (0..changes.len()).filter(|slot| !changes[*slot]);
            kept.map(|slot| (a[slot], b[slot])).collect()
        };
        let mut frame = equal(&self.locals, &before.columns.locals, &after.columns.locals);
        frame.extend(equal(&self.globals, &before.columns.globals, &after.columns.globals));
        frame
    }
}
