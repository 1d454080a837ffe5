//! A run of the program along what an abstraction promises: inputs are chosen so that it stays where it should.
//!
//! The run is that of the concrete semantics; the abstraction only says which inputs to look for, and the solver finds them.

use crate::analysis::Analysis;
use abstraction::{Back, Predicates};
use checker::abstraction::{Bit, Region};
use integers::evaluate::{Environment, Integers, Value, evaluate};
use integers::ghosts::Ghosted;
use integers::smtlib::{number, text};
use integers::step::{Configuration, Situation};
use integers::{Action, EdgeId, Expr, FunctionId, InputId, NodeId, Op, Place, Step, UnknownId};
use rsm::{ModuleId, Operation};
use rustc_hash::FxHashMap;
use smt::{Model, Query, Solver};

/// A run that is being made.
pub(crate) struct Player<'a> {
    ghosted: &'a Ghosted,
    predicates: &'a Predicates,
    analysis: &'a Analysis,
    regions: FxHashMap<(FunctionId, NodeId), &'a Region>,
    solver: &'a mut dyn Solver,
    configuration: Configuration,
    /// What each open function was entered with.
    entries: Vec<Configuration>,
    /// What has been chosen for each input.
    pub(crate) fixed: Vec<(InputId, i128)>,
}

impl<'a> Player<'a> {
    /// At the start of the program. The run is to stay in the regions.
    pub(crate) fn new(
        ghosted: &'a Ghosted,
        predicates: &'a Predicates,
        analysis: &'a Analysis,
        regions: &'a [Region],
        solver: &'a mut dyn Solver,
    ) -> Self {
        let nodes = &analysis.abstraction.nodes;
        let place = |region: &'a Region| {
            let node = nodes.get(region.module.index())?.get(region.node.index())?.as_ref()?;
            Some(((FunctionId::new(region.module.index()), *node), region))
        };
        let regions = regions.iter().filter_map(place).collect();
        let configuration = Configuration::start(&ghosted.program);
        let entries = vec![configuration.clone()];
        Self { ghosted, predicates, analysis, regions, solver, configuration, entries, fixed: Vec::new() }
    }

    /// Makes steps, each input always with the same number; whether that goes on for so many steps.
    pub(crate) fn play(&mut self, n_steps: usize) -> bool {
        (0..n_steps).all(|_| self.step())
    }

    fn step(&mut self) -> bool {
        match self.configuration.situation(&self.ghosted.program) {
            Situation::Returned | Situation::Stopped | Situation::Target(_) => false,
            Situation::AtExit => {
                self.configuration.leave(&self.ghosted.program);
                self.entries.pop();
                !self.configuration.frames.is_empty()
            }
            Situation::At(function, node) => self.go(function, node),
        }
    }

    fn go(&mut self, function: FunctionId, node: NodeId) -> bool {
        let program = &self.ghosted.program;
        let edges: Vec<(EdgeId, integers::Edge)> =
            program.function(function).edges_from(node).map(|(id, edge)| (id, edge.clone())).collect();
        for (id, edge) in &edges {
            match &edge.action {
                Action::Manage(_) => unreachable!("the program has variables only"),
                Action::Call { .. } => return self.call(*id),
                Action::Step(step) if step.inputs.is_empty() => {
                    if self.configuration.take(program, *id, &[], Integers::Mathematical).is_ok() {
                        return true;
                    }
                }
                Action::Step(_) => {}
            }
        }
        for (id, edge) in &edges {
            if let Action::Step(step) = &edge.action
                && !step.inputs.is_empty()
                && (self.as_before(function, *id, step) || self.choose(function, *id, step))
            {
                return true;
            }
        }
        false
    }

    fn call(&mut self, edge: EdgeId) -> bool {
        let program = &self.ghosted.program;
        if self.configuration.take(program, edge, &[], Integers::Mathematical).is_err() {
            return false;
        }
        let function = self.configuration.frames.last().expect("a function was entered").function;
        for ghost in &self.ghosted.ghosts[function.index()] {
            let value = self.configuration.read(ghost.of);
            let frame = self.configuration.frames.last_mut().expect("a function was entered");
            frame.locals[ghost.local as usize] = value;
        }
        self.entries.push(self.configuration.clone());
        true
    }

    /// Takes the step with what was chosen before.
    fn as_before(&mut self, function: FunctionId, edge: EdgeId, step: &Step) -> bool {
        let known =
            |id: &InputId| self.fixed.iter().find(|(known, _)| known == id).map(|(_, number)| *number);
        let Some(inputs) = step.inputs.iter().map(known).collect::<Option<Vec<i128>>>() else { return false };
        self.take(function, edge, &inputs)
    }

    /// Takes the step if that leads to where the run should stay.
    fn take(&mut self, function: FunctionId, edge: EdgeId, inputs: &[i128]) -> bool {
        let mut next = self.configuration.clone();
        if next.take(&self.ghosted.program, edge, inputs, Integers::Mathematical).is_err() {
            return false;
        }
        let node = self.ghosted.program.function(function).edge(edge).to;
        let is_kept =
            self.regions.get(&(function, node)).is_some_and(|region| self.is_in(region, &next, node));
        if is_kept {
            self.configuration = next;
        }
        is_kept
    }

    /// Finds inputs for a move.
    fn choose(&mut self, function: FunctionId, edge: EdgeId, step: &Step) -> bool {
        let abstraction = &self.analysis.abstraction;
        let module = ModuleId::new(function.index());
        let back = &abstraction.back[module.index()];
        let Some(there) = back.iter().position(|back| *back == Back::Step(edge)) else { return false };
        let moves: Vec<rsm::Move> = abstraction.game.modules[module.index()]
            .moves
            .iter()
            .filter(|chosen| chosen.edge.index() == there)
            .cloned()
            .collect();
        let node = self.ghosted.program.function(function).edge(edge).from;
        for chosen in moves {
            if !self.holds(&chosen.when, function, node) {
                continue;
            }
            if let Some(inputs) = self.inputs(function, edge, step, &chosen)
                && self.take(function, edge, &inputs)
            {
                for (id, number) in step.inputs.iter().zip(inputs) {
                    if self.fixed.iter().all(|(known, _)| known != id) {
                        self.fixed.push((*id, number));
                    }
                }
                return true;
            }
        }
        false
    }

    /// Numbers with which the step leads to what the move promises, from the present state. What has been chosen before stays.
    fn inputs(
        &mut self,
        function: FunctionId,
        edge: EdgeId,
        step: &Step,
        chosen: &rsm::Move,
    ) -> Option<Vec<i128>> {
        let here = |expr: &Expr| {
            expr.substitute(|op| match op {
                Op::Read(place) => match self.configuration.read(place) {
                    Value::Number(number) => Some(Expr::constant(number)),
                    _ => None,
                },
                _ => None,
            })
        };
        let leaf = |op: Op| match op {
            Op::Input(n) => format!("i{n}"),
            _ => "0".to_owned(),
        };
        let mut asserts = vec![text(&here(&step.guard), leaf).holds()];
        for &(place, value) in &chosen.target {
            let rsm::Place::Local(local) = place else { continue };
            let bits = &self.analysis.abstraction.bits[function.index()];
            let n = bits.iter().position(|bit| *bit == local)?;
            let predicate = &self.predicates.of(function)[n];
            let after = predicate.formula.substitute(|op| match op {
                Op::Read(place) => {
                    let stored = step.updates.iter().find(|(other, _)| *other == place);
                    stored.map(|(_, value)| value.clone())
                }
                _ => None,
            });
            let formula = text(&here(&after), leaf).holds();
            asserts.push(if value { formula } else { format!("(not {formula})") });
        }
        for (n, id) in step.inputs.iter().enumerate() {
            let ty = self.ghosted.program.input(*id).ty;
            asserts.push(format!("(<= {} i{n} {})", number(ty.min()), number(ty.max())));
            if let Some((_, before)) = self.fixed.iter().find(|(known, _)| known == id) {
                asserts.push(format!("(= i{n} {})", number(*before)));
            }
        }
        debug_assert_eq!(
            self.ghosted.program.function(function).edge(edge).from.index(),
            self.node().index()
        );
        let variables: Vec<String> = (0..step.inputs.len()).map(|n| format!("i{n}")).collect();
        let query = Query { variables: variables.clone(), asserts, atoms: Vec::new() };
        match self.solver.model(&query, &variables) {
            Model::Sat(numbers) => Some(numbers),
            Model::Unsat | Model::Unknown(_) => None,
        }
    }

    fn node(&self) -> NodeId {
        self.configuration.frames.last().expect("somebody is running").node
    }

    /// Whether a condition about bits holds in the present state.
    fn holds(&self, condition: &rsm::Expr, function: FunctionId, node: NodeId) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for term in &condition.code {
            let value = match term.operation {
                Operation::Constant(value) => value != 0,
                Operation::Read(rsm::Place::Local(local)) => {
                    self.bit(&self.configuration, function, node, local).unwrap_or(false)
                }
                Operation::Not => !stack.pop().expect("an operand"),
                Operation::Binary(rsm::Binary::And) => {
                    let (right, left) = (stack.pop().expect("an operand"), stack.pop().expect("an operand"));
                    left && right
                }
                Operation::Conditional => {
                    let no = stack.pop().expect("an operand");
                    let (yes, condition) =
                        (stack.pop().expect("an operand"), stack.pop().expect("an operand"));
                    if condition { yes } else { no }
                }
                _ => return false,
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(false)
    }

    /// The value of a bit, if it is that of a predicate that is kept at the node.
    fn bit(&self, state: &Configuration, function: FunctionId, node: NodeId, local: u32) -> Option<bool> {
        let abstraction = &self.analysis.abstraction;
        let n = abstraction.bits[function.index()].iter().position(|bit| *bit == local)?;
        abstraction.kept[function.index()][node.index()].binary_search(&n).ok()?;
        let formula = &self.predicates.of(function)[n].formula;
        match evaluate(formula, &Seen(state), Integers::Mathematical) {
            Value::Number(value) => Some(value != 0),
            _ => None,
        }
    }

    /// Whether a state is in a region.
    fn is_in(&self, region: &Region, state: &Configuration, node: NodeId) -> bool {
        let function = FunctionId::new(region.module.index());
        let entry = self.ghosted.program.function(function).entry;
        let entered = self.entries.last().expect("somebody is running");
        let value = |bit: Bit| match bit.at_entry {
            true => self.bit(entered, function, entry, local(bit)),
            false => self.bit(state, function, node, local(bit)),
        };
        let mut known = vec![false, true];
        for &(bit, no, yes) in &region.states.nodes {
            let (no, yes) = (known[no as usize], known[yes as usize]);
            known.push(match value(bit) {
                Some(true) => yes,
                Some(false) => no,
                None => yes || no,
            });
        }
        known[region.states.root as usize]
    }
}

/// The local that is one predicate.
fn local(bit: Bit) -> u32 {
    let rsm::Place::Local(local) = bit.place else { unreachable!("predicates are locals") };
    local
}

/// What a formula sees of a state.
struct Seen<'a>(&'a Configuration);

impl Environment for Seen<'_> {
    fn read(&self, place: Place) -> Value {
        self.0.read(place)
    }

    fn input(&self, _: u32) -> i128 {
        unreachable!("a predicate reads no inputs")
    }

    fn unknown(&self, _: u32) -> UnknownId {
        unreachable!("a predicate has no unknowns")
    }
}
