//! Which steps are in the text.

use crate::memory::Manage;
use crate::program::{Action, Edge, Function, FunctionId, Place, Program};

/// How a step is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// By itself.
    Shown,
    /// Together with the return that follows: it is all about the result.
    WithReturn,
    /// Not at all.
    Hidden,
}

/// How an edge of a function is told.
pub fn visibility(program: &Program, id: FunctionId, edge: &Edge) -> Visibility {
    let function = program.function(id);
    let step = match &edge.action {
        Action::Step(step) => step,
        Action::Call { .. } => return Visibility::Shown,
        // A block begins and ends by itself.
        Action::Manage(Manage::Begin(_) | Manage::End(_)) => return Visibility::Hidden,
        Action::Manage(_) => return Visibility::Shown,
    };
    let is_named = |place: Place| !program.variable(id, place).name.starts_with('$');
    let stores = !step.stores.is_empty() || step.updates.iter().any(|(place, _)| is_named(*place));
    if stores || !step.inputs.is_empty() || step.guard.as_truth() != Some(true) {
        return Visibility::Shown;
    }
    match edge.to == function.exit && stores_result(function, step) {
        true => Visibility::WithReturn,
        false => Visibility::Hidden,
    }
}

fn stores_result(function: &Function, step: &crate::program::Step) -> bool {
    let result = function.result.map(Place::Local);
    step.updates.is_empty() || step.updates.iter().any(|(place, _)| Some(*place) == result)
}
