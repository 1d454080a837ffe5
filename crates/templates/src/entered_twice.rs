//! Which functions a run may enter more than once.
//!
//! A function is entered at most once if it has one call site, that site is in no cycle, and its caller is entered at most
//! once. The entries of such a function come in one piece; those of any other may come in many.

use base::{Adjacency, Components};
use rsm::{Block, ModuleId, NodeId, ReducedModule};
use rustc_hash::FxHashMap;
use std::cell::LazyCell;
use symbolic::SymbolicProgram;

/// For each function: some run may enter it twice.
pub(crate) fn entered_twice(program: &SymbolicProgram) -> Vec<bool> {
    let n_modules = program.rsm.modules.len();
    let mut sites = vec![0u32; n_modules];
    let mut callees: Vec<Vec<ModuleId>> = vec![Vec::new(); n_modules];
    let mut is_twice = vec![false; n_modules];
    for m in program.modules() {
        for block in &program.part(m).blocks {
            let Some((_, callee)) = program.called(m, block) else { continue };
            callees[m.index()].push(callee);
            sites[callee.index()] += 1;
            is_twice[callee.index()] |= sites[callee.index()] > 1;
        }
    }
    for m in program.modules() {
        let part = program.part(m);
        let cycles = LazyCell::new(|| Cycles::new(part));
        for block in &part.blocks {
            let Some((_, callee)) = program.called(m, block) else { continue };
            is_twice[callee.index()] = is_twice[callee.index()] || cycles.contain(block);
        }
    }
    let mut todo: Vec<usize> = (0..n_modules).filter(|&m| is_twice[m]).collect();
    while let Some(m) = todo.pop() {
        for callee in &callees[m] {
            if !std::mem::replace(&mut is_twice[callee.index()], true) {
                todo.push(callee.index());
            }
        }
    }
    is_twice
}

/// The strongly connected components of a function's blocks.
struct Cycles {
    component: FxHashMap<NodeId, usize>,
}

impl Cycles {
    fn new(part: &ReducedModule) -> Self {
        let n_nodes = part.points.iter().map(|node| node.index() + 1).max().unwrap_or(0);
        let edges = part.blocks.iter().map(|block| (block.from.0, block.to.0));
        let adjacency = Adjacency::new(n_nodes, edges);
        let points = part.points.iter().map(|node| node.0);
        let components = Components::new(n_nodes).list(points, |node| adjacency.of(node), |to| Some(*to));
        let members = components.iter().enumerate();
        let members = members.flat_map(|(n, component)| component.iter().map(move |&node| (NodeId(node), n)));
        Self { component: members.collect() }
    }

    /// A run of the function may go through the block again.
    fn contain(&self, block: &Block) -> bool {
        self.component[&block.from] == self.component[&block.to]
    }
}
