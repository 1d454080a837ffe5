//! The points and blocks of a module.
//!
//! Which nodes are points decides everything: a node that is none has one live edge leaving it, so a block is what
//! one gets by following the edges from a point to the next.

use super::dead_code::LiveCode;
use super::threads::Interference;
use super::{Block, Reductions, jump_chains, straight_lines};
use crate::goal::Goal;
use crate::machine::{Action, Edge, EdgeId, Module, NodeId, Rsm};

/// A block has at most this many edges, so that what it says stays small.
pub(super) const MAX_BLOCK: usize = 64;

/// What is left of the control flow of a module.
pub(super) struct Shape {
    /// The kept nodes, ascending.
    pub(super) points: Vec<NodeId>,
    /// The ways between them, by source.
    pub(super) blocks: Vec<Block>,
}

/// A module while its points are chosen.
pub(super) struct Draft<'a> {
    /// The module.
    pub(super) module: &'a Module,
    /// Which of its edges are live.
    live_edges: &'a [bool],
    /// For each node the position of the first edge that leaves it, and at last the number of edges.
    first_edge: Vec<u32>,
    /// The nodes that are points so far.
    pub(super) is_point: Vec<bool>,
    /// The nodes that have to stay points.
    pub(super) is_fixed: Vec<bool>,
    /// What other threads can notice, if there are any.
    pub(super) interference: Option<&'a Interference<'a>>,
}

impl Shape {
    /// The shapes of all modules.
    pub(super) fn of_modules(
        rsm: &Rsm,
        goals: &[Goal],
        code: &LiveCode,
        which: Reductions,
        interference: Option<&Interference<'_>>,
    ) -> Vec<Shape> {
        let mut goal_nodes = vec![Vec::new(); rsm.modules.len()];
        for &goal in goals {
            let (module, node) = match goal {
                Goal::At(module, node) => (module, node),
                Goal::Failure(module, edge) => (module, rsm.module(module).edge(edge).from),
            };
            goal_nodes[module.index()].push(node);
        }
        let shapes = rsm.modules.iter().enumerate().map(|(index, module)| {
            if !code.is_used[index] {
                return Shape { points: Vec::new(), blocks: Vec::new() };
            }
            let mut draft = Draft::new(module, &code.nodes[index], &code.edges[index], &goal_nodes[index]);
            draft.interference = interference;
            if which.jump_chains {
                jump_chains::drop(&mut draft);
            }
            if which.straight_lines {
                straight_lines::drop(&mut draft);
            }
            draft.finish()
        });
        shapes.collect()
    }

    /// Which of the points a node is.
    pub(super) fn position(&self, node: NodeId) -> usize {
        self.points.binary_search(&node).expect("the ends of a block are points")
    }
}

impl<'a> Draft<'a> {
    /// Every live node is a point.
    fn new(module: &'a Module, live_nodes: &[bool], live_edges: &'a [bool], goals: &[NodeId]) -> Self {
        let mut draft = Self {
            module,
            live_edges,
            first_edge: first_edges(module),
            is_point: live_nodes.to_vec(),
            is_fixed: vec![false; module.nodes.len()],
            interference: None,
        };
        for goal in goals {
            draft.is_fixed[goal.index()] = true;
        }
        draft.fix(module.entry);
        draft.fix(module.exit);
        for (index, edge) in module.edges.iter().enumerate() {
            if live_edges[index] && is_call(edge) {
                draft.fix(edge.to);
            }
        }
        draft
    }

    /// A node has to be a point, be it live or not.
    fn fix(&mut self, node: NodeId) {
        self.is_point[node.index()] = true;
        self.is_fixed[node.index()] = true;
    }

    /// The nodes that are points so far.
    pub(super) fn points(&self) -> impl Iterator<Item = NodeId> {
        self.is_point.iter().enumerate().filter(|&(_, &is_point)| is_point).map(|(node, _)| NodeId::new(node))
    }

    /// The live edges that leave a node.
    pub(super) fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &'a Edge)> {
        let first = self.first_edge[node.index()] as usize;
        let end = self.first_edge[node.index() + 1] as usize;
        let module = self.module;
        let live = (first..end).filter(|&edge| self.live_edges[edge]);
        live.map(|edge| (EdgeId::new(edge), &module.edges[edge]))
    }

    /// The live edge that leaves a node, if there is just one.
    pub(super) fn only_edge(&self, node: NodeId) -> Option<(EdgeId, &'a Edge)> {
        let mut edges = self.edges_from(node);
        edges.next().filter(|_| edges.next().is_none())
    }

    /// The edges from the given one to the next point.
    pub(super) fn walk(&self, first: (EdgeId, &'a Edge)) -> impl Iterator<Item = (EdgeId, &'a Edge)> {
        std::iter::successors(Some(first), |(_, edge)| {
            let is_inside = !self.is_point[edge.to.index()];
            is_inside.then(|| self.only_edge(edge.to).expect("a node that is no point has one way on"))
        })
    }

    /// Reads the blocks off the points.
    fn finish(self) -> Shape {
        let points: Vec<NodeId> = self.points().collect();
        let mut blocks = Vec::new();
        for &from in &points {
            for first in self.edges_from(from) {
                let mut to = from;
                let path = self.walk(first).map(|(id, edge)| {
                    to = edge.to;
                    id
                });
                let path = path.collect();
                blocks.push(Block { from, to, path });
            }
        }
        Shape { points, blocks }
    }
}

/// For each node the position of the first edge that leaves it or a later node, and the number of edges.
fn first_edges(module: &Module) -> Vec<u32> {
    let mut first = vec![0; module.nodes.len() + 1];
    for edge in &module.edges {
        first[edge.from.index() + 1] += 1;
    }
    for node in 0..module.nodes.len() {
        first[node + 1] += first[node];
    }
    first
}

/// The edge calls a module.
pub(super) fn is_call(edge: &Edge) -> bool {
    matches!(edge.action, Action::Call { .. })
}
