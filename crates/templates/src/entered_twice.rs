//! Which functions a run may enter more than once.
//!
//! A function is entered at most once if it has one call site, that site is in no cycle, and its caller is entered at most
//! once. The entries of such a function come in one piece; those of any other may come in many.

use rsm::{Block, ModuleId, NodeId, ReducedModule};
use rustc_hash::FxHashMap;
use symbolic::SymbolicProgram;

/// For each function: some run may enter it twice.
pub(crate) fn entered_twice(program: &SymbolicProgram) -> Vec<bool> {
    let n_modules = program.rsm.modules.len();
    let mut sites = vec![0u32; n_modules];
    let mut callees: Vec<Vec<ModuleId>> = vec![Vec::new(); n_modules];
    let mut is_twice = vec![false; n_modules];
    for m in program.modules() {
        let part = program.part(m);
        let cycles = Cycles::new(part);
        for block in &part.blocks {
            let Some((_, callee)) = program.called(m, block) else { continue };
            callees[m.index()].push(callee);
            sites[callee.index()] += 1;
            is_twice[callee.index()] |= sites[callee.index()] > 1 || cycles.contain(block);
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
    component: FxHashMap<NodeId, u32>,
}

/// The state of Tarjan's algorithm.
struct Tarjan<'p> {
    part: &'p ReducedModule,
    index: FxHashMap<NodeId, u32>,
    low: FxHashMap<NodeId, u32>,
    stack: Vec<NodeId>,
    component: FxHashMap<NodeId, u32>,
}

impl Cycles {
    fn new(part: &ReducedModule) -> Self {
        let mut tarjan = Tarjan {
            part,
            index: FxHashMap::default(),
            low: FxHashMap::default(),
            stack: Vec::new(),
            component: FxHashMap::default(),
        };
        for &node in &part.points {
            if !tarjan.index.contains_key(&node) {
                tarjan.visit(node);
            }
        }
        Self { component: tarjan.component }
    }

    /// A run of the function may go through the block again.
    fn contain(&self, block: &Block) -> bool {
        self.component[&block.from] == self.component[&block.to]
    }
}

impl Tarjan<'_> {
    fn first_block(&self, node: NodeId) -> usize {
        self.part.blocks.partition_point(|block| block.from < node)
    }

    fn enter(&mut self, node: NodeId) -> (NodeId, usize) {
        let number = self.index.len() as u32;
        self.index.insert(node, number);
        self.low.insert(node, number);
        self.stack.push(node);
        (node, self.first_block(node))
    }

    fn visit(&mut self, root: NodeId) {
        let mut path = vec![self.enter(root)];
        while let Some((node, next)) = path.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            match self.part.blocks.get(at).filter(|block| block.from == node) {
                Some(block) if !self.index.contains_key(&block.to) => path.push(self.enter(block.to)),
                Some(block) if !self.component.contains_key(&block.to) => {
                    self.lower(node, self.index[&block.to])
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(node);
                    if let Some((parent, _)) = path.last() {
                        self.lower(*parent, self.low[&node]);
                    }
                }
            }
        }
    }

    fn lower(&mut self, node: NodeId, to: u32) {
        let low = self.low.get_mut(&node).expect("the node was entered");
        *low = to.min(*low);
    }

    /// The node is finished; if nothing before it can be reached from it, a component is complete.
    fn leave(&mut self, node: NodeId) {
        let number = self.low[&node];
        if number != self.index[&node] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component.insert(member, number);
            if member == node {
                break;
            }
        }
    }
}
