//! What a program does: its one meaning. Everything else that runs a program or reasons about it agrees with this file.
//!
//! A configuration is a stack of frames, the globals, and the objects in memory. At the exit of a function, the only move is to return; at any other
//! node, the moves are its edges. A move that cannot be made says why.

use crate::evaluate::{Environment, Integers, Undefined, Value, evaluate};
use crate::expr::Expr;
use crate::memory::{Lifetime, Manage, Memory, Misuse, ObjectId, RegionId, Storage};
use crate::objects::{self, Copied, Objects};
use crate::program::{
    Action, Edge, EdgeId, FunctionId, InputId, NodeId, Place, Program, Role, Start, Step, TargetId, UnknownId,
};
use std::cell::RefCell;

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
    /// The numbers of the objects that were allocated in it.
    pub objects: Vec<i64>,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The global variables.
    pub globals: Vec<Value>,
    /// The activations, the running one last; none when `main` has returned.
    pub frames: Vec<Frame>,
    /// The objects in memory.
    pub objects: Objects,
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

/// What a move did to memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// What a step stored: the region, the pointer, the value.
    pub stores: Vec<(RegionId, i128, Value)>,
    /// The values of the expressions of what was done to objects, in the order of [`Manage::exprs`].
    pub operands: Vec<Value>,
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
    /// It reads a cell that nothing was stored in, and this was not chosen.
    NoInput(InputId),
}

