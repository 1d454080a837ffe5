//! Rules and the plans that run them.
//!
//! A rule is one clause of a relation: a head and literals. A plan is a rule with an order: which literal binds which
//! keys through which index, and in which order the diagrams of the chosen rows are multiplied, each
//! variable quantified as soon as nothing further needs it. The two orders differ: keys are bound where an index makes
//! that cheap, diagrams are multiplied where that keeps the product small.

use crate::planner::node::NodeId;
use crate::store::table::{IndexId, TableId};
use crate::store::{Access, Place};
use base::Span;
use calculus::system::{Comparison, FormulaId, Term, VarId};
use dd::ProductId;
use std::ops::Range;

base::index_type! {
    /// A rule of the solver.
    RuleId;
}

/// Where the tuples of a rule go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Into a table, under a key.
    Table(TableId, Vec<Term>),
    /// Into the sum of the formula that is being evaluated.
    Sum,
}

impl Head {
    /// The table that is filled.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Self::Table(table, _) => Some(*table),
            Self::Sum => None,
        }
    }
}

/// A part of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    /// A row of a table.
    Atom {
        table: TableId,
        /// One term for each key column.
        keys: Vec<Term>,
        /// One term for each bit column.
        bits: Vec<Term>,
    },
    /// A comparison between keys.
    Test { comparison: Comparison, left: Term, right: Term, holds: bool },
    /// Any formula whose keys are bound, or its negation, prepared.
    Value { node: NodeId, formula: FormulaId, positive: bool },
}

impl Literal {
    /// The table whose row it is.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Self::Atom { table, .. } => Some(*table),
            _ => None,
        }
    }
}

/// One clause.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub head: Head,
    /// Bits that the result may mention.
    pub keep: Vec<VarId>,
    /// Keys that are bound before the rule runs.
    pub bound: Vec<VarId>,
    pub literals: Vec<Literal>,
    /// If the table of a literal is a part of a definition: that table, and the application of the definition.
    pub whole: Option<(TableId, Literal)>,
    /// The number of the clause in its relation, from 1.
    pub clause: usize,
    pub span: Span,
}

/// One step of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// For each row of the group: bind the other keys, remember the row.
    Scan {
        table: TableId,
        index: IndexId,
        probe: Vec<Term>,
        bind: Vec<(usize, VarId)>,
        check: Vec<(usize, Term)>,
        slot: usize,
    },
    /// For each row of the table.
    All { table: TableId, bind: Vec<(usize, VarId)>, check: Vec<(usize, Term)>, slot: usize },
    /// The row of a key.
    Probe { table: TableId, key: Vec<Term>, slot: usize },
    /// Go on if the comparison comes out as wanted.
    Test { comparison: Comparison, left: Term, right: Term, holds: bool },
    /// Give a variable the value of a term.
    Bind(VarId, Term),
    /// Go on unless the head, which has no bits, holds of this key already: nothing new can come.
    Unless { table: TableId, key: Vec<Term> },
    /// Go on if a later search will find a row: a multiplication before it would be for nothing otherwise.
    Some { table: TableId, index: IndexId, probe: Vec<Term> },
    /// Try all values of a variable.
    Enumerate(VarId, u32),
    /// Evaluate a formula.
    Value { node: NodeId, slot: usize },
    /// Multiply the accumulated diagram by a slot's.
    Multiply(Multiply),
    /// Multiply it by two slots'.
    Fused(Box<Fused>),
}

impl Step {
    /// The table whose rows the step reads.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Step::Scan { table, .. } | Step::All { table, .. } | Step::Probe { table, .. } => Some(*table),
            _ => None,
        }
    }
}

/// One multiplication.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    /// Names this multiplication in the table of variants.
    pub id: u32,
    pub slot: usize,
    pub access: Access,
    pub product: ProductId,
    /// The accumulated diagram is neither renamed nor quantified: a row that is true leaves it alone.
    pub keeps: bool,
}

/// Two multiplications that follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub first: Multiply,
    pub second: Multiply,
}

/// What a multiplication needs to know to make its variants.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The bits in the accumulated diagram before, where they stand in it.
    pub left: Vec<Place>,
    /// The bit columns of the row with the terms that stand for them; the bits of a formula, for themselves.
    pub columns: Vec<(VarId, Term)>,
    /// The bits of those columns for which variables stand, each with the variable.
    pub right: Vec<(Place, VarId)>,
    /// Variables to be quantified, and their bits.
    pub quantified: Vec<VarId>,
    pub forgotten: Vec<Place>,
}

/// A rule with an order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub rule: RuleId,
    pub head: Head,
    /// The literal whose new tuples drive the plan.
    pub delta: Option<Delta>,
    pub steps: Vec<Step>,
    /// Applied at the end where no multiplication did it: renames and quantifies what remains.
    pub finish: Option<ProductId>,
    pub n_slots: usize,
    /// The plans of the same clause, itself among them, by their numbers in [`super::RuleSet::driven`].
    pub family: Range<u32>,
}

/// How a plan begins with new tuples of a table.
#[derive(Clone, Debug)]
pub(crate) struct Delta {
    pub literal: usize,
    pub table: TableId,
    pub bind: Vec<(usize, VarId)>,
    pub check: Vec<(usize, Term)>,
    pub access: Access,
}
