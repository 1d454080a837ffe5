//! The cone of influence: the variables that some condition depends on, wherever assignments happen.
//!
//! Conditions are what can stop a run: tests, assertions, `enforce`, `constrain`, `init`. A variable matters if one of
//! them reads it, or if a value that is stored in a variable that matters reads it. Arguments are stored in
//! parameters; results pass through slots of their own, one for each result of each module.

use super::groups::Groups;
use super::shape::Shape;
use super::threads::Interference;
use crate::expr::Expr;
use crate::machine::{Action, Edge, ModuleId, Place, Rsm};

/// The variables that matter.
pub(super) struct Cone {
    slots: Slots,
    is_inside: Vec<bool>,
}

/// Numbers for all globals, then all locals and results of the first module, and so on.
struct Slots {
    first: Vec<u32>,
    n_locals: Vec<u32>,
}

impl Cone {
    /// The cone of all conditions in the blocks.
    pub(super) fn find(rsm: &Rsm, shapes: &[Shape], interference: Option<&Interference<'_>>) -> Self {
        let slots = Slots::new(rsm);
        let mut flow = Flow { slots: &slots, module: 0, pairs: Vec::new(), roots: Vec::new() };
        flow.module = rsm.main.index();
        rsm.init.iter().for_each(|condition| flow.condition(condition));
        if let Some(interference) = interference {
            interference.init.iter().for_each(|condition| flow.condition(condition));
            flow.roots.extend(&interference.flags);
            if interference.keeps_shared {
                flow.roots.extend(0..interference.n_shared as u32);
            }
        }
        for (index, (module, shape)) in rsm.modules.iter().zip(shapes).enumerate() {
            flow.module = index;
            if !shape.points.is_empty() {
                module.enforce.iter().for_each(|condition| flow.condition(condition));
            }
            for block in &shape.blocks {
                block.path.iter().for_each(|&id| flow.edge(module.edge(id)));
            }
        }
        let Flow { pairs, roots, .. } = flow;
        let is_inside = close(&Groups::new(slots.n_slots(), &pairs), roots, slots.n_slots());
        Self { slots, is_inside }
    }

    /// A variable, as a module sees it, matters.
    pub(super) fn has(&self, module: usize, place: Place) -> bool {
        self.is_inside[self.slots.of(module, place) as usize]
    }

    /// A result of a module, by position, matters.
    pub(super) fn has_result(&self, module: usize, position: usize) -> bool {
        self.is_inside[self.slots.of_result(module, position) as usize]
    }
}

/// Everything that can be reached from the roots.
fn close(sources: &Groups, roots: Vec<u32>, n_slots: usize) -> Vec<bool> {
    let mut is_inside = vec![false; n_slots];
    let mut pending = roots;
    while let Some(slot) = pending.pop() {
        if !std::mem::replace(&mut is_inside[slot as usize], true) {
            pending.extend_from_slice(sources.of(slot as usize));
        }
    }
    is_inside
}

impl Slots {
    fn new(rsm: &Rsm) -> Self {
        let mut first = vec![rsm.globals.len() as u32];
        for module in &rsm.modules {
            first.push(first[first.len() - 1] + (module.locals.len() + module.results.len()) as u32);
        }
        Self { first, n_locals: rsm.modules.iter().map(|module| module.locals.len() as u32).collect() }
    }

    fn n_slots(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    fn of(&self, module: usize, place: Place) -> u32 {
        match place {
            Place::Global(n) => n,
            Place::Local(n) => self.first[module] + n,
        }
    }

    fn of_result(&self, module: usize, position: usize) -> u32 {
        self.first[module] + self.n_locals[module] + position as u32
    }
}

/// Which slots flow into which, as far as they have been seen.
struct Flow<'a> {
    slots: &'a Slots,
    /// The module whose edges are being looked at.
    module: usize,
    /// A slot, and one whose value may be stored in it.
    pairs: Vec<(u32, u32)>,
    /// What conditions read.
    roots: Vec<u32>,
}

impl Flow<'_> {
    fn condition(&mut self, condition: &Expr) {
        let (slots, module) = (self.slots, self.module);
        let places = condition.reads().chain(condition.reads_next());
        self.roots.extend(places.map(|place| slots.of(module, place)));
    }

    fn store(&mut self, target: u32, value: &Expr) {
        let (slots, module) = (self.slots, self.module);
        self.pairs.extend(value.reads().map(|place| (target, slots.of(module, place))));
    }

    fn edge(&mut self, edge: &Edge) {
        match &edge.action {
            Action::Skip => {}
            Action::Assume(condition) | Action::Assert(condition) => self.condition(condition),
            Action::Assign { targets, values, constrain } => {
                for (&target, value) in targets.iter().zip(values) {
                    self.store(self.slots.of(self.module, target), value);
                }
                constrain.iter().for_each(|condition| self.condition(condition));
            }
            Action::Call { callee, args, results } => self.call(*callee, args, results),
            Action::Return { values } => {
                for (position, value) in values.iter().enumerate() {
                    self.store(self.slots.of_result(self.module, position), value);
                }
            }
        }
    }

    fn call(&mut self, callee: ModuleId, args: &[Expr], results: &[Option<Place>]) {
        for (position, argument) in args.iter().enumerate() {
            self.store(self.slots.of(callee.index(), Place::Local(position as u32)), argument);
        }
        for (position, target) in results.iter().enumerate() {
            if let Some(target) = *target {
                let result = self.slots.of_result(callee.index(), position);
                self.pairs.push((self.slots.of(self.module, target), result));
            }
        }
    }
}
