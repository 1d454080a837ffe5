//! What is propagated, and where to: the program as a graph of diagrams.
//!
//! Points are numbered in the order in which the work list takes them.

use dd::{Bdd, ProductId};

base::index_type! {
    /// A program point.
    PointId;
    /// A call.
    CallId;
}

/// A program.
pub(crate) struct Network {
    pub points: Vec<Point>,
    /// By their sources.
    pub steps: Vec<Step>,
    /// By their sources.
    pub calls: Vec<Call>,
    /// By module.
    pub modules: Vec<Module>,
    /// The modules that are used, callers before callees.
    pub callers_first: Vec<u32>,
    pub main: usize,
    /// The initial states, at the entry of `main`.
    pub init: Bdd,
}

/// A program point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub module: u32,
    /// Its steps end and its calls end here; they begin where those of the point before it end.
    pub end_of_steps: u32,
    pub end_of_calls: u32,
    pub is_exit: bool,
    /// The states here that are goals.
    pub goal: Bdd,
}

/// A step inside a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub to: PointId,
    /// Over the current values and the next values of what is assigned.
    pub relation: Bdd,
    /// Forgets what is assigned or dead and makes the next values current; none if there is nothing of this.
    pub image: Option<ProductId>,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub from: PointId,
    pub to: PointId,
    pub callee: u32,
    /// Over the caller's current values and the arguments.
    pub arguments: Bdd,
    /// From the caller's states and the arguments to the states at the callee's entry.
    pub enter: ProductId,
    /// Over the caller's current and next values, the arguments and the results.
    pub glue: Bdd,
    /// From the glue and a summary of the callee to a relation between the states before and after the call.
    pub amount: ProductId,
    /// From the caller's states and that relation to the states after the call.
    pub image: ProductId,
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub entry: PointId,
    /// Entry copies equal current values.
    pub identity: Bdd,
    /// Values at the entry are values of their types.
    pub domain: Bdd,
    /// Forgets the entry copies.
    pub forget_entry: ProductId,
    /// The calls of this module.
    pub callers: Vec<CallId>,
    /// The calls in this module.
    pub calls: Vec<CallId>,
    /// The points with goals.
    pub goals: Vec<PointId>,
}

impl Network {
    /// The steps from a point.
    pub fn steps_of(&self, point: PointId) -> &[Step] {
        let start = point.index().checked_sub(1).map_or(0, |before| self.points[before].end_of_steps);
        &self.steps[start as usize..self.points[point.index()].end_of_steps as usize]
    }

    /// The calls at a point.
    pub fn calls_of(&self, point: PointId) -> std::ops::Range<usize> {
        let start = point.index().checked_sub(1).map_or(0, |before| self.points[before].end_of_calls);
        start as usize..self.points[point.index()].end_of_calls as usize
    }

    /// All diagrams of the network.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let steps = self.steps.iter().map(|step| step.relation);
        let calls = self.calls.iter().flat_map(|call| [call.arguments, call.glue]);
        let modules = self.modules.iter().flat_map(|module| [module.identity, module.domain]);
        let goals = self.points.iter().map(|point| point.goal);
        steps.chain(calls).chain(modules).chain(goals).chain([self.init])
    }
}