impl Configuration {
    /// Where runs start.
    pub fn start(program: &Program) -> Self {
        let start = |start: Start| match start {
            Start::Number(number) => Value::Number(number),
            Start::Pointer(object, offset) => {
                Value::Number(crate::memory::first(object) + i128::from(offset))
            }
            Start::Unknown(unknown) => Value::Unknown(unknown),
        };
        let globals = program.globals.iter().map(|global| start(global.start)).collect();
        let objects = Objects::start(&program.memory);
        Self { globals, frames: vec![Frame::new(program, program.main)], objects }
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

    /// Returns from the running function, which is at its exit. Its objects end.
    pub fn leave(&mut self, program: &Program) {
        let frame = self.frames.pop().expect("somebody is running");
        for (n, object) in program.memory.objects.iter().enumerate() {
            if object.lifetime == Lifetime::Local(frame.function) {
                self.objects.finish(ObjectId::new(n));
            }
        }
        frame.objects.iter().for_each(|object| self.objects.drop(*object));
        let result = program.function(frame.function).result.map(|n| frame.locals[n as usize]);
        let Some(caller) = self.frames.last_mut() else { return };
        let edge = caller.calling.take().expect("a frame below the top waits for a call");
        let edge = program.function(caller.function).edge(edge);
        caller.node = edge.to;
        if let Action::Call { result: Some(place), .. } = edge.action {
            self.store(place, result.expect("only functions with results are asked for them"));
        }
    }

    /// Takes an edge of the node at which the run is, with what the environment chooses: for the inputs of a step, then for the cells that it reads or copies and that
    /// nothing was stored in, in the order in which it reads them. After a refusal the configuration is unchanged.
    pub fn take(
        &mut self,
        program: &Program,
        edge: EdgeId,
        inputs: &[i128],
        integers: Integers,
    ) -> Result<Taken, Refusal> {
        let mut taken = Taken::default();
        let running = self.running();
        let function = running.function;
        let Edge { from, to, ref action, .. } = *program.function(function).edge(edge);
        assert_eq!(running.node, from, "the edge starts where the run is");
        match action {
            Action::Step(step) => {
                let Effects { updates, stores, drawn } = self.effects(program, step, inputs, integers)?;
                for (region, cell, value) in drawn {
                    self.objects.write(region, cell, value);
                }
                for (region, cell, value) in stores {
                    self.objects.write(region, cell, value);
                    taken.stores.push((region, cell.pointer(), value));
                }
                for (&(place, _), value) in step.updates.iter().zip(updates) {
                    self.store(place, value);
                }
                self.running_mut().node = to;
            }
            Action::Call { callee, args, .. } => {
                let mut frame = Frame::new(program, *callee);
                for (local, arg) in frame.locals.iter_mut().zip(args) {
                    *local = defined(evaluate(arg, &self.seen(program, &[], None), integers))?;
                }
                self.running_mut().calling = Some(edge);
                self.frames.push(frame);
            }
            Action::Manage(manage) => {
                let seen = self.seen(program, &[], None);
                let operand = |expr: &Expr| defined(evaluate(expr, &seen, integers));
                taken.operands = manage.exprs().into_iter().map(operand).collect::<Result<_, _>>()?;
                self.manage(&program.memory, manage, &taken.operands, inputs, (function, edge))?;
                self.running_mut().node = to;
            }
        }
        Ok(taken)
    }

    /// What a step stores.
    fn effects(
        &self,
        program: &Program,
        step: &Step,
        inputs: &[i128],
        integers: Integers,
    ) -> Result<Effects, Refusal> {
        assert!(inputs.len() >= step.inputs.len(), "each input of the step is chosen");
        let seen = self.seen(program, inputs, Some(step));
        let value = |value: &Expr| seen.settled(evaluate(value, &seen, integers));
        match value(&step.guard)? {
            Value::Number(0) => return Err(Refusal::Guard),
            Value::Unknown(unknown) => return Err(Refusal::Unknown(unknown)),
            _ => {}
        }
        let updates = step.updates.iter().map(|(_, expr)| value(expr)).collect::<Result<_, _>>()?;
        let mut stored = Vec::new();
        for (region, pointer, new) in &step.stores {
            stored.push((*region, value(pointer)?, value(new)?));
        }
        let mut stores = Vec::new();
        for (region, pointer, new) in stored {
            let cell =
                self.objects.locate_store(&program.memory, region, known(pointer)?).map_err(misused)?;
            stores.push((region, cell, new));
        }
        let drawn = seen.state.into_inner().drawn;
        Ok(Effects { updates, stores, drawn })
    }

    /// Does something to objects.
    fn manage(
        &mut self,
        memory: &Memory,
        manage: &Manage,
        operands: &[Value],
        inputs: &[i128],
        site: (FunctionId, EdgeId),
    ) -> Result<(), Refusal> {
        let number = |n: usize| known(operands[n]);
        match manage {
            Manage::Begin(object) => self.objects.begin(*object),
            Manage::End(object) => self.objects.finish(*object),
            Manage::Allocate { class, is_zeroed, storage, result, .. } => {
                let count = number(0)?;
                let new =
                    self.objects.allocate(*class, count, *is_zeroed, *storage, site).map_err(misused)?;
                if *storage == Storage::Frame {
                    self.running_mut().objects.push(new);
                }
                self.store(*result, Value::Number(objects::to_first(new)));
            }
            Manage::Reallocate { class, result, .. } => {
                let (pointer, count) = (number(0)?, number(1)?);
                let new = self.objects.reallocate(memory, *class, pointer, count, site).map_err(misused)?;
                self.store(*result, Value::Number(objects::to_first(new)));
            }
            Manage::Release { storage, .. } => {
                self.objects.release(number(0)?, *storage).map_err(misused)?;
            }
            Manage::Fill { class, .. } => {
                let (pointer, count) = (number(0)?, number(1)?);
                self.objects.fill(memory, *class, pointer, count, operands[2]).map_err(misused)?;
            }
            Manage::Copy { class, .. } => {
                let (to, from, count) = (number(0)?, number(1)?, number(2)?);
                let copied = self.objects.copied(memory, *class, to, from, count).map_err(misused)?;
                self.copy(memory, copied, inputs)?;
            }
        }
        Ok(())
    }

    /// Copies cells. What nothing was stored in is chosen, so that a cell and its copy are equal.
    fn copy(&mut self, memory: &Memory, mut copied: Vec<Copied>, inputs: &[i128]) -> Result<(), Refusal> {
        let mut drawn = Vec::new();
        for cell in &mut copied {
            let input = memory.regions[cell.region.index()].uninitialised;
            if let (None, Some(input)) = (cell.value, input) {
                let chosen = inputs.get(drawn.len()).ok_or(Refusal::NoInput(input))?;
                cell.value = Some(Value::Number(*chosen));
                drawn.push((cell.region, cell.from, Value::Number(*chosen)));
            }
        }
        for (region, cell, value) in drawn {
            self.objects.write(region, cell, value);
        }
        copied.iter().for_each(|cell| self.objects.copy(cell));
        Ok(())
    }

    fn seen<'a>(&'a self, program: &'a Program, inputs: &'a [i128], step: Option<&'a Step>) -> Seen<'a> {
        let state = RefCell::default();
        Seen { configuration: self, memory: &program.memory, inputs, step, state }
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
        Self { function: id, node: function.entry, calling: None, locals, objects: Vec::new() }
    }
}

/// What a step stores.
struct Effects {
    updates: Vec<Value>,
    stores: Vec<(RegionId, objects::Cell, Value)>,
    /// What was chosen for cells that nothing was stored in.
    drawn: Vec<(RegionId, objects::Cell, Value)>,
}

/// What an expression sees.
struct Seen<'a> {
    configuration: &'a Configuration,
    memory: &'a Memory,
    inputs: &'a [i128],
    /// Whose inputs and unknowns these are; a call has none.
    step: Option<&'a Step>,
    state: RefCell<Reading>,
}

