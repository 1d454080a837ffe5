//! Faults: why a computation inside the solver could not be finished.

use base::StopReason;
use dd::Exhausted;

/// A computation that could not be finished.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Exhausted(StopReason),
    TooLarge { what: String, size: u128 },
    NotStabilising { relation: String, first: u64, again: u64 },
}

impl From<Exhausted> for Fault {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted.0)
    }
}
