//! What a producer hands over: one diagram for each point, over bits that it says the meaning of.

use dd::Bdd;
use encode::Slot;
use rsm::{ModuleId, NodeId};

/// Where a row holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// When the module is entered: the row is over the entry copy only.
    Entry,
    /// At a node; the exit is one of them.
    Node(NodeId),
}

/// When a state is looked at: which copy of it a bit belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// The values of parameters and globals when the module was entered.
    Entry,
    /// The values at the point.
    Current,
}

/// A bit of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable {
    /// Of which state.
    pub moment: Moment,
    /// The variable or result, as the row's module sees it.
    pub slot: Slot,
    /// Which bit of it; the lowest has number 0.
    pub bit: u32,
}

/// What a certificate says about a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The module.
    pub module: ModuleId,
    /// The point of the module.
    pub point: Point,
    /// The pairs of an entry state and a state at the point; what it does not mention it does not restrict.
    pub diagram: Bdd,
}
