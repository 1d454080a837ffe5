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
//! The predicate of a point is about what the function was started with, `i`, and what its variables hold now: variables of the program with
//! [`ghosts`](crate::ghosts). A variable that the function never changes is there once.

mod clause;
mod ordered;
mod predicates;

use crate::expr::Expr;
use crate::ghosts::Ghosted;
use crate::program::{Action, Edge, FunctionId, InputId, NodeId, Place, Program, Role, Start, Step};
use crate::smtlib;
use clause::{Clause, Symbols, Values};
use ordered::ordered;
use predicates::{Predicates, application};

/// The clauses of a program, and what their symbols mean.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// Declarations and clauses, without a question.
    pub script: String,
    /// The predicates.
    pub symbols: Vec<Symbol>,
}

/// The predicate of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name, as SMT-LIB writes it.
    pub name: String,
    /// The function.
    pub function: FunctionId,
    /// The point.
    pub node: NodeId,
    /// What the arguments stand for: variables of the program with ghosts.
    pub arguments: Vec<Place>,
}

/// The script about all targets of a program. It is shorter if the program has been composed.
pub fn clauses(program: &Program) -> String {
    let mut out = String::from(
        "; Can a run of the program reach a target, over mathematical integers? sat: no, and a model is a proof of it.\n",
    );
    out.push_str(if program.unknowns.is_empty() {
        "; unsat: yes.\n"
    } else {
        "; unsat: unless it depends on what is not known about the program.\n"
    });
    out.push_str("(set-logic HORN)\n");
    out.push_str(&Clauses::new(&Ghosted::new(program)).script);
    out.push_str("(check-sat)\n");
    out
}

impl Clauses {
    /// Those about all targets of a program.
    pub fn new(ghosted: &Ghosted) -> Self {
        Self::assuming(ghosted, &Expr::truth(true))
    }

    /// The same, where a formula over globals holds at the start.
    pub fn assuming(ghosted: &Ghosted, assumed: &Expr) -> Self {
        let ids = || (0..ghosted.program.functions.len()).map(FunctionId::new);
        let predicates: Vec<Predicates> = ids().map(|id| Predicates::new(ghosted, id)).collect();
        let mut clauses = Self { script: String::new(), symbols: Vec::new() };
        for (function, predicates) in ids().zip(&predicates) {
            for node in predicates.used() {
                let (name, arguments): (_, Vec<Place>) =
                    (predicates.at(node), predicates.arguments(node).collect());
                let sorts = vec!["Int"; arguments.len()].join(" ");
                clauses.script.push_str(&format!("(declare-fun {name} ({sorts}) Bool)\n"));
                clauses.symbols.push(Symbol { name, function, node, arguments });
            }
        }
        let rules = Rules { ghosted, program: &ghosted.program, predicates: &predicates };
        rules.start(assumed, &mut clauses.script);
        for id in ids() {
            rules.function(id, &mut clauses.script);
        }
        clauses
    }
}

struct Rules<'p> {
    ghosted: &'p Ghosted,
    program: &'p Program,
    predicates: &'p [Predicates<'p>],
}

