//! The worlds in which a run may start.
//!
//! Every thread is at the entry of its `main`. The shared values satisfy the `init` of the program, and each thread's
//! private values the `init` of its block, given the shared ones; everything else is arbitrary. What `enforce` says is not
//! looked at before a thread becomes active.

use super::view::{join, split};
use super::{ThreadState, World};
use crate::concurrent::{Concurrent, Copies, ThreadBlock};
use crate::expr::Expr;
use crate::machine::Place;
use crate::step::Frame;
use crate::step::needed::Needed;
use crate::step::outcomes::{Outcomes, State, values_fit};
use crate::values::{TooLarge, ValueSet, View, can_hold};

/// There is a number of copies for each block, and it is the one the block says, if it says one.
pub(super) fn counts_fit(program: &Concurrent, counts: &[u32]) -> bool {
    let fits = |(block, count): (&ThreadBlock, &u32)| match block.copies {
        Copies::Number(number) => number == *count,
        Copies::Any => true,
    };
    program.blocks.len() == counts.len() && program.blocks.iter().zip(counts).all(fits)
}

/// The block and the number of the copy of every thread.
pub(super) fn roles(counts: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let blocks = (0..).zip(counts);
    blocks.flat_map(|(block, count)| (0..*count).map(move |copy| (block, copy)))
}

