//! The places where runs end, as targets: a program none of whose targets can be reached has only runs without end.
//!
//! A run ends where `main` returns, where the program stops itself, where no step can be taken, and where a step computes something undefined. What
//! the program is asked for otherwise does not matter: a target at which a run goes on is no target any more. Some inputs may be fixed, so that the claim is
//! about the runs in which the environment chooses these numbers, each time.
//!
//! An unknown may have any value here, and each occurrence another one, so that what cannot be reached cannot be reached for the true values.

use crate::effects::called;
use crate::expr::{Expr, Op};
use crate::program::{
    Action, Edge, Function, FunctionId, InputId, Node, NodeId, Program, Role, Step, Target, TargetId,
    TargetKind, UnknownId,
};
use base::Span;

/// The program in which ends are targets.
pub fn endless(program: &Program, fixed: &[(InputId, i128)]) -> Program {
    let mut endless = program.clone();
    forget_targets(&mut endless);
    fix(&mut endless, fixed);
    for n in 0..endless.functions.len() {
        ends(&mut endless, n);
    }
    let main = endless.main;
    if called(program)[main.index()] {
        // Only the first activation of `main` is the end of the run.
        wrap(&mut endless);
    } else {
        let function = &mut endless.functions[main.index()];
        let (exit, span) = (function.exit, function.span);
        let target = target(&mut endless.targets, &function.name, span);
        function.nodes[exit.index()].role = Role::Target(target);
    }
    endless
}

/// No target is wanted.
fn forget_targets(program: &mut Program) {
    program.targets = Vec::new();
    for node in program.functions.iter_mut().flat_map(|function| &mut function.nodes) {
        if matches!(node.role, Role::Target(_)) {
            node.role = Role::Plain;
        }
    }
}

/// Puts numbers in the places of inputs.
fn fix(program: &mut Program, fixed: &[(InputId, i128)]) {
    for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
        let Action::Step(step) = &mut edge.action else { continue };
        let old = std::mem::take(&mut step.inputs);
        let mut by: Vec<Expr> = Vec::new();
        for input in old {
            let number = fixed.iter().find(|(id, _)| *id == input).map(|(_, number)| *number);
            by.push(match number {
                Some(number) => Expr::constant(number),
                None => {
                    step.inputs.push(input);
                    Expr::leaf(Op::Input(step.inputs.len() as u32 - 1))
                }
            });
        }
        let replaced = |expr: &Expr| {
            expr.substitute(|op| match op {
                Op::Input(n) => Some(by[n as usize].clone()),
                _ => None,
            })
        };
        step.guard = replaced(&step.guard);
        step.updates.iter_mut().for_each(|(_, value)| *value = replaced(value));
    }
}

/// Makes the ends of a function targets.
fn ends(program: &mut Program, n: usize) {
    let Program { functions, targets, .. } = program;
    let function = &mut functions[n];
    let mut added = Vec::new();
    for node in (0..function.nodes.len()).map(NodeId::new).filter(|node| *node != function.exit) {
        let edges: Vec<&Edge> = function.edges_from(node).map(|(_, edge)| edge).collect();
        let span = function.node(node).span;
        if edges.is_empty() {
            let target = target(targets, &function.name, span);
            function.nodes[node.index()].role = Role::Target(target);
            continue;
        }
        let mut stuck = Stuck::default();
        edges.iter().for_each(|edge| stuck.add(&edge.action));
        if let Some(step) = stuck.step() {
            added.push((node, step, span));
        }
    }
    for (from, step, span) in added {
        let target = target(targets, &function.name, span);
        insert(function, from, step, target, span);
    }
    function.sort_edges();
}

/// An edge to a new target, before all others: whoever tries them in order does not come upon what is undefined. A call keeps its point for itself.
fn insert(function: &mut Function, from: NodeId, step: Step, target: TargetId, span: Span) {
    let to = node(function, Role::Target(target), span);
    let call = function
        .edges
        .iter()
        .position(|edge| edge.from == from && matches!(edge.action, Action::Call { .. }));
    if let Some(call) = call {
        let before = node(function, Role::Plain, span);
        function.edges[call].from = before;
        let goes_on = Step::new(step.guard.clone().not(), Vec::new());
        function.edges.push(Edge { from, to: before, action: Action::Step(goes_on), span });
    }
    function.edges.insert(0, Edge { from, to, action: Action::Step(step), span });
}

