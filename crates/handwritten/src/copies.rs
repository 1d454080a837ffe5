//! The levels of the copies of a state.
//!
//! Each slot has four levels, one below the other: the value at the entry of the module, the current one, the next one, and
//! one for whatever crosses a call. So a renaming that keeps to its slots nearly always keeps the order of levels.

use dd::Level;
use encode::{Bits, Slot};
use rsm::{ModuleId, Place};
use templates::{SlotBits, SlotIndex, Slots, View};

/// A copy of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copy {
    Entry,
    Current,
    Next,
    Across,
}

const N_COPIES: u32 = 4;

/// The levels of all slots.
pub(crate) struct Copies<'s> {
    slots: &'s Slots,
    /// The first level of each slot.
    locals: Vec<Level>,
    globals: Vec<Level>,
}

impl<'s> Copies<'s> {
    pub fn new(slots: &'s Slots) -> Self {
        let mut locals = vec![0; slots.n_locals as usize];
        let mut globals = vec![0; slots.n_globals as usize];
        for (position, slot) in (0..).zip(&slots.order) {
            match *slot {
                SlotIndex::Local(n) => locals[n as usize] = position * N_COPIES,
                SlotIndex::Global(n) => globals[n as usize] = position * N_COPIES,
            }
        }
        Self { slots, locals, globals }
    }

    /// The first level that no copy uses.
    pub fn end(&self) -> Level {
        self.slots.order.len() as Level * N_COPIES
    }

    /// The levels of a variable or a result in a copy.
    pub fn levels(&self, module: ModuleId, slot: Slot, copy: Copy) -> impl Iterator<Item = Level> {
        let part = &self.slots.modules[module.index()];
        let (first, bits) = match slot {
            Slot::Place(Place::Global(n)) => (&self.globals, &self.slots.globals[n as usize]),
            Slot::Place(Place::Local(n)) => (&self.locals, &part.locals[n as usize]),
            Slot::Result(n) => (&self.locals, &part.results[n as usize]),
        };
        bits.iter().map(move |slot| first[*slot as usize] + copy as Level)
    }

    /// Moves the bits of a slot from one copy to another.
    pub fn moves(
        &self,
        module: ModuleId,
        slot: Slot,
        (from, to): (Copy, Copy),
    ) -> impl Iterator<Item = (Level, Level)> {
        self.levels(module, slot, from).zip(self.levels(module, slot, to))
    }

    /// All variables of a module in a copy.
    pub fn view(&self, module: ModuleId, copy: Copy) -> View {
        let part = &self.slots.modules[module.index()];
        let at = |first: &[Level], slots: &[SlotBits]| -> Vec<Bits> {
            let levels =
                |bits: &SlotBits| bits.iter().map(|slot| first[*slot as usize] + copy as Level).collect();
            slots.iter().map(levels).collect()
        };
        View {
            globals: at(&self.globals, &self.slots.globals),
            locals: at(&self.locals, &part.locals),
            results: at(&self.locals, &part.results),
        }
    }
}