/// What came of reading memory.
#[derive(Default)]
struct Reading {
    drawn: Vec<(RegionId, objects::Cell, Value)>,
    /// The first reason why the expression has no value.
    refused: Option<Refusal>,
}

impl Seen<'_> {
    /// The value of an expression, unless it could not be read.
    fn settled(&self, value: Value) -> Result<Value, Refusal> {
        match self.state.borrow_mut().refused.take() {
            Some(refusal) => Err(refusal),
            None => defined(value),
        }
    }

    /// What a cell holds that nothing was stored in.
    fn draw(&self, region: RegionId, cell: objects::Cell) -> Result<Value, Refusal> {
        let state = &mut *self.state.borrow_mut();
        let is_same = |known: &&(RegionId, objects::Cell, Value)| (known.0, known.1) == (region, cell);
        if let Some((_, _, value)) = state.drawn.iter().find(is_same) {
            return Ok(*value);
        }
        let Some(input) = self.memory.regions[region.index()].uninitialised else {
            return Err(misused(Misuse::Uninitialised));
        };
        let n_inputs = self.step.map_or(0, |step| step.inputs.len());
        let chosen = self.inputs.get(n_inputs + state.drawn.len()).ok_or(Refusal::NoInput(input))?;
        state.drawn.push((region, cell, Value::Number(*chosen)));
        Ok(Value::Number(*chosen))
    }

    fn loaded(&self, region: RegionId, pointer: Value) -> Result<Value, Refusal> {
        let objects = &self.configuration.objects;
        let cell = objects.locate(self.memory, region, known(pointer)?).map_err(misused)?;
        objects.read(region, cell).map_or_else(|| self.draw(region, cell), Ok)
    }
}

impl Environment for Seen<'_> {
    fn read(&self, place: Place) -> Value {
        self.configuration.read(place)
    }

    fn input(&self, position: u32) -> i128 {
        self.inputs[position as usize]
    }

    fn unknown(&self, position: u32) -> UnknownId {
        self.step.expect("only steps have unknowns").unknowns[position as usize]
    }

    fn load(&self, region: RegionId, pointer: Value) -> Value {
        match self.loaded(region, pointer) {
            Ok(value) => value,
            Err(refusal) => {
                self.state.borrow_mut().refused.get_or_insert(refusal);
                Value::Number(0)
            }
        }
    }
}

fn misused(misuse: Misuse) -> Refusal {
    Refusal::Undefined(Undefined::Memory(misuse))
}

/// The number, without which nobody knows how to go on.
fn known(value: Value) -> Result<i128, Refusal> {
    match value {
        Value::Number(number) => Ok(number),
        Value::Unknown(unknown) => Err(Refusal::Unknown(unknown)),
        Value::Undefined(undefined) => Err(Refusal::Undefined(undefined)),
    }
}

fn defined(value: Value) -> Result<Value, Refusal> {
    match value {
        Value::Undefined(undefined) => Err(Refusal::Undefined(undefined)),
        value => Ok(value),
    }
}
