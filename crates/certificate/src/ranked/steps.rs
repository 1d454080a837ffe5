//! What one edge does to the values that a function sees.
//!
//! Contract: for every step of `rsm::step` there is one here that differs from it only in variables that are not needed behind it. Values
//! are computed one by one by `rsm::values`; where a condition relates new values, `rsm::interleave` finds them.

use super::needs::Places;
use crate::outcome::Fault;
use rsm::interleave::{ThreadId, ThreadState, World, mattering_successors};
use rsm::step::Frame;
use rsm::values::{TooLarge, View, can_hold, evaluate, possible};
use rsm::{Concurrent, EdgeId, Expr, ModuleId, NodeId, Place};

/// The most combinations of values that are looked at for one step.
pub(super) const MOST: usize = 1 << 16;

/// The values that a function sees; 0 where there is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    pub(super) globals: Vec<u64>,
    pub(super) locals: Vec<u64>,
}

impl Values {
    pub(super) fn view(&self) -> View<'_> {
        View::new(&self.globals, &self.locals)
    }

    pub(super) fn get(&self, place: Place) -> u64 {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[n as usize],
        }
    }

    pub(super) fn set(&mut self, place: Place, value: u64) {
        match place {
            Place::Global(n) => self.globals[n as usize] = value,
            Place::Local(n) => self.locals[n as usize] = value,
        }
    }

    /// The same values, without a new list.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.globals.clone_from(&other.globals);
        self.locals.clone_from(&other.locals);
    }

    fn of_thread(thread: &ThreadState) -> Self {
        let locals = thread.stack.last().map_or_else(Vec::new, |top| top.locals.clone());
        Self { globals: thread.private.clone(), locals }
    }
}

/// A step has too many outcomes.
pub(super) fn too_large(TooLarge: TooLarge) -> Fault {
    Fault::Refused("a step has too many outcomes".to_owned())
}

/// The condition can hold.
pub(super) fn holds(condition: &Expr, values: &Values) -> Result<bool, Fault> {
    if condition.is_choice() {
        return Ok(true);
    }
    if condition.has_choice() {
        return can_hold(condition, &values.view()).map_err(too_large);
    }
    Ok(value_of(condition, values) == 1)
}

fn value_of(expr: &Expr, values: &Values) -> u64 {
    evaluate(expr, &values.view(), &mut |_| unreachable!("the expression has no choice"))
}

/// Hands on every combination of values that these variables can get, each from its own expression.
pub(super) fn each_outcome<'e>(
    stores: impl Iterator<Item = (Place, &'e Expr)>,
    before: &Values,
    after: &mut Values,
    take: &mut dyn FnMut(&Values) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // What may have several values, and how many combinations there are.
    let mut open: Vec<(Place, Vec<u64>)> = Vec::new();
    let mut n_combinations = 1usize;
    for (place, expr) in stores {
        if !expr.has_choice() {
            after.set(place, value_of(expr, before));
            continue;
        }
        let set = possible(expr, &before.view()).map_err(too_large)?;
        let values = set.values(MOST).ok_or_else(|| too_large(TooLarge))?;
        n_combinations = n_combinations.saturating_mul(values.len());
        if n_combinations > MOST {
            return Err(too_large(TooLarge));
        }
        open.push((place, values));
    }
    for mut number in 0..n_combinations {
        for (place, values) in &open {
            after.set(*place, values[number % values.len()]);
            number /= values.len();
        }
        take(after)?;
    }
    Ok(())
}

/// A function that is at a node by itself.
fn alone(module: ModuleId, node: NodeId, values: &Values) -> World {
    let stack = vec![Frame::new(module, node, values.locals.clone())];
    let thread = ThreadState { block: 0, copy: 0, private: values.globals.clone(), stack };
    World { shared: Vec::new(), threads: vec![thread] }
}

/// Where an edge leads, and with which values, as `rsm::interleave` says; only what is needed there has all its values.
pub(super) fn by_definition(
    program: &Concurrent,
    (module, node, edge): (ModuleId, NodeId, EdgeId),
    values: &Values,
    needed: &Places,
) -> Result<Vec<Values>, Fault> {
    let world = alone(module, node, values);
    let matters = |_: Option<(ModuleId, NodeId)>, place| needed.has(place);
    let found = mattering_successors(program, &world, ThreadId(0), &matters, MOST).map_err(too_large)?;
    let of_edge = found.into_iter().filter(|(taken, _)| *taken == edge);
    Ok(of_edge.map(|(_, after)| Values::of_thread(&after.threads[0])).collect())
}
