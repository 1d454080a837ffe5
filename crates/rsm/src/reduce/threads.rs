//! What other threads can notice of a thread, and it of them.
//!
//! A step that neither reads nor writes what is shared, and cannot block, can be taken together with the step before it: whoever
//! could run in between may as well run afterwards. Steps before the first that is noticed can be put off until then. Inside an
//! atomic region nobody runs in between; before it is entered everybody may.

use crate::concurrent::Concurrent;
use crate::expr::Expr;
use crate::machine::{Action, Edge, Module};

/// The threads, as far as reductions look at them.
pub(super) struct Interference<'p> {
    /// So many globals are shared; they come first.
    pub(super) n_shared: usize,
    /// The globals that say whether a thread is in an atomic region.
    pub(super) flags: Vec<u32>,
    /// What private globals satisfy at the start.
    pub(super) init: Vec<Expr>,
    /// All shared variables count as read by a condition.
    pub(super) keeps_shared: bool,
    program: &'p Concurrent,
}

impl<'p> Interference<'p> {
    pub(super) fn new(program: &'p Concurrent, keeps_shared: bool) -> Self {
        Self {
            n_shared: program.n_shared,
            flags: program.blocks.iter().filter_map(|block| block.flag).collect(),
            init: program.blocks.iter().flat_map(|block| block.init.iter().cloned()).collect(),
            keeps_shared,
            program,
        }
    }

    /// The globals that are live wherever a thread is.
    pub(super) fn always_live(&self) -> impl Iterator<Item = usize> {
        (0..self.n_shared).chain(self.flags.iter().map(|flag| *flag as usize))
    }

    /// Other threads may notice the step, or it them.
    pub(super) fn notices(&self, module: &Module, edge: &Edge) -> bool {
        self.program.notices(module, edge)
    }

    /// After a step that was noticed, this one may be taken before anybody else runs.
    pub(super) fn follows_at_once(&self, module: &Module, edge: &Edge) -> bool {
        let can_block = match &edge.action {
            Action::Skip | Action::Return { .. } => false,
            Action::Assign { constrain, .. } => constrain.is_some(),
            Action::Assume(_) | Action::Assert(_) | Action::Call { .. } => true,
        };
        let enters = module.node(edge.to).in_atomic;
        module.node(edge.from).in_atomic || (!can_block && !enters && !self.notices(module, edge))
    }
}
