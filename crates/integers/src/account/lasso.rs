//! Finds where a run begins again: a state comes back, or a function that waits is called as it was called before.

use crate::account::recorder::Entry;
use crate::program::{Action, Program};
use crate::step::Configuration;
use crate::trace::{Event, TraceStep};
use rustc_hash::FxHashMap;

/// What a run without end does again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The number of the first step of it.
    pub first: u64,
    /// The number of the last step, which is the last one that is told.
    pub last: u64,
    /// So many calls more are open after each round.
    pub growth: u64,
}

pub struct Lasso<'p> {
    program: &'p Program,
    /// One state, and how many steps had been told there; it is replaced at powers of two, as Brent does.
    remembered: (Configuration, u64),
    n_steps: u64,
    next: u64,
    /// The calls that have not returned: for each entry how many waited then, and how many steps had been told.
    waiting: FxHashMap<Entry, (usize, u64)>,
    stack: Vec<Entry>,
}

impl<'p> Lasso<'p> {
    pub fn new(program: &'p Program, start: &Configuration) -> Self {
        let main = Entry::of(program, start);
        Self {
            program,
            remembered: (start.clone(), 0),
            n_steps: 0,
            next: 1,
            waiting: FxHashMap::from_iter([(main.clone(), (0, 0))]),
            stack: vec![main],
        }
    }

    /// What is done again and again, if the state behind a step was there before. So many steps have been told.
    pub fn look(&mut self, step: &TraceStep, after: &Configuration, n_told: u64) -> Option<Cycle> {
        self.n_steps += 1;
        let cycle = |told: u64, growth| Cycle { first: (told + 1).min(n_told), last: n_told, growth };
        if let Some((depth, told)) = self.call(step, after, n_told) {
            return Some(cycle(told, (step.depth + 1 - depth) as u64));
        }
        if self.remembered.0 == *after {
            return Some(cycle(self.remembered.1, 0));
        }
        if self.n_steps >= self.next {
            self.next *= 2;
            self.remembered = (after.clone(), n_told);
        }
        None
    }

    /// The call that waits and is made again.
    fn call(&mut self, step: &TraceStep, after: &Configuration, n_told: u64) -> Option<(usize, u64)> {
        let Event::Taken(edge) = step.event else {
            let entry = self.stack.pop().expect("who returns was called");
            self.waiting.remove(&entry);
            return None;
        };
        let edge = self.program.function(step.function).edge(edge);
        let Action::Call { .. } = edge.action else { return None };
        let entry = Entry::of(self.program, after);
        if let Some(found) = self.waiting.get(&entry) {
            return Some(*found);
        }
        self.waiting.insert(entry.clone(), (step.depth + 1, n_told));
        self.stack.push(entry);
        None
    }
}
