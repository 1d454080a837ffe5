//! Why a path cannot be taken: few tests, and the variables that make it impossible.
//!
//! Contract: with the variables of a [`Reason`] kept, at so many bits, no view has the path, unless a read without influence is
//! the cause (`x := h & !h` is F, though two reads of an `h` that is not kept may differ): then the variables that are `read` help.

use super::backward::{Backward, Way};
use super::path::Event;
use dd::{Bdd, Exhausted};
use rsm::{Action, EdgeId, Expr, Goal, ModuleId, Place};
use std::collections::BTreeSet;

/// A variable, and the function that has it; globals are those of `main`.
pub type Variable = (ModuleId, Place);

/// Why a path cannot be taken.
#[derive(Debug, Default)]
pub struct Reason {
    /// What the sets on the way, and the tests, depend on.
    pub places: BTreeSet<Variable>,
    /// What is read on the way to these, be it of influence or not.
    pub read: BTreeSet<Variable>,
    /// The tests.
    pub tests: BTreeSet<(ModuleId, EdgeId)>,
}

impl Backward<'_> {
    /// Why nothing is left before a step, though all tests are wanted from there on.
    pub fn reason(&mut self, at: usize) -> Result<Reason, Exhausted> {
        self.reason_among(at, |_| true)
    }

    /// The same if some of the tests are enough.
    pub fn reason_among(&mut self, at: usize, may_be: impl Fn(usize) -> bool) -> Result<Reason, Exhausted> {
        let n_events = self.path.events.len();
        let mut tests: Vec<usize> = (at..n_events).filter(|n| self.is_test(*n) && may_be(*n)).collect();
        let mut is_wanted = vec![false; n_events];
        tests.iter().for_each(|n| is_wanted[*n] = true);
        // The earliest are dropped first, in halves, then quarters, and so on.
        let mut size = tests.len();
        while size > 0 {
            let mut first = 0;
            while first < tests.len() {
                let end = (first + size).min(tests.len());
                tests[first..end].iter().for_each(|n| is_wanted[*n] = false);
                if let Way::Impossible(_) = self.go(at, |n| is_wanted[n])? {
                    tests.drain(first..end);
                } else {
                    tests[first..end].iter().for_each(|n| is_wanted[*n] = true);
                    first = end;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2).min(tests.len()) };
        }
        self.explained(at, &is_wanted)
    }

    /// Goes back once more with the tests that remain, and notes what matters.
    fn explained(&mut self, at: usize, is_wanted: &[bool]) -> Result<Reason, Exhausted> {
        let mut reason = Reason::default();
        let mut stack = self.path.stack.clone();
        let Way::Possible(sets) = self.go(self.path.events.len(), |n| is_wanted[n])? else {
            self.failing(&mut reason);
            return Ok(reason);
        };
        let mut set = sets[0];
        self.failing(&mut reason);
        self.note(set, &stack, &mut reason);
        for n in (at..self.path.events.len()).rev() {
            let event = self.path.events[n];
            stack.truncate(event.depth);
            stack.push(event.module);
            if is_wanted[n] {
                reason.tests.insert((event.module, event.edge));
                let expressions = self.action(&event).expressions();
                reason.places.extend(expressions.flat_map(|expr| self.reads(event.module, expr)));
            }
            self.slice(&event, &mut reason);
            set = self.before(n, set, is_wanted[n])?;
            self.note(set, &stack, &mut reason);
            if set == Bdd::FALSE {
                break;
            }
        }
        if at == 0 && self.path.is_whole {
            let main = self.rsm.main;
            let conditions = self.rsm.init.iter().chain(&self.rsm.module(main).enforce);
            reason.read.extend(conditions.flat_map(|expr| self.reads(main, expr)));
        }
        Ok(reason)
    }

    /// The assertion that is to fail.
    fn failing(&self, reason: &mut Reason) {
        if let Goal::Failure(module, edge) = self.path.goal {
            let expressions = self.rsm.module(module).edge(edge).action.expressions();
            reason.read.extend(expressions.flat_map(|expr| self.reads(module, expr)));
        }
    }

    /// What a set depends on.
    fn note(&self, set: Bdd, stack: &[ModuleId], reason: &mut Reason) {
        let owners = self.dd.support(set).into_iter().filter_map(|level| self.levels.variable(level, stack));
        reason.places.extend(owners.map(|(module, place, _)| self.variable(module, place)));
    }

    fn variable(&self, module: ModuleId, place: Place) -> Variable {
        match place {
            Place::Global(_) => (self.rsm.main, place),
            Place::Local(_) => (module, place),
        }
    }

    /// What a test reads.
    pub fn tested(&self, n: usize) -> impl Iterator<Item = Variable> {
        let event = self.path.events[n];
        self.action(&event).expressions().flat_map(move |expr| self.reads(event.module, expr))
    }

    fn reads<'e>(&self, module: ModuleId, expr: &'e Expr) -> impl Iterator<Item = Variable> + use<'e> {
        let main = self.rsm.main;
        let owner = move |place: Place| match place {
            Place::Global(_) => (main, place),
            Place::Local(_) => (module, place),
        };
        expr.reads().chain(expr.reads_next()).map(owner)
    }

    /// What a step reads for the sake of what matters after it.
    fn slice(&self, event: &Event, reason: &mut Reason) {
        let rsm = self.rsm;
        let mut read: Vec<Variable> = Vec::new();
        let matters = |reason: &Reason, module: ModuleId, place: Place| {
            let variable = self.variable(module, place);
            reason.places.contains(&variable) || reason.read.contains(&variable)
        };
        let enforced = |module: ModuleId| rsm.module(module).enforce.iter();
        let mut all = |module: ModuleId, expr: &Expr| read.extend(self.reads(module, expr));
        enforced(event.module).for_each(|expr| all(event.module, expr));
        match (self.action(event), event.back) {
            (Action::Assign { targets, values, constrain }, _) => {
                for (target, value) in targets.iter().zip(values) {
                    if matters(reason, event.module, *target) {
                        all(event.module, value);
                    }
                }
                constrain.iter().for_each(|expr| all(event.module, expr));
            }
            (Action::Call { callee, args, .. }, _) => {
                enforced(*callee).for_each(|expr| all(*callee, expr));
                for (n, arg) in (0..).zip(args) {
                    if matters(reason, *callee, Place::Local(n)) {
                        all(event.module, arg);
                    }
                }
            }
            (Action::Return { values }, Some((caller, call))) => {
                enforced(caller).for_each(|expr| all(caller, expr));
                if let Action::Call { results, .. } = &rsm.module(caller).edge(call).action {
                    for (result, value) in results.iter().zip(values) {
                        if result.is_some_and(|place| matters(reason, caller, place)) {
                            all(event.module, value);
                        }
                    }
                }
            }
            _ => {}
        }
        reason.read.extend(read);
    }

    /// All tests of the path, and everything that is read on it, as if that were the reason.
    pub fn everything_read(&self) -> Reason {
        let mut reason = Reason::default();
        for (n, event) in self.path.events.iter().enumerate() {
            let enforce = &self.rsm.module(event.module).enforce;
            let read = self.action(event).expressions().chain(enforce);
            reason.places.extend(read.flat_map(|expr| self.reads(event.module, expr)));
            if self.is_test(n) {
                reason.tests.insert((event.module, event.edge));
            }
        }
        self.failing(&mut reason);
        reason.places.append(&mut reason.read);
        reason
    }
}
