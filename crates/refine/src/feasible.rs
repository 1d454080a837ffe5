//! Whether a path of a program can be taken, by one query.
//!
//! A path begins where runs do; it takes edges, enters functions by their calls, and returns. It need not return from all of them. Each number that is
//! stored gets a variable of its own, so that the query is as long as the path. A path that can be taken comes with what the environment chooses, in order;
//! the run with these inputs is the path, unless something unknown matters: unknowns may have any value here.

use integers::trace::Event;
use integers::{Action, Expr, FunctionId, InputId, NodeId, Op, Place, Program, Start, smtlib};
use smt::{Model, Query, Solver, Why};

/// Whether a path can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasible {
    /// It can, if the environment chooses this.
    Yes(Vec<(InputId, i128)>),
    /// It cannot.
    No,
    /// Nobody knows.
    Unknown(Why),
}

/// What a path asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathQuery {
    /// It can be satisfied if the path can be taken.
    pub query: Query,
    /// The inputs along the path, and the variables that stand for them.
    pub inputs: Vec<(InputId, String)>,
    /// How many conditions there are after each event: those before belong to the path up to there.
    pub n_conditions: Vec<usize>,
}

/// Asks whether a path can be taken.
///
/// # Panics
/// If the events are no path of the program.
pub fn feasible(program: &Program, path: &[Event], solver: &mut dyn Solver) -> Feasible {
    let PathQuery { query, inputs, .. } = path_query(program, path);
    let (ids, terms): (Vec<InputId>, Vec<String>) = inputs.into_iter().unzip();
    match solver.model(&query, &terms) {
        Model::Sat(numbers) => Feasible::Yes(ids.into_iter().zip(numbers).collect()),
        Model::Unsat => Feasible::No,
        Model::Unknown(why) => Feasible::Unknown(why),
    }
}

/// The query of a path.
///
/// # Panics
/// If the events are no path of the program.
pub fn path_query(program: &Program, path: &[Event]) -> PathQuery {
    let query = PathQuery { query: Query::default(), inputs: Vec::new(), n_conditions: Vec::new() };
    let mut walker = Walker { program, globals: Vec::new(), frames: Vec::new(), path: query };
    walker.start();
    for event in path {
        match event {
            Event::Taken(edge) => walker.take(*edge),
            Event::Returned => walker.leave(),
        }
        let n_conditions = walker.path.query.asserts.len();
        walker.path.n_conditions.push(n_conditions);
    }
    walker.path
}

/// A function that was entered and has not returned.
struct Frame {
    function: FunctionId,
    node: NodeId,
    /// Terms for what its variables hold: names and numbers.
    locals: Vec<String>,
}

struct Walker<'p> {
    program: &'p Program,
    globals: Vec<String>,
    frames: Vec<Frame>,
    path: PathQuery,
}

impl Walker<'_> {
    fn start(&mut self) {
        for global in &self.program.globals {
            let value = match global.start {
                Start::Number(number) => smtlib::number(number),
                Start::Pointer(..) => unreachable!("the program has variables only"),
                Start::Unknown(_) => self.path.variable(),
            };
            self.globals.push(value);
        }
        self.enter(self.program.main, Vec::new());
    }

    /// All other variables hold 0.
    fn enter(&mut self, function: FunctionId, mut locals: Vec<String>) {
        let callee = self.program.function(function);
        locals.resize(callee.locals.len(), "0".to_owned());
        self.frames.push(Frame { function, node: callee.entry, locals });
    }

    fn running(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("somebody is running")
    }

    fn take(&mut self, edge: integers::EdgeId) {
        let function = self.running().function;
        let edge = self.program.function(function).edge(edge);
        assert_eq!(self.running().node, edge.from, "the edge starts where the path is");
        match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => {
                let mut inputs = Vec::new();
                for &input in &step.inputs {
                    let (name, ty) = (self.path.variable(), self.program.input(input).ty);
                    let (min, max) = (smtlib::number(ty.min()), smtlib::number(ty.max()));
                    self.path.query.asserts.push(format!("(<= {min} {name} {max})"));
                    self.path.inputs.push((input, name.clone()));
                    inputs.push(name);
                }
                let unknowns: Vec<String> = step.unknowns.iter().map(|_| self.path.variable()).collect();
                let guard = self.text(&step.guard, &inputs, &unknowns).holds();
                if guard != "true" {
                    self.path.query.asserts.push(guard);
                }
                let values: Vec<String> =
                    step.updates.iter().map(|(_, value)| self.value(value, &inputs, &unknowns)).collect();
                for ((place, _), value) in step.updates.iter().zip(values) {
                    self.store(*place, value);
                }
                self.running().node = edge.to;
            }
            Action::Call { callee, args, .. } => {
                let passed = args.iter().map(|arg| self.value(arg, &[], &[])).collect();
                self.enter(*callee, passed);
            }
        }
    }

    /// Back behind the only call at the point where the caller waits.
    fn leave(&mut self) {
        let left = self.frames.pop().expect("somebody is running");
        let function = self.program.function(left.function);
        assert_eq!(left.node, function.exit, "a function returns at its exit");
        let (caller, node) = (self.running().function, self.running().node);
        let (_, edge) =
            self.program.function(caller).edges_from(node).next().expect("the caller waits at a call");
        let Action::Call { callee, result, .. } = &edge.action else { panic!("the caller waits at a call") };
        assert_eq!(*callee, left.function, "who returns was called");
        self.running().node = edge.to;
        if let Some(place) = result {
            let returned = function.result.expect("only functions with results are asked for them");
            self.store(*place, left.locals[returned as usize].clone());
        }
    }

    fn store(&mut self, place: Place, value: String) {
        match place {
            Place::Global(n) => self.globals[n as usize] = value,
            Place::Local(n) => self.running().locals[n as usize] = value,
        }
    }

    fn text(&self, expr: &Expr, inputs: &[String], unknowns: &[String]) -> smtlib::Text {
        let frame = self.frames.last().expect("somebody is running");
        smtlib::text(expr, |op| match op {
            Op::Read(Place::Global(n)) => self.globals[n as usize].clone(),
            Op::Read(Place::Local(n)) => frame.locals[n as usize].clone(),
            Op::Input(n) => inputs[n as usize].clone(),
            Op::Unknown(n) => unknowns[n as usize].clone(),
            _ => unreachable!("{op:?} has a translation of its own"),
        })
    }

    /// A name or a number for the value of a term.
    fn value(&mut self, term: &Expr, inputs: &[String], unknowns: &[String]) -> String {
        let smtlib::Text { text, defined } = self.text(term, inputs, unknowns);
        self.path.query.asserts.extend(defined);
        let is_short = !text.starts_with('(') || term.as_constant().is_some();
        if is_short {
            return text;
        }
        let name = self.path.variable();
        self.path.query.asserts.push(format!("(= {name} {text})"));
        name
    }
}

impl PathQuery {
    fn variable(&mut self) -> String {
        let name = format!("v{}", self.query.variables.len());
        self.query.variables.push(name.clone());
        name
    }
}