fn node(function: &mut Function, role: Role, span: Span) -> NodeId {
    function.nodes.push(Node { role, span });
    NodeId::new(function.nodes.len() - 1)
}

fn target(targets: &mut Vec<Target>, function: &str, span: Span) -> TargetId {
    let (name, function) = ("end".to_owned(), function.to_owned());
    targets.push(Target { kind: TargetKind::Label, name, function, span });
    TargetId::new(targets.len() - 1)
}

/// A function that calls `main` and is where runs begin.
fn wrap(program: &mut Program) {
    let Program { functions, targets, main, .. } = &mut *program;
    let main = &functions[main.index()];
    let span = main.span;
    let args = vec![Expr::constant(0); main.n_params];
    let target = target(targets, &main.name, span);
    let call = Action::Call { callee: program.main, args, result: None };
    let nodes = vec![Node { role: Role::Plain, span }, Node { role: Role::Target(target), span }];
    program.main = FunctionId::new(program.functions.len());
    program.functions.push(Function {
        name: "$run".to_owned(),
        span,
        locals: Vec::new(),
        n_params: 0,
        result: None,
        nodes,
        edges: vec![Edge { from: NodeId(0), to: NodeId(1), action: call, span }],
        entry: NodeId(0),
        exit: NodeId(1),
    });
}

/// When no edge of a node can be taken, or one of them computes something undefined.
#[derive(Default)]
struct Stuck {
    /// Something is undefined.
    undefined: Option<Expr>,
    /// The guards; no edge of a call has one.
    guards: Vec<Expr>,
    inputs: Vec<InputId>,
    unknowns: Vec<UnknownId>,
}

impl Stuck {
    fn add(&mut self, action: &Action) {
        let step = match action {
            Action::Step(step) => step,
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Call { args, .. } => {
                args.iter().for_each(|arg| self.require(Expr::truth(true), arg));
                self.guards.push(Expr::truth(true));
                return;
            }
        };
        assert!(!step.uses_memory(), "the program has variables only");
        let (n_inputs, n_unknowns) = (self.inputs.len() as u32, self.unknowns.len() as u32);
        let shifted = |expr: &Expr| {
            expr.relabelled(|op| match op {
                Op::Input(n) => Op::Input(n + n_inputs),
                Op::Unknown(n) => Op::Unknown(n + n_unknowns),
                op => op,
            })
        };
        self.inputs.extend(&step.inputs);
        self.unknowns.extend(&step.unknowns);
        let guard = shifted(&step.guard);
        self.require(Expr::truth(true), &guard);
        step.updates.iter().for_each(|(_, value)| self.require(guard.clone(), &shifted(value)));
        self.guards.push(guard);
    }

    /// Under a condition, an expression is to be defined.
    fn require(&mut self, condition: Expr, expr: &Expr) {
        let defined = expr.defined();
        if defined.as_truth() == Some(true) {
            return;
        }
        let undefined = condition.and(defined.not());
        self.undefined = Some(match self.undefined.take() {
            None => undefined,
            Some(other) => other.binary(Op::Or, undefined),
        });
    }

    /// The step that leads to the end, if there may be one.
    fn step(self) -> Option<Step> {
        let covers =
            |guard: &Expr| guard.as_truth() == Some(true) || self.guards.contains(&guard.clone().not());
        let mut guard = self.undefined;
        if !self.guards.iter().any(covers) {
            let some = self.guards.into_iter().reduce(|one, other| one.binary(Op::Or, other));
            let none = some.map_or(Expr::truth(true), Expr::not);
            guard = Some(match guard {
                None => none,
                Some(undefined) => undefined.binary(Op::Or, none),
            });
        }
        let guard = guard?;
        let mentions = |is_meant: fn(&Op) -> bool| guard.code().iter().any(is_meant);
        let has_inputs = mentions(|op| matches!(op, Op::Input(_)));
        let has_unknowns = mentions(|op| matches!(op, Op::Unknown(_)));
        let inputs = if has_inputs { self.inputs } else { Vec::new() };
        let unknowns = if has_unknowns { self.unknowns } else { Vec::new() };
        Some(Step { guard, updates: Vec::new(), stores: Vec::new(), inputs, unknowns })
    }
}
