//! What other threads can notice of a thread, and it of them.
//!
//! A step that neither reads nor writes what is shared, and cannot block, can be taken together with the step before it: whoever
//! could run in between may as well run afterwards. Steps before the first that is noticed can be put off until then. Inside an
//! atomic region nobody runs in between; before it is entered everybody may.

use crate::concurrent::Concurrent;
use crate::expr::Expr;
use crate::machine::{Action, Edge, Module, Place};

/// The threads, as far as reductions look at them.
pub(super) struct Interference {
    /// So many globals are shared; they come first.
    pub(super) n_shared: usize,
    /// The globals that say whether a thread is in an atomic region.
    pub(super) flags: Vec<u32>,
    /// What private globals satisfy at the start.
    pub(super) init: Vec<Expr>,
    /// All shared variables count as read by a condition.
    pub(super) keeps_shared: bool,
    /// Some function restricts its states, so that a return may block.
    enforces: bool,
}

impl Interference {
    pub(super) fn new(program: &Concurrent, keeps_shared: bool) -> Self {
        Self {
            n_shared: program.n_shared,
            flags: program.blocks.iter().filter_map(|block| block.flag).collect(),
            init: program.blocks.iter().flat_map(|block| block.init.iter().cloned()).collect(),
            keeps_shared,
            enforces: program.machine.modules.iter().any(|module| module.enforce.is_some()),
        }
    }

    /// The globals that are live wherever a thread is.
    pub(super) fn always_live(&self) -> impl Iterator<Item = usize> {
        (0..self.n_shared).chain(self.flags.iter().map(|flag| *flag as usize))
    }

    /// The place is shared, or a flag.
    fn is_common(&self, place: Place) -> bool {
        matches!(place, Place::Global(n) if (n as usize) < self.n_shared || self.flags.contains(&n))
    }

    fn reads(&self, expr: &Expr) -> bool {
        expr.reads().chain(expr.reads_next()).any(|place| self.is_common(place))
    }

    /// Other threads may notice the step, or it them.
    pub(super) fn notices(&self, module: &Module, edge: &Edge) -> bool {
        let acts = match &edge.action {
            Action::Skip => false,
            Action::Assume(condition) | Action::Assert(condition) => self.reads(condition),
            Action::Assign { targets, values, constrain } => {
                targets.iter().any(|place| self.is_common(*place))
                    || values.iter().chain(constrain).any(|value| self.reads(value))
            }
            // Who calls may store the results in what is shared.
            Action::Return { values } => !values.is_empty() || self.enforces,
            Action::Call { .. } => true,
        };
        acts || module.enforce.is_some()
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
