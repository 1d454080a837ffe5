//! A program and its monitor as one machine.
//!
//! The monitor's state is a global `$monitor`. Where the program leaves a node u by an edge, the machine first takes an edge
//! of the monitor, from u to a node of its own, and then the program's; if that one blocks, the monitor has not moved. A
//! node that is reached while the monitor is in a target state leads on to a goal, and from there the monitor goes on. A
//! function `$main` calls `main`, so that the state after its return is seen, too.
//!
//! Contract: a goal is reached, or passed again and again, if and only if the program has a run in which the monitor reaches a
//! target state, or passes such states again and again. [`Product::back`] leads back to the program.

mod back;
mod guard;

pub use back::{States, Watched};

use crate::monitor::{Atom, Frame, Monitor, StateId};
use guard::{conjunction, folded, is_in, is_never};
use rsm::{Action, Edge, EdgeId, Expr, Goal, Module, ModuleId, Node, NodeId, Place, Rsm, Type, Variable};

/// A machine that is a program and its monitor.
#[derive(Clone, Debug)]
pub struct Product {
    /// The machine.
    pub rsm: Rsm,
    /// Where it is when the monitor is in a target state.
    pub goals: Vec<Goal>,
    /// For each module of the program and each edge there which edge of the program it is; none for those of the monitor.
    edges: Vec<Vec<Option<EdgeId>>>,
}

/// The product of a program and its monitor.
pub fn product(program: &Rsm, monitor: &Monitor) -> Product {
    let names = monitor.states.iter().map(|state| state.name.clone()).collect();
    let ty = Type::Enum(names);
    let place = Place::Global(program.globals.len() as u32);
    let maker = Maker { program, monitor, ty, place };
    let mut rsm = program.clone();
    let span = program.module(program.main).span;
    rsm.globals.push(Variable { name: "$monitor".to_owned(), ty: maker.ty.clone(), span });
    let initial = maker.states(|state| state.is_initial);
    rsm.init.push(is_in(place, &maker.ty, &initial));
    let (mut goals, mut edges) = (Vec::new(), Vec::new());
    for (n, module) in rsm.modules.iter_mut().enumerate() {
        edges.push(maker.module(ModuleId::new(n), module, &mut goals));
    }
    maker.start(&mut rsm, &mut goals);
    Product { rsm, goals, edges }
}

struct Maker<'a> {
    program: &'a Rsm,
    monitor: &'a Monitor,
    /// The states.
    ty: Type,
    /// The present one.
    place: Place,
}

