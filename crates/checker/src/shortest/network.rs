//! The reduced program as diagrams: points, the steps between them with their lengths, and calls.
//!
//! A set at a point is about pairs: copies of what a function may assign have the values at its entry (copy `Entry`), the
//! variables that matter at the point those of now (copy `Current`).

use dd::{Bdd, Level, Map, ProductId};
use rsm::ModuleId;

base::index_type! {
    /// A program point.
    PointId;
    /// A step.
    StepId;
    /// A call.
    CallId;
}

/// A program.
#[derive(Default)]
pub(super) struct Network {
    pub points: Vec<Point>,
    pub steps: Vec<Step>,
    pub calls: Vec<Call>,
    pub modules: Vec<Module>,
}

/// A program point.
pub(super) struct Point {
    pub module: ModuleId,
    pub counter: u32,
    /// The current bits that a state here is about, sorted.
    pub bits: Vec<Level>,
    pub steps: Vec<StepId>,
    pub calls: Vec<CallId>,
    /// The states here that are goals.
    pub goal: Bdd,
}

/// A block without calls.
pub(super) struct Step {
    pub from: PointId,
    pub to: PointId,
    pub length: u32,
    /// Over current bits and the next bits of what is assigned.
    pub relation: Bdd,
    /// Forgets what is assigned or dies, then moves.
    pub image: ProductId,
    /// From the next bits of what is assigned to the current ones.
    pub moves: Map,
}

/// A call.
pub(super) struct Call {
    pub from: PointId,
    pub to: PointId,
    pub callee: ModuleId,
    /// Over the caller's current bits and the parameters, which stand in the copy `Across`.
    pub arguments: Bdd,
    /// From the caller's pairs and the arguments to entries of the callee.
    pub enter: ProductId,
    /// The arguments, the results, and what the caller allows afterwards.
    pub glue: Bdd,
    /// Where the bits of a pair at the callee's exit stand when it meets the glue.
    pub across: Map,
    /// Moves a pair at the callee's exit there.
    pub carry: ProductId,
    /// From the glue and the pairs at the callee's exit to a relation between the caller's current and next bits.
    pub amount: ProductId,
    /// From the caller's pairs and that relation to the pairs after the call.
    pub image: ProductId,
    /// From the next bits of what comes back to the current ones.
    pub moves: Map,
}

/// A function.
pub(super) struct Module {
    pub entry: PointId,
    pub exit: PointId,
    /// The pairs of each entry that a run gets to with itself.
    pub start: Bdd,
    /// For each bit of an entry its current level, and the level at which pairs remember it.
    pub entry_bits: Vec<(Level, Level)>,
    /// The levels of the entry copies.
    pub copied: Vec<Level>,
    pub calls: Vec<CallId>,
    pub callers: Vec<CallId>,
    /// Calls lead from here to a function with a goal, or there is one here.
    pub leads_to_goal: bool,
}

impl Network {
    /// All diagrams.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let steps = self.steps.iter().map(|step| step.relation);
        let calls = self.calls.iter().flat_map(|call| [call.arguments, call.glue]);
        let modules = self.modules.iter().map(|module| module.start);
        steps.chain(calls).chain(modules).chain(self.points.iter().map(|point| point.goal))
    }
}
