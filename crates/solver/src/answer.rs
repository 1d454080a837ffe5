//! What the solver answers with. Values only: the command line renders them.

use base::{Reading, Span, StopReason};
use calculus::system::{RelationId, Term, VarId};
use std::sync::Arc;
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
    /// The steps that the query uses.
    pub roots: Vec<usize>,
    /// How the query connects them.
    pub links: Links,
}

/// How a clause, or a query, connects what it uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// For each premise the terms that stand for its columns; none if it is no tuple.
    pub terms: Vec<Arc<[Term]>>,
    /// Variables that it makes equal.
    pub equal: Vec<(VarId, VarId)>,
    /// The values of its variables.
    pub values: Vec<(VarId, u32)>,
}

/// One tuple and why it is in its relation, or why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// The relation.
    pub relation: RelationId,
    /// The tuple, a value for each column.
    pub tuple: Arc<[u32]>,
    /// The tuple is not in the relation, and the step says why.
    pub is_absent: bool,
    /// The number of the clause (top-level disjunct), from 1.
    pub clause: usize,
    /// Where the clause is written.
    pub span: Span,
    /// What the clause used.
    pub premises: Vec<Premise>,
    /// How the clause connects them.
    pub links: Links,
}

/// A premise of a derivation step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Premise {
    /// A tuple derived in another step.
    Step(usize),
    /// A tuple of a greatest fixed point, or one that is not in a least, which is already being explained at this step: it may support
    /// itself.
    Again(usize),
    /// A part of the clause that is not a derivation: a relation that does not hold of a tuple, or a
    /// universally quantified part.
    Fact(Fact),
}

/// A formula that holds under values of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The formula.
    pub text: String,
    /// The values of its free variables.
    pub values: Vec<(VarId, u32)>,
    /// If it says something of all values of some variables, and choices are followed: the first that matter.
    pub choices: Vec<Choice>,
    /// There are more of these.
    pub is_cut: bool,
}

impl Fact {
    /// A formula that is not taken apart.
    pub(crate) fn new(text: String, values: Vec<(VarId, u32)>) -> Self {
        Self { text, values, choices: Vec::new(), is_cut: false }
    }
}

/// Values of universally quantified variables, and why what is said of all holds for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The values.
    pub values: Vec<(VarId, u32)>,
    /// What it rests on.
    pub premises: Vec<Premise>,
    /// The values of existentially quantified variables: the answer to the choice.
    pub answer: Vec<(VarId, u32)>,
}

impl Premise {
    /// The steps that it is, or that its choices rest on; those that are used again aside.
    pub fn steps(&self) -> Vec<usize> {
        match self {
            Self::Step(step) => vec![*step],
            Self::Again(_) => Vec::new(),
            Self::Fact(fact) => {
                fact.choices.iter().flat_map(|choice| &choice.premises).flat_map(Self::steps).collect()
            }
        }
    }

    /// Gives the steps other numbers.
    pub(crate) fn renumber(&mut self, number: &[usize]) {
        match self {
            Self::Step(step) | Self::Again(step) => *step = number[*step],
            Self::Fact(fact) => {
                let premises = fact.choices.iter_mut().flat_map(|choice| &mut choice.premises);
                premises.for_each(|premise| premise.renumber(number));
            }
        }
    }
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

impl Certified {
    /// The relation is what its equation means, or has none.
    pub fn holds(&self) -> bool {
        matches!(self.finding, Finding::Holds | Finding::Given)
    }
}

/// Whether a relation is what its equation means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is.
    Holds,
    /// Its rows come from outside, such as from a program, and have no equation.
    Given,
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
        self.relations.iter().all(Certified::holds)
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

/// What a clause of a formula has cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseStatistics {
    /// The relation that it makes tuples of; none of a query, or of a part that is computed apart.
    pub relation: Option<String>,
    /// Where it is written.
    pub span: Span,
    /// How often it was run, mostly on the new tuples of a row.
    pub runs: u64,
    /// Units of work: runs, nodes of diagrams that were made, and results that were computed.
    pub work: u64,
}

/// Figures about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The relations that were evaluated.
    pub relations: Vec<RelationStatistics>,
    /// The clauses that were run, in the order of the text.
    pub clauses: Vec<ClauseStatistics>,
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

/// One of the ways that are there for speed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// Rows whose column equalities were put beside their diagrams.
    Frames,
    /// Multiplications by such a row that renamed instead.
    Renamings,
    /// Multiplications by a row whose diagram was read through a substitution.
    Substitutions,
    /// The same by a row with equalities beside its diagram.
    FramedSubstitutions,
    /// Pairs of multiplications that were done in one pass.
    Fused,
    /// Multiplications of a single tuple by equalities first, in derivations.
    TuplesFirst,
    /// Steps of derivations whose rows the log knew.
    KnownRows,
    /// Clauses that were split into one for each part of a definition.
    Splits,
    /// Runs that closed a relation under one plan after another.
    Closures,
    /// Times that all tuples were propagated because their diagram is smaller than that of the new ones.
    WholeFrontiers,
    /// Rounds in which plans without new tuples were run in full.
    FullRounds,
    /// Queries that were answered before all was computed.
    EarlyStops,
    /// Computations that went on from there.
    Resumptions,
    /// Rows that were taken from a stratum other than the first.
    Strata,
    /// Rows that were taken before others that stand earlier in the order.
    OutOfOrder,
    /// Rule sets whose rows were ranked by a run on keys alone.
    Rankings,
    /// Rows whose new tuples were propagated through a network.
    Instances,
    /// Instances in it that were left aside, since the head had everything.
    CompleteHeads,
    /// Searches that a look ahead cut off.
    Cuts,
    /// Rows that were evaluated by themselves.
    Rows,
}

impl Shortcut {
    /// All of them, in order, with their names.
    const NAMES: [&'static str; 20] = [
        "frames",
        "renamings",
        "substitutions",
        "framed substitutions",
        "fused",
        "tuples first",
        "known rows",
        "splits",
        "closures",
        "whole frontiers",
        "full rounds",
        "early stops",
        "resumptions",
        "strata",
        "out of order",
        "rankings",
        "instances",
        "complete heads",
        "cuts",
        "rows",
    ];
}

/// How often the solver took each shortcut. They say nothing about the answer; tests look
/// at them to know that what they compare was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortcuts([u64; Shortcut::NAMES.len()]);

impl Shortcuts {
    /// A shortcut was taken.
    #[inline]
    pub(crate) fn count(&mut self, shortcut: Shortcut) {
        self.0[shortcut as usize] += 1;
    }

    /// A shortcut was taken, or was not.
    #[inline]
    pub(crate) fn add(&mut self, shortcut: Shortcut, taken: bool) {
        self.0[shortcut as usize] += u64::from(taken);
    }

    /// How often this one was taken.
    pub fn get(&self, shortcut: Shortcut) -> u64 {
        self.0[shortcut as usize]
    }

    /// All of them, with their names.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Shortcut::NAMES.into_iter().zip(self.0)
    }
}
