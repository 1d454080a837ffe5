//! The variables that matter to a cycle.
//!
//! Backward through the steps, with a set of variables for each frame: what conditions read matters; what is assigned,
//! passed or returned matters if the variable that gets it does, and then what is read for it does. `*` needs nothing: the
//! same is chosen again. What matters at the end of the cycle is what matters at its head, so this is repeated until
//! the set is closed.

use super::Taken;
use crate::expr::Expr;
use crate::machine::{Action, Place, Rsm};
use std::collections::BTreeSet;

/// The least set that is closed.
pub(super) fn find(rsm: &Rsm, cycle: &[Taken<'_>], growth: usize) -> BTreeSet<Place> {
    let mut matters = BTreeSet::new();
    loop {
        let before = before_cycle(rsm, cycle, growth, &matters);
        let n_known = matters.len();
        matters.extend(before);
        if matters.len() == n_known {
            return matters;
        }
    }
}

/// Sets on their way back through the steps.
struct Needed {
    globals: BTreeSet<Place>,
    /// For each frame, from that of the head to the top.
    frames: Vec<BTreeSet<Place>>,
}

impl Needed {
    fn set(&mut self, place: Place) -> &mut BTreeSet<Place> {
        match place {
            Place::Global(_) => &mut self.globals,
            Place::Local(_) => self.frames.last_mut().expect("the stack is not lower than at the head"),
        }
    }

    fn read(&mut self, expr: &Expr) {
        expr.reads().for_each(|place| {
            self.set(place).insert(place);
        });
    }

    /// A variable gets a value: it matters no longer; whether it did.
    fn assign(&mut self, place: Place) -> bool {
        self.set(place).remove(&place)
    }
}

fn before_cycle(rsm: &Rsm, cycle: &[Taken<'_>], growth: usize, at_end: &BTreeSet<Place>) -> BTreeSet<Place> {
    let (globals, locals) = at_end.iter().partition(|place| matches!(place, Place::Global(_)));
    let mut frames = vec![BTreeSet::new(); growth];
    frames.push(locals);
    let mut needed = Needed { globals, frames };
    for taken in cycle.iter().rev() {
        before_step(rsm, taken, &mut needed);
    }
    let mut matters = needed.globals;
    matters.extend(needed.frames.pop().expect("the head has a frame"));
    matters
}

fn before_step(rsm: &Rsm, taken: &Taken<'_>, needed: &mut Needed) {
    let module = rsm.module(taken.visit.module);
    match &module.edge(taken.visit.edge).action {
        Action::Skip => enforced(needed, &module.enforce),
        Action::Assume(condition) | Action::Assert(condition) => {
            enforced(needed, &module.enforce);
            needed.read(condition);
        }
        Action::Assign { targets, values, constrain } => {
            enforced(needed, &module.enforce);
            let next: Vec<Place> = constrain.iter().flat_map(|condition| condition.reads_next()).collect();
            next.iter().for_each(|place| {
                needed.set(*place).insert(*place);
            });
            let matters: Vec<bool> = targets.iter().map(|target| needed.assign(*target)).collect();
            let values = values.iter().zip(matters).filter(|(_, matters)| *matters);
            values.for_each(|(value, _)| needed.read(value));
            constrain.iter().for_each(|condition| needed.read(condition));
        }
        Action::Call { callee, args, .. } => {
            enforced(needed, &rsm.module(*callee).enforce);
            let callee = needed.frames.pop().expect("the callee has a frame");
            for (n, arg) in args.iter().enumerate() {
                if callee.contains(&Place::Local(n as u32)) {
                    needed.read(arg);
                }
            }
        }
        Action::Return { values } => {
            let Some((caller, call)) = taken.call else { return };
            enforced(needed, &rsm.module(caller).enforce);
            let Action::Call { results, .. } = &rsm.module(caller).edge(call).action else { return };
            let matters: Vec<bool> =
                results.iter().map(|place| place.is_some_and(|place| needed.assign(place))).collect();
            needed.frames.push(BTreeSet::new());
            let values = values.iter().zip(matters).filter(|(_, matters)| *matters);
            values.for_each(|(value, _)| needed.read(value));
        }
    }
}

/// What the module on top enforces can hold after the step.
fn enforced(needed: &mut Needed, enforce: &Option<Expr>) {
    enforce.iter().for_each(|condition| needed.read(condition));
}
