//! Recursive functions that nobody notices, as summaries: what may come back from a call, whatever lies below on the stack.
//!
//! A function is summarised if neither it nor what it calls touches anything that others notice, holds a goal, enters an atomic region
//! or ends the thread. A row belongs to a state in which such a function is entered, with nothing below it, and lists the states in
//! which it is about to return. Calls inside are rows that wait for each other. Contract: who is on a row returns as the semantics says;
//! rows are complete when they are read.
//!
//! A function may also run for ever. States and the steps between them, a call leading both into the callee and behind its return, are a
//! graph: there is an infinite run from a state if and only if a cycle can be reached from it.

use super::matter::Matter;
use super::steps::{ALONE, MAX_OUTCOMES, MAX_PASSED};
use crate::Stopped;
use rsm::interleave::{World, mattering_successors};
use rsm::{Action, Concurrent, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;

/// All rows so far.
#[derive(Default)]
pub(super) struct Summaries {
    rows: Vec<Row>,
    numbers: FxHashMap<World, usize>,
    /// States that have not been looked at, with their rows.
    todo: Vec<(usize, World)>,
    n_states: usize,
    /// All states, by the numbers of [`Row::seen`], and where each leads.
    states: Vec<World>,
    after: Vec<Vec<Hop>>,
    /// Of each of the first states whether an infinite run begins there.
    is_endless: Vec<bool>,
}

/// What is known of a function that is entered in one state.
#[derive(Default)]
struct Row {
    /// With a number for each state of all rows.
    seen: FxHashMap<World, u32>,
    /// States in which it is about to return.
    exits: Vec<World>,
    /// Rows and states that wait for it; the call is the top of the stack.
    waiting: Vec<Waiting>,
}

/// Where a state leads.
#[derive(Clone, Copy)]
struct Hop {
    to: u32,
    /// By a call that stays open.
    is_call: bool,
}

/// A state on an infinite run: the function that runs, with nothing below it.
#[derive(Clone)]
pub(super) struct Passage {
    pub(super) state: World,
    /// By a call that stays open.
    pub(super) is_call: bool,
}

/// A call inside of a row.
#[derive(Clone, PartialEq, Eq)]
struct Waiting {
    row: usize,
    /// The state that calls.
    from: u32,
    /// What waits, the call being the top of the stack.
    world: World,
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

    /// The number of a state of a row.
    fn add(&mut self, row: usize, state: World) -> u32 {
        let next = self.n_states as u32;
        let number = *self.rows[row].seen.entry(state.clone()).or_insert(next);
        if number == next {
            self.n_states += 1;
            self.states.push(state.clone());
            self.after.push(Vec::new());
            self.todo.push((row, state));
        }
        number
    }

    /// A state leads to another one of a row.
    fn lead(&mut self, from: u32, row: usize, state: World) {
        let to = self.add(row, state);
        self.after[from as usize].push(Hop { to, is_call: false });
    }

    /// The call that has just been made may go on for ever; its row is complete.
    pub(super) fn runs_for_ever(&mut self, entered: &World) -> bool {
        let (entry, _) = apart(entered);
        if self.is_endless.len() < self.n_states {
            self.find_endless();
        }
        let row = self.numbers[&entry];
        self.is_endless[self.rows[row].seen[&entry] as usize]
    }

    /// The states of a run from the entry of a call that goes on for ever, and those of them that it passes again and again.
    pub(super) fn endless(&mut self, entered: &World) -> Option<(Vec<Passage>, Vec<Passage>)> {
        if !self.runs_for_ever(entered) {
            return None;
        }
        let (entry, _) = apart(entered);
        let mut at = self.rows[self.numbers[&entry]].seen[&entry];
        let (mut met, mut passed) = (vec![at], Vec::new());
        loop {
            let hop = self.after[at as usize].iter().find(|hop| self.is_endless[hop.to as usize])?;
            passed.push(Passage { state: self.states[hop.to as usize].clone(), is_call: hop.is_call });
            if let Some(first) = met.iter().position(|known| *known == hop.to) {
                let cycle = passed.split_off(first);
                return Some((passed, cycle));
            }
            met.push(hop.to);
            at = hop.to;
        }
    }

    fn find_endless(&mut self) {
        let after = |state: u32| &self.after[state as usize][..];
        let states = 0..self.n_states as u32;
        let components = base::Components::new(self.n_states).list(states, after, |hop| Some(hop.to));
        let mut is_endless = vec![false; self.n_states];
        // Each component comes after those that it leads to.
        for members in components {
            let leads_on = |state: &u32| {
                after(*state).iter().any(|hop| members.contains(&hop.to) || is_endless[hop.to as usize])
            };
            if members.len() > 1 || members.iter().any(leads_on) {
                members.iter().for_each(|state| is_endless[*state as usize] = true);
            }
        }
        self.is_endless = is_endless;
    }

    /// Until nothing is new.
    fn complete(&mut self, stepping: Stepping<'_, '_>) -> Result<(), Stopped> {
        while let Some((row, state)) = self.todo.pop() {
            if self.n_states > MAX_PASSED {
                return Err(Stopped::TooLarge);
            }
            let number = self.rows[row].seen[&state];
            if stepping.may_return(&state) {
                self.rows[row].exits.push(state.clone());
                for Waiting { row: caller, from, world } in self.rows[row].waiting.clone() {
                    for after in stepping.returned(&world, &state)? {
                        self.lead(from, caller, after);
                    }
                }
            }
            for (_, after) in stepping.steps(&state)? {
                match after.threads[0].stack.len() {
                    1 => self.lead(number, row, after),
                    2 => self.call(row, number, &after, stepping)?,
                    // It has returned, to nobody here.
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// A call inside of a row: it waits for another one.
    fn call(
        &mut self,
        row: usize,
        from: u32,
        entered: &World,
        stepping: Stepping<'_, '_>,
    ) -> Result<(), Stopped> {
        let (entry, world) = apart(entered);
        let callee = self.row(entry.clone());
        let to = self.add(callee, entry);
        self.after[from as usize].push(Hop { to, is_call: true });
        let waiting = Waiting { row, from, world };
        if self.rows[callee].waiting.contains(&waiting) {
            return Ok(());
        }
        self.rows[callee].waiting.push(waiting.clone());
        for exit in self.rows[callee].exits.clone() {
            for after in stepping.returned(&waiting.world, &exit)? {
                self.lead(from, row, after);
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
