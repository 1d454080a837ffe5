//! What a thread sees of the world: a configuration of the machine.
//!
//! Its globals are the shared values and the thread's private ones; the private places of other blocks hold 0, and no code
//! of the thread looks at them. Its stack is the upper end of the thread's. A step looks at two frames at most, so that
//! the cost of a view does not depend on the depth of the stack.

use super::World;
use crate::concurrent::Concurrent;
use crate::machine::{Action, EdgeId, ModuleId};
use crate::step::needed::Needed;
use crate::step::outcomes::{State, values_fit};
use crate::step::{Configuration, Frame, Turn, take, turn};
use crate::values::TooLarge;
use std::mem;

/// So many frames a step looks at: the module that runs and the one it returns to.
pub(crate) const N_FRAMES: usize = 2;

/// What a thread of the block sees.
pub(crate) fn view(
    program: &Concurrent,
    block: u32,
    shared: &[u64],
    private: &[u64],
    stack: &[Frame],
) -> Configuration {
    let stack = stack[stack.len().saturating_sub(N_FRAMES)..].to_vec();
    Configuration { globals: join(program, block, shared, private), stack }
}

/// The globals of the machine as a thread of the block sees them.
pub(crate) fn join(program: &Concurrent, block: u32, shared: &[u64], private: &[u64]) -> Vec<u64> {
    let mut globals = shared.to_vec();
    globals.resize(program.machine.globals.len(), 0);
    for (place, value) in program.blocks[block as usize].private.iter().zip(private) {
        globals[*place as usize] = *value;
    }
    globals
}

/// The shared values and the private ones of a thread of the block.
pub(crate) fn split(program: &Concurrent, block: u32, mut globals: Vec<u64>) -> (Vec<u64>, Vec<u64>) {
    let places = &program.blocks[block as usize].private;
    let private = places.iter().map(|place| globals[*place as usize]).collect();
    globals.truncate(program.n_shared);
    (globals, private)
}

/// Every step from here: the edge, what it does to the stack, and the state it leads to. If it is known which variables
/// matter, callees start with one value of the others. At most `limit` partial valuations are looked at.
pub(super) fn moves(
    program: &Concurrent,
    view: &Configuration,
    needed: Option<&Needed>,
    limit: usize,
) -> Result<Vec<(EdgeId, Turn, State)>, TooLarge> {
    let Some(top) = view.top() else { return Ok(Vec::new()) };
    let mut budget = limit;
    let mut moves = Vec::new();
    for (id, edge) in program.machine.module(top.module).edges_from(top.node) {
        let Some((turn, mut outcomes)) = turn(&program.machine, view, id, &edge.action)? else { continue };
        if let (Turn::Push(callee), Some(needed)) = (turn, needed) {
            needed.restrict(callee, &mut outcomes);
        }
        moves.extend(outcomes.all(&mut budget)?.into_iter().map(|state| (id, turn, state)));
    }
    Ok(moves)
}

/// What the edge does to the stack, if taking it may lead to this state. Accepts any view, edge and state.
pub(crate) fn turn_to(
    program: &Concurrent,
    view: &Configuration,
    edge: EdgeId,
    after: &State,
) -> Result<Option<Turn>, TooLarge> {
    let machine = &program.machine;
    let Some(top) = view.top().filter(|_| view.fits(machine)) else { return Ok(None) };
    let taken = machine.module(top.module).edges.get(edge.index());
    let Some(taken) = taken.filter(|taken| taken.from == top.node) else { return Ok(None) };
    let runs_then = match &taken.action {
        Action::Call { callee, .. } => Some(*callee),
        Action::Return { .. } => view.stack.iter().rev().nth(1).map(|caller| caller.module),
        _ => Some(top.module),
    };
    let locals = |module: ModuleId| &machine.module(module).locals[..];
    if !values_fit(&after.globals, &machine.globals)
        || !values_fit(&after.locals, runs_then.map_or(&[], locals))
    {
        return Ok(None);
    }
    let Some((turn, outcomes)) = turn(machine, view, edge, &taken.action)? else { return Ok(None) };
    Ok(outcomes.contains(after)?.then_some(turn))
}

impl World {
    /// Takes a step of a thread in place: nothing of a stack but its top is touched.
    pub(crate) fn take(
        &mut self,
        program: &Concurrent,
        thread: super::ThreadId,
        edge: EdgeId,
        turn: Turn,
        state: State,
    ) {
        let thread = &mut self.threads[thread.index()];
        let stack = mem::take(&mut thread.stack);
        let mut configuration = Configuration { globals: Vec::new(), stack };
        take(&program.machine, &mut configuration, edge, turn, state);
        thread.stack = configuration.stack;
        (self.shared, thread.private) = split(program, thread.block, configuration.globals);
    }
}
