//! Calls replaced by what they call, so that what a function loads is seen where it matters.
//!
//! Contract: the same runs, but for points that are passed on the way. Functions that call themselves, however indirectly, are left as they are, and so are calls that
//! would make a function too long. All functions stay in the program, and their numbers with them; the points of a function keep their numbers, those of
//! what it called come behind. Of functions that are not called any more nothing is left but the entry and the exit.

use crate::expr::{Expr, Op};
use crate::memory::{Manage, WILD};
use crate::number::Type;
use crate::program::{Action, Edge, FunctionId, NodeId, Place, Program, Step};
use crate::settle::{settled, settled_exactly};
use base::{Adjacency, Components};

/// A function gets no more edges than this.
const LONGEST: usize = 2000;

/// Replaces calls, and pointers that point to one place, for whoever asks about runs that misuse no memory.
pub fn inlined(program: &Program) -> Program {
    settled(&expanded(program))
}

/// Replaces calls; of pointers those that are set wherever they are used, so that misuses stay.
pub fn inlined_exactly(program: &Program) -> Program {
    settled_exactly(&expanded(program))
}

fn expanded(program: &Program) -> Program {
    let mut inlined = program.clone();
    let n = program.functions.len();
    let calls = program.functions.iter().zip(0u32..).flat_map(|(function, caller)| {
        function.edges.iter().filter_map(move |edge| match edge.action {
            Action::Call { callee, .. } => Some((caller, callee.0)),
            _ => None,
        })
    });
    let graph = Adjacency::new(n, calls);
    // Each after those that it calls.
    let components = Components::new(n).list(0..n as u32, |id| graph.of(id), |to| Some(*to));
    let mut calls_itself = vec![false; n];
    for component in &components {
        let is_cycle = component.len() > 1 || graph.of(component[0]).contains(&component[0]);
        component.iter().for_each(|id| calls_itself[*id as usize] = is_cycle);
    }
    for id in components.into_iter().flatten() {
        expand(&mut inlined, FunctionId(id), &calls_itself);
    }
    forget_uncalled(&mut inlined);
    inlined
}

/// Functions that no run comes to have no edges.
fn forget_uncalled(program: &mut Program) {
    let mut is_called = vec![false; program.functions.len()];
    let mut pending = vec![program.main];
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut is_called[id.index()], true) {
            continue;
        }
        pending.extend(program.function(id).edges.iter().filter_map(|edge| match edge.action {
            Action::Call { callee, .. } => Some(callee),
            _ => None,
        }));
    }
    let uncalled = program.functions.iter_mut().zip(is_called).filter(|(_, is_called)| !is_called);
    uncalled.for_each(|(function, _)| function.edges.clear());
}

/// Replaces the calls in a function.
fn expand(program: &mut Program, id: FunctionId, calls_itself: &[bool]) {
    let mut function = program.function(id).clone();
    for n in 0..function.edges.len() {
        let Edge { from, to, action, span } = function.edges[n].clone();
        let Action::Call { callee, args, result } = action else { continue };
        let called = program.function(callee);
        let is_short = function.edges.len() + called.edges.len() <= LONGEST;
        if calls_itself[callee.index()] || !is_short {
            continue;
        }
        let moved = Moved { locals: function.locals.len() as u32, nodes: function.nodes.len() as u32 };
        function.locals.extend(called.locals.iter().cloned());
        function.nodes.extend(called.nodes.iter().cloned());
        let begun = (0..called.locals.len()).map(|local| {
            let is_pointer = called.locals[local].ty == Type::POINTER;
            let at_first = if is_pointer { WILD } else { 0 };
            let value = args.get(local).cloned().unwrap_or_else(|| Expr::constant(at_first));
            (moved.place(Place::Local(local as u32)), value)
        });
        let begin = Action::Step(Step::new(Expr::truth(true), begun.collect()));
        function.edges[n] = Edge { from, to: moved.node(called.entry), action: begin, span };
        for edge in &called.edges {
            let (from, to) = (moved.node(edge.from), moved.node(edge.to));
            function.edges.push(Edge { from, to, action: moved.action(&edge.action), span: edge.span });
        }
        let returned = called.result.map(|local| Expr::read(moved.place(Place::Local(local))));
        let stored = result.zip(returned).into_iter().collect();
        let action = Action::Step(Step::new(Expr::truth(true), stored));
        function.edges.push(Edge { from: moved.node(called.exit), to, action, span });
    }
    function.sort_edges();
    program.functions[id.index()] = function;
}

/// Where the variables and points of a function are in another one.
struct Moved {
    locals: u32,
    nodes: u32,
}

impl Moved {
    fn place(&self, place: Place) -> Place {
        match place {
            Place::Local(n) => Place::Local(n + self.locals),
            global => global,
        }
    }

    fn node(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.nodes)
    }

    fn expr(&self, expr: &Expr) -> Expr {
        expr.relabelled(|op| match op {
            Op::Read(place) => Op::Read(self.place(place)),
            other => other,
        })
    }

    fn action(&self, action: &Action) -> Action {
        match action {
            Action::Step(step) => Action::Step(Step {
                guard: self.expr(&step.guard),
                updates: step
                    .updates
                    .iter()
                    .map(|(place, value)| (self.place(*place), self.expr(value)))
                    .collect(),
                stores: step
                    .stores
                    .iter()
                    .map(|(region, pointer, value)| (*region, self.expr(pointer), self.expr(value)))
                    .collect(),
                ..step.clone()
            }),
            Action::Call { callee, args, result } => Action::Call {
                callee: *callee,
                args: args.iter().map(|arg| self.expr(arg)).collect(),
                result: result.map(|place| self.place(place)),
            },
            Action::Manage(manage) => Action::Manage(self.manage(manage)),
        }
    }

    fn manage(&self, manage: &Manage) -> Manage {
        let mut moved = manage.clone();
        moved.exprs_mut().into_iter().for_each(|expr| *expr = self.expr(expr));
        if let Manage::Allocate { result, .. } | Manage::Reallocate { result, .. } = &mut moved {
            *result = self.place(*result);
        }
        moved
    }
}
