//! The concrete semantics: configurations and the steps between them.
//!
//! [`is_initial`] and [`is_step`] say what a run is; [`successors`] and [`initials`] enumerate, [`random_step`] picks one.
//! All of them read the same definition, in `meaning`. Wherever more values would have to be looked at than the
//! caller allows, the answer is [`TooLarge`]. No function here is recursive. The functions that check accept any
//! configuration; those that go on from one trust that it is one of the machine.

pub(crate) mod explain;
pub(crate) mod meaning;
pub(crate) mod needed;
pub(crate) mod outcomes;

pub use explain::{Choice, explain_initial, explain_step};
pub use outcomes::State;

use crate::expr::Expr;
use crate::machine::{Action, EdgeId, ModuleId, NodeId, Rsm};
use crate::values::{TooLarge, can_fail, possible};
use meaning::Caller;
use outcomes::{Outcomes, Search, values_fit};

/// A configuration: the globals and the stack, the module that runs on top of it (last). An empty stack means that
/// `main` has returned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// The values of the globals.
    pub globals: Vec<u64>,
    /// The modules that run, callers before callees.
    pub stack: Vec<Frame>,
}

/// A module that runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The module.
    pub module: ModuleId,
    /// What it is about to execute; while it waits for a callee, where the call starts.
    pub node: NodeId,
    /// The values of its locals.
    pub locals: Vec<u64>,
    /// The call it waits for; none for the frame on top.
    pub call: Option<EdgeId>,
}

impl Frame {
    /// A module on top of the stack.
    pub fn new(module: ModuleId, node: NodeId, locals: Vec<u64>) -> Self {
        Self { module, node, locals, call: None }
    }
}

impl Configuration {
    /// The module that runs.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The globals and the locals on top.
    pub(crate) fn state(&self) -> State {
        let locals = self.top().map_or_else(Vec::new, |top| top.locals.clone());
        State { globals: self.globals.clone(), locals }
    }

    /// The part of it that a step looks at is a part of some configuration of this machine.
    pub(crate) fn fits(&self, rsm: &Rsm) -> bool {
        let fits = |frame: &Frame| {
            let module = rsm.modules.get(frame.module.index());
            module.is_some_and(|module| values_fit(&frame.locals, &module.locals))
        };
        let waits_for = |frame: &Frame, module: ModuleId| {
            let edge = frame.call.and_then(|call| rsm.module(frame.module).edges.get(call.index()));
            edge.is_some_and(|edge| {
                let calls = matches!(edge.action, Action::Call { callee, .. } if callee == module);
                calls && edge.from == frame.node
            })
        };
        let stack_fits = match &self.stack[..] {
            [] => true,
            [top] => fits(top) && top.call.is_none(),
            [.., caller, top] => {
                fits(top) && top.call.is_none() && fits(caller) && waits_for(caller, top.module)
            }
        };
        values_fit(&self.globals, &rsm.globals) && stack_fits
    }
}

/// The state after a step within a module, if the step leaves no choice. Calls and returns are none.
pub fn decided(rsm: &Rsm, module: ModuleId, edge: EdgeId, state: &State) -> Option<State> {
    meaning::within(rsm, module, &rsm.module(module).edge(edge).action, state).ok()??.only_one()
}

/// The values of expressions in a state, if they leave no choice.
pub fn decided_values(values: &[Expr], state: &State) -> Option<Vec<u64>> {
    values.iter().map(|value| possible(value, &state.view()).ok()?.only()).collect()
}

/// How a step changes the stack.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    /// The module on top goes on at a node.
    Stay(NodeId),
    /// A module is called.
    Push(ModuleId),
    /// The caller goes on at a node.
    Pop(NodeId),
    /// `main` returns.
    End,
}

/// What an edge does to the configuration, with any action in place of its own; `None` if it cannot be taken.
pub(crate) fn turn<'a>(
    rsm: &'a Rsm,
    configuration: &Configuration,
    edge: EdgeId,
    action: &'a Action,
) -> Result<Option<(Turn, Outcomes<'a>)>, TooLarge> {
    let Some(top) = configuration.top() else { return Ok(None) };
    let state = configuration.state();
    let waiting = configuration.stack.iter().rev().nth(1);
    Ok(match action {
        Action::Call { callee, args, .. } => {
            Some((Turn::Push(*callee), meaning::entering(rsm, *callee, args, &state)?))
        }
        Action::Return { values } => match waiting.and_then(|frame| Some((frame, frame.call?))) {
            None => Some((Turn::End, Outcomes::only(State { globals: state.globals, locals: Vec::new() }))),
            Some((frame, call)) => {
                let call = rsm.module(frame.module).edge(call);
                let Action::Call { results, .. } = &call.action else { return Ok(None) };
                let caller = Caller { module: frame.module, locals: &frame.locals, results };
                Some((Turn::Pop(call.to), meaning::returning(rsm, values, &state, caller)?))
            }
        },
        _ => {
            let to = rsm.module(top.module).edge(edge).to;
            let outcomes = meaning::within(rsm, top.module, action, &state)?;
            outcomes.map(|outcomes| (Turn::Stay(to), outcomes))
        }
    })
}

/// Takes a step in place: nothing but the top of the stack is touched.
pub(crate) fn take(rsm: &Rsm, configuration: &mut Configuration, edge: EdgeId, turn: Turn, state: State) {
    configuration.globals = state.globals;
    let stack = &mut configuration.stack;
    if let Turn::Pop(_) | Turn::End = turn {
        stack.pop();
    }
    match (turn, stack.last_mut()) {
        (Turn::Push(callee), Some(caller)) => {
            caller.call = Some(edge);
            stack.push(Frame::new(callee, rsm.module(callee).entry, state.locals));
        }
        (Turn::Stay(to) | Turn::Pop(to), Some(top)) => {
            *top = Frame::new(top.module, to, state.locals);
        }
        (_, _) => {}
    }
}

