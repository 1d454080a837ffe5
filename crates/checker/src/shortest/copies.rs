//! The levels of the search: four copies of every slot, one below the other.
//!
//! A renaming that leaves bits in their slots therefore keeps the order of levels.

use crate::facts::TemplateState;
use dd::Level;
use encode::{Bits, Slot};
use rsm::{ModuleId, Place};
use rustc_hash::FxHashMap;
use templates::{SlotBits, SlotIndex, Slots, StateColumns, Templates, View};

/// A copy of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copy {
    /// At the entry of the function.
    Entry,
    /// Now.
    Current,
    /// After a step or a call.
    Next,
    /// What a call hands over, and what comes back.
    Across,
}

const N_COPIES: Level = 4;

/// Where the slots stand.
pub(super) struct Copies<'t> {
    slots: &'t Slots,
    locals: Vec<Level>,
    globals: Vec<Level>,
}

impl<'t> Copies<'t> {
    pub fn new(slots: &'t Slots) -> Self {
        let mut copies = Self {
            slots,
            locals: vec![0; slots.n_locals as usize],
            globals: vec![0; slots.n_globals as usize],
        };
        for (level, slot) in (0..).step_by(N_COPIES as usize).zip(&slots.order) {
            match *slot {
                SlotIndex::Local(n) => copies.locals[n as usize] = level,
                SlotIndex::Global(n) => copies.globals[n as usize] = level,
            }
        }
        copies
    }

    /// The first level that no copy uses.
    pub fn end(&self) -> Level {
        self.slots.order.len() as Level * N_COPIES
    }

    /// The levels of a variable or a result.
    pub fn levels(&self, module: ModuleId, slot: Slot, copy: Copy) -> Vec<Level> {
        let part = &self.slots.modules[module.index()];
        match slot {
            Slot::Place(Place::Global(n)) => at(&self.globals, &self.slots.globals[n as usize], copy),
            Slot::Place(Place::Local(n)) => at(&self.locals, &part.locals[n as usize], copy),
            Slot::Result(n) => at(&self.locals, &part.results[n as usize], copy),
        }
    }

    /// From the levels of a slot in one copy to those in another.
    pub fn moves(
        &self,
        module: ModuleId,
        slot: Slot,
        from: Copy,
        to: Copy,
    ) -> impl Iterator<Item = (Level, Level)> {
        self.levels(module, slot, from).into_iter().zip(self.levels(module, slot, to))
    }

    /// All variables of a function in one copy.
    pub fn view(&self, module: ModuleId, copy: Copy) -> View {
        let part = &self.slots.modules[module.index()];
        let all = |first: &[Level], slots: &[SlotBits]| -> Vec<Bits> {
            slots.iter().map(|bits| at(first, bits, copy).into()).collect()
        };
        View {
            globals: all(&self.globals, &self.slots.globals),
            locals: all(&self.locals, &part.locals),
            results: all(&self.locals, &part.results),
        }
    }

    /// From the levels of a state elsewhere to those of the current state here.
    pub fn levels_from(
        &self,
        columns: &StateColumns,
        level: impl Fn(calculus::system::VarId) -> Level,
    ) -> FxHashMap<Level, Level> {
        let pairs = columns.locals.iter().zip(&self.locals).chain(columns.globals.iter().zip(&self.globals));
        pairs.map(|(column, first)| (level(*column), first + Copy::Current as Level)).collect()
    }
}

fn at(first: &[Level], slots: &[u32], copy: Copy) -> Vec<Level> {
    slots.iter().map(|slot| first[*slot as usize] + copy as Level).collect()
}

/// The state that some bits of the current copy are; the others are false.
pub(super) fn template_state(
    templates: &Templates,
    module: ModuleId,
    counter: u32,
    bits: &[(Level, bool)],
) -> TemplateState {
    let slots = &templates.slots;
    let mut values = vec![0; 2 + (slots.n_locals + slots.n_globals) as usize];
    (values[0], values[1]) = (module.0, counter);
    for &(level, value) in bits {
        let slot = match slots.order[(level / N_COPIES) as usize] {
            SlotIndex::Local(n) => n,
            SlotIndex::Global(n) => slots.n_locals + n,
        };
        values[2 + slot as usize] = u32::from(value);
    }
    TemplateState::new(&values, templates)
}
