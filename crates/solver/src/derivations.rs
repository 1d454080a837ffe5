//! Derivations and witnesses: why a tuple is in its relation, and which values make a formula true.
//!
//! Contract: stands on finished fixed points and changes no relation for good. While relations are computed a [`Record`] is kept of what
//! derivations will need.

pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod explain;
mod instance;
pub(crate) mod log;
mod shrinking;
mod support;
mod tuple;
pub(crate) mod witness;

use calculus::system::RelationId;
use context::Snapshot;
use dd::Bdd;
use log::Log;
use rustc_hash::FxHashMap;

/// What is kept for derivations.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Who added which tuples when; `None` if derivations will not be asked for.
    pub log: Option<Log>,
    /// The rounds of outer least fixed points.
    pub history: FxHashMap<RelationId, Vec<Snapshot>>,
    /// The values that the relations of a greatest fixed point had one after the other, while a derivation is made that asks for
    /// them. They are found under the first relation; none if there are too many.
    pub shrinking: FxHashMap<RelationId, Option<Vec<(RelationId, Snapshot)>>>,
}

impl Record {
    /// Diagrams that the record keeps alive.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let logged = self.log.iter().flat_map(Log::roots);
        let shrinking = self.shrinking.values().flatten().flatten().flat_map(|(_, value)| value);
        let kept = self.history.values().flatten().flatten().chain(shrinking);
        logged.chain(kept.map(|(_, full)| *full))
    }
}
