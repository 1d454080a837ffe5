//! Infinite runs, as a lasso: a way to a head, and a cycle that leads from the head back to it.
//!
//! A lasso stands for an infinite run if
//!
//! 1. its steps are those of a run from an initial configuration, and the cycle has at least one;
//! 2. on the cycle the stack is never lower than at the head;
//! 3. at the end of the cycle the same module is on top at the same node, and it agrees with the head on the variables that
//!    *matter to the cycle*: those on which the conditions of its steps depend if every `*` chooses the same again.
//!
//! Then the same steps can be taken again, with the same choices, and so on for ever. The frames that a round leaves on the
//! stack are its growth. [`Lasso::check`] is this definition; it also goes round a second time. It shares nothing with any
//! engine but `step`.

mod again;
mod matter;

use crate::goal::Goal;
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm};
use crate::step::outcomes::State;
use crate::step::{Configuration, Frame, Turn, fails_assertion, is_initial, is_step, take};
use crate::values::TooLarge;
use std::collections::BTreeSet;

/// One step, and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The edge that is taken.
    pub edge: EdgeId,
    /// The values of the globals afterwards.
    pub globals: Vec<u64>,
    /// The values of the locals afterwards, of the module that is then on top; none when `main` has returned.
    pub locals: Vec<u64>,
}

/// A way to a head and a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// Where the run starts.
    pub start: Configuration,
    /// The steps to the head, then those of the cycle.
    pub steps: Vec<Moment>,
    /// So many steps lead to the head.
    pub head: usize,
}

/// What a lasso that is none lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No run starts there.
    Start,
    /// The step at this position is none of the program.
    Step(usize),
    /// The cycle has no steps.
    Empty,
    /// After the step at this position the stack is lower than at the head.
    Below(usize),
    /// The cycle does not lead back to the head; the variables that matter and differ, if the place is the same.
    Elsewhere(Vec<Place>),
    /// The cycle passes no goal.
    Unfair,
    /// The step at this position cannot be taken a second time.
    Again(usize),
    /// There are too many values to tell.
    TooLarge,
}

impl From<TooLarge> for Fault {
    fn from(TooLarge: TooLarge) -> Self {
        Fault::TooLarge
    }
}

/// What a lasso is like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// How many frames a round leaves on the stack.
    pub growth: usize,
    /// The variables, as the module at the head sees them, that matter to the cycle.
    pub matters: BTreeSet<Place>,
}

/// Takes the steps of a run, from an initial configuration: where they lead.
pub fn replay(rsm: &Rsm, start: &Configuration, steps: &[Moment]) -> Result<Configuration, Fault> {
    Ok(Walk::along(rsm, start, steps)?.configuration)
}

/// A run as far as it has been taken.
#[derive(Clone)]
struct Walk<'a> {
    rsm: &'a Rsm,
    configuration: Configuration,
}

/// Who takes a step, and for a return which call it ends.
#[derive(Clone, Copy)]
struct Taken {
    module: ModuleId,
    edge: EdgeId,
    call: Option<(ModuleId, EdgeId)>,
}

impl Lasso {
    /// Whether it is one; with goals, whether the cycle is at one of them.
    pub fn check(&self, rsm: &Rsm, goals: &[Goal]) -> Result<Round, Fault> {
        let mut walk = Walk::along(rsm, &self.start, &self.steps[..self.head])?;
        let head = walk.clone();
        let height = head.configuration.stack.len();
        let (mut cycle, mut is_fair) = (Vec::new(), goals.is_empty());
        for (n, moment) in self.steps.iter().enumerate().skip(self.head) {
            is_fair = is_fair || walk.is_at(goals)?;
            cycle.push(walk.take(moment)?.ok_or(Fault::Step(n))?);
            if walk.configuration.stack.len() < height {
                return Err(Fault::Below(n));
            }
        }
        if cycle.is_empty() {
            return Err(Fault::Empty);
        }
        let growth = walk.configuration.stack.len() - height;
        let matters = matter::find(rsm, &cycle, growth);
        head.agrees(&walk, &matters)?;
        if !is_fair {
            return Err(Fault::Unfair);
        }
        self.go_round_again(&head, &mut walk, &cycle)?;
        head.agrees(&walk, &matters)?;
        Ok(Round { growth, matters })
    }
}

