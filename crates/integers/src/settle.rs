//! Pointer variables that only ever point to one place, replaced by it: parameters of functions that have become part of their callers.
//!
//! Contract: the same runs, but for those that use a pointer before anything was stored in it, which is a misuse; or all runs, where such pointers are left.

use crate::expr::{Expr, Op};
use crate::memory::{Manage, WILD};
use crate::number::Type;
use crate::program::{Action, Edge, Function, NodeId, Place, Program};
use rustc_hash::FxHashMap;

/// Replaces pointers.
pub(crate) fn settled(program: &Program) -> Program {
    replaced(program, &|_, _| true)
}

/// Replaces those pointers only that nobody uses before something was stored in them: the same runs, misuses included.
pub(crate) fn settled_exactly(program: &Program) -> Program {
    replaced(program, &is_set)
}

fn replaced(program: &Program, is_wanted: &dyn Fn(&Function, Place) -> bool) -> Program {
    let mut settled = program.clone();
    for function in &mut settled.functions {
        // A pointer may be settled by another one.
        while settle(function, is_wanted) {}
    }
    settled
}

/// What an edge stores in a variable.
fn stored(edge: &Edge, place: Place) -> Option<&Expr> {
    match &edge.action {
        Action::Step(step) => step.updates.iter().find(|(other, _)| *other == place).map(|(_, value)| value),
        _ => None,
    }
}

/// Whether something was stored in a local wherever it is read.
fn is_set(function: &Function, local: Place) -> bool {
    let is_wild = |value: &Expr| value.as_constant() == Some(WILD);
    let again =
        function.edges.iter().filter(|edge| stored(edge, local).is_some_and(is_wild)).map(|edge| edge.to);
    let mut pending: Vec<NodeId> = again.chain([function.entry]).collect();
    let mut may_be_wild = vec![false; function.nodes.len()];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut may_be_wild[node.index()], true) {
            continue;
        }
        if node == function.exit && function.result.map(Place::Local) == Some(local) {
            return false;
        }
        for (_, edge) in function.edges_from(node) {
            let read: Vec<&Expr> = match &edge.action {
                Action::Step(step) => step.exprs().collect(),
                Action::Call { args, .. } => args.iter().collect(),
                Action::Manage(manage) => manage.exprs(),
            };
            if read.into_iter().any(|expr| expr.code().contains(&Op::Read(local))) {
                return false;
            }
            if stored(edge, local).is_none() {
                pending.push(edge.to);
            }
        }
    }
    true
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
fn settle(function: &mut Function, is_wanted: &dyn Fn(&Function, Place) -> bool) -> bool {
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
        .filter(|(place, _)| is_wanted(function, *place))
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