/// The configuration in which `main` starts in a state.
pub(crate) fn configuration_at_start(rsm: &Rsm, state: State) -> Configuration {
    let frame = Frame::new(rsm.main, rsm.module(rsm.main).entry, state.locals);
    Configuration { globals: state.globals, stack: vec![frame] }
}

/// A run may start here: `main` is alone on the stack, at its entry, and `init` and its `enforce` can hold.
pub fn is_initial(rsm: &Rsm, configuration: &Configuration) -> Result<bool, TooLarge> {
    let [frame] = &configuration.stack[..] else { return Ok(false) };
    if !configuration.fits(rsm) || frame.module != rsm.main || frame.node != rsm.module(rsm.main).entry {
        return Ok(false);
    }
    meaning::starting(rsm).contains(&configuration.state())
}

/// Taking the edge of the module on top may lead from one configuration to the other.
pub fn is_step(
    rsm: &Rsm,
    before: &Configuration,
    edge: EdgeId,
    after: &Configuration,
) -> Result<bool, TooLarge> {
    if !before.fits(rsm) || !after.fits(rsm) {
        return Ok(false);
    }
    let Some(top) = before.top() else { return Ok(false) };
    let Some(taken) = rsm.module(top.module).edges.get(edge.index()) else { return Ok(false) };
    if taken.from != top.node {
        return Ok(false);
    }
    let Some((turn, outcomes)) = turn(rsm, before, edge, &taken.action)? else { return Ok(false) };
    let state = after.state();
    let mut expected = before.clone();
    take(rsm, &mut expected, edge, turn, state.clone());
    Ok(expected == *after && outcomes.contains(&state)?)
}

/// The run may stop at this edge in an assertion failure.
pub fn fails_assertion(rsm: &Rsm, configuration: &Configuration, edge: EdgeId) -> Result<bool, TooLarge> {
    let Some(top) = configuration.top().filter(|_| configuration.fits(rsm)) else { return Ok(false) };
    match rsm.module(top.module).edges.get(edge.index()) {
        Some(taken) if taken.from == top.node => fails(&taken.action, &configuration.state()),
        _ => Ok(false),
    }
}

/// The action is an assertion that can fail in a state.
pub(crate) fn fails(action: &Action, state: &State) -> Result<bool, TooLarge> {
    match action {
        Action::Assert(condition) => can_fail(condition, &state.view()),
        _ => Ok(false),
    }
}

/// Every configuration in which a run may start, in an order that depends on nothing else. At most `limit` partial
/// valuations are looked at.
pub fn initials(rsm: &Rsm, limit: usize) -> Result<Vec<Configuration>, TooLarge> {
    let states = meaning::starting(rsm).all(&mut { limit })?;
    Ok(states.into_iter().map(|state| configuration_at_start(rsm, state)).collect())
}

/// Every step that can be taken, in the order of the edges. At most `limit` partial valuations are looked at.
pub fn successors(
    rsm: &Rsm,
    configuration: &Configuration,
    limit: usize,
) -> Result<Vec<(EdgeId, Configuration)>, TooLarge> {
    let Some(top) = configuration.top() else { return Ok(Vec::new()) };
    let mut budget = limit;
    let mut successors = Vec::new();
    for (id, edge) in rsm.module(top.module).edges_from(top.node) {
        let Some((turn, outcomes)) = turn(rsm, configuration, id, &edge.action)? else { continue };
        for state in outcomes.all(&mut budget)? {
            let mut after = configuration.clone();
            take(rsm, &mut after, id, turn, state);
            successors.push((id, after));
        }
    }
    Ok(successors)
}

/// So many partial valuations a search for one step looks at. It turns back only where a condition fails, so this is
/// reached by conditions alone that are hard to satisfy.
pub(crate) const SEARCH_LIMIT: usize = 1 << 20;

/// A step that can be taken, picked with the help of random numbers: `below(n)` is one of `0 … n − 1`. If there is a step,
/// one is found; `None` means that the run has ended or blocks.
pub fn random_step(
    rsm: &Rsm,
    configuration: &Configuration,
    below: &mut impl FnMut(u64) -> u64,
) -> Result<Option<(EdgeId, Configuration)>, TooLarge> {
    let Some(top) = configuration.top() else { return Ok(None) };
    let mut edges: Vec<EdgeId> = rsm.module(top.module).edges_from(top.node).map(|(id, _)| id).collect();
    let mut unknown = None;
    while !edges.is_empty() {
        let id = edges.swap_remove(below(edges.len() as u64) as usize);
        match random_outcome(rsm, configuration, id, below) {
            Ok(Some((turn, state))) => {
                let mut after = configuration.clone();
                take(rsm, &mut after, id, turn, state);
                return Ok(Some((id, after)));
            }
            Ok(None) => {}
            Err(TooLarge) => unknown = Some(TooLarge),
        }
    }
    unknown.map_or(Ok(None), Err)
}

fn random_outcome(
    rsm: &Rsm,
    configuration: &Configuration,
    edge: EdgeId,
    below: &mut impl FnMut(u64) -> u64,
) -> Result<Option<(Turn, State)>, TooLarge> {
    let module = configuration.stack[configuration.stack.len() - 1].module;
    let action = &rsm.module(module).edge(edge).action;
    let Some((turn, outcomes)) = turn(rsm, configuration, edge, action)? else { return Ok(None) };
    let mut budget = SEARCH_LIMIT;
    let search = &mut Search { budget: &mut budget, zero_first: &mut || below(2) == 0 };
    Ok(outcomes.first(search)?.map(|state| (turn, state)))
}
