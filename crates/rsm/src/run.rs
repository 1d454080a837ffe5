//! One run, step by step: random, or as a script of choices says.
//!
//! # The order of choices
//!
//! A script is a list of values. They are consumed from left to right, at these points of a run:
//!
//! 1. At the start: the value of each global, then of each local of `main`, in the order of declaration.
//! 2. Before each step, if more than one thing can happen: its number, from 0. These are the edges that can be taken, in
//!    the order of the text; an assertion that can hold and can fail counts twice, first as holding.
//! 3. Then each `*` in the values that are stored, passed or returned, in the order of the text, those in branches of a
//!    conditional that do not count included; so too a `schoose` neither side of which holds. Values that are dropped
//!    are not computed and choose nothing.
//! 4. Then, for a call, the value of each local of the callee that is no parameter.
//!
//! A `*` in a condition is not chosen: it means that the condition can hold. Nothing is consumed where there is
//! only one possibility by point 2; a `*` always consumes. When the script is used up, the rest is random or 0, restricted
//! to what does not block. A scripted value that is not one of its type, or choices that together block the
//! step, are an error.

mod script;

use crate::expr::{Expr, Operation, Term, Type};
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm};
use crate::step::explain::{explain_action, explain_initial, results};
use crate::step::outcomes::{Outcomes, Search, State};
use crate::step::{
    Choice, Configuration, SEARCH_LIMIT, configuration_at_start, fails_assertion, meaning, take, turn,
};
use crate::values::{Chosen, Stack, TooLarge, ValueSet, View};
use base::Random;
use script::Script;
use std::fmt;

/// What decides when the script is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// The first possibility, and values with as many low bits 0 as possible.
    Zero,
    /// Random numbers from this seed.
    Seed(u64),
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The script.
    pub choices: Vec<String>,
    /// What comes after it.
    pub rest: Rest,
    /// The largest number of steps.
    pub max_steps: u64,
}

/// What happened next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A step: [`Run::configuration`] is now the one after it.
    Step {
        /// The module that was on top.
        module: ModuleId,
        /// The edge that was taken.
        edge: EdgeId,
        /// What was chosen.
        choices: Vec<Choice>,
    },
    /// The run is over.
    End(End),
}

/// Why a run is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `main` has returned.
    Returned,
    /// No step can be taken.
    Blocked,
    /// There were as many steps as allowed.
    StepLimit,
    /// An assertion failed.
    Failure {
        /// The module.
        module: ModuleId,
        /// The edge of the assertion.
        edge: EdgeId,
        /// What was chosen: that it fails, if it could also hold.
        choices: Vec<Choice>,
    },
}

/// Why a run cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A choice of the script cannot be made.
    Choice {
        /// Its position, from 1.
        position: usize,
        /// Why not.
        problem: String,
    },
    /// There are too many possibilities to tell which of them block.
    TooLarge,
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Choice { position, problem } => write!(out, "choice {position}: {problem}"),
            RunError::TooLarge => TooLarge.fmt(out),
        }
    }
}

impl std::error::Error for RunError {}

impl From<TooLarge> for RunError {
    fn from(TooLarge: TooLarge) -> Self {
        RunError::TooLarge
    }
}

/// A run that is going on.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    rsm: &'a Rsm,
    configuration: Configuration,
    decider: Decider,
    n_steps: u64,
    max_steps: u64,
}

/// The script and what comes after it.
#[derive(Clone, Debug)]
struct Decider {
    script: Script,
    rest: Option<Random>,
}

/// Something that can happen next.
#[derive(Clone, Copy)]
enum Possibility {
    /// An edge can be taken.
    Take(EdgeId),
    /// The assertion of an edge can fail.
    Fail(EdgeId),
}

impl<'a> Run<'a> {
    /// Starts a run; `None` if none can start. Also tells the initial values that were chosen.
    pub fn start(rsm: &'a Rsm, options: Options) -> Result<Option<(Self, Vec<Choice>)>, RunError> {
        let rest = match options.rest {
            Rest::Zero => None,
            Rest::Seed(seed) => Some(Random::new(seed)),
        };
        let mut decider = Decider { script: Script::new(options.choices), rest };
        let mut outcomes = meaning::starting(rsm);
        let variables = rsm.globals.iter().chain(&rsm.module(rsm.main).locals);
        let types: Vec<&Type> = variables.map(|variable| &variable.ty).collect();
        decider.fix_variables(&mut outcomes.stores, &types)?;
        let Some(state) = decider.first(&outcomes)? else {
            return decider.script.blocked("no run starts with these values").map_or(Ok(None), Err);
        };
        let configuration = configuration_at_start(rsm, state);
        let choices = explain_initial(rsm, &configuration);
        Ok(Some((Self { rsm, configuration, decider, n_steps: 0, max_steps: options.max_steps }, choices)))
    }

    /// Where the run is.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// How many choices of the script have not been used.
    pub fn n_unused_choices(&self) -> usize {
        self.decider.script.n_left()
    }

    /// Goes on by one step.
    pub fn step(&mut self) -> Result<Event, RunError> {
        let Some(top) = self.configuration.top() else { return Ok(Event::End(End::Returned)) };
        let module = top.module;
        if self.n_steps >= self.max_steps {
            return Ok(Event::End(End::StepLimit));
        }
        let possibilities = self.possibilities()?;
        let mut choices = Vec::new();
        let possibility = match possibilities[..] {
            [] => return Ok(Event::End(End::Blocked)),
            [only] => only,
            _ => {
                let index = self.decider.option(possibilities.len())?;
                choices.push(Choice::Option(index));
                possibilities[index]
            }
        };
        match possibility {
            Possibility::Fail(edge) => Ok(Event::End(End::Failure { module, edge, choices })),
            Possibility::Take(edge) => {
                choices.extend(self.take(module, edge)?);
                self.n_steps += 1;
                Ok(Event::Step { module, edge, choices })
            }
        }
    }

