//! Random programs, for tests of everything that reasons about programs.
//!
//! They have two functions that may call themselves and each other, loops, inputs with more than two values, assumptions, errors with and without code behind
//! them, points where the program stops itself, divisions, and, if asked for, things that are unknown. Most numbers stay small.

pub mod memory;

use crate::expr::{Expr, Op, Relation};
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, FunctionId, Global, Input, InputId, InputKind, Node, NodeId, Place, Program,
    Role, Start, Step, Target, TargetId, TargetKind, Unknown, UnknownId, Variable,
};
use base::{FileId, Random, Span};

/// What may be in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds {
    /// Things that are unknown.
    pub unknowns: bool,
    /// Divisions.
    pub divisions: bool,
}

const INT: Type = Type::signed(32);
const RELATIONS: [Relation; 6] = [
    Relation::Equal,
    Relation::NotEqual,
    Relation::Less,
    Relation::LessEqual,
    Relation::Greater,
    Relation::GreaterEqual,
];

/// A program.
pub fn program(random: &mut Random, kinds: Kinds) -> Program {
    let span = Span::new(FileId(0), 0..0);
    let n_globals = 1 + random.index(2);
    let global = |n: usize, start: i128| Global {
        variable: Variable { name: format!("g{n}"), ty: INT, span },
        start: Start::Number(start),
    };
    let globals = (0..n_globals).map(|n| global(n, random.below(3) as i128 - 1)).collect();
    let mut program = Program {
        globals,
        functions: Vec::new(),
        main: FunctionId::new(2),
        inputs: Vec::new(),
        unknowns: Vec::new(),
        targets: Vec::new(),
        memory: crate::memory::Memory::default(),
    };
    let n_params = [1 + random.index(2), random.index(2), 0];
    for (f, name) in ["f", "h", "main"].into_iter().enumerate() {
        let mut body = Body::new(random, &mut program, kinds, n_params, f, name, span);
        let first = body.function.entry;
        let mut last = body.block(first, 2 + f / 2);
        if name == "main" && body.random.chance(70) {
            last = last.and_then(|last| body.target(last));
        }
        if let Some(last) = last {
            let exit = body.function.exit;
            let result = body.term();
            body.step(last, exit, Expr::truth(true), vec![(Place::Local(body.result), result)]);
        }
        let mut function = body.function;
        function.sort_edges();
        program.functions.push(function);
    }
    program
}

/// A function under construction.
struct Body<'a> {
    random: &'a mut Random,
    program: &'a mut Program,
    kinds: Kinds,
    n_params: [usize; 3],
    function: Function,
    result: u32,
    span: Span,
    /// How many statements may still come.
    left: usize,
}

impl<'a> Body<'a> {
    fn new(
        random: &'a mut Random,
        program: &'a mut Program,
        kinds: Kinds,
        n_params: [usize; 3],
        f: usize,
        name: &str,
        span: Span,
    ) -> Self {
        let n_locals = n_params[f] + 1 + random.index(2);
        let mut locals: Vec<Variable> =
            (0..n_locals).map(|n| Variable { name: format!("x{n}"), ty: INT, span }).collect();
        locals.push(Variable { name: "$result".to_owned(), ty: INT, span });
        let node = || Node { role: Role::Plain, span };
        let function = Function {
            name: name.to_owned(),
            span,
            locals,
            n_params: n_params[f],
            result: Some(n_locals as u32),
            nodes: vec![node(), node()],
            edges: Vec::new(),
            entry: NodeId::new(0),
            exit: NodeId::new(1),
        };
        let left = 5 + random.index(5);
        Self { random, program, kinds, n_params, function, result: n_locals as u32, span, left }
    }

    fn node(&mut self, role: Role) -> NodeId {
        self.function.nodes.push(Node { role, span: self.span });
        NodeId::new(self.function.nodes.len() - 1)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, action: Action) {
        self.function.edges.push(Edge { from, to, action, span: self.span });
    }

