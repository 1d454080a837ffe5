//! The program before memory becomes variables: a load and what is decided by it are in one step.

use crate::compose::{compose_defined, joined};
use crate::expr::Op;
use crate::inline::inlined;
use crate::program::{Action, Edge, Function, NodeId, Program, Role, Step};
use crate::promote::{once, promote, promote_partly};
use crate::separated::separated;
use crate::settle::settled;

/// With more ways into a node it is not looked through.
const MOST_WAYS: usize = 8;

/// So many decisions of a function are taken earlier.
const ROUNDS: usize = 64;

/// Where few cells are all that there is, they become variables. Otherwise replaces calls, keeps apart what pointers cannot confuse then, makes variables of the regions that have few cells, joins straight lines, and decides earlier whether a target is reached.
pub(super) fn prepared(program: &Program) -> Program {
    if !program.uses_memory() {
        return program.clone();
    }
    // Runs that use a pointer too early do not count.
    let settled = settled(&once(program));
    if let Some(promoted) = promote(&settled) {
        return promoted;
    }
    let mut prepared = compose_defined(&promote_partly(&separated(&inlined(&settled)))).program;
    for function in &mut prepared.functions {
        for _ in 0..ROUNDS {
            if !earlier(function) {
                break;
            }
        }
    }
    prepared
}

/// Where a step into a target depends on what was loaded in the step before, both become one step; whoever does not take it goes on as before. Whether there was one.
fn earlier(function: &mut Function) -> bool {
    let found = (0..function.edges.len()).find_map(|n| Some((n, ways(function, n)?)));
    let Some((n, ways)) = found else { return false };
    function.edges.remove(n);
    function.edges.extend(ways);
    function.sort_edges();
    true
}

/// All ways into a target through an edge, if that should be decided before it.
fn ways(function: &Function, n: usize) -> Option<Vec<Edge>> {
    let edge = &function.edges[n];
    let is_target = |node: NodeId| matches!(function.node(node).role, Role::Target(_));
    let is_plain = edge.from != function.entry && function.node(edge.from).role == Role::Plain;
    let Action::Step(last) = &edge.action else { return None };
    if !is_target(edge.to) || !is_plain || last.guard.has_loads() {
        return None;
    }
    let before: Vec<&Edge> = function.edges.iter().filter(|other| other.to == edge.from).collect();
    let step = |before: &&Edge| match &before.action {
        Action::Step(step) if before.from != edge.from => Some(step.clone()),
        _ => None,
    };
    let steps: Vec<Step> = before.iter().map(step).collect::<Option<_>>()?;
    let reads = |place| last.guard.code().contains(&Op::Read(place));
    let is_loaded =
        |step: &Step| step.updates.iter().any(|(place, value)| value.has_loads() && reads(*place));
    if before.len() > MOST_WAYS || !steps.iter().any(is_loaded) {
        return None;
    }
    let way = |(before, step): (&&Edge, &Step)| {
        let action = Action::Step(joined(step, last)?);
        Some(Edge { from: before.from, to: edge.to, action, span: before.span })
    };
    before.iter().zip(&steps).map(way).collect()
}