impl Maker<'_> {
    fn states(&self, is_asked: impl Fn(&crate::monitor::State) -> bool) -> Vec<u64> {
        let states = self.monitor.states.iter().enumerate();
        states.filter(|(_, state)| is_asked(state)).map(|(n, _)| n as u64).collect()
    }

    /// Puts the monitor into a module; for each edge, which one of the program it is.
    fn module(&self, id: ModuleId, module: &mut Module, goals: &mut Vec<Goal>) -> Vec<Option<EdgeId>> {
        let n_nodes = module.nodes.len();
        let mut added: Vec<(Edge, Option<EdgeId>)> = Vec::new();
        let mut goal_at: Vec<Option<NodeId>> = vec![None; n_nodes];
        let exit = module.exit;
        for node in (0..n_nodes).map(NodeId::new).filter(|node| *node != exit) {
            goal_at[node.index()] = self.goal_behind(node, module, &mut added);
            goals.extend(goal_at[node.index()].map(|goal| Goal::At(id, goal)));
        }
        for (n, edge) in std::mem::take(&mut module.edges).into_iter().enumerate() {
            let atoms: Vec<bool> =
                self.monitor.atoms.iter().map(|atom| holds(atom, id, module, &edge)).collect();
            for (a, state) in self.monitor.states.iter().enumerate() {
                let from = goal_at[edge.from.index()].filter(|_| state.is_target).unwrap_or(edge.from);
                for step in &state.edges {
                    let Some(moves) = self.moves(id, a, step, &atoms) else { continue };
                    let between = copy_of(module, edge.from);
                    added.push((Edge { from, to: between, action: moves, span: edge.span }, None));
                    let own = Edge { from: between, ..edge.clone() };
                    added.push((own, Some(EdgeId::new(n))));
                }
            }
        }
        added.sort_by_key(|(edge, _)| edge.from);
        let (edges, olds) = added.into_iter().unzip();
        module.edges = edges;
        olds
    }

    /// A goal behind a node, for target states; none if there are no such states.
    fn goal_behind(
        &self,
        node: NodeId,
        module: &mut Module,
        added: &mut Vec<(Edge, Option<EdgeId>)>,
    ) -> Option<NodeId> {
        let targets = self.states(|state| state.is_target);
        if targets.is_empty() {
            return None;
        }
        let goal = copy_of(module, node);
        let span = module.node(node).span;
        let action = Action::Assume(is_in(self.place, &self.ty, &targets));
        added.push((Edge { from: node, to: goal, action, span }, None));
        Some(goal)
    }

    /// The step of the monitor by one of its edges; none if its guard cannot hold.
    fn moves(
        &self,
        module: ModuleId,
        from: usize,
        step: &crate::monitor::Edge,
        atoms: &[bool],
    ) -> Option<Action> {
        let fits = match step.guard.frame {
            Frame::Any => true,
            Frame::Only(function) => function == module,
            Frame::Never => false,
        };
        let guard = folded(&step.guard.condition, self.program.globals.len(), atoms);
        if !fits || is_never(&guard) {
            return None;
        }
        let is_from = is_in(self.place, &self.ty, &[from as u64]);
        Some(Action::Assign {
            targets: vec![self.place],
            values: vec![Expr::constant(u64::from(step.to.0), self.ty.clone())],
            constrain: Some(conjunction(&is_from, &guard)),
        })
    }

    /// The function that calls `main`; when it has returned, the monitor is looked at once more.
    fn start(&self, rsm: &mut Rsm, goals: &mut Vec<Goal>) {
        let main = self.program.module(self.program.main);
        let id = ModuleId::new(rsm.modules.len());
        let node = || Node { labels: Vec::new(), span: main.span, in_atomic: false };
        let args = main.locals[..main.n_params].iter().map(|param| Expr::choice(param.ty.clone())).collect();
        let call = Action::Call { callee: self.program.main, args, results: vec![None; main.results.len()] };
        let edge =
            |from: u32, to: u32, action| Edge { from: NodeId(from), to: NodeId(to), action, span: main.span };
        let targets = self.states(|state| state.is_target);
        let mut edges = vec![edge(0, 1, call)];
        if !targets.is_empty() {
            edges.push(edge(1, 2, Action::Assume(is_in(self.place, &self.ty, &targets))));
            goals.push(Goal::At(id, NodeId(2)));
        }
        edges.push(edge(1, 3, Action::Return { values: Vec::new() }));
        rsm.modules.push(Module {
            name: "$main".to_owned(),
            span: main.span,
            locals: Vec::new(),
            n_params: 0,
            results: Vec::new(),
            enforce: None,
            nodes: (0..4).map(|_| node()).collect(),
            edges,
            entry: NodeId(0),
            exit: NodeId(3),
        });
        rsm.main = id;
    }
}

/// A node like another one, without labels.
fn copy_of(module: &mut Module, node: NodeId) -> NodeId {
    let copy = Node { labels: Vec::new(), ..module.node(node).clone() };
    module.nodes.push(copy);
    NodeId::new(module.nodes.len() - 1)
}

/// The atom holds where an edge of a module is taken.
fn holds(atom: &Atom, id: ModuleId, module: &Module, edge: &Edge) -> bool {
    match atom {
        Atom::At(modules, label) => modules.contains(&id) && module.node(edge.from).labels.contains(label),
        Atom::In(function) => *function == id,
        Atom::Call(function) => matches!(edge.action, Action::Call { callee, .. } if callee == *function),
        Atom::Ret(function) => *function == id && matches!(edge.action, Action::Return { .. }),
    }
}

/// The state of the monitor as a value of `$monitor`.
pub(crate) fn state_of(value: u64) -> StateId {
    StateId::new(value as usize)
}
