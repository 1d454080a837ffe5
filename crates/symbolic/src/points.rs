//! Program counters: which points of the reduced program have one.
//!
//! Counter 0 of every module is its entry. The entry node has a counter of its own only if something leads back to it or
//! calls from it, or if [`Entries`] says so; otherwise the blocks that leave it start at counter 0. Calls that go on at the same node
//! get a counter each for the point after them, so that the point after a call says which call it was.

use rsm::{Action, Block, EdgeId, Module, ModuleId, NodeId, Reduced, Rsm};
use rustc_hash::FxHashMap;

/// What a program counter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// The entry: the module was called, its locals have no values yet.
    Entry,
    /// A node.
    Node(NodeId),
    /// After a call that goes on at the same node as another; a step that does nothing leads to that node.
    After(EdgeId),
}

/// Which functions begin with a step that only gives their locals values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entries {
    /// None: the first statement does that too.
    Folded,
    /// Those that restrict their states: a thread may be interrupted there.
    KeptIfRestricted,
    /// All: with some values the first statement may block, which is then to be seen.
    Kept,
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
    /// Calls with a counter of their own for the point after them; these counters come after those of the nodes.
    after: Vec<EdgeId>,
    /// The blocks of the entry node start at counter 0.
    folds_entry: bool,
}

impl Points {
    pub(crate) fn new(rsm: &Rsm, reduced: &Reduced, entries: Entries) -> Self {
        let modules = rsm.modules.iter().zip(&reduced.modules).map(|(module, part)| {
            if !part.is_used {
                return ModulePoints::default();
            }
            let calls = |block: &Block| is_call(module, block);
            let keeps =
                |block: &Block| block.to == module.entry || (block.from == module.entry && calls(block));
            let keeps_entry = match entries {
                Entries::Folded => false,
                Entries::KeptIfRestricted => module.enforce.is_some(),
                Entries::Kept => true,
            };
            let folds_entry = !keeps_entry && !part.blocks.iter().any(keeps);
            let kept = part.points.iter().copied().filter(|node| !(folds_entry && *node == module.entry));
            let nodes: Vec<NodeId> = kept.collect();
            let counters = nodes.iter().enumerate().map(|(n, node)| (*node, n as u32 + 1)).collect();
            let mut calls_to: FxHashMap<NodeId, u32> = FxHashMap::default();
            let call_blocks = || part.blocks.iter().filter(|block| calls(block));
            call_blocks().for_each(|block| *calls_to.entry(block.to).or_default() += 1);
            let shared = call_blocks().filter(|block| calls_to[&block.to] > 1);
            let after = shared.map(|block| block.path[0]).collect();
            ModulePoints { nodes, counters, after, folds_entry }
        });
        Self { modules: modules.collect() }
    }

    /// The largest counter of any module.
    pub fn max_counter(&self) -> u32 {
        self.modules.iter().map(|module| (module.nodes.len() + module.after.len()) as u32).max().unwrap_or(0)
    }

    /// The counter of a node; `None` if the reduced program does not have it. That of a folded entry node is 0.
    pub fn counter(&self, rsm: &Rsm, module: ModuleId, node: NodeId) -> Option<u32> {
        let points = &self.modules[module.index()];
        if points.folds_entry && node == rsm.module(module).entry {
            return Some(0);
        }
        points.counters.get(&node).copied()
    }

    /// The counter of the point after a call.
    pub fn counter_after(&self, rsm: &Rsm, module: ModuleId, call: EdgeId) -> Option<u32> {
        let points = &self.modules[module.index()];
        match points.after.binary_search(&call) {
            Ok(at) => Some((points.nodes.len() + at) as u32 + 1),
            Err(_) => self.counter(rsm, module, rsm.module(module).edge(call).to),
        }
    }

    /// The calls of a module with a counter of their own for the point after them.
    pub fn after(&self, module: ModuleId) -> &[EdgeId] {
        &self.modules[module.index()].after
    }

    /// What a counter stands for.
    pub fn point(&self, module: ModuleId, counter: u32) -> Option<Point> {
        let points = &self.modules[module.index()];
        let Some(at) = (counter as usize).checked_sub(1) else { return Some(Point::Entry) };
        match points.nodes.get(at) {
            Some(node) => Some(Point::Node(*node)),
            None => points.after.get(at - points.nodes.len()).map(|call| Point::After(*call)),
        }
    }

    /// How many counters of a module stand for its entry and its nodes; those after them for points after calls.
    pub fn n_nodes(&self, module: ModuleId) -> u32 {
        self.modules[module.index()].nodes.len() as u32 + 1
    }

    /// The blocks of the entry node start at counter 0.
    pub fn folds_entry(&self, module: ModuleId) -> bool {
        self.modules[module.index()].folds_entry
    }
}

/// The block is a call.
fn is_call(module: &Module, block: &Block) -> bool {
    matches!(block.path[..], [edge] if matches!(module.edge(edge).action, Action::Call { .. }))
}
