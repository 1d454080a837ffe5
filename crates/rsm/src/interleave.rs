//! The concrete semantics of concurrent programs: worlds and the steps of their threads.
//!
//! A world holds the shared values and all threads. A step of a thread is a step of a sequential configuration, as `step`
//! says, made of the shared values and what belongs to this thread. A run starts in a world that [`is_initial`], with any
//! thread active; the active thread steps ([`is_step`]), or another one becomes active in its place. For that the thread
//! that is left must be outside atomic regions ([`may_switch`]), and the other one where its `enforce` can hold
//! ([`is_allowed`]). A goal is reached when the active thread is there ([`is_at`]).
//!
//! Threads start outside atomic regions; hence it is enough to look at the thread that is left. [`Trace`](crate::trace::Trace) is a run;
//! [`least_switches`], [`least_rounds`], [`find_run`] and [`closes`] try all of them, one world after the other: the
//! textbook twin of the algorithms for threads.

pub(crate) mod view;

mod deadlock;
mod forever;
mod mattering;
mod obstacle;
mod start;

mod worlds;

mod levels;

mod search;

pub use deadlock::{ended_inside, has_ended, has_move, is_deadlock};
pub use forever::{AllRuns, InCycle, Scheduler, Stops};
pub use mattering::{Matters, each_mattering_shared, mattering_starts, mattering_successors};
pub use obstacle::{Obstacle, obstacles};
pub use search::{Closure, Least, Limits, Unfinished, closes, find_run, least_rounds, least_switches};
pub use start::{initials, is_initial};

use crate::concurrent::{Concurrent, ThreadGoal};
use crate::goal::Goal;
use crate::machine::{EdgeId, Rsm};
use crate::step::{Configuration, Frame, State, fails_assertion};
use crate::values::{TooLarge, can_hold};

base::index_type! {
    /// A thread: a position in [`World::threads`].
    ThreadId;
}

/// All threads at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The values of the shared globals.
    pub shared: Vec<u64>,
    /// The threads: all copies of the first block, then those of the next one.
    pub threads: Vec<ThreadState>,
}

/// One thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadState {
    /// Its block: a position in [`Concurrent::blocks`].
    pub block: u32,
    /// Which copy of the block it is, from 0.
    pub copy: u32,
    /// The values of its private globals, in the order of [`ThreadBlock::private`](crate::ThreadBlock::private).
    pub private: Vec<u64>,
    /// The modules that run, callers before callees; empty once `main` has returned.
    pub stack: Vec<Frame>,
}

impl World {
    /// The one thread of a sequential program at its first statement.
    pub fn of_main(machine: &Rsm, state: State) -> Self {
        let main = Frame::new(machine.main, machine.module(machine.main).entry, state.locals);
        let thread = ThreadState { block: 0, copy: 0, private: Vec::new(), stack: vec![main] };
        Self { shared: state.globals, threads: vec![thread] }
    }
}

/// How often the threads may take turns.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// So many context switches; any thread may be the first.
    Switches(u32),
    /// The threads run in a fixed order, each at most once in a round.
    Rounds {
        /// So many rounds.
        rounds: u32,
        /// Every thread once.
        order: &'a [ThreadId],
    },
}

/// The threads in the order of the text, if there are so many copies of each block.
pub fn declaration_order(counts: &[u32]) -> Vec<ThreadId> {
    (0..counts.iter().sum()).map(ThreadId).collect()
}

/// The thread is outside atomic regions: no frame is at a node in one, and the flag is not set. A thread that has ended is
/// outside unless its flag is set.
pub fn is_free(program: &Concurrent, thread: &ThreadState) -> bool {
    let in_atomic = |frame: &Frame| program.machine.module(frame.module).node(frame.node).in_atomic;
    let is_inside = !stack_has_ended(program, &thread.stack) && thread.stack.iter().any(in_atomic);
    !is_inside && !has_flag(program, thread.block, &thread.private)
}

