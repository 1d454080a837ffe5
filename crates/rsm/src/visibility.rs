//! What other threads can notice of a step, and it of them.

use crate::concurrent::Concurrent;
use crate::expr::Expr;
use crate::machine::{Action, Edge, Module, Place};

impl Concurrent {
    /// The place is shared, or says whether a thread is in an atomic region.
    pub fn is_common(&self, place: Place) -> bool {
        let is_flag = |n: u32| self.blocks.iter().any(|block| block.flag == Some(n));
        matches!(place, Place::Global(n) if (n as usize) < self.n_shared || is_flag(n))
    }

    fn reads_common(&self, expr: &Expr) -> bool {
        expr.reads().chain(expr.reads_next()).any(|place| self.is_common(place))
    }

    /// Some function restricts its states.
    pub fn enforces(&self) -> bool {
        self.machine.modules.iter().any(|module| module.enforce.is_some())
    }

    /// The step reads or writes what others write or read. Who waits for a function may store its results in what is shared.
    /// Where functions restrict their states, what others write may keep a thread from entering or leaving one.
    pub fn notices(&self, module: &Module, edge: &Edge) -> bool {
        let reads = |expr: &Expr| self.reads_common(expr);
        let acts = match &edge.action {
            Action::Skip => false,
            Action::Assume(condition) | Action::Assert(condition) => reads(condition),
            Action::Assign { targets, values, constrain } => {
                targets.iter().any(|place| self.is_common(*place))
                    || values.iter().chain(constrain).any(reads)
            }
            Action::Call { args, .. } => args.iter().any(reads) || self.enforces(),
            Action::Return { values } => !values.is_empty() || self.enforces(),
        };
        acts || module.enforce.is_some()
    }
}
