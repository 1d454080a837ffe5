//! The question whether a target is reachable, as constrained Horn clauses in SMT-LIB, over mathematical integers.
//!
//! Output: a script of logic `HORN`. Its clauses have a model, `sat`, if no run reaches a target; a refutation, `unsat`, is a run
//! that does, unless it needs a value for something unknown: unknowns are chosen freely here, as inputs are.
//!
//! ```text
//! START   main@entry(x) :- x are the numbers that globals hold at first.
//! ENTER   g@entry(a, a) :- f@u(i, x), a = arguments(x).
//! STEP    f@v(i, y) :- f@u(i, x), step(x, y).
//! RETURN  f@v(i, y) :- f@u(i, x), g@exit(arguments(x), z), stored(x, z, y).
//! TARGET  false :- f@t(i, x).
//! ```
//!
//! The predicate of a point is about what the function was started with, `i`, and what its variables hold now. A variable that the
//! function never changes is there once.

mod predicates;
mod term;

use crate::effects::Effects;
use crate::program::{
    Action, Edge, Function, FunctionId, InputId, NodeId, Place, Program, Role, Start, Step,
};
use predicates::{Predicates, application};
use rustc_hash::FxHashMap;
use term::Clause;

/// The script about all targets of a program. It is shorter if the program has been composed.
pub fn clauses(program: &Program) -> String {
    let effects = Effects::new(program);
    let ids = (0..program.functions.len()).map(FunctionId::new);
    let predicates: Vec<Predicates> = ids.clone().map(|id| Predicates::new(program, &effects, id)).collect();
    let mut out = String::from(
        "; Can a run of the program reach a target, over mathematical integers? sat: no, and a model is a proof of it.\n",
    );
    out.push_str(if program.unknowns.is_empty() {
        "; unsat: yes.\n"
    } else {
        "; unsat: unless it depends on what is not known about the program.\n"
    });
    out.push_str("(set-logic HORN)\n");
    for predicates in &predicates {
        predicates.declare(&mut out);
    }
    let rules = Rules { program, predicates: &predicates };
    rules.start(&mut out);
    for id in ids {
        rules.function(id, &mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

struct Rules<'p> {
    program: &'p Program,
    predicates: &'p [Predicates<'p>],
}

/// Terms for what variables hold.
type Values = FxHashMap<Place, String>;

impl Rules<'_> {
    /// START
    fn start(&self, out: &mut String) {
        let mut clause = Clause::default();
        let mut values = Values::default();
        for (n, global) in self.program.globals.iter().enumerate() {
            let value = match global.start {
                Start::Number(number) => term::number(number),
                Start::Unknown(_) => clause.variable(&global.variable.name),
            };
            values.insert(Place::Global(n as u32), value);
        }
        self.enter(&mut clause, self.program.main, &values, out);
    }

    /// All other clauses of a function.
    fn function(&self, id: FunctionId, out: &mut String) {
        let function = self.program.function(id);
        for edge in &function.edges {
            match &edge.action {
                Action::Step(step) => self.step(id, edge, step, out),
                Action::Call { .. } => self.call(id, edge, out),
            }
        }
        for (n, node) in function.nodes.iter().enumerate() {
            if matches!(node.role, Role::Target(_)) && self.is_used(function, NodeId::new(n)) {
                let mut clause = Clause::default();
                self.at(&mut clause, id, NodeId::new(n));
                clause.print("false", out);
            }
        }
    }

    /// A composed program has nodes that nothing leads to.
    fn is_used(&self, function: &Function, node: NodeId) -> bool {
        node == function.entry || function.edges.iter().any(|edge| edge.to == node)
    }

    /// The body begins at a point: what its variables hold.
    fn at(&self, clause: &mut Clause, id: FunctionId, node: NodeId) -> (Vec<String>, Values) {
        let predicates = &self.predicates[id.index()];
        let mut values = Values::default();
        let mut ghosts = Vec::new();
        for &place in &predicates.ghosts {
            let ghost = clause.variable(&format!("{}$0", self.program.variable(id, place).name));
            if predicates.is_steady(place) {
                values.insert(place, ghost.clone());
            }
            ghosts.push(ghost);
        }
        let mut arguments = ghosts.clone();
        for place in predicates.current(node) {
            let value = clause.variable(&self.program.variable(id, place).name);
            values.insert(place, value.clone());
            arguments.push(value);
        }
        clause.require(application(&predicates.at(node), &arguments));
        (ghosts, values)
    }

    /// The head is a point.
    fn arrive(
        &self,
        clause: &mut Clause,
        id: FunctionId,
        node: NodeId,
        state: (Vec<String>, Values),
        out: &mut String,
    ) {
        let (mut arguments, mut values) = state;
        let predicates = &self.predicates[id.index()];
        for place in predicates.current(node) {
            // A local that nothing was stored in holds 0, but no clause has to know.
            let value = values.remove(&place);
            arguments.push(value.unwrap_or_else(|| clause.variable(&self.program.variable(id, place).name)));
        }
        clause.print(&application(&predicates.at(node), &arguments), out);
    }

    /// STEP
    fn step(&self, id: FunctionId, edge: &Edge, step: &Step, out: &mut String) {
        let mut clause = Clause::default();
        let (ghosts, mut values) = self.at(&mut clause, id, edge.from);
        let mut symbols = term::Symbols::default();
        for &input in &step.inputs {
            symbols.inputs.push(self.input(&mut clause, input));
        }
        symbols.unknowns = step.unknowns.iter().map(|_| clause.variable("unknown")).collect();
        let guard = clause.value(&step.guard, &values, &symbols);
        if guard != "true" {
            clause.require(guard);
        }
        let stored: Vec<(Place, String)> = step
            .updates
            .iter()
            .map(|(place, value)| (*place, clause.value(value, &values, &symbols)))
            .collect();
        values.extend(stored);
        self.arrive(&mut clause, id, edge.to, (ghosts, values), out);
    }

    /// An input is any number of its type.
    fn input(&self, clause: &mut Clause, input: InputId) -> String {
        let input = self.program.input(input);
        let value = clause.variable(&input.name);
        let (min, max) = (term::number(input.ty.min()), term::number(input.ty.max()));
        clause.require(format!("(<= {min} {value} {max})"));
        value
    }

    /// ENTER and RETURN
    fn call(&self, id: FunctionId, edge: &Edge, out: &mut String) {
        let Action::Call { callee, args, result } = &edge.action else { return };
        let mut clause = Clause::default();
        let (_, values) = self.at(&mut clause, id, edge.from);
        let passed = self.passed(&mut clause, args, &values);
        self.enter(&mut clause, *callee, &passed, out);

        let mut clause = Clause::default();
        let (ghosts, mut values) = self.at(&mut clause, id, edge.from);
        let passed = self.passed(&mut clause, args, &values);
        let there = &self.predicates[callee.index()];
        let exit = self.program.function(*callee).exit;
        // A global that does not matter here may have any value.
        let ghost = |place: &Place| match passed.get(place) {
            Some(value) => value.clone(),
            None => clause.variable("global"),
        };
        let mut arguments: Vec<String> = there.ghosts.iter().map(ghost).collect();
        let mut returned = None;
        for place in there.current(exit) {
            let value = clause.variable(&self.program.variable(*callee, place).name);
            arguments.push(value.clone());
            match place {
                Place::Global(_) => _ = values.insert(place, value),
                Place::Local(_) => returned = Some(value),
            }
        }
        clause.require(application(&there.at(exit), &arguments));
        if let Some(place) = result {
            let steady = self.program.function(*callee).result.and_then(|n| passed.get(&Place::Local(n)));
            let value = returned.or_else(|| steady.cloned());
            values.insert(*place, value.unwrap_or_else(|| clause.variable("result")));
        }
        self.arrive(&mut clause, id, edge.to, (ghosts, values), out);
    }

    /// What the callee sees at its entry.
    fn passed(&self, clause: &mut Clause, args: &[crate::expr::Expr], values: &Values) -> Values {
        let mut passed: Values = values
            .iter()
            .filter(|(place, _)| matches!(place, Place::Global(_)))
            .map(|(place, value)| (*place, value.clone()))
            .collect();
        for (n, arg) in args.iter().enumerate() {
            let value = clause.value(arg, values, &term::Symbols::default());
            passed.insert(Place::Local(n as u32), value);
        }
        passed
    }

    /// The head is the entry of a function, with what it sees.
    fn enter(&self, clause: &mut Clause, id: FunctionId, seen: &Values, out: &mut String) {
        let predicates = &self.predicates[id.index()];
        let entry = self.program.function(id).entry;
        let mut value = |place: Place| match (seen.get(&place), place) {
            (Some(value), _) => value.clone(),
            // Parameters of `main` and variables that are not parameters hold 0.
            (None, Place::Local(_)) => "0".to_owned(),
            (None, Place::Global(_)) => clause.variable("global"),
        };
        let mut arguments: Vec<String> = predicates.ghosts.iter().map(|&place| value(place)).collect();
        arguments.extend(predicates.current(entry).map(&mut value));
        clause.print(&application(&predicates.at(entry), &arguments), out);
    }
}
