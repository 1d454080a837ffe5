//! What a program does: its one meaning. Everything else that runs a program or reasons about it agrees with this file.
//!
//! A configuration is a stack of frames and the globals. At the exit of a function, the only move is to return; at any other
//! node, the moves are its edges. A move that cannot be made says why.

use crate::evaluate::{Environment, Integers, Undefined, Value, evaluate};
use crate::expr::Expr;
use crate::program::{
    Action, Edge, EdgeId, FunctionId, NodeId, Place, Program, Role, Start, Step, TargetId, UnknownId,
};

/// One activation of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Where it is: for a frame that waits for another to return, where the call starts.
    pub node: NodeId,
    /// The call that it waits for.
    pub calling: Option<EdgeId>,
    /// Its variables.
    pub locals: Vec<Value>,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The global variables.
    pub globals: Vec<Value>,
    /// The activations, the running one last; none when `main` has returned.
    pub frames: Vec<Frame>,
}

/// What can be done next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Situation {
    /// `main` has returned.
    Returned,
    /// The program has stopped itself.
    Stopped,
    /// A target from which nothing leads on.
    Target(TargetId),
    /// The running function is at its exit.
    AtExit,
    /// The running function is at a node with edges.
    At(FunctionId, NodeId),
}

/// Why a move cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The guard does not hold.
    Guard,
    /// Nobody knows whether the guard holds.
    Unknown(UnknownId),
    /// It computes something undefined.
    Undefined(Undefined),
}

impl Configuration {
    /// Where runs start.
    pub fn start(program: &Program) -> Self {
        let start = |start: Start| match start {
            Start::Number(number) => Value::Number(number),
            Start::Unknown(unknown) => Value::Unknown(unknown),
        };
        let globals = program.globals.iter().map(|global| start(global.start)).collect();
        Self { globals, frames: vec![Frame::new(program, program.main)] }
    }

    /// What can be done next.
    pub fn situation(&self, program: &Program) -> Situation {
        let Some(frame) = self.frames.last() else { return Situation::Returned };
        let function = program.function(frame.function);
        if frame.node == function.exit {
            return Situation::AtExit;
        }
        let is_last = function.edges_from(frame.node).next().is_none();
        match function.node(frame.node).role {
            Role::Stop if is_last => Situation::Stopped,
            Role::Target(target) if is_last => Situation::Target(target),
            _ => Situation::At(frame.function, frame.node),
        }
    }

    /// The target that the run is at, if any.
    pub fn target(&self, program: &Program) -> Option<TargetId> {
        let frame = self.frames.last()?;
        program.target_at(frame.function, frame.node)
    }

    /// What a variable of the running function holds.
    pub fn read(&self, place: Place) -> Value {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.running().locals[n as usize],
        }
    }

    /// Returns from the running function, which is at its exit.
    pub fn leave(&mut self, program: &Program) {
        let frame = self.frames.pop().expect("somebody is running");
        let result = program.function(frame.function).result.map(|n| frame.locals[n as usize]);
        let Some(caller) = self.frames.last_mut() else { return };
        let edge = caller.calling.take().expect("a frame below the top waits for a call");
        let edge = program.function(caller.function).edge(edge);
        caller.node = edge.to;
        if let Action::Call { result: Some(place), .. } = edge.action {
            self.store(place, result.expect("only functions with results are asked for them"));
        }
    }

    /// Takes an edge of the node at which the run is, with what the environment chooses for it. After a refusal the
    /// configuration is unchanged.
    pub fn take(
        &mut self,
        program: &Program,
        edge: EdgeId,
        inputs: &[i128],
        integers: Integers,
    ) -> Result<(), Refusal> {
        let running = self.running();
        let Edge { from, to, ref action, .. } = *program.function(running.function).edge(edge);
        assert_eq!(running.node, from, "the edge starts where the run is");
        match action {
            Action::Step(step) => {
                assert!(step.stores.is_empty(), "the program has variables only");
                let values = self.values(step, inputs, integers)?;
                for (&(place, _), value) in step.updates.iter().zip(values) {
                    self.store(place, value);
                }
                self.running_mut().node = to;
            }
            Action::Call { callee, args, .. } => {
                let mut frame = Frame::new(program, *callee);
                for (local, arg) in frame.locals.iter_mut().zip(args) {
                    *local = defined(evaluate(arg, &self.seen(&[], &[]), integers))?;
                }
                self.running_mut().calling = Some(edge);
                self.frames.push(frame);
            }
            Action::Manage(_) => unreachable!("the program has variables only"),
        }
        Ok(())
    }

    /// What a step stores.
    fn values(&self, step: &Step, inputs: &[i128], integers: Integers) -> Result<Vec<Value>, Refusal> {
        assert_eq!(inputs.len(), step.inputs.len(), "each input of the step is chosen");
        let seen = self.seen(inputs, &step.unknowns);
        match defined(evaluate(&step.guard, &seen, integers))? {
            Value::Number(0) => return Err(Refusal::Guard),
            Value::Unknown(unknown) => return Err(Refusal::Unknown(unknown)),
            _ => {}
        }
        let value = |value: &Expr| defined(evaluate(value, &seen, integers));
        step.updates.iter().map(|(_, expr)| value(expr)).collect()
    }

    fn seen<'a>(&'a self, inputs: &'a [i128], unknowns: &'a [UnknownId]) -> Seen<'a> {
        Seen { configuration: self, inputs, unknowns }
    }

    fn running(&self) -> &Frame {
        self.frames.last().expect("somebody is running")
    }

    fn running_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("somebody is running")
    }

    fn store(&mut self, place: Place, value: Value) {
        match place {
            Place::Global(n) => self.globals[n as usize] = value,
            Place::Local(n) => self.running_mut().locals[n as usize] = value,
        }
    }
}

impl Frame {
    /// A function at its entry. All its variables hold 0.
    fn new(program: &Program, id: FunctionId) -> Self {
        let function = program.function(id);
        let locals = vec![Value::Number(0); function.locals.len()];
        Self { function: id, node: function.entry, calling: None, locals }
    }
}

/// What an expression sees.
struct Seen<'a> {
    configuration: &'a Configuration,
    inputs: &'a [i128],
    unknowns: &'a [UnknownId],
}

impl Environment for Seen<'_> {
    fn read(&self, place: Place) -> Value {
        self.configuration.read(place)
    }

    fn input(&self, position: u32) -> i128 {
        self.inputs[position as usize]
    }

    fn unknown(&self, position: u32) -> UnknownId {
        self.unknowns[position as usize]
    }
}

fn defined(value: Value) -> Result<Value, Refusal> {
    match value {
        Value::Undefined(undefined) => Err(Refusal::Undefined(undefined)),
        value => Ok(value),
    }
}
