//! Straight lines as single steps, by substitution.
//!
//! Contract: over mathematical integers, the same runs between the nodes that are left: the entry and the exit of each function, the
//! ends of calls, targets, points where runs end, a point of every cycle, and points whose removal would multiply edges. Overflows on
//! the way are not kept: a program that is about them is [`crate::checked`] first.

use crate::bits::Bitwise;
use crate::expr::{Expr, Op, Relation};
use crate::memory::RegionId;
use crate::program::{Action, Edge, EdgeId, Function, NodeId, Place, Program, Role, Step};
use rustc_hash::FxHashMap;

/// A program with fewer points.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The program. Nodes keep their numbers; those that are left out have no edges.
    pub program: Program,
    /// For each function and each edge of it, the edges that it was made of.
    pub paths: Vec<Vec<Vec<EdgeId>>>,
}

/// Joins straight lines. A load whose value may be forgotten is left as it is.
pub fn compose(program: &Program) -> Composed {
    composed(program, Loads::MayFail)
}

/// Joins straight lines, for whoever asks about runs in which memory is not misused: of a load that nobody reads nothing is kept.
pub fn compose_defined(program: &Program) -> Composed {
    composed(program, Loads::Succeed)
}

/// What becomes of steps that use memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loads {
    /// A load may be undefined, and must not be forgotten.
    MayFail,
    /// Runs in which one is undefined do not count.
    Succeed,
}

fn composed(program: &Program, loads: Loads) -> Composed {
    let mut composed = Composed { program: program.clone(), paths: Vec::new() };
    for function in &mut composed.program.functions {
        composed.paths.push(lines(function, loads));
    }
    composed
}

/// The longest expressions of a composed step, in operations.
const LONGEST: usize = 400;

/// An edge under construction.
struct Line {
    from: NodeId,
    to: NodeId,
    step: Option<Step>,
    path: Vec<EdgeId>,
}

/// Joins the lines of a function, and gives the paths of its new edges.
fn lines(function: &mut Function, loads: Loads) -> Vec<Vec<EdgeId>> {
    let mut lines: Vec<Option<Line>> = Vec::new();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); function.nodes.len()];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); function.nodes.len()];
    for (n, edge) in function.edges.iter().enumerate() {
        let step = match &edge.action {
            Action::Step(step) => Some(step.clone()),
            Action::Call { .. } | Action::Manage(_) => None,
        };
        out[edge.from.index()].push(n);
        into[edge.to.index()].push(n);
        lines.push(Some(Line { from: edge.from, to: edge.to, step, path: vec![EdgeId::new(n)] }));
    }
    for n in 0..function.nodes.len() {
        let node = NodeId::new(n);
        let is_special = node == function.entry || node == function.exit;
        if is_special || function.node(node).role != Role::Plain {
            continue;
        }
        if let Some(joined) = eliminate(&lines, &into[n], &out[n], node, loads) {
            for old in std::mem::take(&mut into[n]) {
                let line = lines[old].take().expect("a line is left out once");
                out[line.from.index()].retain(|&other| other != old);
            }
            for old in std::mem::take(&mut out[n]) {
                let line = lines[old].take().expect("a line is left out once");
                into[line.to.index()].retain(|&other| other != old);
            }
            for line in joined {
                out[line.from.index()].push(lines.len());
                into[line.to.index()].push(lines.len());
                lines.push(Some(line));
            }
        }
    }
    rebuild(function, lines)
}

/// All ways through a node, if it can be left out.
fn eliminate(
    lines: &[Option<Line>],
    into: &[usize],
    out: &[usize],
    node: NodeId,
    loads: Loads,
) -> Option<Vec<Line>> {
    if into.is_empty() || out.is_empty() || (into.len() > 1 && out.len() > 1) {
        return None;
    }
    let mut joined = Vec::new();
    for &first in into {
        for &second in out {
            let (first, second) = (lines[first].as_ref()?, lines[second].as_ref()?);
            if first.from == node {
                return None;
            }
            let step = join(first.step.as_ref()?, second.step.as_ref()?, loads)?;
            let path = first.path.iter().chain(&second.path).copied().collect();
            joined.push(Line { from: first.from, to: second.to, step: Some(step), path });
        }
    }
    Some(joined)
}

