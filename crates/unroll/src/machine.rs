//! All runs of a program at once, up to bounds: at each place of the unrolled program one state, in which values depend on inputs.
//!
//! Places are visited in an order in which ways that part come together before anybody goes on, so that a loop of n rounds has n states and not 2 to the power of n. The meaning is that of
//! [`integers::step`] with the widths of a machine: where something is undefined, runs end.

use crate::evaluate::Undefineds;
use crate::order::{Order, Rounds};
use crate::state::{Cell, Frame, State};
use crate::terms::{Bool, Int, NO, Terms, YES};
use crate::value::{Beyond, Value};
use base::Stop;
use integers::memory::Storage;
use integers::{Action, Edge, EdgeId, Fault, FunctionId, Program, Role, Step, TargetId, Type, Undefined};
use std::collections::BTreeMap;

/// How far runs are followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Places of the unrolled program.
    pub places: usize,
    /// Terms.
    pub terms: usize,
    /// Rounds of a loop, and activations of functions, if how many there are depends on inputs.
    pub rounds: u32,
}

/// What all runs do.
#[derive(Debug)]
pub struct Unrolled {
    /// The terms that everything is said in.
    pub terms: Terms,
    /// The runs that reach a target, which end there.
    pub targets: Vec<(TargetId, Bool)>,
    /// The runs in which something goes wrong.
    pub faults: Vec<(Fault, Bool)>,
    /// The runs that were not followed to their end.
    pub rest: Bool,
    /// Some of them are in a loop that has as many rounds as somebody chooses, as far as is known.
    pub is_endless: bool,
    /// For each input the runs in which it is chosen.
    pub chosen: Vec<Bool>,
    /// How many places there are.
    pub n_places: usize,
}

/// Whether some run satisfies a condition; `true` if nobody knows.
pub type MayHold<'a> = dyn FnMut(&Terms, Bool) -> bool + 'a;

/// What becomes of results that do not fit their types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// They are undefined: runs end there.
    EndRuns,
    /// They keep their low bits; the program says so itself where it computes them.
    Wrap,
}

/// Follows all runs of a program. Memory that is left at the end is a fault.
pub fn unroll(
    program: &Program,
    results: Results,
    bounds: &Bounds,
    stop: &Stop,
    may_hold: &mut MayHold,
) -> Result<Unrolled, Beyond> {
    let orders = program.functions.iter().map(Order::new).collect();
    let mut machine = Machine {
        program,
        orders,
        results,
        terms: Terms::default(),
        pending: BTreeMap::new(),
        targets: Vec::new(),
        faults: Vec::new(),
        chosen: Vec::new(),
        n_objects: program.memory.objects.len() as i64,
        n_places: 0,
    };
    let frame = machine.entered(program.main);
    let state = State::start(&mut machine.terms, program, frame);
    machine.pending.insert(state.place(), state);
    let (mut rest, mut is_endless) = (NO, false);
    while let Some((_, state)) = machine.pending.pop_first() {
        machine.n_places += 1;
        let is_full = machine.n_places > bounds.places || machine.terms.made().len() > bounds.terms;
        if is_full || stop.requested().is_some() {
            let left = std::mem::take(&mut machine.pending);
            for state in std::iter::once(state).chain(left.into_values()) {
                rest = machine.terms.or(rest, state.path);
            }
            break;
        }
        for (state, round) in machine.visit(state)? {
            match machine.goes_on(&state, round, bounds, may_hold) {
                Going::On => machine.push(state)?,
                Going::Nowhere => {}
                Going::TooFar => {
                    is_endless = true;
                    rest = machine.terms.or(rest, state.path);
                }
            }
        }
    }
    let Machine { terms, targets, faults, chosen, n_places, .. } = machine;
    Ok(Unrolled { terms, targets, faults, rest, is_endless, chosen, n_places })
}

/// Whether runs are followed.
enum Going {
    On,
    Nowhere,
    TooFar,
}

/// From so many rounds on it is asked whether there are such runs.
const FIRST_ASKED: u32 = 2;

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    orders: Vec<Order>,
    pub(crate) results: Results,
    pub(crate) terms: Terms,
    /// What is still to be visited.
    pending: BTreeMap<Rounds, State>,
    targets: Vec<(TargetId, Bool)>,
    faults: Vec<(Fault, Bool)>,
    chosen: Vec<Bool>,
    n_objects: i64,
    n_places: usize,
}

