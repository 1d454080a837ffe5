//! Program counters: which points of the reduced program have one.
//!
//! Counter 0 of every module is its entry. The entry node has a counter of its own only if something leads back to it or
//! calls from it; otherwise the blocks that leave it start at counter 0.

use rsm::{Action, Block, Module, ModuleId, NodeId, Reduced, ReducedModule, Rsm};
use rustc_hash::FxHashMap;

/// What a program counter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// The entry: the module was called, its locals have no values yet.
    Entry,
    /// A node.
    Node(NodeId),
}

/// The program counters of all modules.
#[derive(Clone, Debug)]
pub struct Points {
    modules: Vec<ModulePoints>,
}

#[derive(Clone, Debug, Default)]
struct ModulePoints {
    /// By counter, from 1.
    nodes: Vec<NodeId>,
    counters: FxHashMap<NodeId, u32>,
    /// The blocks of the entry node start at counter 0.
    folds_entry: bool,
}

impl Points {
    pub(crate) fn new(rsm: &Rsm, reduced: &Reduced) -> Self {
        let modules = rsm.modules.iter().zip(&reduced.modules).map(|(module, part)| {
            if !part.is_used {
                return ModulePoints::default();
            }
            let calls = |block: &Block| is_call(module, block);
            let folds_entry = !part
                .blocks
                .iter()
                .any(|block| block.to == module.entry || (block.from == module.entry && calls(block)));
            let kept = part.points.iter().copied().filter(|node| !(folds_entry && *node == module.entry));
            let nodes: Vec<NodeId> = kept.collect();
            let counters = nodes.iter().enumerate().map(|(n, node)| (*node, n as u32 + 1)).collect();
            ModulePoints { nodes, counters, folds_entry }
        });
        Self { modules: modules.collect() }
    }

    /// The largest counter of any module.
    pub fn max_counter(&self) -> u32 {
        self.modules.iter().map(|module| module.nodes.len() as u32).max().unwrap_or(0)
    }

    /// The counter of a node; `None` if the reduced program does not have it. That of a folded entry node is 0.
    pub fn counter(&self, rsm: &Rsm, module: ModuleId, node: NodeId) -> Option<u32> {
        let points = &self.modules[module.index()];
        if points.folds_entry && node == rsm.module(module).entry {
            return Some(0);
        }
        points.counters.get(&node).copied()
    }

    /// What a counter stands for.
    pub fn point(&self, module: ModuleId, counter: u32) -> Option<Point> {
        match counter {
            0 => Some(Point::Entry),
            _ => self.modules[module.index()].nodes.get(counter as usize - 1).map(|node| Point::Node(*node)),
        }
    }

    /// The blocks of the entry node start at counter 0.
    pub fn folds_entry(&self, module: ModuleId) -> bool {
        self.modules[module.index()].folds_entry
    }
}

/// The block is a call.
pub(crate) fn is_call(module: &Module, block: &Block) -> bool {
    matches!(block.path[..], [edge] if matches!(module.edge(edge).action, Action::Call { .. }))
}

/// The variables that matter at a node.
pub(crate) fn live(part: &ReducedModule, node: NodeId) -> &[rsm::Place] {
    match part.points.binary_search(&node) {
        Ok(at) => &part.live[at],
        Err(_) => &[],
    }
}
