//! Why a path cannot be taken: predicates of the functions along it.
//!
//! The path becomes a program of its own, in which every call has a copy of its function, and every copy a point for each point of the path. That this program
//! does not reach its end is a question about Horn clauses without recursion; the formulas of a model, which are nested interpolants of the path, are told in
//! the words of the functions themselves, and taken apart into comparisons.

use crate::atoms;
use crate::invariants::{Found, Search};
use base::Stop;
use integers::ghosts::Ghosted;
use integers::trace::Event;
use integers::{
    Action, Edge, EdgeId, Expr, Function, FunctionId, Node, NodeId, Op, Place, Program, Role, Target,
    TargetId, TargetKind,
};
use proof::Statement;
use smt::{Manner, Why};
use std::path::Path;

/// What a path is like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explained {
    /// These comparisons show that it cannot be taken, each once.
    Predicates(Vec<(FunctionId, Expr)>),
    /// It can be taken, unless something unknown matters.
    Feasible,
    /// Nobody knows.
    Unknown(Why),
}

/// Why a path of a program with ghosts cannot be taken.
///
/// # Panics
/// If the events are no path of the program.
pub fn explain(solver: &Path, subject: &Ghosted, path: &[Event], manner: Manner, stop: &Stop) -> Explained {
    let unrolled = Unrolled::new(subject, path);
    let mut search = Search::about(solver, Ghosted::new(&unrolled.program), Statement::Unreachable, manner);
    match search.wait(stop) {
        Found::Claim(claim) => {
            let mut predicates: Vec<(FunctionId, Expr)> = Vec::new();
            for (copy, atom) in atoms(&claim) {
                for told in unrolled.told(subject, search.subject(), copy, &atom) {
                    if !predicates.contains(&told) {
                        predicates.push(told);
                    }
                }
            }
            Explained::Predicates(predicates)
        }
        Found::Refuted => Explained::Feasible,
        Found::Nothing(why) => Explained::Unknown(why),
    }
}

/// A path as a program whose only run, if there is one, goes along it to its target.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The program.
    pub program: Program,
    /// The function that each of its functions is a copy of.
    pub of: Vec<FunctionId>,
}

impl Unrolled {
    /// Unrolls a path.
    ///
    /// # Panics
    /// If the events are no path of the program.
    pub fn new(subject: &Ghosted, path: &[Event]) -> Self {
        let mut builder = Builder { subject, functions: Vec::new(), of: Vec::new(), frames: Vec::new() };
        builder.enter(subject.program.main);
        for event in path {
            match event {
                Event::Taken(edge) => builder.take(*edge),
                Event::Returned => builder.leave(),
            }
        }
        builder.finish()
    }

    /// A comparison of a copy in the words of its function, with what it is about: what a copy never changes is what it was started with, and the
    /// comparison may be meant of either.
    fn told(
        &self,
        subject: &Ghosted,
        copies: &Ghosted,
        copy: FunctionId,
        atom: &Expr,
    ) -> Vec<(FunctionId, Expr)> {
        let function = self.of[copy.index()];
        let ghosts = &subject.ghosts[function.index()];
        let kept = &copies.ghosts[copy.index()];
        let ghost_of = |place: Place| {
            ghosts.iter().find(|ghost| ghost.of == place).map(|ghost| Place::Local(ghost.local))
        };
        let original = |place: Place| match kept.iter().find(|ghost| Place::Local(ghost.local) == place) {
            Some(ghost) => ghost_of(ghost.of).unwrap_or(ghost.of),
            None => place,
        };
        let started = |place: Place| {
            let is_changed = kept.iter().any(|ghost| ghost.of == place);
            if is_changed { original(place) } else { ghost_of(place).unwrap_or_else(|| original(place)) }
        };
        let renamed = |rename: &dyn Fn(Place) -> Place| {
            atom.relabelled(|op| match op {
                Op::Read(place) => Op::Read(rename(place)),
                op => op,
            })
        };
        let (now, then) = (renamed(&original), renamed(&started));
        let mut told = vec![(function, now)];
        if told[0].1 != then {
            told.push((function, then));
        }
        told
    }
}

struct Builder<'s> {
    subject: &'s Ghosted,
    functions: Vec<Function>,
    of: Vec<FunctionId>,
    /// The copies that have not returned, and where each is: in itself, and in its function.
    frames: Vec<(FunctionId, NodeId, NodeId)>,
}

/// The exit of every copy.
const EXIT: NodeId = NodeId(1);

impl Builder<'_> {
    fn enter(&mut self, id: FunctionId) -> FunctionId {
        let function = self.subject.program.function(id);
        let n_locals = function.locals.len() - self.subject.ghosts[id.index()].len();
        let copy = FunctionId::new(self.functions.len());
        let plain = |node: NodeId| Node { role: Role::Plain, span: function.node(node).span };
        self.functions.push(Function {
            name: format!("{}~{}", function.name, copy.0),
            locals: function.locals[..n_locals].to_vec(),
            nodes: vec![plain(function.entry), plain(function.exit)],
            edges: Vec::new(),
            entry: NodeId(0),
            exit: EXIT,
            ..function.clone()
        });
        self.of.push(id);
        let at = if function.entry == function.exit { EXIT } else { NodeId(0) };
        self.functions[copy.index()].entry = at;
        self.frames.push((copy, at, function.entry));
        copy
    }

    fn take(&mut self, edge: EdgeId) {
        let &(copy, at, node) = self.frames.last().expect("somebody is running");
        let original = self.subject.program.function(self.of[copy.index()]);
        let edge = original.edge(edge);
        assert_eq!(edge.from, node, "the edge starts where the path is");
        let to = self.arrive(copy, edge.to);
        let action = match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => Action::Step(step.clone()),
            Action::Call { callee, args, result } => {
                let callee = self.enter(*callee);
                Action::Call { callee, args: args.clone(), result: *result }
            }
        };
        // A caller is where its call ends as soon as it has begun; it goes on when the callee has returned.
        let frame = self.frames.iter_mut().rev().find(|frame| frame.0 == copy).expect("it is running");
        (frame.1, frame.2) = (to, edge.to);
        self.functions[copy.index()].edges.push(Edge { from: at, to, action, span: edge.span });
    }

    /// The point of a copy for a point of its function.
    fn arrive(&mut self, copy: FunctionId, node: NodeId) -> NodeId {
        let original = self.subject.program.function(self.of[copy.index()]);
        if node == original.exit {
            return EXIT;
        }
        let nodes = &mut self.functions[copy.index()].nodes;
        nodes.push(Node { role: Role::Plain, span: original.node(node).span });
        NodeId::new(nodes.len() - 1)
    }

    fn leave(&mut self) {
        let (_, at, _) = self.frames.pop().expect("somebody is running");
        assert_eq!(at, EXIT, "a function returns at its exit");
    }

    fn finish(mut self) -> Unrolled {
        let (copy, at, node) = self.frames.pop().expect("somebody is running");
        let original = self.subject.program.function(self.of[copy.index()]);
        let span = original.node(node).span;
        self.functions[copy.index()].nodes[at.index()].role = Role::Target(TargetId(0));
        self.functions.iter_mut().for_each(Function::sort_edges);
        let (kind, name) = (TargetKind::Label, "end".to_owned());
        let targets = vec![Target { kind, name, function: original.name.clone(), span }];
        let program = Program {
            functions: self.functions,
            main: FunctionId(0),
            targets,
            ..self.subject.program.clone()
        };
        Unrolled { program, of: self.of }
    }
}
