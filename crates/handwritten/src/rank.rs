//! The order in which the work list takes points: callees before callers; within a module steps before calls before the
//! exit, and these as execution meets them.
//!
//! What a callee amounts to is then known as far as possible before a caller asks, and a module is settled before it calls or
//! returns.

use crate::network::PointId;
use rsm::{Action, Block, Module, ModuleId, NodeId, ReducedModule, Rsm};
use templates::Templates;

/// The numbers of all points.
pub(crate) struct Ranks {
    /// For each module the point of its entry, then those of its nodes in the order of the reduced module.
    ids: Vec<Vec<PointId>>,
    /// For each point its module and its node; none for an entry that is no node.
    pub points: Vec<(ModuleId, Option<NodeId>)>,
    /// The modules that are used, callees first.
    pub callees_first: Vec<ModuleId>,
}

impl Ranks {
    /// Numbers the points. `folds` says whether the entry and the first node of a module are one point.
    pub fn new(templates: &Templates, folds: impl Fn(ModuleId) -> bool) -> Self {
        let (rsm, parts) = (templates.rsm, &templates.reduced.modules);
        let callees_first = callees_first(rsm, parts);
        let ids = parts.iter().map(|part| vec![PointId(0); part.points.len() + 1]).collect();
        let mut ranks = Self { ids, points: Vec::new(), callees_first };
        for m in ranks.callees_first.clone() {
            ranks.number(rsm.module(m), &parts[m.index()], m, folds(m));
        }
        ranks
    }

    /// Numbers the points of a module.
    fn number(&mut self, module: &Module, part: &ReducedModule, m: ModuleId, folds: bool) {
        let mut order: Vec<(u8, usize)> = Vec::with_capacity(part.points.len() + 1);
        let postorder = postorder(part, module.entry);
        if !folds {
            order.push((0, 0));
        }
        for (n, &node) in postorder.iter().rev().enumerate() {
            let calls = blocks_from(part, node).iter().any(|block| called(module, block).is_some());
            let class = if node == module.exit { 2 } else { u8::from(calls) };
            order.push((class, n + 1));
        }
        order.sort_unstable();
        for (_, position) in order {
            let id = PointId::new(self.points.len());
            let node = position.checked_sub(1).map(|n| postorder[postorder.len() - 1 - n]);
            self.points.push((m, node));
            let ids = &mut self.ids[m.index()];
            match node {
                None => ids[0] = id,
                Some(node) => {
                    ids[part.points.binary_search(&node).expect("blocks lead to points") + 1] = id;
                    if folds && node == module.entry {
                        ids[0] = id;
                    }
                }
            }
        }
    }

    /// The point of a module's entry.
    pub fn entry(&self, module: ModuleId) -> PointId {
        self.ids[module.index()][0]
    }

    /// The point of a node; `None` if nothing leads there.
    pub fn node(&self, part: &ReducedModule, module: ModuleId, node: NodeId) -> Option<PointId> {
        let at = part.points.binary_search(&node).ok()?;
        let id = self.ids[module.index()][at + 1];
        (self.points[id.index()] == (module, Some(node))).then_some(id)
    }
}

/// The blocks that leave a node.
pub(crate) fn blocks_from(part: &ReducedModule, node: NodeId) -> &[Block] {
    let first = part.blocks.partition_point(|block| block.from < node);
    let n = part.blocks[first..].partition_point(|block| block.from == node);
    &part.blocks[first..first + n]
}

/// The module that a block calls, if it is a call.
pub(crate) fn called(module: &Module, block: &Block) -> Option<ModuleId> {
    match module.edge(*block.path.first()?).action {
        Action::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

/// The nodes that blocks lead to from a node, each after those it leads to for the first time.
fn postorder(part: &ReducedModule, start: NodeId) -> Vec<NodeId> {
    let position = |node: NodeId| part.points.binary_search(&node).expect("blocks lead to points");
    let mut seen = vec![false; part.points.len()];
    let mut order = Vec::with_capacity(part.points.len());
    let mut stack = vec![(start, blocks_from(part, start).iter())];
    seen[position(start)] = true;
    while let Some((node, blocks)) = stack.last_mut() {
        match blocks.next() {
            Some(block) => {
                if !std::mem::replace(&mut seen[position(block.to)], true) {
                    stack.push((block.to, blocks_from(part, block.to).iter()));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

/// The modules that are used, in an order in which callees come before callers as far as recursion allows.
fn callees_first(rsm: &Rsm, parts: &[ReducedModule]) -> Vec<ModuleId> {
    let callees = |m: ModuleId| {
        let module = rsm.module(m);
        parts[m.index()].blocks.iter().filter_map(move |block| called(module, block))
    };
    let mut seen = vec![false; parts.len()];
    let mut order = Vec::new();
    let mut stack = vec![(rsm.main, callees(rsm.main))];
    seen[rsm.main.index()] = true;
    while let Some((m, rest)) = stack.last_mut() {
        match rest.next() {
            Some(callee) => {
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    stack.push((callee, callees(callee)));
                }
            }
            None => {
                order.push(*m);
                stack.pop();
            }
        }
    }
    order
}