impl<'a> Machine<'a> {
    /// A number that the environment chooses in some runs.
    pub(crate) fn drawn(&mut self, ty: Type, guard: Bool) -> Result<Int, Beyond> {
        if ty.bits > 64 {
            return Err(Beyond("an input that is no number of the machine"));
        }
        self.chosen.push(guard);
        Ok(self.terms.input(ty))
    }

    /// The number of a new object.
    pub(crate) fn new_object(&mut self) -> i64 {
        self.n_objects += 1;
        self.n_objects
    }

    fn entered(&mut self, id: FunctionId) -> Frame {
        let function = self.program.function(id);
        let zero = Value::Number(self.terms.constant(0));
        let place = self.orders[id.index()].first(function.entry);
        let locals = vec![zero; function.locals.len()];
        Frame { function: id, node: function.entry, place, calling: None, locals, objects: Vec::new() }
    }

    /// Keeps runs until their place is visited, together with others that come there.
    fn push(&mut self, state: State) -> Result<(), Beyond> {
        let place = state.place();
        let state = match self.pending.remove(&place) {
            Some(other) => other.join(&mut self.terms, state)?,
            None => state,
        };
        self.pending.insert(place, state);
        Ok(())
    }

    /// Whether runs go on that begin another round of a loop, or another activation.
    fn goes_on(
        &mut self,
        state: &State,
        round: Option<u32>,
        bounds: &Bounds,
        may_hold: &mut MayHold,
    ) -> Going {
        let Some(round) = round.filter(|round| *round >= FIRST_ASKED && state.path != YES) else {
            return Going::On;
        };
        let is_far = round > bounds.rounds;
        // Where nothing depends on inputs there is nothing to ask.
        if (round.is_power_of_two() || is_far) && !may_hold(&self.terms, state.path) {
            return Going::Nowhere;
        }
        if is_far { Going::TooFar } else { Going::On }
    }

    /// The runs that come from a place; each with the round that it begins, if it begins one.
    fn visit(&mut self, state: State) -> Result<Vec<(State, Option<u32>)>, Beyond> {
        let program: &'a Program = self.program;
        let frame = state.running();
        let id = frame.function;
        let function = program.function(id);
        if frame.node == function.exit {
            return Ok(self.left(state)?.into_iter().collect());
        }
        if let Role::Target(target) = function.node(frame.node).role {
            self.targets.push((target, state.path));
            return Ok(Vec::new());
        }
        let node = frame.node;
        let mut next = Vec::new();
        for (edge_id, edge) in function.edges_from(node) {
            let mut state = state.clone();
            let took = match &edge.action {
                Action::Step(step) => self.step(&mut state, step, (id, edge_id))?,
                Action::Call { callee, args, .. } => {
                    next.extend(self.called(state, *callee, args, (id, edge_id))?);
                    continue;
                }
                Action::Manage(manage) => {
                    let mut undefined = Vec::new();
                    let mut operands = Vec::new();
                    for expr in manage.exprs() {
                        let (value, more) = self.value(&mut state, &[], expr)?;
                        undefined.extend(more);
                        operands.push(value);
                    }
                    self.manage(&mut state, manage, &operands, (id, edge_id), &mut undefined)?;
                    self.survive(&mut state, undefined, (id, edge_id))
                }
            };
            if took {
                let round = self.moved(&mut state, edge);
                next.push((state, round));
            }
        }
        Ok(next)
    }

    /// Runs come to the end of an edge.
    fn moved(&mut self, state: &mut State, edge: &Edge) -> Option<u32> {
        let frame = state.running_mut();
        let (place, round) = self.orders[frame.function.index()].next(&frame.place, edge.from, edge.to);
        frame.place = place;
        frame.node = edge.to;
        round
    }

