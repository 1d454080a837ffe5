//! What each action means: from a state to the states it may lead to.
//!
//! This is the semantics of the language, one function for each kind of step. Everything else in this crate, and every
//! engine, is judged by it.

use super::outcomes::{Outcomes, State};
use crate::expr::Expr;
use crate::machine::{Action, ModuleId, Place, Rsm};
use crate::values::{TooLarge, ValueSet, can_hold, possible};

/// The states in which a run may start: every valuation for which each `init` and the `enforce` of `main` can hold.
pub(crate) fn starting(rsm: &Rsm) -> Outcomes<'_> {
    let main = rsm.module(rsm.main);
    let base = State { globals: vec![0; rsm.globals.len()], locals: vec![0; main.locals.len()] };
    let globals = (0..rsm.globals.len()).map(|n| Place::Global(n as u32));
    let locals = (0..main.locals.len()).map(|n| Place::Local(n as u32));
    let places = globals.chain(locals);
    let stores = places.map(|place| (place, ValueSet::all(&rsm.variable(rsm.main, place).ty))).collect();
    let conditions = rsm.init.iter().chain(&main.enforce).collect();
    Outcomes { base, stores, constrain: None, conditions }
}

/// A step within a module: `None` if it cannot be taken, or if the action is a call or a return.
pub(crate) fn within<'a>(
    rsm: &'a Rsm,
    module: ModuleId,
    action: &'a Action,
    state: &State,
) -> Result<Option<Outcomes<'a>>, TooLarge> {
    let mut outcomes = Outcomes::only(state.clone());
    outcomes.conditions.extend(&rsm.module(module).enforce);
    match action {
        Action::Skip => {}
        Action::Assume(condition) | Action::Assert(condition) => {
            if !can_hold(condition, &state.view())? {
                return Ok(None);
            }
        }
        Action::Assign { targets, values, constrain } => {
            for (target, value) in targets.iter().zip(values) {
                outcomes.stores.push((*target, possible(value, &state.view())?));
            }
            outcomes.constrain = constrain.as_ref().map(|constrain| (state.clone(), constrain));
        }
        Action::Call { .. } | Action::Return { .. } => return Ok(None),
    }
    Ok(Some(outcomes))
}

/// A call: the states in which the callee starts. Parameters get the arguments, the other locals any value.
pub(crate) fn entering<'a>(
    rsm: &'a Rsm,
    callee: ModuleId,
    args: &[Expr],
    state: &State,
) -> Result<Outcomes<'a>, TooLarge> {
    let module = rsm.module(callee);
    let base = State { globals: state.globals.clone(), locals: vec![0; module.locals.len()] };
    let mut outcomes = Outcomes::only(base);
    outcomes.conditions.extend(&module.enforce);
    for (n, local) in module.locals.iter().enumerate() {
        let set = match args.get(n) {
            Some(arg) if n < module.n_params => possible(arg, &state.view())?,
            _ => ValueSet::all(&local.ty),
        };
        outcomes.stores.push((Place::Local(n as u32), set));
    }
    Ok(outcomes)
}

/// A caller that waits for its callee.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub(crate) module: ModuleId,
    pub(crate) locals: &'a [u64],
    /// Where the results go.
    pub(crate) results: &'a [Option<Place>],
}

/// A return: the states in which the caller goes on. The results are computed in the callee's state and stored at once.
pub(crate) fn returning<'a>(
    rsm: &'a Rsm,
    values: &[Expr],
    callee: &State,
    caller: Caller<'_>,
) -> Result<Outcomes<'a>, TooLarge> {
    let base = State { globals: callee.globals.clone(), locals: caller.locals.to_vec() };
    let mut outcomes = Outcomes::only(base);
    outcomes.conditions.extend(&rsm.module(caller.module).enforce);
    for (value, result) in values.iter().zip(caller.results) {
        if let Some(place) = result {
            outcomes.stores.push((*place, possible(value, &callee.view())?));
        }
    }
    Ok(outcomes)
}
