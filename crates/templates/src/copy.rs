//! Copies of a state: where the bits of a function's variables are in one state of a template relation.

use crate::Slots;
use crate::vocabulary::StateColumns;
use calculus::system::VarId;
use dd::Level;
use encode::{Bits, Columns, Slot};
use rsm::{ModuleId, Place};
use solver::Solver;

/// One state of a relation: its columns, and the levels of its slots.
pub(crate) struct Copy {
    pub columns: StateColumns,
    locals: Vec<Level>,
    globals: Vec<Level>,
}

impl Copy {
    pub fn new(solver: &Solver, columns: &StateColumns) -> Self {
        let levels = |vars: &[VarId]| vars.iter().map(|v| solver.levels(*v)[0]).collect();
        Self { locals: levels(&columns.locals), globals: levels(&columns.globals), columns: columns.clone() }
    }

    pub fn key(&self, module: ModuleId, counter: u32) -> [(VarId, u32); 2] {
        [(self.columns.module, module.0), (self.columns.counter, counter)]
    }

    /// The levels of a function's variables.
    pub fn view(&self, slots: &Slots, module: ModuleId) -> View {
        let part = &slots.modules[module.index()];
        let at = |levels: &[Level], slots: &[Box<[u32]>]| -> Vec<Bits> {
            slots.iter().map(|bits| bits.iter().map(|slot| levels[*slot as usize]).collect()).collect()
        };
        View {
            globals: at(&self.globals, &slots.globals),
            locals: at(&self.locals, &part.locals),
            results: at(&self.locals, &part.results),
        }
    }
}

/// The levels of all variables of one function in one copy.
#[derive(Clone, Debug)]
pub struct View {
    /// Of the globals.
    pub globals: Vec<Bits>,
    /// Of the locals.
    pub locals: Vec<Bits>,
    /// Of the results.
    pub results: Vec<Bits>,
}

impl View {
    /// As the encoder wants them.
    pub fn columns(&self) -> Columns<'_> {
        Columns { globals: &self.globals, locals: &self.locals, results: &self.results }
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
        let part = &slots.modules[module.index()];
        let (list, bits) = match slot {
            Slot::Place(Place::Global(n)) => (&mut self.globals, &slots.globals[n as usize]),
            Slot::Place(Place::Local(n)) => (&mut self.locals, &part.locals[n as usize]),
            Slot::Result(n) => (&mut self.locals, &part.results[n as usize]),
        };
        bits.iter().for_each(|slot| list[*slot as usize] = changes);
    }

    /// The columns that are equal in two copies.
    pub fn frame(&self, before: &Copy, after: &Copy) -> Vec<(VarId, VarId)> {
        let equal = |changes: &[bool], a: &[VarId], b: &[VarId]| -> Vec<(VarId, VarId)> {
            let kept = (0..changes.len()).filter(|slot| !changes[*slot]);
            kept.map(|slot| (a[slot], b[slot])).collect()
        };
        let mut frame = equal(&self.locals, &before.columns.locals, &after.columns.locals);
        frame.extend(equal(&self.globals, &before.columns.globals, &after.columns.globals));
        frame
    }
}
