//! What keeps a thread from going on.
//!
//! A thread that has no move stands before steps that it cannot take, or enters an atomic region and stands before such steps there.
//! Contract: what is listed is every edge that cannot be taken where the thread alone comes to a halt, in the order in which a
//! breadth-first search meets them, each once, with the values that it meets them with.

use super::{ThreadId, World, is_allowed, is_free, successors, view_of};
use crate::concurrent::Concurrent;
use crate::machine::{EdgeId, ModuleId};
use crate::step::State;
use crate::values::TooLarge;
use rustc_hash::FxHashSet;

/// Something that a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// The function that is on top of its stack.
    pub module: ModuleId,
    /// The step that it cannot take; none if the `enforce` of the function does not hold.
    pub edge: Option<EdgeId>,
    /// What it sees there.
    pub state: State,
}

/// What a thread that has no move waits for. At most `limit` states and partial valuations are looked at.
pub fn obstacles(
    program: &Concurrent,
    world: &World,
    thread: ThreadId,
    limit: usize,
) -> Result<Vec<Obstacle>, TooLarge> {
    let (mut found, mut met) = (Vec::<Obstacle>::new(), FxHashSet::default());
    let mut passed = vec![world.clone()];
    let mut known: FxHashSet<World> = passed.iter().cloned().collect();
    let mut at = 0;
    while let Some(world) = passed.get(at).cloned() {
        at += 1;
        let view = view_of(program, &world, thread);
        let Some(top) = view.top() else { continue };
        let (module, node) = (top.module, top.node);
        let mut note = |edge: Option<EdgeId>| {
            if met.insert((module, edge)) {
                found.push(Obstacle { module, edge, state: view.state() });
            }
        };
        if !is_allowed(program, &world, thread)? {
            note(None);
            continue;
        }
        let steps = successors(program, &world, thread, limit)?;
        if steps.is_empty() {
            program.machine.module(module).edges_from(node).for_each(|(edge, _)| note(Some(edge)));
        }
        for (_, after) in steps {
            if !is_free(program, &after.threads[thread.index()]) && known.insert(after.clone()) {
                passed.push(after);
            }
        }
        if passed.len() > limit {
            return Err(TooLarge);
        }
    }
    Ok(found)
}
