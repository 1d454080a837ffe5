//! One run, told step by step, by the meaning of the program.
//!
//! For programs in which an edge with inputs is the only one of its node, as front ends make them: there the inputs decide everything.

use crate::evaluate::{Integers, Undefined, Value};
use crate::objects::Touch;
use crate::program::{
    Action, Edge, EdgeId, FunctionId, Goal, Input, InputId, NodeId, Place, Program, Step, TargetId, UnknownId,
};
use crate::step::{Configuration, Refusal, Situation, Taken};
use std::ops::ControlFlow;

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It is at a target.
    Target(TargetId),
    /// `main` has returned.
    Returned,
    /// The program stopped itself.
    Stopped,
    /// No step can be taken here.
    Blocked(FunctionId, NodeId),
    /// Nobody knows how it goes on, because of this.
    Unknown(UnknownId),
    /// What this edge computes is undefined.
    Undefined(Undefined, FunctionId, EdgeId),
    /// There is no input left for this place.
    NoInput(InputId),
    /// There were as many steps as allowed.
    StepLimit,
}

/// What happened in one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// An edge was taken; a call leads to the entry of the callee.
    Taken(EdgeId),
    /// The function returned to its caller.
    Returned,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The function that made it.
    pub function: FunctionId,
    /// How many functions wait for this one to return.
    pub depth: usize,
    /// What it did.
    pub event: Event,
    /// What the environment chose.
    pub inputs: Vec<(InputId, i128)>,
    /// What was stored, also where it was there before: variables of the function that runs after the step.
    pub stored: Vec<(Place, Value)>,
    /// What it did to memory.
    pub taken: Taken,
    /// The cells and objects that it changed, if the configuration remembers that ([`crate::objects::Objects::watch`]).
    pub touched: Vec<Touch>,
}

/// A whole run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// Why there are no more.
    pub end: End,
}

/// How to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// Which integers the run is about.
    pub integers: Integers,
    /// The targets at which the run is over.
    pub goal: Goal,
    /// The largest number of steps.
    pub max_steps: u64,
}

/// The run in which the environment chooses these numbers, one after the other.
pub fn replay(program: &Program, inputs: &[i128], manner: Manner) -> Trace {
    let mut steps = Vec::new();
    let mut inputs = inputs.iter().copied();
    let end = walk(program, &mut |_| inputs.next(), manner, &mut |step| steps.push(step));
    Trace { steps, end }
}

/// Runs the program, asks `choose` for inputs, and tells each step.
pub fn walk(
    program: &Program,
    choose: &mut dyn FnMut(&Input) -> Option<i128>,
    manner: Manner,
    tell: &mut dyn FnMut(TraceStep),
) -> End {
    let mut configuration = Configuration::start(program);
    walk_from(program, &mut configuration, choose, manner, &mut |step, _| {
        tell(step);
        ControlFlow::Continue(())
    })
}

/// Goes on from a configuration, and tells each step with the configuration behind it; whoever is told may put an end to it, as if
/// there had been as many steps as allowed.
pub fn walk_from(
    program: &Program,
    configuration: &mut Configuration,
    choose: &mut dyn FnMut(&Input) -> Option<i128>,
    manner: Manner,
    tell: &mut dyn FnMut(TraceStep, &Configuration) -> ControlFlow<()>,
) -> End {
    for n_steps in 0.. {
        if let Some(target) = configuration.target(program)
            && manner.goal.includes(target)
        {
            return End::Target(target);
        }
        let (function, node) = match configuration.situation(program) {
            Situation::Returned => return End::Returned,
            Situation::Stopped => return End::Stopped,
            // Nobody asked for it, but it ends the run.
            Situation::Target(_) => return End::Stopped,
            Situation::AtExit if n_steps < manner.max_steps => {
                let step = leave(program, configuration);
                if tell(step, configuration).is_break() {
                    return End::StepLimit;
                }
                continue;
            }
            Situation::At(function, node) if n_steps < manner.max_steps => (function, node),
            Situation::AtExit | Situation::At(..) => return End::StepLimit,
        };
        let step = match advance(program, configuration, function, node, choose, manner.integers) {
            Ok(step) => step,
            Err(end) => return end,
        };
        if tell(step, configuration).is_break() {
            return End::StepLimit;
        }
    }
    unreachable!("the limit of steps is a number")
}

