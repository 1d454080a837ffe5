//! A run with the fewest steps to one of several goals, read off the table.
//!
//! The steps within an activation are known from the table. The way to its entry is a chain of calls that never return,
//! again the cheapest one, by Dijkstra's algorithm over the entries.

use super::{EntryId, Limits, Origin, ReachId, Table, Unfinished, is_at, place_of};
use crate::goal::Goal;
use crate::interleave::{ThreadId, World};
use crate::machine::{EdgeId, Rsm};
use crate::trace::{Recorder, Trace};
use base::Stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A run to one of the goals with as few steps as possible; `None` if none of them is reachable. Stopping in an assertion
/// failure is no step.
pub fn shortest(rsm: &Rsm, goals: &[Goal], limits: Limits, stop: &Stop) -> Result<Option<Trace>, Unfinished> {
    let mut table = Table::new(rsm, limits)?;
    let mut found: Vec<(ReachId, Goal)> = Vec::new();
    let places: Vec<_> = goals.iter().map(|goal| place_of(rsm, *goal)).collect();
    while let Some(id) = table.pop(stop)? {
        let here = (table.module_of(id), table.reached[id.index()].node);
        for (goal, _) in goals.iter().zip(&places).filter(|(_, place)| **place == here) {
            if is_at(rsm, *goal, &table.reached[id.index()].state)? {
                found.push((id, *goal));
            }
        }
        table.expand(id)?;
    }
    let chains = chains(&table);
    let length = |id: ReachId| {
        let reach = &table.reached[id.index()];
        chains[reach.entry.index()].map_or(u64::MAX, |(cost, _)| cost.saturating_add(reach.cost))
    };
    let Some((id, goal)) = found.into_iter().min_by_key(|(id, _)| (length(*id), *id)) else {
        return Ok(None);
    };
    if length(id) > limits.max_states as u64 {
        return Err(Unfinished::Length);
    }
    Ok(Some(recorded(&table, goal, &backwards(&table, &chains, id))))
}

/// For each entry the least number of steps from the start of a run, and the call that is the last of them.
type Chains = Vec<Option<(u64, Option<(ReachId, EdgeId)>)>>;

fn chains(table: &Table<'_>) -> Chains {
    let mut calls: Vec<Vec<(ReachId, EdgeId, EntryId)>> = vec![Vec::new(); table.entries.len()];
    for (n, callee) in table.entries.iter().enumerate() {
        for &(caller, edge) in &callee.callers {
            calls[table.reached[caller.index()].entry.index()].push((caller, edge, EntryId::new(n)));
        }
    }
    let mut chains: Chains = vec![None; table.entries.len()];
    let mut queue = BinaryHeap::new();
    for (n, chain) in chains.iter_mut().enumerate().take(table.n_initial) {
        *chain = Some((0, None));
        queue.push(Reverse((0, EntryId::new(n))));
    }
    while let Some(Reverse((cost, entry))) = queue.pop() {
        if chains[entry.index()].is_some_and(|(best, _)| best < cost) {
            continue;
        }
        for &(caller, edge, callee) in &calls[entry.index()] {
            let cost = cost.saturating_add(table.reached[caller.index()].cost).saturating_add(1);
            if chains[callee.index()].is_none_or(|(best, _)| cost < best) {
                chains[callee.index()] = Some((cost, Some((caller, edge))));
                queue.push(Reverse((cost, callee)));
            }
        }
    }
    chains
}

/// One step of a run: the edge, and the state it leads to.
type Move = (EdgeId, ReachId);

/// What is still to be written down, from the end of the run to its start.
enum Task {
    /// The steps from its entry to a state.
    Reach(ReachId),
    /// A call of an entry.
    Call(EdgeId, EntryId),
}

/// The steps to a state from the start of a run, the last one first, after the initial entry.
fn backwards(table: &Table<'_>, chains: &Chains, goal: ReachId) -> (EntryId, Vec<Move>) {
    let mut moves = Vec::new();
    let mut at = goal;
    loop {
        let entry = table.reached[at.index()].entry;
        append_activation(table, at, &mut moves);
        let Some((_, Some((caller, edge)))) = chains[entry.index()] else { return (entry, moves) };
        moves.push(call_of(table, edge, entry));
        at = caller;
    }
}

fn call_of(table: &Table<'_>, edge: EdgeId, entry: EntryId) -> Move {
    let entry = &table.entries[entry.index()];
    (edge, entry.start)
}

/// The steps from its entry to a state, the last one first. Callees are written out with the help of a list of tasks, for
/// they may be nested deeply.
fn append_activation(table: &Table<'_>, last: ReachId, moves: &mut Vec<Move>) {
    let mut todo = vec![Task::Reach(last)];
    while let Some(task) = todo.pop() {
        let id = match task {
            Task::Call(edge, entry) => {
                moves.push(call_of(table, edge, entry));
                continue;
            }
            Task::Reach(id) => id,
        };
        let reach = &table.reached[id.index()];
        match reach.origin {
            Origin::Start => {}
            Origin::Step(before, edge) => {
                moves.push((edge, id));
                todo.push(Task::Reach(before));
            }
            Origin::Return { caller: (caller, call), callee: (callee, edge) } => {
                moves.push((edge, id));
                let entry = table.reached[callee.index()].entry;
                todo.extend([Task::Reach(caller), Task::Call(call, entry), Task::Reach(callee)]);
            }
        }
    }
}

/// The run that the moves are.
fn recorded(table: &Table<'_>, goal: Goal, (entry, moves): &(EntryId, Vec<Move>)) -> Trace {
    let state = |id: ReachId| table.reached[id.index()].state.clone();
    let start = World::of_main(table.rsm, state(table.entries[entry.index()].start));
    let mut recorder = Recorder::new(table.rsm, start);
    for (edge, id) in moves.iter().rev() {
        recorder.step(ThreadId(0), *edge, state(*id));
    }
    recorder.finish(ThreadId(0), goal.into())
}