    fn step(&mut self, from: NodeId, to: NodeId, guard: Expr, updates: Vec<(Place, Expr)>) {
        self.edge(from, to, Action::Step(Step::new(guard, updates)));
    }

    fn place(&mut self) -> Place {
        let n_globals = self.program.globals.len();
        match self.random.index(n_globals + self.result as usize) {
            n if n < n_globals => Place::Global(n as u32),
            n => Place::Local((n - n_globals) as u32),
        }
    }

    fn constant(&mut self) -> Expr {
        Expr::constant(self.random.below(5) as i128 - 2)
    }

    fn term(&mut self) -> Expr {
        let place = self.place();
        let read = Expr::read(place);
        match self.random.index(9) {
            0 | 1 => self.constant(),
            2 => read.unary(Op::Negate),
            3 | 4 => read.binary(Op::Add, Expr::constant(1)),
            5 => read.binary(Op::Subtract, Expr::constant(1)),
            6 => {
                let other = self.place();
                read.binary(Op::Subtract, Expr::read(other))
            }
            7 if self.kinds.divisions => {
                let other = self.place();
                let op = if self.random.chance(50) { Op::Divide } else { Op::Remainder(INT) };
                read.binary(op, Expr::read(other))
            }
            _ => read,
        }
    }

    fn condition(&mut self) -> Expr {
        let place = self.place();
        let relation = *self.random.pick(&RELATIONS);
        let right = if self.random.chance(30) {
            let other = self.place();
            Expr::read(other)
        } else {
            self.constant()
        };
        let one = Expr::read(place).compare(relation, right);
        if self.random.chance(85) {
            return one;
        }
        let other = self.condition();
        one.binary(if self.random.chance(50) { Op::And } else { Op::Or }, other)
    }

