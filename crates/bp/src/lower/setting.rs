//! What the lowering of a function has to know about the machine that its module becomes a part of.

use super::start::Starts;
use rsm::{Expr, ModuleId, Operation, Place};

/// Where the parts of a unit lie in the machine.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s> {
    /// Function n of the unit is module n behind this one.
    pub(super) first_module: usize,
    /// So many variables of the text are shared; the checker puts those of the unit right behind them.
    pub(super) n_shared: u32,
    /// The machine has the variables of the unit so many places further on.
    pub(super) shift: u32,
    /// The place that `atomic_begin` and `atomic_end` set; without one they do nothing.
    pub(super) flag: Option<u32>,
    /// What happens when threads are started; without it nothing starts one.
    pub(super) starts: Option<&'s Starts>,
}

impl Setting<'_> {
    /// That of a program that is the whole machine.
    pub(super) fn sequential() -> Self {
        Self { first_module: 0, n_shared: 0, shift: 0, flag: None, starts: None }
    }

    /// The module of a function of the unit.
    pub(super) fn module(&self, function: u32) -> ModuleId {
        ModuleId::new(self.first_module + function as usize)
    }

    /// The place in the machine of a variable that the checker knows.
    pub(super) fn place(&self, place: Place) -> Place {
        match place {
            Place::Global(n) if n >= self.n_shared => Place::Global(n + self.shift),
            place => place,
        }
    }

    /// An expression over places of the checker as one over those of the machine.
    pub(super) fn expression(&self, mut expr: Expr) -> Expr {
        for term in &mut expr.code {
            if let Operation::Read(place) | Operation::ReadNext(place) = &mut term.operation {
                *place = self.place(*place);
            }
        }
        expr
    }
}
