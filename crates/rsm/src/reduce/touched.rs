//! The globals that a module, or one it may call, reads or writes.
//!
//! What a module does itself is read off its edges; what its callees do is added callees first, again and again until
//! nothing changes, which without recursion is at once.

use super::Reductions;
use super::bits::{self, BitRows};
use super::cone::Cone;
use super::shape::Shape;
use super::threads::Interference;
use crate::expr::Expr;
use crate::machine::{Action, Edge, Place, Rsm};

/// Sets of globals, one for each module.
pub(super) struct Touched {
    /// What is read or written.
    pub(super) touched: BitRows,
    /// What is written.
    pub(super) modified: BitRows,
}

impl Touched {
    /// The sets of all modules; all globals if nobody asks which of them matter.
    pub(super) fn find(
        rsm: &Rsm,
        shapes: &[Shape],
        cone: Option<&Cone>,
        which: Reductions,
        interference: Option<&Interference<'_>>,
    ) -> Self {
        let width = bits::n_words(rsm.globals.len());
        let mut sets = Self {
            touched: BitRows::new(rsm.modules.len(), width),
            modified: BitRows::new(rsm.modules.len(), width),
        };
        if which.live_variables {
            sets.add_own(rsm, shapes);
            sets.add_callees(rsm, shapes);
        } else {
            for module in (0..shapes.len()).filter(|&module| !shapes[module].points.is_empty()) {
                bits::insert_below(sets.touched.row_mut(module), rsm.globals.len());
                bits::insert_below(sets.modified.row_mut(module), rsm.globals.len());
            }
        }
        if let Some(interference) = interference {
            sets.add_interference(shapes, interference);
        }
        if let Some(cone) = cone {
            sets.restrict(rsm, cone);
        }
        sets
    }

    /// Adds what each module does itself.
    fn add_own(&mut self, rsm: &Rsm, shapes: &[Shape]) {
        for (index, (module, shape)) in rsm.modules.iter().zip(shapes).enumerate() {
            if shape.points.is_empty() {
                continue;
            }
            let touched = self.touched.row_mut(index);
            module.enforce.iter().for_each(|condition| insert_globals(touched, condition));
            if index == rsm.main.index() {
                rsm.init.iter().for_each(|condition| insert_globals(touched, condition));
            }
            for id in shape.blocks.iter().flat_map(|block| &block.path) {
                insert_edge(touched, self.modified.row_mut(index), module.edge(*id));
            }
        }
        for module in 0..rsm.modules.len() {
            bits::unite(self.touched.row_mut(module), self.modified.row(module));
        }
    }

    /// Adds what callees do to their callers.
    fn add_callees(&mut self, rsm: &Rsm, shapes: &[Shape]) {
        let callees: Vec<Vec<usize>> = (0..shapes.len()).map(|module| callees(rsm, shapes, module)).collect();
        let order = callees_first(&callees);
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for &caller in &order {
                for &callee in &callees[caller] {
                    has_grown |= self.touched.unite_rows(caller, callee);
                    has_grown |= self.modified.unite_rows(caller, callee);
                }
            }
        }
    }

    /// Adds what other threads may read or write while a module runs, and the flags that keep them away.
    fn add_interference(&mut self, shapes: &[Shape], interference: &Interference<'_>) {
        for module in (0..shapes.len()).filter(|&module| !shapes[module].points.is_empty()) {
            bits::insert_below(self.modified.row_mut(module), interference.n_shared);
            interference.always_live().for_each(|global| bits::insert(self.touched.row_mut(module), global));
        }
    }

    /// Takes away what is outside the cone.
    fn restrict(&mut self, rsm: &Rsm, cone: &Cone) {
        let main = rsm.main.index();
        let outside = (0..rsm.globals.len()).filter(|&n| !cone.has(main, Place::Global(n as u32)));
        for global in outside {
            for module in 0..rsm.modules.len() {
                bits::remove(self.touched.row_mut(module), global);
                bits::remove(self.modified.row_mut(module), global);
            }
        }
    }
}

fn insert_place(row: &mut [u64], place: Place) {
    if let Place::Global(n) = place {
        bits::insert(row, n as usize);
    }
}

fn insert_globals(row: &mut [u64], expr: &Expr) {
    expr.reads().chain(expr.reads_next()).for_each(|place| insert_place(row, place));
}

/// Adds the globals that an edge reads, and those it writes.
fn insert_edge(read: &mut [u64], written: &mut [u64], edge: &Edge) {
    match &edge.action {
        Action::Skip => {}
        Action::Assume(condition) | Action::Assert(condition) => insert_globals(read, condition),
        Action::Assign { targets, values, constrain } => {
            values.iter().chain(constrain).for_each(|value| insert_globals(read, value));
            targets.iter().for_each(|&target| insert_place(written, target));
        }
        Action::Call { args, results, .. } => {
            args.iter().for_each(|argument| insert_globals(read, argument));
            results.iter().flatten().for_each(|&target| insert_place(written, target));
        }
        Action::Return { values } => values.iter().for_each(|value| insert_globals(read, value)),
    }
}

/// The modules that a module calls, each once.
fn callees(rsm: &Rsm, shapes: &[Shape], module: usize) -> Vec<usize> {
    let edges = shapes[module].blocks.iter().map(|block| rsm.modules[module].edge(block.path[0]));
    let called = edges.filter_map(|edge| match edge.action {
        Action::Call { callee, .. } => Some(callee.index()),
        _ => None,
    });
    let mut callees: Vec<usize> = called.collect();
    callees.sort_unstable();
    callees.dedup();
    callees
}

/// All modules, each after those it calls as far as recursion lets it.
fn callees_first(callees: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(callees.len());
    let mut is_seen = vec![false; callees.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for root in 0..callees.len() {
        if !std::mem::replace(&mut is_seen[root], true) {
            stack.push((root, 0));
        }
        while let Some((module, next)) = stack.last_mut() {
            match callees[*module].get(*next) {
                Some(&callee) => {
                    *next += 1;
                    if !std::mem::replace(&mut is_seen[callee], true) {
                        stack.push((callee, 0));
                    }
                }
                None => {
                    order.push(*module);
                    stack.pop();
                }
            }
        }
    }
    order
}
