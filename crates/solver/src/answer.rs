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

impl std::fmt::Display for Halt {
    /// Without how far it came, which is for whoever knows the limits to say.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stopped(reason, _) => write!(f, "stopped: {reason:?}"),
            Self::NotStabilising { relation, first, again } => write!(
                f,
                "`{relation}` never stabilises: its value after round {again} is the one after round {first}"
            ),
            Self::TooLarge { what, size } => {
                write!(f, "too large to enumerate: {what} ({size} combinations)")
            }
        }
    }
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
    /// The relations that were checked.
    pub relations: Vec<Certified>,
}

/// What was found about one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// Its name.
    pub relation: String,
    /// Its number of clauses.
    pub clauses: usize,
    /// The finding.
    pub finding: Finding,
}

/// Whether a relation is what its equation means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is.
    Holds,
    /// It does not satisfy the equation.
    NoSolution,
    /// It satisfies the equation of a least fixed point, but is too large.
    NotLeast,
    /// It satisfies the equation of a greatest fixed point, but is too small.
    NotGreatest,
}

impl Certificate {
    /// Every relation is what its equation means.
    pub fn holds(&self) -> bool {
        self.relations.iter().all(|certified| certified.finding == Finding::Holds)
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
    /// How often each shortcut was taken.
    pub shortcuts: Shortcuts,
}

/// How often the solver took each of the ways that are there for speed alone. They say nothing about the answer; tests look
/// at them to know that what they compare was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortcuts {
    /// Rows whose column equalities were put beside their diagrams.
    pub frames: u64,
    /// Multiplications by such a row that renamed instead.
    pub renamings: u64,
    /// Multiplications by a row whose diagram was read through a substitution.
    pub substitutions: u64,
    /// The same by a row with equalities beside its diagram.
    pub framed_substitutions: u64,
    /// Pairs of multiplications that were done in one pass.
    pub fused: u64,
    /// Multiplications of a single tuple by equalities first, in derivations.
    pub tuples_first: u64,
    /// Clauses that were split into one for each part of a definition.
    pub splits: u64,
    /// Runs that closed a relation under one plan after another.
    pub closures: u64,
    /// Times that all tuples were propagated because their diagram is smaller than that of the new ones.
    pub whole_frontiers: u64,
    /// Rounds in which plans without new tuples were run in full.
    pub full_rounds: u64,
    /// Queries that were answered before all was computed.
    pub early_stops: u64,
    /// Computations that went on from there.
    pub resumptions: u64,
    /// Rows that were taken from a stratum other than the first.
    pub strata: u64,
    /// Rule sets whose rows were ranked by a run on keys alone.
    pub rankings: u64,
    /// Searches that a look ahead cut off.
    pub cuts: u64,
}

impl Shortcuts {
    /// All of them, with their names.
    pub fn all(&self) -> [(&'static str, u64); 15] {
        [
            ("frames", self.frames),
            ("renamings", self.renamings),
            ("substitutions", self.substitutions),
            ("framed substitutions", self.framed_substitutions),
            ("fused", self.fused),
            ("tuples first", self.tuples_first),
            ("splits", self.splits),
            ("closures", self.closures),
            ("whole frontiers", self.whole_frontiers),
            ("full rounds", self.full_rounds),
            ("early stops", self.early_stops),
            ("resumptions", self.resumptions),
            ("strata", self.strata),
            ("rankings", self.rankings),
            ("cuts", self.cuts),
        ]
    }
}