/// The thread with this stack has ended: `main` has returned, or the function on top has ended the thread.
fn stack_has_ended(program: &Concurrent, stack: &[Frame]) -> bool {
    stack.last().is_none_or(|top| program.machine.module(top.module).ends_thread(top.node))
}

/// The flag of a thread with these private values is set.
fn has_flag(program: &Concurrent, block: u32, private: &[u64]) -> bool {
    let block = &program.blocks[block as usize];
    block.flag.is_some_and(|flag| {
        let position = block.private.iter().position(|place| *place == flag);
        private[position.expect("the flag is private")] != 0
    })
}

/// Another thread may become active in place of this one.
pub fn may_switch(program: &Concurrent, world: &World, from: ThreadId) -> bool {
    is_free(program, &world.threads[from.index()])
}

/// The thread may be active here: the `enforce` of the module on top of its stack can hold.
pub fn is_allowed(program: &Concurrent, world: &World, thread: ThreadId) -> Result<bool, TooLarge> {
    is_allowed_in(program, &view_of(program, world, thread))
}

/// The same of the view of a thread.
fn is_allowed_in(program: &Concurrent, view: &Configuration) -> Result<bool, TooLarge> {
    let enforce = view.top().and_then(|top| program.machine.module(top.module).enforce.as_ref());
    enforce.map_or(Ok(true), |condition| can_hold(condition, &view.state().view()))
}

/// The thread reaches the goal if it is active here.
pub fn is_at(
    program: &Concurrent,
    world: &World,
    thread: ThreadId,
    goal: ThreadGoal,
) -> Result<bool, TooLarge> {
    let copy = world.threads[thread.index()].copy;
    is_at_in(program, &view_of(program, world, thread), copy, goal)
}

/// The same of the view of a thread.
pub(crate) fn is_at_in(
    program: &Concurrent,
    view: &Configuration,
    copy: u32,
    goal: ThreadGoal,
) -> Result<bool, TooLarge> {
    let Some(top) = view.top().filter(|_| goal.copy.is_none_or(|wanted| wanted == copy)) else {
        return Ok(false);
    };
    match goal.goal {
        Goal::At(module, node) => Ok((top.module, top.node) == (module, node)),
        Goal::Failure(module, edge) if top.module == module => fails_assertion(&program.machine, view, edge),
        Goal::Failure(..) => Ok(false),
    }
}

/// Taking the edge may lead the thread, and with it the world, from one world to the other.
pub fn is_step(
    program: &Concurrent,
    before: &World,
    thread: ThreadId,
    edge: EdgeId,
    after: &World,
) -> Result<bool, TooLarge> {
    let mut expected = before.clone();
    let (Some(_), Some(stepped)) = (before.threads.get(thread.index()), after.threads.get(thread.index()))
    else {
        return Ok(false);
    };
    let state = view::view(program, stepped.block, &after.shared, &stepped.private, &stepped.stack).state();
    let Some(turn) = view::turn_to(program, &view_of(program, before, thread), edge, &state)? else {
        return Ok(false);
    };
    expected.take(program, thread, edge, turn, state);
    Ok(expected == *after)
}

/// Every step that the thread can take, in the order of the edges. At most `limit` partial valuations are looked at.
pub fn successors(
    program: &Concurrent,
    world: &World,
    thread: ThreadId,
    limit: usize,
) -> Result<Vec<(EdgeId, World)>, TooLarge> {
    let moves = view::moves(program, &view_of(program, world, thread), None, limit)?;
    let after = |(edge, turn, state)| {
        let mut after = world.clone();
        after.take(program, thread, edge, turn, state);
        (edge, after)
    };
    Ok(moves.into_iter().map(after).collect())
}

/// What a thread sees.
fn view_of(program: &Concurrent, world: &World, thread: ThreadId) -> Configuration {
    let thread = &world.threads[thread.index()];
    view::view(program, thread.block, &world.shared, &thread.private, &thread.stack)
}
