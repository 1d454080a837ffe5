//! A run of a concurrent program, and the check that it is one.
//!
//! A step keeps only what it changes: the values that its thread sees afterwards. The worlds in between are found by
//! taking one step after the other, [`World::advance`].

use super::start::is_initial;
use super::view::{join, turn_to};
use super::{Bound, ThreadId, World, is_allowed, is_at, may_switch, view_of};
use crate::concurrent::{Concurrent, ThreadGoal};
use crate::machine::EdgeId;
use crate::step::outcomes::State;
use crate::values::TooLarge;
use std::ops::Range;

/// A run that reaches a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interleaving {
    /// How many copies of each block run.
    pub counts: Vec<u32>,
    /// Where the run starts.
    pub start: World,
    /// What happens.
    pub steps: Vec<Step>,
    /// The goal that is reached at the end.
    pub goal: ThreadGoal,
    /// The thread that reaches it. If the last step is not its own, it becomes active after it.
    pub thread: ThreadId,
}

/// A step of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who steps.
    pub thread: ThreadId,
    /// The edge of the module on top of its stack.
    pub edge: EdgeId,
    /// The shared values afterwards.
    pub shared: Vec<u64>,
    /// Its private values afterwards.
    pub private: Vec<u64>,
    /// The locals on top of its stack afterwards; none if it has ended.
    pub locals: Vec<u64>,
}

/// A maximal stretch of a run in which one thread is active.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// Who is active.
    pub thread: ThreadId,
    /// Its steps: positions in [`Interleaving::steps`].
    pub steps: Range<usize>,
}

impl World {
    /// Takes the step, if it is one; otherwise nothing changes and the answer is false. Whether the thread may be active
    /// is not asked.
    pub fn advance(&mut self, program: &Concurrent, step: &Step) -> Result<bool, TooLarge> {
        let Some(thread) = self.threads.get(step.thread.index()) else { return Ok(false) };
        let Some(block) = program.blocks.get(thread.block as usize) else { return Ok(false) };
        let n_private = block.private.len();
        let n_shared = program.n_shared;
        if self.shared.len() != n_shared || step.shared.len() != n_shared {
            return Ok(false);
        }
        if thread.private.len() != n_private || step.private.len() != n_private {
            return Ok(false);
        }
        let globals = join(program, thread.block, &step.shared, &step.private);
        let state = State { globals, locals: step.locals.clone() };
        let turn = turn_to(program, &view_of(program, self, step.thread), step.edge, &state)?;
        let Some(turn) = turn else { return Ok(false) };
        self.take(program, step.thread, step.edge, turn, state);
        Ok(true)
    }
}

impl Interleaving {
    /// The stretches of the run. The last one has no steps if the thread that reaches the goal becomes active there.
    pub fn contexts(&self) -> Vec<Context> {
        let mut contexts: Vec<Context> = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            match contexts.last_mut() {
                Some(last) if last.thread == step.thread => last.steps.end = n + 1,
                _ => contexts.push(Context { thread: step.thread, steps: n..n + 1 }),
            }
        }
        if contexts.last().is_none_or(|last| last.thread != self.thread) {
            let end = self.steps.len();
            contexts.push(Context { thread: self.thread, steps: end..end });
        }
        contexts
    }

    /// How often another thread becomes active.
    pub fn n_switches(&self) -> usize {
        self.contexts().len() - 1
    }

    /// How many rounds it takes in this order of the threads; none if there are no steps. A thread may do nothing in its
    /// turn. A thread that is not in the order has no turn, and the answer is `None`.
    pub fn n_rounds(&self, order: &[ThreadId]) -> Option<usize> {
        let position = |thread: ThreadId| order.iter().position(|other| *other == thread);
        let contexts = self.contexts();
        let turns: Option<Vec<usize>> = contexts.iter().map(|context| position(context.thread)).collect();
        let n_restarts = turns?.windows(2).filter(|pair| pair[1] <= pair[0]).count();
        Some(if self.steps.is_empty() { 0 } else { 1 + n_restarts })
    }

    /// The run keeps within the bound.
    pub fn fits(&self, bound: Bound<'_>) -> bool {
        match bound {
            Bound::Switches(switches) => self.n_switches() <= switches as usize,
            Bound::Rounds { rounds, order } => {
                self.n_rounds(order).is_some_and(|needed| needed <= rounds as usize)
            }
        }
    }

    /// Checks that this is a run of the program and that it reaches one of the goals; says what is wrong otherwise.
    pub fn replay(&self, program: &Concurrent, goals: &[ThreadGoal]) -> Result<(), String> {
        let unclear = |TooLarge: TooLarge| TooLarge.to_string();
        if !is_initial(program, &self.counts, &self.start).map_err(unclear)? {
            return Err("the program does not start like this".to_owned());
        }
        let mut world = self.start.clone();
        let mut active: Option<ThreadId> = None;
        for context in self.contexts() {
            let n = context.steps.start + 1;
            let thread = context.thread;
            if thread.index() >= world.threads.len() {
                return Err(format!("step {n}: there is no thread {}", thread.0));
            }
            if active.is_some_and(|left| !may_switch(program, &world, left)) {
                return Err(format!("step {n}: the thread that is left is in an atomic region"));
            }
            if !is_allowed(program, &world, thread).map_err(unclear)? {
                return Err(format!("step {n}: the thread cannot become active where its `enforce` fails"));
            }
            for (step, n) in self.steps[context.steps].iter().zip(n..) {
                if !world.advance(program, step).map_err(unclear)? {
                    return Err(format!("step {n}: the program cannot take this step"));
                }
            }
            active = Some(thread);
        }
        if !goals.contains(&self.goal) || !is_at(program, &world, self.thread, self.goal).map_err(unclear)? {
            return Err("the run does not end in a goal".to_owned());
        }
        Ok(())
    }
}
