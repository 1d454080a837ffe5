//! Pointer variables that only ever point to one place, replaced by it: parameters of functions that have become part of their callers.
//!
//! Contract: the same runs, but for those that use a pointer before anything was stored in it, which is a misuse.

use crate::expr::{Expr, Op};
use crate::memory::{Manage, WILD};
use crate::number::Type;
use crate::program::{Action, Function, Place, Program};
use rustc_hash::FxHashMap;

/// Replaces pointers.
pub(crate) fn settled(program: &Program) -> Program {
    let mut settled = program.clone();
    for function in &mut settled.functions {
        // A pointer may be settled by another one.
        while settle(function) {}
    }
    settled
}

/// What a variable is.
#[derive(Clone, PartialEq)]
enum Known {
    /// A pointer to this.
    One(Expr),
    /// One or another.
    Several,
}

/// Replaces the pointers of a function once; whether there was one.
fn settle(function: &mut Function) -> bool {
    let mut known: FxHashMap<u32, Known> = FxHashMap::default();
    let is_parameter = |n: u32| (n as usize) < function.n_params;
    let is_pointer = |n: u32| function.locals[n as usize].ty == Type::POINTER;
    let mut store = |place: Place, value: Option<&Expr>| {
        let Place::Local(n) = place else { return };
        if !is_pointer(n) || is_parameter(n) || value.is_some_and(|value| value.as_constant() == Some(WILD)) {
            return;
        }
        let value = value.filter(|value| is_fixed(value)).cloned();
        let new = value.map_or(Known::Several, Known::One);
        known
            .entry(n)
            .and_modify(|old| {
                if *old != new {
                    *old = Known::Several
                }
            })
            .or_insert(new);
    };
    for edge in &function.edges {
        match &edge.action {
            Action::Step(step) => step.updates.iter().for_each(|(place, value)| store(*place, Some(value))),
            Action::Call { result, .. } => result.iter().for_each(|place| store(*place, None)),
            Action::Manage(manage) => manage.result().into_iter().for_each(|place| store(place, None)),
        }
    }
    let known: FxHashMap<Place, Expr> = known
        .into_iter()
        .filter_map(|(n, known)| match known {
            Known::One(value) => Some((Place::Local(n), value)),
            Known::Several => None,
        })
        .collect();
    if known.is_empty() {
        return false;
    }
    function.edges.iter_mut().for_each(|edge| replace(&mut edge.action, &known));
    true
}

/// It is the same wherever it is computed.
fn is_fixed(value: &Expr) -> bool {
    let is_fixed =
        |op: &Op| matches!(op, Op::Object(_) | Op::Constant(_) | Op::Add | Op::Member(..) | Op::Initialised);
    value.code().iter().all(is_fixed) && value.code().iter().any(|op| matches!(op, Op::Object(_)))
}

/// Puts values in the places of variables, in which nothing is stored any more.
fn replace(action: &mut Action, known: &FxHashMap<Place, Expr>) {
    let put = |expr: &mut Expr| {
        *expr = expr.substitute(|op| match op {
            Op::Read(place) => known.get(&place).cloned(),
            _ => None,
        });
    };
    match action {
        Action::Step(step) => {
            step.updates.retain(|(place, _)| !known.contains_key(place));
            put(&mut step.guard);
            step.updates.iter_mut().for_each(|(_, value)| put(value));
            for (_, pointer, value) in &mut step.stores {
                put(pointer);
                put(value);
            }
        }
        Action::Call { args, .. } => args.iter_mut().for_each(put),
        Action::Manage(manage) => Manage::exprs_mut(manage).into_iter().for_each(put),
    }
}
