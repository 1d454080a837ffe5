//! Where the bits of a state are: a level for each slot, and what a function sees of it.

use crate::slots::{SlotBits, Slots};
use dd::Level;
use encode::{Bits, Columns, Slot};
use rsm::{ModuleId, Place};
use std::cell::OnceCell;
use std::rc::Rc;

/// The levels of all slots of one state.
#[derive(Clone, Debug)]
pub struct StateLevels {
    /// Of the local slots.
    pub locals: Vec<Level>,
    /// Of the global slots.
    pub globals: Vec<Level>,
    /// The levels of all globals, the same for all functions, once somebody has asked for a view.
    shared: OnceCell<Rc<[Bits]>>,
}

impl StateLevels {
    /// The levels of local and global slots.
    pub fn new(locals: Vec<Level>, globals: Vec<Level>) -> Self {
        Self { locals, globals, shared: OnceCell::new() }
    }

    /// The levels of a variable or a result of a function, the lowest bit first.
    pub fn of<'s>(
        &'s self,
        slots: &'s Slots,
        module: ModuleId,
        slot: Slot,
    ) -> impl Iterator<Item = Level> + 's {
        let levels = match slot {
            Slot::Place(Place::Global(_)) => &self.globals,
            _ => &self.locals,
        };
        slots.bits(module, slot).iter().map(|slot| levels[*slot as usize])
    }

    /// The levels of all variables of a function.
    pub fn view(&self, slots: &Slots, module: ModuleId) -> View {
        let part = &slots.modules[module.index()];
        let at = |levels: &[Level], slots: &[SlotBits]| -> Vec<Bits> {
            slots.iter().map(|bits| bits.iter().map(|slot| levels[*slot as usize]).collect()).collect()
        };
        View {
            globals: self.shared.get_or_init(|| at(&self.globals, &slots.globals).into()).clone(),
            locals: at(&self.locals, &part.locals),
            results: at(&self.locals, &part.results),
        }
    }
}

/// The levels of all variables of one function in one state.
#[derive(Clone, Debug)]
pub struct View {
    /// Of the globals.
    pub globals: Rc<[Bits]>,
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

    /// A variable is to be looked for where another view has it.
    pub(crate) fn take(&mut self, place: Place, from: &View) {
        match place {
            Place::Global(n) => {
                Rc::make_mut(&mut self.globals)[n as usize].clone_from(&from.globals[n as usize]);
            }
            Place::Local(n) => self.locals[n as usize].clone_from(&from.locals[n as usize]),
        }
    }
}