/// Two steps as one, for whoever asks about runs in which memory is not misused; nothing, if it would be too long.
pub(crate) fn joined(first: &Step, second: &Step) -> Option<Step> {
    join(first, second, Loads::Succeed)
}

/// Two steps as one.
fn join(first: &Step, second: &Step, loads: Loads) -> Option<Step> {
    // What is undefined must not be forgotten because nobody reads it.
    if first.updates.iter().any(|(_, value)| is_partial(value, loads)) {
        return None;
    }
    // Loads stay where they are if they may fail: what the first stores in memory the second would have to find there.
    if loads == Loads::MayFail && !first.stores.is_empty() && second.exprs().any(Expr::has_loads) {
        return None;
    }
    let stored: FxHashMap<Place, &Expr> =
        first.updates.iter().map(|(place, value)| (*place, value)).collect();
    let (n_inputs, n_unknowns) = (first.inputs.len() as u32, first.unknowns.len() as u32);
    let leaf = |op: Op| match op {
        Op::Read(place) => stored.get(&place).map(|value| (*value).clone()),
        Op::Input(n) => Some(Expr::leaf(Op::Input(n + n_inputs))),
        Op::Unknown(n) => Some(Expr::leaf(Op::Unknown(n + n_unknowns))),
        _ => None,
    };
    // What is there twice cancels out.
    let cancels = |op: &Op| matches!(op, Op::Bits(Bitwise::Xor, _));
    let after = |expr: &Expr| {
        let after = match first.stores.is_empty() || !expr.has_loads() {
            true => expr.substitute(leaf),
            false => behind(&first.stores, expr, leaf),
        };
        if expr.code().iter().any(cancels) { after.simplified() } else { after }
    };
    let guard = first.guard.clone().and(after(&second.guard));
    let mut updates: Vec<(Place, Expr)> =
        second.updates.iter().map(|(place, value)| (*place, after(value))).collect();
    let is_stored = |place: Place| second.updates.iter().any(|(other, _)| *other == place);
    updates.extend(first.updates.iter().filter(|(place, _)| !is_stored(*place)).cloned());
    updates.sort_by_key(|(place, _)| *place);
    let inputs = first.inputs.iter().chain(&second.inputs).copied().collect();
    let unknowns = first.unknowns.iter().chain(&second.unknowns).copied().collect();
    let stores = second.stores.iter().map(|(region, pointer, value)| (*region, after(pointer), after(value)));
    let stores = first.stores.iter().cloned().chain(stores).collect();
    let step = Step { guard, updates, stores, inputs, unknowns };
    let is_short = step.exprs().all(|expr| expr.code().len() <= LONGEST);
    is_short.then_some(step)
}

/// An expression after something was stored, in terms of the memory before. What `leaf` puts in is in these terms already.
fn behind(stores: &[(RegionId, Expr, Expr)], expr: &Expr, leaf: impl Fn(Op) -> Option<Expr>) -> Expr {
    expr.fold(|op, operands: Vec<Expr>| {
        if operands.is_empty() {
            return leaf(op).unwrap_or_else(|| Expr::leaf(op));
        }
        let loaded = Expr::of(op, &operands);
        let Op::Load(region) = op else { return loaded };
        let pointer = &operands[0];
        let stored = stores.iter().filter(|(other, ..)| *other == region);
        stored.fold(loaded, |before, (_, other, value)| {
            if other == pointer {
                return value.clone();
            }
            let is_same = pointer.clone().compare(Relation::Equal, other.clone());
            Expr::choose(is_same, value.clone(), before)
        })
    })
}

/// Whether there may be no value.
fn is_partial(expr: &Expr, loads: Loads) -> bool {
    match loads {
        Loads::MayFail => !expr.is_total(),
        Loads::Succeed => !expr.is_total_but_for_memory(),
    }
}

fn rebuild(function: &mut Function, lines: Vec<Option<Line>>) -> Vec<Vec<EdgeId>> {
    let mut lines: Vec<Line> = lines.into_iter().flatten().collect();
    lines.sort_by(|a, b| (a.from, &a.path).cmp(&(b.from, &b.path)));
    let old = std::mem::take(&mut function.edges);
    let mut paths = Vec::new();
    for Line { from, to, step, path } in lines {
        let first = &old[path[0].index()];
        let action = step.map_or_else(|| first.action.clone(), Action::Step);
        function.edges.push(Edge { from, to, action, span: first.span });
        paths.push(path);
    }
    paths
}
