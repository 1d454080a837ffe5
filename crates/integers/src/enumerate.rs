//! All runs of a program whose numbers stay small, state by state: the textbook twin of everything that reasons about programs.
//!
//! For each state in which a function is entered, all states that it gets to are listed; a call goes on with each exit of the entry that it leads to. A run
//! without end is a cycle of steps, of finished calls and of entries. Numbers beyond a limit are not followed: then only what was found is certain.

use crate::evaluate::{Integers, Undefined, Value};
use crate::objects::Objects;
use crate::program::{Action, EdgeId, FunctionId, NodeId, Program, Role};
use crate::step::{Configuration, Frame, Refusal};
use base::{Adjacency, Components};
use rustc_hash::FxHashMap;

/// What the runs show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// Some run reaches a target.
    pub reaches: bool,
    /// Some run misuses memory.
    pub misuses: bool,
    /// Some run has no end.
    pub is_infinite: bool,
    /// Every run was followed, so that what was not found is not there.
    pub is_complete: bool,
}

/// How far runs are followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The greatest absolute value of a number.
    pub number: i128,
    /// How many states.
    pub states: usize,
}

/// A function somewhere, with all variables and objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    function: FunctionId,
    node: NodeId,
    globals: Vec<i128>,
    locals: Vec<i128>,
    /// The objects in its frame, and all of them.
    own: Vec<i64>,
    objects: Objects,
}

/// Follows all runs of a program without unknowns.
///
/// # Panics
/// If something is unknown in the program.
pub fn enumerate(program: &Program, bounds: Bounds) -> Enumeration {
    let mut search = Search::new(program, bounds);
    let start = Configuration::start(program);
    match search.state(&start) {
        Some(state) => _ = search.enter(state),
        None => search.is_complete = false,
    }
    while let Some((entry, state)) = search.pending.pop() {
        if search.states.len() > bounds.states {
            search.is_complete = false;
            break;
        }
        search.expand(entry, state);
    }
    Enumeration {
        reaches: search.reaches,
        misuses: search.misuses,
        is_infinite: search.has_cycle(),
        is_complete: search.is_complete,
    }
}