/// A run with so many copies of each block may start here.
pub fn is_initial(program: &Concurrent, counts: &[u32], world: &World) -> Result<bool, TooLarge> {
    let shared = &program.machine.globals[..program.n_shared];
    let roles_fit = || roles(counts).eq(world.threads.iter().map(|thread| (thread.block, thread.copy)));
    if !counts_fit(program, counts) || !roles_fit() || !values_fit(&world.shared, shared) {
        return Ok(false);
    }
    let mut globals = world.shared.clone();
    globals.resize(program.machine.globals.len(), 0);
    if !all_hold(&program.machine.init, &globals)? {
        return Ok(false);
    }
    for thread in &world.threads {
        if !is_start(program, &world.shared, thread)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A thread may start like this.
fn is_start(program: &Concurrent, shared: &[u64], thread: &ThreadState) -> Result<bool, TooLarge> {
    let block = &program.blocks[thread.block as usize];
    let main = program.machine.module(block.main);
    let [frame] = &thread.stack[..] else { return Ok(false) };
    let is_new = frame.module == block.main && frame.node == main.entry && frame.call.is_none();
    if !is_new || !values_fit(&frame.locals, &main.locals) || thread.private.len() != block.private.len() {
        return Ok(false);
    }
    let globals = join(program, thread.block, shared, &thread.private);
    Ok(values_fit(&globals, &program.machine.globals) && all_hold(&block.init, &globals)?)
}

fn all_hold(conditions: &[Expr], globals: &[u64]) -> Result<bool, TooLarge> {
    for condition in conditions {
        if !can_hold(condition, &View::new(globals, &[]))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Every world in which a run with so many copies of each block may start, in an order that depends on nothing else. At
/// most `limit` worlds are made, and so many partial valuations looked at.
pub fn initials(program: &Concurrent, counts: &[u32], limit: usize) -> Result<Vec<World>, TooLarge> {
    initials_with(program, counts, None, limit)
}

/// The same, with one value for each variable that does not matter, if it is known which do.
pub(super) fn initials_with(
    program: &Concurrent,
    counts: &[u32],
    needed: Option<&Needed>,
    limit: usize,
) -> Result<Vec<World>, TooLarge> {
    assert!(counts_fit(program, counts), "there is a number of copies for each block, as it says");
    let mut budget = limit;
    let mut worlds = Vec::new();
    for shared in shared_values(program, needed, &mut budget)? {
        let mut threads = Vec::new();
        for (block, &count) in (0..).zip(counts) {
            let starts = match count {
                0 => Vec::new(),
                _ => starts(program, block, &shared, needed, &mut budget)?,
            };
            threads.extend((0..count).map(|copy| copies_of(&starts, copy)));
        }
        append_product(&shared, &threads, limit, &mut worlds)?;
    }
    Ok(worlds)
}

fn copies_of(starts: &[ThreadState], copy: u32) -> Vec<ThreadState> {
    starts.iter().map(|start| ThreadState { copy, ..start.clone() }).collect()
}

/// A world for each way to pick a state for every thread.
fn append_product(
    shared: &[u64],
    threads: &[Vec<ThreadState>],
    limit: usize,
    worlds: &mut Vec<World>,
) -> Result<(), TooLarge> {
    if threads.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut picked = vec![0; threads.len()];
    loop {
        if worlds.len() == limit {
            return Err(TooLarge);
        }
        let threads_here = threads.iter().zip(&picked).map(|(states, pick)| states[*pick].clone()).collect();
        worlds.push(World { shared: shared.to_vec(), threads: threads_here });
        // Count on, the last thread fastest.
        let last = (0..threads.len()).rev().find(|thread| picked[*thread] + 1 < threads[*thread].len());
        let Some(last) = last else { return Ok(()) };
        picked[last] += 1;
        picked[last + 1..].fill(0);
    }
}

/// The shared values at the start.
fn shared_values(
    program: &Concurrent,
    needed: Option<&Needed>,
    budget: &mut usize,
) -> Result<Vec<Vec<u64>>, TooLarge> {
    let mut outcomes = shared_outcomes(program);
    needed.iter().for_each(|needed| needed.restrict(program.machine.main, &mut outcomes));
    let values = |mut state: State| {
        state.globals.truncate(program.n_shared);
        state.globals
    };
    Ok(outcomes.all(budget)?.into_iter().map(values).collect())
}

/// The globals at the start; those that are not shared are 0.
pub(super) fn shared_outcomes(program: &Concurrent) -> Outcomes<'_> {
    let machine = &program.machine;
    let base = State { globals: vec![0; machine.globals.len()], locals: Vec::new() };
    let shared = (0..).zip(&machine.globals[..program.n_shared]);
    let stores = shared.map(|(n, variable)| (Place::Global(n), ValueSet::all(&variable.ty))).collect();
    Outcomes { base, stores, constrain: None, conditions: machine.init.iter().collect() }
}

/// The states in which a thread of the block may start, given the shared values; all as copy 0.
fn starts(
    program: &Concurrent,
    block: u32,
    shared: &[u64],
    needed: Option<&Needed>,
    budget: &mut usize,
) -> Result<Vec<ThreadState>, TooLarge> {
    let main = program.blocks[block as usize].main;
    let mut outcomes = thread_outcomes(program, block, shared);
    needed.iter().for_each(|needed| needed.restrict(main, &mut outcomes));
    let start = |state: State| ThreadState::at_start(program, block, state);
    Ok(outcomes.all(budget)?.into_iter().map(start).collect())
}

/// What a thread of the block sees at its start, given the shared values.
pub(super) fn thread_outcomes<'p>(program: &'p Concurrent, block: u32, shared: &[u64]) -> Outcomes<'p> {
    let machine = &program.machine;
    let ThreadBlock { main, private, init, .. } = &program.blocks[block as usize];
    let locals = &machine.module(*main).locals;
    let base = State { globals: join(program, block, shared, &[]), locals: vec![0; locals.len()] };
    let private = private.iter().map(|place| Place::Global(*place));
    let places = private.chain((0..locals.len()).map(|n| Place::Local(n as u32)));
    let stores = places.map(|place| (place, ValueSet::all(&machine.variable(*main, place).ty))).collect();
    Outcomes { base, stores, constrain: None, conditions: init.iter().collect() }
}

impl ThreadState {
    /// Copy 0 of the block at its first statement.
    pub(super) fn at_start(program: &Concurrent, block: u32, state: State) -> Self {
        let main = program.blocks[block as usize].main;
        let (_, private) = split(program, block, state.globals);
        let stack = vec![Frame::new(main, program.machine.module(main).entry, state.locals)];
        Self { block, copy: 0, private, stack }
    }
}
