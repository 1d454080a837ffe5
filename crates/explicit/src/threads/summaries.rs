//! Recursive functions that nobody notices, as summaries: what may come back from a call, whatever lies below on the stack.
//!
//! A function is summarised if neither it nor what it calls touches anything that others notice, holds a goal, enters an atomic region
//! or ends the thread. A row belongs to a state in which such a function is entered, with nothing below it, and lists the states in
//! which it is about to return. Calls inside are rows that wait for each other. Contract: who is on a row returns as the semantics says;
//! rows are complete when they are read.

use super::matter::Matter;
use super::steps::{ALONE, MAX_OUTCOMES, MAX_PASSED};
use crate::Stopped;
use rsm::interleave::{World, mattering_successors};
use rsm::{Action, Concurrent, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// All rows so far.
#[derive(Default)]
pub(super) struct Summaries {
    rows: Vec<Row>,
    numbers: FxHashMap<World, usize>,
    /// States that have not been looked at, with their rows.
    todo: Vec<(usize, World)>,
    n_states: usize,
}

/// What is known of a function that is entered in one state.
#[derive(Default)]
struct Row {
    seen: FxHashSet<World>,
    /// States in which it is about to return.
    exits: Vec<World>,
    /// Rows and states that wait for it; the call is the top of the stack.
    waiting: Vec<(usize, World)>,
}

/// What makes steps.
#[derive(Clone, Copy)]
pub(super) struct Stepping<'a, 'p> {
    pub(super) program: &'p Concurrent,
    pub(super) matter: &'a Matter<'p>,
}

impl Stepping<'_, '_> {
    fn steps(&self, world: &World) -> Result<Vec<(EdgeId, World)>, Stopped> {
        let block = world.threads[0].block;
        let matters = |at: Option<(ModuleId, NodeId)>, place: Place| self.matter.has(block, at, place);
        let found = mattering_successors(self.program, world, ALONE, &matters, MAX_OUTCOMES);
        let found = found.map_err(|_| Stopped::TooLarge)?;
        Ok(found.into_iter().map(|(edge, after)| (edge, self.matter.project(&after))).collect())
    }

    /// What the caller sees once a function has returned that is about to.
    fn returned(&self, waiting: &World, exit: &World) -> Result<Vec<World>, Stopped> {
        let mut world = exit.clone();
        let top = world.threads[0].stack.pop().expect("the function has not returned");
        world.threads[0].stack = waiting.threads[0].stack.clone();
        let module = self.program.machine.module(top.module);
        world.threads[0].stack.push(top);
        world.threads.extend_from_slice(&waiting.threads[1..]);
        let steps = self.steps(&world)?.into_iter();
        let is_return = |edge: EdgeId| matches!(module.edge(edge).action, Action::Return { .. });
        Ok(steps.filter(|(edge, _)| is_return(*edge)).map(|(_, after)| after).collect())
    }

    /// Some step from here returns.
    fn may_return(&self, world: &World) -> bool {
        let top = world.threads[0].stack.last().expect("the function has not returned");
        let mut edges = self.program.machine.module(top.module).edges_from(top.node);
        edges.any(|(_, edge)| matches!(edge.action, Action::Return { .. }))
    }
}

impl Summaries {
    /// The states behind a call that has just been made.
    pub(super) fn after(
        &mut self,
        entered: &World,
        stepping: Stepping<'_, '_>,
    ) -> Result<Vec<World>, Stopped> {
        let (entry, waiting) = apart(entered);
        let row = self.row(entry);
        self.complete(stepping)?;
        let mut found = Vec::new();
        for exit in &self.rows[row].exits {
            found.extend(stepping.returned(&waiting, exit)?);
        }
        Ok(found)
    }

    fn row(&mut self, entry: World) -> usize {
        let next = self.rows.len();
        let number = *self.numbers.entry(entry.clone()).or_insert(next);
        if number == next {
            self.rows.push(Row::default());
            self.add(number, entry);
        }
        number
    }

    fn add(&mut self, row: usize, state: World) {
        if self.rows[row].seen.insert(state.clone()) {
            self.n_states += 1;
            self.todo.push((row, state));
        }
    }

    /// Until nothing is new.
    fn complete(&mut self, stepping: Stepping<'_, '_>) -> Result<(), Stopped> {
        while let Some((row, state)) = self.todo.pop() {
            if self.n_states > MAX_PASSED {
                return Err(Stopped::TooLarge);
            }
            if stepping.may_return(&state) {
                self.rows[row].exits.push(state.clone());
                for (caller, waiting) in self.rows[row].waiting.clone() {
                    for after in stepping.returned(&waiting, &state)? {
                        self.add(caller, after);
                    }
                }
            }
            for (_, after) in stepping.steps(&state)? {
                match after.threads[0].stack.len() {
                    1 => self.add(row, after),
                    2 => self.call(row, &after, stepping)?,
                    // It has returned, to nobody here.
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// A call inside of a row: it waits for another one.
    fn call(&mut self, row: usize, entered: &World, stepping: Stepping<'_, '_>) -> Result<(), Stopped> {
        let (entry, waiting) = apart(entered);
        let callee = self.row(entry);
        if self.rows[callee].waiting.iter().any(|known| *known == (row, waiting.clone())) {
            return Ok(());
        }
        self.rows[callee].waiting.push((row, waiting.clone()));
        for exit in self.rows[callee].exits.clone() {
            for after in stepping.returned(&waiting, &exit)? {
                self.add(row, after);
            }
        }
        Ok(())
    }
}

/// The function that has just been entered, with nothing below it, and the rest, which waits for it.
fn apart(entered: &World) -> (World, World) {
    let (mut entry, mut waiting) = (entered.clone(), entered.clone());
    entry.threads.truncate(1);
    let stack = &mut entry.threads[0].stack;
    stack.drain(..stack.len() - 1);
    waiting.threads[0].stack.pop();
    (entry, waiting)
}
