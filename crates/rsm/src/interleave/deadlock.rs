//! Deadlocks: nobody can go on, and somebody has not ended.
//!
//! A move of a thread leads from one place where it may be left to another, or to its end, so an atomic block is entered only by who comes
//! out of it again or ends: a thread that waits for `atomic begin assume(!lock); lock := T; end` has no move while the lock is held. A
//! thread that could run on for ever inside an atomic block has one, as one that only spins has. The flag of `atomic_begin` outlives its
//! thread: once a thread has ended with it ([`ended_inside`]), nobody else has a move.

use super::{ThreadId, ThreadState, World, is_allowed, is_free, successors};
use crate::concurrent::Concurrent;
use crate::values::TooLarge;
use rustc_hash::FxHashMap;

/// The thread has ended: `main` has returned, or the function on top has ended the thread.
pub fn has_ended(program: &Concurrent, thread: &ThreadState) -> bool {
    super::stack_has_ended(program, &thread.stack)
}

/// The thread has ended in an atomic region: its flag stays set, and no other thread runs any more.
pub fn ended_inside(program: &Concurrent, thread: &ThreadState) -> bool {
    has_ended(program, thread) && !is_free(program, thread)
}

/// No thread has a move, and some thread has not ended. At most `limit` states and partial valuations are looked at for each thread.
pub fn is_deadlock(program: &Concurrent, world: &World, limit: usize) -> Result<bool, TooLarge> {
    let is_over = |thread: &ThreadState| is_free(program, thread) || has_ended(program, thread);
    if world.threads.iter().all(|thread| has_ended(program, thread)) || !world.threads.iter().all(is_over) {
        return Ok(false);
    }
    if world.threads.iter().any(|thread| ended_inside(program, thread)) {
        return Ok(true);
    }
    for thread in (0..world.threads.len()).map(ThreadId::new) {
        if has_move(program, world, thread, limit)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The thread, which is where it may be left, has a move; nobody has ended inside an atomic region.
pub fn has_move(
    program: &Concurrent,
    world: &World,
    thread: ThreadId,
    limit: usize,
) -> Result<bool, TooLarge> {
    if !is_allowed(program, world, thread)? {
        return Ok(false);
    }
    // The states that are passed through, where the thread may not be left, and how often each is still to be reached.
    let mut numbers: FxHashMap<World, usize> = FxHashMap::default();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut todo = vec![world.clone()];
    numbers.insert(world.clone(), 0);
    edges.push(Vec::new());
    while let Some(from) = todo.pop() {
        let number = numbers[&from];
        for (_, after) in successors(program, &from, thread, limit)? {
            let moved = &after.threads[thread.index()];
            if is_free(program, moved) || has_ended(program, moved) {
                return Ok(true);
            }
            let next = edges.len();
            let known = *numbers.entry(after.clone()).or_insert(next);
            if known == next {
                edges.push(Vec::new());
                todo.push(after);
            }
            edges[number].push(known);
        }
        if edges.len() > limit {
            return Err(TooLarge);
        }
    }
    Ok(has_cycle(&edges))
}

/// Some way through the graph never ends.
fn has_cycle(edges: &[Vec<usize>]) -> bool {
    let mut n_before = vec![0usize; edges.len()];
    edges.iter().flatten().for_each(|to| n_before[*to] += 1);
    let mut todo: Vec<usize> = (0..edges.len()).filter(|node| n_before[*node] == 0).collect();
    let mut n_gone = 0;
    while let Some(node) = todo.pop() {
        n_gone += 1;
        for to in &edges[node] {
            n_before[*to] -= 1;
            if n_before[*to] == 0 {
                todo.push(*to);
            }
        }
    }
    n_gone < edges.len()
}