impl<'a> Walk<'a> {
    /// The run that takes these steps.
    fn along(rsm: &'a Rsm, start: &Configuration, steps: &[Moment]) -> Result<Self, Fault> {
        let mut walk = Walk { rsm, configuration: start.clone() };
        if !is_initial(rsm, start)? {
            return Err(Fault::Start);
        }
        for (n, moment) in steps.iter().enumerate() {
            walk.take(moment)?.ok_or(Fault::Step(n))?;
        }
        Ok(walk)
    }

    fn top(&self) -> Option<&Frame> {
        self.configuration.top()
    }

    /// Takes a step in place; `None` if it is none. Only the two frames on top are looked at.
    fn take(&mut self, moment: &Moment) -> Result<Option<Taken>, TooLarge> {
        let Some(top) = self.top() else { return Ok(None) };
        let module = top.module;
        let Some(edge) = self.rsm.module(module).edges.get(moment.edge.index()) else { return Ok(None) };
        let stack = &self.configuration.stack;
        let window = stack[stack.len().saturating_sub(2)..].to_vec();
        let caller = stack.iter().rev().nth(1).and_then(|frame| Some((frame.module, frame.call?)));
        let (turn, call) = match (&edge.action, caller) {
            (Action::Call { callee, .. }, _) => (Turn::Push(*callee), None),
            (Action::Return { .. }, None) => (Turn::End, None),
            (Action::Return { .. }, Some((module, call))) => {
                (Turn::Pop(self.rsm.module(module).edge(call).to), caller)
            }
            _ => (Turn::Stay(edge.to), None),
        };
        let state = || State { globals: moment.globals.clone(), locals: moment.locals.clone() };
        let before = Configuration { globals: self.configuration.globals.clone(), stack: window };
        let mut after = before.clone();
        take(self.rsm, &mut after, moment.edge, turn, state());
        if !is_step(self.rsm, &before, moment.edge, &after)? {
            return Ok(None);
        }
        take(self.rsm, &mut self.configuration, moment.edge, turn, state());
        Ok(Some(Taken { module, edge: moment.edge, call }))
    }

    /// It is at one of the goals.
    fn is_at(&self, goals: &[Goal]) -> Result<bool, TooLarge> {
        let Some(top) = self.top() else { return Ok(false) };
        for goal in goals.iter().filter(|goal| goal.module() == top.module) {
            let reached = match *goal {
                Goal::At(_, node) => top.node == node,
                Goal::Failure(_, edge) => {
                    let globals = self.configuration.globals.clone();
                    let stack = vec![Frame::new(top.module, top.node, top.locals.clone())];
                    fails_assertion(self.rsm, &Configuration { globals, stack }, edge)?
                }
            };
            if reached {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Another run is at the same place, and the values that matter are equal.
    fn agrees(&self, other: &Walk<'_>, matters: &BTreeSet<Place>) -> Result<(), Fault> {
        let (Some(here), Some(there)) = (self.top(), other.top()) else {
            return Err(Fault::Elsewhere(Vec::new()));
        };
        if (here.module, here.node) != (there.module, there.node) {
            return Err(Fault::Elsewhere(Vec::new()));
        }
        let value = |walk: &Walk<'_>, frame: &Frame, place: Place| match place {
            Place::Global(n) => walk.configuration.globals[n as usize],
            Place::Local(n) => frame.locals[n as usize],
        };
        let differs = |place: &&Place| value(self, here, **place) != value(other, there, **place);
        let different: Vec<Place> = matters.iter().filter(differs).copied().collect();
        if different.is_empty() { Ok(()) } else { Err(Fault::Elsewhere(different)) }
    }
}
