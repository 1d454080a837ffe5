//! Steps that other threads can notice, read off the text of the program.
//!
//! A step that is not noticed changes places with every step of another thread: it reads nothing that others write, writes nothing
//! that others read or write, and neither enters an atomic region nor depends on what functions enforce. Variables that have no value
//! in the certificate may change at any time, so nobody notices them.

use super::Kept;
use rsm::interleave::ThreadState;
use rsm::{Action, Concurrent, Copies, Edge, Expr, Module, Place};

/// Shared variables that threads read, and that they write.
#[derive(Clone)]
struct Access {
    reads: Vec<bool>,
    writes: Vec<bool>,
}

/// For each block what the threads beside one of it do to shared variables.
pub(crate) struct Noticed<'p> {
    program: &'p Concurrent,
    others: Vec<Access>,
}

impl<'p> Noticed<'p> {
    pub(crate) fn new(program: &'p Concurrent, kept: &Kept) -> Self {
        let none = Access { reads: vec![false; program.n_shared], writes: vec![false; program.n_shared] };
        let mut others = vec![none; program.blocks.len()];
        for (b, block) in program.blocks.iter().enumerate() {
            let is_alone = block.copies == Copies::Number(1);
            for (_, access) in others.iter_mut().enumerate().filter(|(o, _)| *o != b || !is_alone) {
                for module in block.modules.iter().map(|module| program.machine.module(*module)) {
                    let exprs = module.edges.iter().flat_map(|edge| edge.action.expressions());
                    let reads = exprs.chain(&module.enforce).flat_map(everything_read);
                    mark(&mut access.reads, &kept.shared, reads);
                    let writes = module.edges.iter().flat_map(|edge| edge.action.stores());
                    mark(&mut access.writes, &kept.shared, writes);
                }
            }
        }
        Self { program, others }
    }

    /// Others may notice what the thread does next, or it them.
    pub(crate) fn is_next(&self, thread: &ThreadState) -> bool {
        let Some(top) = thread.stack.last() else { return false };
        let machine = &self.program.machine;
        let waiting = thread.stack.iter().rev().nth(1);
        let caller = waiting.and_then(|frame| {
            let module = machine.module(frame.module);
            Some((module, module.edge(frame.call?)))
        });
        let module = machine.module(top.module);
        let mut edges = module.edges_from(top.node);
        edges.any(|(_, edge)| {
            self.is_restricted(module, edge, caller) || self.touches(thread.block, edge, caller)
        })
    }

    /// The step leads into an atomic region, or has to do with what functions enforce.
    fn is_restricted(&self, module: &Module, edge: &Edge, caller: Option<(&Module, &Edge)>) -> bool {
        let enforces = || self.program.enforces();
        match &edge.action {
            Action::Call { callee, .. } => {
                let callee = self.program.machine.module(*callee);
                callee.node(callee.entry).in_atomic || enforces()
            }
            Action::Return { .. } => {
                caller.is_some_and(|(module, call)| module.node(call.to).in_atomic) || enforces()
            }
            _ => module.node(edge.to).in_atomic || module.enforce.is_some(),
        }
    }

    fn touches(&self, block: u32, edge: &Edge, caller: Option<(&Module, &Edge)>) -> bool {
        let Access { reads, writes } = &self.others[block as usize];
        let is_in = |set: &[bool], place: Place| matches!(place, Place::Global(n) if set.get(n as usize).is_some_and(|is_in| *is_in));
        let flag = self.program.blocks[block as usize].flag.map(Place::Global);
        let is_noticed = |place: Place| is_in(reads, place) || is_in(writes, place) || Some(place) == flag;
        // What a call stores it stores when it returns.
        let stores = match &edge.action {
            Action::Call { .. } => false,
            Action::Return { .. } => caller.is_some_and(|(_, call)| call.action.stores().any(is_noticed)),
            action => action.stores().any(is_noticed),
        };
        stores || edge.action.expressions().flat_map(everything_read).any(|place| is_in(writes, place))
    }
}

fn everything_read(expr: &Expr) -> impl Iterator<Item = Place> {
    expr.reads().chain(expr.reads_next())
}

fn mark(set: &mut [bool], kept: &[bool], places: impl Iterator<Item = Place>) {
    for place in places {
        if let Place::Global(n) = place
            && kept.get(n as usize).is_some_and(|kept| *kept)
        {
            set[n as usize] = true;
        }
    }
}