    /// Statements one after the other; where they end, if they do.
    fn block(&mut self, mut at: NodeId, depth: usize) -> Option<NodeId> {
        for _ in 0..1 + self.random.index(3) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            at = self.statement(at, depth)?;
        }
        Some(at)
    }

    fn statement(&mut self, at: NodeId, depth: usize) -> Option<NodeId> {
        match self.random.index(20) {
            0..=4 => Some(self.assign(at)),
            5 | 6 => Some(self.read(at)),
            7..=10 if depth > 0 => self.branch(at, depth),
            11 | 12 if depth > 0 => self.repeat(at, depth),
            13..=15 => Some(self.call(at)),
            16 => {
                let (next, guard) = (self.node(Role::Plain), self.condition());
                self.step(at, next, guard, Vec::new());
                Some(next)
            }
            17 => self.target(at),
            18 => {
                let (stop, next) = (self.node(Role::Stop), self.node(Role::Plain));
                let guard = self.condition();
                self.step(at, stop, guard.clone(), Vec::new());
                self.step(at, next, guard.not(), Vec::new());
                Some(next)
            }
            _ => Some(self.assign(at)),
        }
    }

    fn assign(&mut self, at: NodeId) -> NodeId {
        let (next, place) = (self.node(Role::Plain), self.place());
        if self.kinds.unknowns && self.random.chance(15) {
            let id = UnknownId::new(self.program.unknowns.len());
            self.program.unknowns.push(Unknown { construct: "something".to_owned(), span: self.span });
            let mut step = Step::new(Expr::truth(true), vec![(place, Expr::leaf(Op::Unknown(0)))]);
            step.unknowns.push(id);
            self.edge(at, next, Action::Step(step));
            return next;
        }
        let value = self.term();
        self.step(at, next, Expr::truth(true), vec![(place, value)]);
        next
    }

    fn input(&mut self) -> InputId {
        let ty = *self.random.pick(&[Type::signed(2), Type::signed(3), Type::unsigned(1)]);
        let id = InputId::new(self.program.inputs.len());
        self.program.inputs.push(Input {
            name: "read".to_owned(),
            ty,
            kind: InputKind::Read,
            span: self.span,
        });
        id
    }

    fn read(&mut self, at: NodeId) -> NodeId {
        let (next, place, id) = (self.node(Role::Plain), self.place(), self.input());
        let mut value = Expr::leaf(Op::Input(0));
        if self.random.chance(30) {
            value = value.binary(Op::Add, Expr::read(place));
        }
        let mut step = Step::new(Expr::truth(true), vec![(place, value)]);
        step.inputs.push(id);
        self.edge(at, next, Action::Step(step));
        next
    }

    /// Two ways on: by a condition, or by an input.
    fn fork(&mut self, at: NodeId, yes: NodeId, no: NodeId) {
        if self.random.chance(25) {
            let id = self.input();
            let bound = self.constant();
            let guard = Expr::leaf(Op::Input(0)).compare(*self.random.pick(&RELATIONS), bound);
            for (to, guard) in [(yes, guard.clone()), (no, guard.not())] {
                let mut step = Step::new(guard, Vec::new());
                step.inputs.push(id);
                self.edge(at, to, Action::Step(step));
            }
            return;
        }
        let guard = self.condition();
        self.step(at, yes, guard.clone(), Vec::new());
        self.step(at, no, guard.not(), Vec::new());
    }

    fn branch(&mut self, at: NodeId, depth: usize) -> Option<NodeId> {
        let (yes, no, next) = (self.node(Role::Plain), self.node(Role::Plain), self.node(Role::Plain));
        self.fork(at, yes, no);
        let ends = [
            self.block(yes, depth - 1),
            if self.random.chance(50) { self.block(no, depth - 1) } else { Some(no) },
        ];
        let joins = ends.iter().flatten().count() > 0;
        for end in ends.into_iter().flatten() {
            self.step(end, next, Expr::truth(true), Vec::new());
        }
        joins.then_some(next)
    }

    fn repeat(&mut self, at: NodeId, depth: usize) -> Option<NodeId> {
        let (head, body, next) = (self.node(Role::Plain), self.node(Role::Plain), self.node(Role::Plain));
        self.step(at, head, Expr::truth(true), Vec::new());
        self.fork(head, body, next);
        if let Some(end) = self.block(body, depth - 1) {
            self.step(end, head, Expr::truth(true), Vec::new());
        }
        Some(next)
    }

    fn call(&mut self, at: NodeId) -> NodeId {
        let next = self.node(Role::Plain);
        let callee = self.random.index(2);
        let args = (0..self.n_params[callee]).map(|_| self.term()).collect();
        let result = if self.random.chance(70) { Some(self.place()) } else { None };
        self.edge(at, next, Action::Call { callee: FunctionId::new(callee), args, result });
        next
    }

    fn target(&mut self, at: NodeId) -> Option<NodeId> {
        let id = TargetId::new(self.program.targets.len());
        let function = self.function.name.clone();
        let name = format!("E{}", id.0);
        self.program.targets.push(Target { kind: TargetKind::Label, name, function, span: self.span });
        let (target, next) = (self.node(Role::Target(id)), self.node(Role::Plain));
        let guard = self.condition();
        self.step(at, target, guard.clone(), Vec::new());
        self.step(at, next, guard.not(), Vec::new());
        if self.random.chance(40) {
            self.step(target, next, Expr::truth(true), Vec::new());
        }
        Some(next)
    }
}

/// The program in which everything unknown is one number.
#[must_use]
pub fn resolved(program: &Program, number: i128) -> Program {
    let mut program = program.clone();
    let resolve =
        |expr: &Expr| expr.substitute(|op| matches!(op, Op::Unknown(_)).then(|| Expr::constant(number)));
    for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
        if let Action::Step(step) = &mut edge.action {
            step.guard = resolve(&step.guard);
            step.updates.iter_mut().for_each(|(_, value)| *value = resolve(value));
            step.unknowns.clear();
        }
    }
    program
}
