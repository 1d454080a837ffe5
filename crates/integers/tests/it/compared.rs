//! Which pointers a program compares or copies, directly or by others: only their numbers have to tell objects apart in a cell program.
//!
//! Contract: the textbook's closure over the text, for programs whose regions are apart; what is in a region is one more variable.

use integers::{Action, Expr, FunctionId, Manage, Op, Place, Program, RegionId, Step};
use std::collections::BTreeMap;

/// Whose pointer it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Global(u32),
    Local(FunctionId, u32),
    Region(RegionId),
}

/// The group of each variable that holds a pointer.
#[derive(Default)]
pub(super) struct Groups {
    groups: BTreeMap<Holder, usize>,
}

impl Groups {
    /// Those of a program.
    pub(super) fn of(program: &Program) -> Self {
        let mut groups = Self::default();
        for (n, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(n);
            for edge in &function.edges {
                groups.action(program, id, &edge.action);
            }
        }
        groups
    }

    /// The group of a variable; one of its own, if it is never compared or copied.
    pub(super) fn group(&self, id: FunctionId, place: Place) -> usize {
        let alone = match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => 1_000 * (id.index() + 1) + n as usize,
        };
        self.groups.get(&holder(id, place)).copied().unwrap_or(1_000_000 + alone)
    }

    fn action(&mut self, program: &Program, id: FunctionId, action: &Action) {
        match action {
            Action::Step(step) => self.step(id, step),
            Action::Call { callee, args, result } => {
                for (n, arg) in (0..).zip(args) {
                    let arg = self.pointer(id, arg);
                    self.same(arg, Some(holder(*callee, Place::Local(n))));
                }
                if let (Some(place), Some(returned)) = (result, program.function(*callee).result) {
                    self.same(Some(holder(id, *place)), Some(holder(*callee, Place::Local(returned))));
                }
            }
            Action::Manage(Manage::Reallocate { pointer, result, .. }) => {
                let old = self.pointer(id, pointer);
                self.same(old, Some(holder(id, *result)));
            }
            Action::Manage(Manage::Copy { to, from, .. }) => {
                let (to, from) = (self.pointer(id, to), self.pointer(id, from));
                self.same(to, from);
            }
            Action::Manage(_) => {}
        }
    }

    fn step(&mut self, id: FunctionId, step: &Step) {
        self.pointer(id, &step.guard);
        for (place, value) in &step.updates {
            let value = self.pointer(id, value);
            self.same(value, Some(holder(id, *place)));
        }
        for (region, pointer, value) in &step.stores {
            self.pointer(id, pointer);
            let value = self.pointer(id, value);
            self.same(value, Some(Holder::Region(*region)));
        }
    }

    /// Who holds the pointer that an expression begins with; what is compared in it is noted.
    fn pointer(&mut self, id: FunctionId, expr: &Expr) -> Option<Holder> {
        expr.fold(|op, operands: Vec<Option<Holder>>| match op {
            Op::Read(place) => Some(holder(id, place)),
            Op::Load(region) => Some(Holder::Region(region)),
            Op::Add | Op::Subtract | Op::Member(..) | Op::Initialised => operands[0],
            Op::Choose => self.same(operands[1], operands[2]),
            Op::Compare(_) | Op::Difference => {
                self.same(operands[0], operands[1]);
                None
            }
            _ => None,
        })
    }

    fn same(&mut self, one: Option<Holder>, other: Option<Holder>) -> Option<Holder> {
        if let (Some(one), Some(other)) = (one, other) {
            let fresh = self.groups.len();
            let kept = *self.groups.entry(one).or_insert(fresh);
            let fresh = self.groups.len();
            let gone = *self.groups.entry(other).or_insert(fresh);
            self.groups.values_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
        }
        one.or(other)
    }
}

fn holder(id: FunctionId, place: Place) -> Holder {
    match place {
        Place::Global(n) => Holder::Global(n),
        Place::Local(n) => Holder::Local(id, n),
    }
}
