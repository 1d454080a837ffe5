//! Infinite runs: a way to a head, and a cycle that leads from the head back to it.
//!
//! The steps from the head on stand for an infinite run if
//!
//! 1. there is at least one;
//! 2. the stack is never lower than at the head;
//! 3. at the end the same module is on top at the same node, and it agrees with the head on the variables that *matter to the
//!    cycle*: those on which the conditions of its steps depend if every `*` chooses the same again.
//!
//! Then the same steps can be taken again, with the same choices, and so on for ever. The frames that a round leaves on the
//! stack are its growth. [`Trace::round`] is this definition; it also goes round a second time. It shares nothing with any
//! engine but `step`. What it means for programs with threads `threads` says.

mod again;
mod matter;
mod threads;

pub use threads::ThreadCycle;

use super::replay::{Replay, wrong};
use super::{End, ReplayError, Step, Trace, Visit};
use crate::concurrent::{Concurrent, ThreadGoal};
use crate::interleave::is_at_in;
use crate::machine::{EdgeId, ModuleId, Place};
use crate::step::{Configuration, Frame, State};
use std::collections::BTreeSet;

/// A cycle with more steps is not gone round.
const LONGEST: u128 = 1 << 24;

/// What a cycle is like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// How many frames a round leaves on the stack.
    pub growth: usize,
    /// The variables, as the module at the head sees them, that matter to the cycle.
    pub matters: BTreeSet<Place>,
}

/// A step of a cycle.
struct Taken<'t> {
    visit: Visit<'t>,
    /// The number of the step of the context that it is part of, from 1.
    number: usize,
    /// For a return which call it ends.
    call: Option<(ModuleId, EdgeId)>,
}

/// A run that goes round.
#[derive(Clone)]
struct Runner<'a> {
    replay: &'a Replay<'a>,
    configuration: Configuration,
}

impl Trace {
    /// Checks that this is an infinite run of a sequential program, and if there are goals, that one is on its cycle; says what
    /// is wrong otherwise.
    pub fn round(&self, program: &Concurrent, goals: &[ThreadGoal]) -> Result<Round, ReplayError> {
        let (End::Cycle { first }, [context]) = (self.end, &self.contexts[..]) else {
            return wrong("the run does not go on for ever");
        };
        if !program.is_sequential() {
            return wrong("the program has threads, and no cycle is known to go on for ever there");
        }
        let Some((stem, cycle)) = context.steps.split_at_checked(first) else {
            return wrong("the cycle begins behind the end of the run");
        };
        let replay = Replay::new(program, self)?;
        let mut world = self.start.clone();
        replay.switch(&world, None, context.thread)?;
        replay.steps(&mut world, context.thread, stem, 0)?;
        let stack = world.threads[context.thread.index()].stack.clone();
        let head =
            Runner { replay: &replay, configuration: Configuration { globals: world.shared.clone(), stack } };
        replay.steps(&mut world, context.thread, cycle, first)?;
        if self.n_round() > LONGEST {
            return Err(ReplayError::Unclear("the cycle has too many steps to go round it".to_owned()));
        }
        head.go_round(self, first, goals)
    }
}

impl<'a> Runner<'a> {
    /// Goes round twice.
    fn go_round(&self, trace: &Trace, first: usize, goals: &[ThreadGoal]) -> Result<Round, ReplayError> {
        let height = self.configuration.stack.len();
        let mut runner = self.clone();
        let modules = self.configuration.stack.iter().map(|frame| frame.module).collect();
        let mut walk = trace.walk_from(&self.replay.program.machine, first, modules);
        let (mut cycle, mut is_fair) = (Vec::new(), goals.is_empty());
        while let Some(visit) = walk.next() {
            is_fair = is_fair || runner.is_at(goals)?;
            let taken = Taken { visit, number: walk.n_taken(), call: runner.caller() };
            runner.take(&taken, visit.after.clone())?;
            if runner.configuration.stack.len() < height {
                return wrong(format!(
                    "step {}: a function returns that was called before the cycle",
                    taken.number
                ));
            }
            cycle.push(taken);
        }
        if cycle.is_empty() {
            return wrong("the cycle has no steps");
        }
        let growth = runner.configuration.stack.len() - height;
        let matters = matter::find(&self.replay.program.machine, &cycle, growth);
        self.agrees(&runner, &matters)?;
        if !is_fair {
            return wrong("no goal is on the cycle");
        }
        runner.go_round_again(self, &cycle)?;
        self.agrees(&runner, &matters)?;
        Ok(Round { growth, matters })
    }

    fn top(&self) -> Option<&Frame> {
        self.configuration.top()
    }

    /// Who waits for the function on top, and at which call.
    fn caller(&self) -> Option<(ModuleId, EdgeId)> {
        let caller = self.configuration.stack.iter().rev().nth(1)?;
        Some((caller.module, caller.call?))
    }

    /// Takes the edge of a step, to this state.
    fn take(&mut self, taken: &Taken<'_>, after: State) -> Result<(), ReplayError> {
        let step = Step { edge: taken.visit.edge, run: None, after };
        let taking = self.replay.advance(&mut self.configuration, &step, 0);
        taking.map_err(|e| e.at(format_args!("step {}", taken.number)))
    }

    /// It is at one of the goals.
    fn is_at(&self, goals: &[ThreadGoal]) -> Result<bool, ReplayError> {
        for goal in goals {
            if is_at_in(self.replay.program, &self.configuration, 0, *goal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Another run is at the same place, and the values that matter are equal.
    fn agrees(&self, other: &Runner<'_>, matters: &BTreeSet<Place>) -> Result<(), ReplayError> {
        let here = self.top().map(|top| (top.module, top.node));
        let Some((module, _)) = here.filter(|_| here == other.top().map(|top| (top.module, top.node))) else {
            return wrong("the cycle ends at another place than it begins");
        };
        let (here, there) = (self.configuration.state(), other.configuration.state());
        let differs = |place: &&Place| here.value(**place) != there.value(**place);
        match matters.iter().find(differs) {
            None => Ok(()),
            Some(place) => {
                let name = &self.replay.program.machine.variable(module, *place).name;
                wrong(format!("`{name}` matters to the cycle and has changed at its end"))
            }
        }
    }
}
