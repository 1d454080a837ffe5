//! What the solver answers with. Values only: the command line renders them.

use base::{Reading, Span, StopReason};
use calculus::system::RelationId;
use std::time::Duration;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Stopped from outside, or out of memory, with how far it came.
    Stopped(StopReason, Reading),
    /// A system that is not positive never stabilises.
    NotStabilising {
        /// The relation whose values recur.
        relation: String,
        /// The round whose value came back.
        first: u64,
        /// The round in which it came back.
        again: u64,
    },
    /// A set would have to be enumerated that is too large, such as the complement of a relation over
    /// explicit sorts.
    TooLarge {
        /// What would have to be enumerated.
        what: String,
        /// The number of combinations, if it fits.
        size: u128,
    },
}

/// Names and values, in declaration order.
pub type Valuation = Vec<(String, String)>;

/// A derivation: step k uses only steps with larger numbers, except where it says `Again`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps; the first is the tuple that was asked for.
    pub steps: Vec<DerivationStep>,
}

/// One tuple and why it is in its relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// The relation.
    pub relation: RelationId,
    /// The tuple, a value for each column.
    pub tuple: Vec<u32>,
    /// The number of the clause (top-level disjunct), from 1.
    pub clause: usize,
    /// Where the clause is written.
    pub span: Span,
    /// The values of the clause's existential variables.
    pub choice: Valuation,
    /// What the clause used.
    pub premises: Vec<Premise>,
}

/// A premise of a derivation step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Premise {
    /// A tuple derived in another step.
    Step(usize),
    /// A tuple of a greatest fixed point that is already being explained at this step: it may support itself.
    Again(usize),
    /// A part of the clause that is not a derivation: a relation that does not hold of a tuple, or a
    /// universally quantified part.
    Fact(String),
}

/// The outcome of `#certify`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// For each relation that was re-checked, its name, its number of clauses, and whether `F(R) = R`.
    pub relations: Vec<(String, usize, bool)>,
}

impl Certificate {
    /// Every relation satisfies its equation.
    pub fn holds(&self) -> bool {
        self.relations.iter().all(|(_, _, holds)| *holds)
    }
}

/// Figures about one relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelationStatistics {
    /// Its name.
    pub relation: String,
    /// Rounds, or steps of the work list.
    pub rounds: u64,
    /// Keys of its table.
    pub keys: u64,
    /// Distinct diagram nodes of its table.
    pub nodes: u64,
    /// Time spent in its component, shared by the relations computed together.
    pub time: Duration,
}

/// Figures about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The relations that were evaluated.
    pub relations: Vec<RelationStatistics>,
    /// Diagram variables.
    pub variables: u64,
    /// Most nodes in the store at any time.
    pub peak_nodes: u64,
    /// Nodes in the store now.
    pub nodes: u64,
    /// Bytes of the store.
    pub bytes: u64,
    /// Collections of dead nodes.
    pub collections: u64,
}
