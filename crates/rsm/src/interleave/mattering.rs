//! Steps and starts of one thread, with all values of the variables that matter and one of the others.
//!
//! Contract: what is listed is a step, or a start, of the semantics; for every other one there is one in the list that differs from
//! it only in variables that do not matter where it leads. Who says what matters answers for it.

use super::start::{shared_outcomes, thread_outcomes};
use super::{ThreadId, ThreadState, World, view_of};
use crate::concurrent::Concurrent;
use crate::machine::{EdgeId, ModuleId, NodeId, Place};
use crate::step::outcomes::{Outcomes, Search, State};
use crate::step::{Configuration, Frame, Turn, turn};
use crate::values::TooLarge;
use std::ops::ControlFlow;

/// Whether a variable matters once a thread is at a node; at none if it has ended.
pub type Matters<'m> = dyn Fn(Option<(ModuleId, NodeId)>, Place) -> bool + 'm;

/// The steps that the thread can take, in the order of the edges. At most `limit` partial valuations are looked at.
pub fn mattering_successors(
    program: &Concurrent,
    world: &World,
    thread: ThreadId,
    matters: &Matters<'_>,
    limit: usize,
) -> Result<Vec<(EdgeId, World)>, TooLarge> {
    let view = view_of(program, world, thread);
    let Some(top) = view.top() else { return Ok(Vec::new()) };
    let (machine, mut budget) = (&program.machine, limit);
    let mut found = Vec::new();
    for (id, edge) in machine.module(top.module).edges_from(top.node) {
        let Some((turn, mut outcomes)) = turn(machine, &view, id, &edge.action)? else { continue };
        let at = place_after(program, &view, turn);
        restrict(&mut outcomes, |place| matters(at, place));
        for state in outcomes.all(&mut budget)? {
            let mut after = world.clone();
            after.take(program, thread, id, turn, state);
            found.push((id, after));
        }
    }
    Ok(found)
}

/// Visits the values of the shared variables at the start, one after the other, until the visitor has enough. There may be very many, so there is no
/// list of them.
pub fn each_mattering_shared(
    program: &Concurrent,
    matters: &dyn Fn(Place) -> bool,
    limit: usize,
    visit: &mut dyn FnMut(Vec<u64>) -> ControlFlow<()>,
) -> Result<(), TooLarge> {
    let mut outcomes = shared_outcomes(program);
    restrict(&mut outcomes, matters);
    let mut search = Search { budget: &mut { limit }, zero_first: &mut || true };
    outcomes.search(&mut search, &mut |mut state| {
        state.globals.truncate(program.n_shared);
        visit(state.globals)
    })
}

/// The states in which a thread of the block may start beside these shared values; all as copy 0.
pub fn mattering_starts(
    program: &Concurrent,
    block: u32,
    shared: &[u64],
    matters: &Matters<'_>,
    limit: usize,
) -> Result<Vec<ThreadState>, TooLarge> {
    let main = program.blocks[block as usize].main;
    let at = Some((main, program.machine.module(main).entry));
    let mut outcomes = thread_outcomes(program, block, shared);
    restrict(&mut outcomes, |place| matters(at, place));
    let start = |state: State| ThreadState::at_start(program, block, state);
    Ok(outcomes.all(&mut { limit })?.into_iter().map(start).collect())
}

/// Where the thread is after a step.
fn place_after(program: &Concurrent, view: &Configuration, turn: Turn) -> Option<(ModuleId, NodeId)> {
    let module = |frame: Option<&Frame>| frame.map(|frame| frame.module);
    match turn {
        Turn::Stay(to) => Some((module(view.stack.last())?, to)),
        Turn::Push(callee) => Some((callee, program.machine.module(callee).entry)),
        Turn::Pop(to) => Some((module(view.stack.iter().rev().nth(1))?, to)),
        Turn::End => None,
    }
}

/// Leaves one value for each variable that neither matters nor is looked at by a condition of the outcomes themselves.
fn restrict(outcomes: &mut Outcomes<'_>, matters: impl Fn(Place) -> bool) {
    let Outcomes { base, stores, constrain, conditions } = outcomes;
    let is_read = |place: Place| {
        constrain.iter().any(|(_, expr)| expr.reads_next().any(|read| read == place))
            || conditions.iter().any(|expr| expr.reads().any(|read| read == place))
    };
    stores.retain(|(place, set)| {
        let stays = matters(*place) || is_read(*place);
        if !stays {
            *base.slot(*place) = set.smallest();
        }
        stays
    });
}
