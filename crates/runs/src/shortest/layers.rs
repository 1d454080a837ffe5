//! Layers: sets of pairs, or of entries, that have the same cost, and where they come from.

use dd::Bdd;
use rsm::ModuleId;
use symbolic::network::{CallId, PointId, StepId};

base::index_type! {
    /// A layer.
    LayerId;
}

/// What the queue leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Destination {
    /// Pairs at a point; the cost is that of the cheapest run of the function from the entry to the state.
    Point(PointId),
    /// Entries of a function; the cost is that of the cheapest run of the program that gets there.
    Entered(ModuleId),
    /// A goal; the cost is that of a whole run.
    Goal,
}

/// How something is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// It is an entry that starts a function, or one of `main` that starts the program.
    Start,
    /// By a step from the pairs of a layer.
    Step(StepId, LayerId),
    /// By a call from the pairs of a layer, with what the call amounts to, by position.
    Return { call: CallId, caller: LayerId, amount: u32 },
    /// From entries of the caller, by its pairs that are at the call.
    Enter { call: CallId, entries: LayerId, pairs: LayerId },
    /// From entries, by pairs at a point with a goal.
    Finish { point: PointId, entries: LayerId, pairs: LayerId },
}

/// Pairs or entries of the same cost. What has a smaller cost is in none of the later layers of its destination.
pub(super) struct Layer {
    pub cost: u128,
    pub states: Bdd,
    pub origins: Box<[Origin]>,
}

/// What a call amounts to if the callee leaves through the pairs of a layer: a relation between the caller's current and
/// next bits.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    pub callee: LayerId,
    pub cost: u128,
    pub relation: Bdd,
}