    /// Runs end in which something is undefined; whether others are left.
    fn survive(
        &mut self,
        state: &mut State,
        undefined: Undefineds,
        (function, edge): (FunctionId, EdgeId),
    ) -> bool {
        for (what, guard) in undefined {
            let guard = self.terms.and(state.path, guard);
            if guard != NO {
                self.faults.push((Fault::Undefined(what, function, edge), guard));
                let without = self.terms.not(guard);
                state.path = self.terms.and(state.path, without);
            }
        }
        state.path != NO
    }

    fn step(&mut self, state: &mut State, step: &Step, at: (FunctionId, EdgeId)) -> Result<bool, Beyond> {
        let mut inputs = Vec::new();
        for input in &step.inputs {
            inputs.push(self.drawn(self.program.input(*input).ty, state.path)?);
        }
        if step.guard.as_truth() != Some(true) && step.exprs().any(integers::Expr::has_loads) {
            return Err(Beyond("a load under a condition"));
        }
        let (guard, undefined) = self.formula(state, &inputs, &step.guard)?;
        if !self.survive(state, undefined, at) {
            return Ok(false);
        }
        state.path = self.terms.and(state.path, guard);
        if state.path == NO {
            return Ok(false);
        }
        let mut undefined = Vec::new();
        let mut updates = Vec::new();
        for (place, expr) in &step.updates {
            let (value, more) = self.value(state, &inputs, expr)?;
            undefined.extend(more);
            updates.push((*place, value));
        }
        let mut stores = Vec::new();
        for (region, pointer, value) in &step.stores {
            let (pointer, more) = self.value(state, &inputs, pointer)?;
            undefined.extend(more);
            let (value, more) = self.value(state, &inputs, value)?;
            undefined.extend(more);
            stores.push((*region, pointer, Cell { value, is_stored: YES }));
        }
        for (region, pointer, cell) in stores {
            self.stored(state, region, &pointer, &cell, &mut undefined)?;
        }
        for (place, value) in updates {
            state.store(place, value);
        }
        Ok(self.survive(state, undefined, at))
    }

    /// A call.
    fn called(
        &mut self,
        mut state: State,
        callee: FunctionId,
        args: &[integers::Expr],
        at: (FunctionId, EdgeId),
    ) -> Result<Option<(State, Option<u32>)>, Beyond> {
        let mut frame = self.entered(callee);
        let mut undefined = Vec::new();
        for (local, arg) in frame.locals.iter_mut().zip(args) {
            let (value, more) = self.value(&mut state, &[], arg)?;
            undefined.extend(more);
            *local = value;
        }
        if !self.survive(&mut state, undefined, at) {
            return Ok(None);
        }
        state.running_mut().calling = Some(at.1);
        state.frames.push(frame);
        let n_active = state.frames.iter().filter(|frame| frame.function == callee).count();
        Ok(Some((state, (n_active > 1).then_some(n_active as u32))))
    }

    /// Runs return from the running function.
    fn left(&mut self, mut state: State) -> Result<Option<(State, Option<u32>)>, Beyond> {
        let program: &'a Program = self.program;
        let frame = state.frames.pop().expect("somebody is running");
        state.leave(&program.memory, &frame);
        let result = program.function(frame.function).result.map(|n| frame.locals[n as usize].clone());
        let Some(caller) = state.frames.last_mut() else {
            self.ended(&state);
            return Ok(None);
        };
        let edge = caller.calling.take().expect("a frame below the top waits for a call");
        let edge = program.function(caller.function).edge(edge);
        if let Action::Call { result: Some(place), .. } = edge.action {
            let value = result.expect("only functions with results are asked for them");
            state.store(place, value);
        }
        let round = self.moved(&mut state, edge);
        Ok(Some((state, round)))
    }

    /// `main` has returned: what is still on the heap.
    fn ended(&mut self, state: &State) {
        for object in state.objects.values().filter(|object| object.storage == Some(Storage::Heap)) {
            let guard = self.terms.and(state.path, object.is_alive);
            let (function, edge) = object.site.expect("what is on the heap was allocated somewhere");
            if guard != NO {
                self.faults.push((Fault::Unfreed(function, edge), guard));
            }
        }
    }
}

/// Whether a fault is an overflow.
pub fn is_overflow(fault: Fault) -> bool {
    matches!(fault, Fault::Undefined(Undefined::Overflow(_), ..))
}
