//! Dead code: nodes that no path from the start of the program leads to.
//!
//! Paths go through calls: the point after a call is reached once the exit of the callee is. Edges whose condition is
//! constantly false lead nowhere. Variables are not looked at otherwise.

use super::Reductions;
use super::constant::is_never;
use crate::machine::{Action, EdgeId, ModuleId, NodeId, Rsm};

/// The part of the program that a run may get to.
pub(super) struct LiveCode {
    /// The modules that may be called, those where runs start included.
    pub(super) is_used: Vec<bool>,
    /// For each module, its nodes that may be reached.
    pub(super) nodes: Vec<Vec<bool>>,
    /// For each module, its edges that may be taken.
    pub(super) edges: Vec<Vec<bool>>,
}

impl LiveCode {
    /// The live code; the whole program if dead code is not wanted to be dropped.
    pub(super) fn find(rsm: &Rsm, starts: &[ModuleId], which: Reductions) -> Self {
        let everything = !which.dead_code;
        let mut code = Self {
            is_used: vec![everything; rsm.modules.len()],
            nodes: rsm.modules.iter().map(|module| vec![everything; module.nodes.len()]).collect(),
            edges: rsm.modules.iter().map(|module| vec![everything; module.edges.len()]).collect(),
        };
        if which.dead_code {
            Search {
                rsm,
                code: &mut code,
                pending: Vec::new(),
                waiting: vec![Vec::new(); rsm.modules.len()],
            }
            .run(starts);
        }
        code
    }
}

/// A search forward from the entries of modules where runs start.
struct Search<'a> {
    rsm: &'a Rsm,
    code: &'a mut LiveCode,
    pending: Vec<(ModuleId, NodeId)>,
    /// For each module the points after the calls that wait for it to return.
    waiting: Vec<Vec<(ModuleId, NodeId)>>,
}

impl Search<'_> {
    fn run(&mut self, starts: &[ModuleId]) {
        starts.iter().for_each(|&main| self.enter(main));
        while let Some((module, node)) = self.pending.pop() {
            if node == self.rsm.module(module).exit {
                for (caller, after) in std::mem::take(&mut self.waiting[module.index()]) {
                    self.reach(caller, after);
                }
            }
            self.leave(module, node);
        }
    }

    fn enter(&mut self, module: ModuleId) {
        self.code.is_used[module.index()] = true;
        self.reach(module, self.rsm.module(module).entry);
    }

    fn reach(&mut self, module: ModuleId, node: NodeId) {
        let seen = &mut self.code.nodes[module.index()][node.index()];
        if !*seen {
            *seen = true;
            self.pending.push((module, node));
        }
    }

    /// Takes every edge that leaves a node.
    fn leave(&mut self, module: ModuleId, node: NodeId) {
        for (id, edge) in self.rsm.module(module).edges_from(node) {
            match &edge.action {
                Action::Assume(condition) | Action::Assert(condition) if is_never(condition) => continue,
                Action::Call { callee, .. } => self.call(*callee, module, edge.to),
                _ => self.reach(module, edge.to),
            }
            self.take(module, id);
        }
    }

    fn take(&mut self, module: ModuleId, edge: EdgeId) {
        self.code.edges[module.index()][edge.index()] = true;
    }

    fn call(&mut self, callee: ModuleId, caller: ModuleId, after: NodeId) {
        self.enter(callee);
        if self.code.nodes[callee.index()][self.rsm.module(callee).exit.index()] {
            self.reach(caller, after);
        } else {
            self.waiting[callee.index()].push((caller, after));
        }
    }
}
