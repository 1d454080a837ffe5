//! Goals: the places whose reachability is asked for.

use crate::machine::{EdgeId, ModuleId, NodeId};

/// A place that a run may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// About to execute the statement at a node.
    At(ModuleId, NodeId),
    /// The assertion of an edge fails: the run is at its source, in a state where the condition can be false.
    Failure(ModuleId, EdgeId),
}

impl Goal {
    /// The module it is in.
    pub fn module(self) -> ModuleId {
        match self {
            Self::At(module, _) | Self::Failure(module, _) => module,
        }
    }
}