struct Search<'p> {
    program: &'p Program,
    bounds: Bounds,
    /// Entries, with the calls that lead to them and the exits that they lead to.
    entries: FxHashMap<State, usize>,
    callers: Vec<Vec<(usize, usize, EdgeId)>>,
    exits: Vec<Vec<State>>,
    /// Pairs of an entry and a state, numbered.
    states: Vec<State>,
    numbers: FxHashMap<(usize, State), usize>,
    steps: Vec<(u32, u32)>,
    pending: Vec<(usize, usize)>,
    /// The pair at which an entry begins.
    first: Vec<usize>,
    reaches: bool,
    misuses: bool,
    is_complete: bool,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, bounds: Bounds) -> Self {
        Self {
            program,
            bounds,
            entries: FxHashMap::default(),
            callers: Vec::new(),
            exits: Vec::new(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            steps: Vec::new(),
            pending: Vec::new(),
            first: Vec::new(),
            reaches: false,
            misuses: false,
            is_complete: true,
        }
    }

    /// The running function, if all numbers are small.
    fn state(&self, configuration: &Configuration) -> Option<State> {
        let number = |value: &Value| match *value {
            Value::Number(number) => Some(number).filter(|number| self.is_small(*number)),
            _ => panic!("a program without unknowns has numbers only"),
        };
        let Frame { function, node, locals, objects, .. } = configuration.frames.last()?;
        Some(State {
            function: *function,
            node: *node,
            globals: configuration.globals.iter().map(number).collect::<Option<_>>()?,
            locals: locals.iter().map(number).collect::<Option<_>>()?,
            own: objects.clone(),
            objects: configuration.objects.clone(),
        })
    }

    /// Whether a number is followed. Where there is memory it may be a pointer: then its parts are small.
    fn is_small(&self, number: i128) -> bool {
        let object = number.saturating_add(1 << 63) >> 64;
        let offset = number - (object << 64);
        let has_memory = !self.program.memory.regions.is_empty();
        let is_pointer = has_memory && object.abs() <= self.bounds.number;
        (object == 0 || is_pointer) && offset.abs() <= self.bounds.number
    }

    fn configuration(state: &State) -> Configuration {
        let value = |number: &i128| Value::Number(*number);
        let locals = state.locals.iter().map(value).collect();
        let objects = state.own.clone();
        let frame = Frame { function: state.function, node: state.node, calling: None, locals, objects };
        let globals = state.globals.iter().map(value).collect();
        Configuration { globals, frames: vec![frame], objects: state.objects.clone() }
    }

    /// A function is entered; the number of the entry.
    fn enter(&mut self, state: State) -> usize {
        if let Some(&known) = self.entries.get(&state) {
            return known;
        }
        let entry = self.callers.len();
        self.entries.insert(state.clone(), entry);
        self.callers.push(Vec::new());
        self.exits.push(Vec::new());
        let first = self.arrive(entry, state);
        self.first.push(first);
        entry
    }

    fn arrive(&mut self, entry: usize, state: State) -> usize {
        if let Some(&known) = self.numbers.get(&(entry, state.clone())) {
            return known;
        }
        let number = self.states.len();
        self.states.push(state.clone());
        self.numbers.insert((entry, state), number);
        self.pending.push((entry, number));
        number
    }

    fn step(&mut self, from: usize, to: usize) {
        self.steps.push((from as u32, to as u32));
    }

    fn expand(&mut self, entry: usize, at: usize) {
        let state = self.states[at].clone();
        let function = self.program.function(state.function);
        self.reaches |= matches!(function.node(state.node).role, Role::Target(_));
        if state.node == function.exit {
            self.exits[entry].push(state.clone());
            for (caller, from, edge) in self.callers[entry].clone() {
                self.leave(caller, from, edge, &state);
            }
        }
        for (id, edge) in function.edges_from(state.node) {
            match &edge.action {
                Action::Step(_) | Action::Manage(_) => self.steps_of(entry, at, id),
                Action::Call { .. } => self.call(entry, at, id),
            }
        }
    }

    /// All choices of inputs: those of the step, and those that turn out to be needed.
    fn steps_of(&mut self, entry: usize, at: usize, edge: EdgeId) {
        let program = self.program;
        let action = &program.function(self.states[at].function).edge(edge).action;
        let ids = if let Action::Step(step) = action { &step.inputs[..] } else { &[] };
        let mut types: Vec<_> = ids.iter().map(|id| program.input(*id).ty).collect();
        let mut inputs: Vec<i128> = types.iter().map(|&ty| ty.min()).collect();
        loop {
            // A step may have very many choices.
            if self.states.len() > self.bounds.states {
                self.is_complete = false;
                return;
            }
            let mut next = Self::configuration(&self.states[at]);
            match next.take(program, edge, &inputs, Integers::Mathematical) {
                Ok(_) => match self.state(&next) {
                    Some(state) => {
                        let to = self.arrive(entry, state);
                        self.step(at, to);
                    }
                    None => self.is_complete = false,
                },
                Err(Refusal::NoInput(input)) => {
                    types.push(program.input(input).ty);
                    inputs.push(program.input(input).ty.min());
                    continue;
                }
                Err(Refusal::Undefined(Undefined::Memory(_))) => self.misuses = true,
                Err(_) => {}
            }
            // What is needed last changes first: it may not be needed with other choices.
            while inputs.last().is_some_and(|last| *last == types[inputs.len() - 1].max()) {
                inputs.pop();
                types.pop();
            }
            match inputs.last_mut() {
                Some(last) => *last += 1,
                None => return,
            }
            for id in ids.iter().skip(inputs.len()) {
                types.push(program.input(*id).ty);
                inputs.push(program.input(*id).ty.min());
            }
        }
    }

    fn call(&mut self, caller: usize, at: usize, edge: EdgeId) {
        let mut next = Self::configuration(&self.states[at]);
        if let Err(refusal) = next.take(self.program, edge, &[], Integers::Mathematical) {
            self.misuses |= matches!(refusal, Refusal::Undefined(Undefined::Memory(_)));
            return;
        }
        let Some(state) = self.state(&next) else {
            self.is_complete = false;
            return;
        };
        let entry = self.enter(state);
        self.step(at, self.first[entry]);
        self.callers[entry].push((caller, at, edge));
        for exit in self.exits[entry].clone() {
            self.leave(caller, at, edge, &exit);
        }
    }

    /// The call from a state returns from an exit.
    fn leave(&mut self, caller: usize, at: usize, edge: EdgeId, exit: &State) {
        let mut next = Self::configuration(&self.states[at]);
        next.frames[0].calling = Some(edge);
        let there = Self::configuration(exit);
        (next.globals, next.objects) = (there.globals, there.objects);
        next.frames.extend(there.frames);
        next.leave(self.program);
        match self.state(&next) {
            Some(state) => {
                let to = self.arrive(caller, state);
                self.step(at, to);
            }
            None => self.is_complete = false,
        }
    }

    fn has_cycle(&self) -> bool {
        let n = self.states.len();
        if self.steps.iter().any(|(from, to)| from == to) {
            return true;
        }
        let graph = Adjacency::new(n, self.steps.iter().copied());
        let components = Components::new(n).list(0..n as u32, |state| graph.of(state), |to| Some(*to));
        components.iter().any(|component| component.len() > 1)
    }
}