/// Takes the edge that can be taken.
fn advance(
    program: &Program,
    configuration: &mut Configuration,
    function: FunctionId,
    node: NodeId,
    choose: &mut dyn FnMut(&Input) -> Option<i128>,
    integers: Integers,
) -> Result<TraceStep, End> {
    let depth = configuration.frames.len() - 1;
    for (id, edge) in program.function(function).edges_from(node) {
        let mut inputs = Vec::new();
        if let Action::Step(step) = &edge.action {
            for &input in &step.inputs {
                let chosen = choose(program.input(input)).ok_or(End::NoInput(input))?;
                inputs.push((input, chosen));
            }
        }
        match take(program, configuration, id, &mut inputs, choose, integers)? {
            Ok(taken) => {
                let stored = stored(program, configuration, edge);
                let (event, touched) = (Event::Taken(id), configuration.objects.touched());
                return Ok(TraceStep { function, depth, event, inputs, stored, taken, touched });
            }
            Err(Refusal::Unknown(unknown)) => return Err(End::Unknown(unknown)),
            Err(Refusal::Undefined(undefined)) => return Err(End::Undefined(undefined, function, id)),
            Err(Refusal::Guard | Refusal::NoInput(_)) => {}
        }
    }
    Err(End::Blocked(function, node))
}

/// Takes an edge, and asks for what its cells hold that nothing was stored in.
fn take(
    program: &Program,
    configuration: &mut Configuration,
    edge: EdgeId,
    inputs: &mut Vec<(InputId, i128)>,
    choose: &mut dyn FnMut(&Input) -> Option<i128>,
    integers: Integers,
) -> Result<Result<Taken, Refusal>, End> {
    loop {
        let numbers: Vec<i128> = inputs.iter().map(|(_, number)| *number).collect();
        match configuration.take(program, edge, &numbers, integers) {
            Err(Refusal::NoInput(input)) => {
                let chosen = choose(program.input(input)).ok_or(End::NoInput(input))?;
                inputs.push((input, chosen));
            }
            done => return Ok(done),
        }
    }
}

/// What an edge has stored: for a call, the parameters.
fn stored(program: &Program, configuration: &Configuration, edge: &Edge) -> Vec<(Place, Value)> {
    let places: Vec<Place> = match &edge.action {
        Action::Step(Step { updates, .. }) => updates.iter().map(|(place, _)| *place).collect(),
        Action::Call { callee, .. } => {
            (0..program.function(*callee).n_params as u32).map(Place::Local).collect()
        }
        Action::Manage(manage) => manage.result().into_iter().collect(),
    };
    places.into_iter().map(|place| (place, configuration.read(place))).collect()
}

fn leave(program: &Program, configuration: &mut Configuration) -> TraceStep {
    let depth = configuration.frames.len() - 1;
    let function = configuration.frames[depth].function;
    let caller = depth.checked_sub(1).map(|n| &configuration.frames[n]);
    let edge = caller.and_then(|caller| Some((caller.function, caller.calling?)));
    configuration.leave(program);
    let result = edge.and_then(|(caller, edge)| match program.function(caller).edge(edge).action {
        Action::Call { result, .. } => result,
        Action::Step(_) | Action::Manage(_) => None,
    });
    let stored = result.map(|place| (place, configuration.read(place))).into_iter().collect();
    let (event, taken, touched) = (Event::Returned, Taken::default(), configuration.objects.touched());
    TraceStep { function, depth, event, inputs: Vec::new(), stored, taken, touched }
}

/// About which integers a run to a target is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reality {
    /// The machine does the same.
    Machine,
    /// The machine's run is undefined before it gets there: reachable over the integers only.
    IntegersOnly(Undefined, FunctionId, EdgeId),
    /// Not even over the integers: the run ends elsewhere.
    No(End),
}

/// Whether the run with these inputs reaches a target, and over which integers.
pub fn confirm(program: &Program, inputs: &[i128], target: TargetId, max_steps: u64) -> Reality {
    let run = |integers| {
        let mut inputs = inputs.iter().copied();
        let manner = Manner { integers, goal: Goal::Target(target), max_steps };
        walk(program, &mut |input| inputs.next().filter(|n| input.ty.contains(*n)), manner, &mut |_| {})
    };
    match run(Integers::Mathematical) {
        End::Target(reached) if reached == target => {}
        end => return Reality::No(end),
    }
    match run(Integers::Machine) {
        End::Undefined(undefined, function, edge) => Reality::IntegersOnly(undefined, function, edge),
        _ => Reality::Machine,
    }
}