    fn possibilities(&self) -> Result<Vec<Possibility>, RunError> {
        let Some(top) = self.configuration.top() else { return Ok(Vec::new()) };
        let mut possibilities = Vec::new();
        for (id, edge) in self.rsm.module(top.module).edges_from(top.node) {
            if let Some((_, outcomes)) = turn(self.rsm, &self.configuration, id, &edge.action)?
                && first_from_zero(&outcomes)?.is_some()
            {
                possibilities.push(Possibility::Take(id));
            }
            if fails_assertion(self.rsm, &self.configuration, id)? {
                possibilities.push(Possibility::Fail(id));
            }
        }
        Ok(possibilities)
    }

    /// Takes an edge that can be taken.
    fn take(&mut self, module: ModuleId, edge: EdgeId) -> Result<Vec<Choice>, RunError> {
        let (rsm, decider) = (self.rsm, &mut self.decider);
        decider.script.begin();
        let mut choices = Vec::new();
        let action = &rsm.module(module).edge(edge).action;
        let action = decider.fix_stars(
            action,
            &self.configuration,
            results(rsm, &self.configuration),
            &mut choices,
        )?;
        let found = turn(rsm, &self.configuration, edge, &action)?;
        let (turn, mut outcomes) = found.expect("an edge that can be taken has outcomes");
        if let Action::Call { callee, args, .. } = &action {
            let types: Vec<&Type> = rsm.module(*callee).locals.iter().map(|local| &local.ty).collect();
            decider.fix_variables(&mut outcomes.stores[args.len()..], &types[args.len()..])?;
        }
        let Some(state) = decider.first(&outcomes)? else {
            let error = decider.script.blocked("the step cannot be taken with these choices");
            return Err(error.expect("an edge that can be taken blocks for a choice of the script only"));
        };
        choices.extend(explain_action(rsm, &self.configuration, &action, &state)?);
        take(rsm, &mut self.configuration, edge, turn, state);
        Ok(choices)
    }
}

/// The first outcome, whatever the decider would say.
fn first_from_zero(outcomes: &Outcomes<'_>) -> Result<Option<State>, TooLarge> {
    outcomes.first(&mut Search { budget: &mut { SEARCH_LIMIT }, zero_first: &mut || true })
}

impl Decider {
    /// One of several possibilities.
    fn option(&mut self, n_options: usize) -> Result<usize, RunError> {
        match (self.script.next_below(n_options)?, &mut self.rest) {
            (Some(index), _) => Ok(index),
            (None, Some(random)) => Ok(random.below(n_options as u64) as usize),
            (None, None) => Ok(0),
        }
    }

    /// An outcome that agrees with what is fixed.
    fn first(&mut self, outcomes: &Outcomes<'_>) -> Result<Option<State>, TooLarge> {
        match &mut self.rest {
            None => first_from_zero(outcomes),
            Some(random) => {
                let zero_first = &mut || random.below(2) == 0;
                outcomes.first(&mut Search { budget: &mut { SEARCH_LIMIT }, zero_first })
            }
        }
    }

    /// Gives variables the values that the script has for them, as far as it goes.
    fn fix_variables(&mut self, stores: &mut [(Place, ValueSet)], types: &[&Type]) -> Result<(), RunError> {
        for ((_, set), ty) in stores.iter_mut().zip(types) {
            let Some(value) = self.script.next_value(ty)? else { break };
            *set = ValueSet::single(value, ty);
        }
        Ok(())
    }

    /// The action with the values that the script has for its `*`, as far as it goes.
    fn fix_stars(
        &mut self,
        action: &Action,
        configuration: &Configuration,
        kept: &[Option<Place>],
        choices: &mut Vec<Choice>,
    ) -> Result<Action, RunError> {
        let state = configuration.state();
        let mut action = action.clone();
        let fix = &mut |value: &mut Expr| self.fix_value(value, &state.view(), choices);
        match &mut action {
            Action::Assign { values, .. } => values.iter_mut().try_for_each(fix)?,
            Action::Call { args, .. } => args.iter_mut().try_for_each(fix)?,
            Action::Return { values } => {
                let kept = values.iter_mut().zip(kept).filter(|(_, place)| place.is_some());
                kept.map(|(value, _)| value).try_for_each(fix)?;
            }
            Action::Skip | Action::Assume(_) | Action::Assert(_) => {}
        }
        Ok(action)
    }

    /// Evaluates an expression up to the first choice that the script does not have; what has been evaluated then
    /// stands as constants before the rest of the code.
    fn fix_value(
        &mut self,
        expr: &mut Expr,
        view: &View<'_>,
        choices: &mut Vec<Choice>,
    ) -> Result<(), RunError> {
        if !expr.has_choice() {
            return Ok(());
        }
        let mut stack = Stack::default();
        let mut types: Vec<&Type> = Vec::new();
        let mut done = 0;
        for term in &expr.code {
            let mut chosen = 0;
            if stack.would_choose(term.operation) {
                let Some(value) = self.script.next_value(&term.ty)? else { break };
                chosen = value;
                choices.push(Choice::Star(Chosen { ty: term.ty.clone(), value }));
            }
            stack.run(term.operation, &term.ty, view, &mut |_| chosen);
            types.truncate(stack.0.len() - 1);
            types.push(&term.ty);
            done += 1;
        }
        let constants = stack
            .0
            .iter()
            .zip(types)
            .map(|(value, ty)| Term { operation: Operation::Constant(*value), ty: ty.clone() });
        expr.code = constants.chain(expr.code[done..].iter().cloned()).collect();
        Ok(())
    }
}
