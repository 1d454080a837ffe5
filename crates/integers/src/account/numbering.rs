//! The steps of a run that are in the text, one after the other, with their numbers.

use crate::account::Told;
use crate::account::visible::{Visibility, visibility};
use crate::program::{EdgeId, FunctionId, Program};
use crate::step::Configuration;
use crate::trace::{Event, TraceStep};

/// Numbers the steps of a run.
pub struct Numbering<'p> {
    program: &'p Program,
    n_steps: u64,
    /// A step to an exit that is told with the return.
    held: Option<TraceStep>,
}

impl<'p> Numbering<'p> {
    /// Before the first step.
    pub fn new(program: &'p Program) -> Self {
        Self { program, n_steps: 0, held: None }
    }

    /// How many steps there were.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Takes a step and the configuration behind it; what is told of it.
    pub fn tell(&mut self, step: &TraceStep, after: &Configuration) -> Option<Told> {
        let Event::Taken(id) = step.event else {
            let by = self.held.take().and_then(|held| match held.event {
                Event::Taken(edge) => Some(edge),
                Event::Returned => None,
            });
            return Some(self.told(step, by, after.frames.last().map(|frame| frame.function)));
        };
        let edge = self.program.function(step.function).edge(id);
        match visibility(self.program, step.function, edge) {
            Visibility::Shown => return Some(self.told(step, None, None)),
            Visibility::WithReturn => self.held = Some(step.clone()),
            Visibility::Hidden => {}
        }
        None
    }

    /// The run is over: what is left to tell.
    pub fn finish(&mut self) -> Option<Told> {
        let held = self.held.take()?;
        Some(self.told(&held, None, None))
    }

    fn told(&mut self, step: &TraceStep, by: Option<EdgeId>, caller: Option<FunctionId>) -> Told {
        self.n_steps += 1;
        Told { number: self.n_steps, step: step.clone(), by, caller }
    }
}