impl Rules<'_> {
    /// START
    fn start(&self, assumed: &Expr, out: &mut String) {
        let mut clause = Clause::default();
        let mut values = Values::default();
        for (n, global) in self.program.globals.iter().enumerate() {
            let value = match global.start {
                Start::Number(number) => smtlib::number(number),
                Start::Pointer(..) => unreachable!("the program has variables only"),
                Start::Unknown(_) => clause.variable(&global.variable.name),
            };
            values.insert(Place::Global(n as u32), value);
        }
        clause.holds(assumed, &values, &Symbols::default());
        self.enter(&mut clause, self.program.main, &values, out);
    }

    /// All other clauses of a function.
    fn function(&self, id: FunctionId, out: &mut String) {
        let function = self.program.function(id);
        for edge in &function.edges {
            match &edge.action {
                Action::Step(step) => self.step(id, edge, step, out),
                Action::Call { callee, args, result } => {
                    self.call(id, edge, *callee, args, out);
                    self.comeback(id, edge, (*callee, args, *result), out);
                }
                Action::Manage(_) => unreachable!("the program has variables only"),
            }
        }
        for node in self.predicates[id.index()].used() {
            if matches!(function.node(node).role, Role::Target(_)) {
                let mut clause = Clause::default();
                self.at(&mut clause, id, node);
                clause.print("false", out);
            }
        }
    }

    /// The body begins at a point: what its variables hold.
    fn at(&self, clause: &mut Clause, id: FunctionId, node: NodeId) -> Values {
        let predicates = &self.predicates[id.index()];
        let mut values = Values::default();
        let mut arguments = Vec::new();
        for place in predicates.arguments(node) {
            let value = clause.variable(&self.program.variable(id, place).name);
            values.insert(place, value.clone());
            arguments.push(value);
        }
        clause.require(application(&predicates.at(node), &arguments));
        values
    }

    /// The head is a point.
    fn arrive(&self, clause: &mut Clause, id: FunctionId, node: NodeId, values: &Values, out: &mut String) {
        let predicates = &self.predicates[id.index()];
        let mut arguments = Vec::new();
        for place in predicates.arguments(node) {
            // A local that nothing was stored in holds 0, but no clause has to know.
            let value = values.get(&place).cloned();
            arguments.push(value.unwrap_or_else(|| clause.variable(&self.program.variable(id, place).name)));
        }
        clause.print(&application(&predicates.at(node), &arguments), out);
    }

    /// STEP
    fn step(&self, id: FunctionId, edge: &Edge, step: &Step, out: &mut String) {
        let mut clause = Clause::default();
        let mut values = self.at(&mut clause, id, edge.from);
        let mut symbols = Symbols::default();
        for &input in &step.inputs {
            symbols.inputs.push(self.input(&mut clause, input));
        }
        symbols.unknowns = step.unknowns.iter().map(|_| clause.variable("unknown")).collect();
        let ordered = |expr: &Expr| ordered(expr, &|place| self.program.variable(id, place).ty);
        clause.holds(&ordered(&step.guard), &values, &symbols);
        let stored: Vec<(Place, String)> = step
            .updates
            .iter()
            .map(|(place, value)| (*place, clause.value(&ordered(value), &values, &symbols)))
            .collect();
        values.extend(stored);
        self.arrive(&mut clause, id, edge.to, &values, out);
    }

    /// An input is any number of its type.
    fn input(&self, clause: &mut Clause, input: InputId) -> String {
        let input = self.program.input(input);
        let value = clause.variable(&input.name);
        let (min, max) = (smtlib::number(input.ty.min()), smtlib::number(input.ty.max()));
        clause.require(format!("(<= {min} {value} {max})"));
        value
    }

    /// ENTER
    fn call(&self, id: FunctionId, edge: &Edge, callee: FunctionId, args: &[Expr], out: &mut String) {
        let mut clause = Clause::default();
        let values = self.at(&mut clause, id, edge.from);
        let passed = self.passed(&mut clause, args, &values);
        self.enter(&mut clause, callee, &passed, out);
    }

    /// RETURN
    fn comeback(
        &self,
        id: FunctionId,
        edge: &Edge,
        (callee, args, result): (FunctionId, &[Expr], Option<Place>),
        out: &mut String,
    ) {
        let mut clause = Clause::default();
        let mut values = self.at(&mut clause, id, edge.from);
        let passed = self.passed(&mut clause, args, &values);
        let there = &self.predicates[callee.index()];
        let function = self.program.function(callee);
        let mut arguments: Vec<String> = Vec::new();
        let mut returned = None;
        for place in there.arguments(function.exit) {
            let is_result = function.result.map(Place::Local) == Some(place);
            let value = match place {
                Place::Global(n) if self.ghosted.effects.may_write(callee, n) => {
                    let value = clause.variable(&self.program.variable(callee, place).name);
                    values.insert(place, value.clone());
                    value
                }
                Place::Local(_) if is_result && !self.is_kept(callee, place) => {
                    clause.variable(&self.program.variable(callee, place).name)
                }
                _ => self.seen(&mut clause, callee, &passed, place),
            };
            if is_result {
                returned = Some(value.clone());
            }
            arguments.push(value);
        }
        clause.require(application(&there.at(function.exit), &arguments));
        if let Some(place) = result {
            values.insert(place, returned.unwrap_or_else(|| clause.variable("result")));
        }
        self.arrive(&mut clause, id, edge.to, &values, out);
    }

    /// Whether a local is a parameter that the function never changes.
    fn is_kept(&self, id: FunctionId, place: Place) -> bool {
        let Place::Local(n) = place else { return false };
        let is_changed = self.ghosted.ghosts[id.index()].iter().any(|ghost| ghost.of == place);
        (n as usize) < self.program.function(id).n_params && !is_changed
    }

    /// What the callee sees at its entry.
    fn passed(&self, clause: &mut Clause, args: &[Expr], values: &Values) -> Values {
        let mut passed: Values = values
            .iter()
            .filter(|(place, _)| matches!(place, Place::Global(_)))
            .map(|(place, value)| (*place, value.clone()))
            .collect();
        for (n, arg) in args.iter().enumerate() {
            let value = clause.value(arg, values, &Symbols::default());
            passed.insert(Place::Local(n as u32), value);
        }
        passed
    }

    /// What a variable of a function holds at its entry.
    fn seen(&self, clause: &mut Clause, id: FunctionId, passed: &Values, place: Place) -> String {
        let ghosts = &self.ghosted.ghosts[id.index()];
        let of =
            ghosts.iter().find(|ghost| Place::Local(ghost.local) == place).map_or(place, |ghost| ghost.of);
        match (passed.get(&of), of) {
            (Some(value), _) => value.clone(),
            // Parameters of `main` and variables that are not parameters hold 0.
            (None, Place::Local(_)) => "0".to_owned(),
            // A global that does not matter here may have any value.
            (None, Place::Global(_)) => clause.variable("global"),
        }
    }

    /// The head is the entry of a function, with what it sees.
    fn enter(&self, clause: &mut Clause, id: FunctionId, passed: &Values, out: &mut String) {
        let predicates = &self.predicates[id.index()];
        let entry = self.program.function(id).entry;
        let arguments: Vec<String> =
            predicates.arguments(entry).map(|place| self.seen(clause, id, passed, place)).collect();
        clause.print(&application(&predicates.at(entry), &arguments), out);
    }
}
