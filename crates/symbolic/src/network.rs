//! The program as a graph of diagrams, for searches that go from point to point.
//!
//! A set at a point is about pairs: copies of what a function may assign have the values at its entry (version `Entry`), the
//! variables that matter at the point those of now (version `Current`). What a function only reads needs no copy: its current
//! value is that of the entry, and is never forgotten.

mod build;
mod calls;
mod interface;
mod versions;

pub use versions::slot_of_level;

use dd::{Bdd, Level, Manager, Map, ProductId};
use rsm::ModuleId;
use std::ops::Range;
use versions::Versions;

base::index_type! {
    /// A program point.
    PointId;
    /// A step.
    StepId;
    /// A call.
    CallId;
}

/// A program.
pub struct Network {
    /// By module and counter. A point after a call that has a counter of its own is left out: the call leads to the node where
    /// it goes on.
    pub points: Vec<Point>,
    /// By the points they leave.
    pub steps: Vec<Step>,
    /// By the points they leave.
    pub calls: Vec<Call>,
    /// One for each module of the program; those that are not used have no points.
    pub modules: Vec<Module>,
    /// The module where runs start.
    pub main: ModuleId,
    /// The states at the entry of `main` in which runs start.
    pub init: Bdd,
    versions: Versions,
    recipes: Vec<Recipe>,
}

/// What a product does besides conjoining: it moves levels of its second operand, forgets levels, moves levels of the result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Recipe {
    right: Map,
    forgotten: Vec<Level>,
    out: Map,
}

/// A product of the network.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// What diagrams know it as.
    pub product: ProductId,
    recipe: u32,
}

/// A program point.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its module.
    pub module: ModuleId,
    /// Its counter.
    pub counter: u32,
    /// The states here that are goals.
    pub goal: Bdd,
    /// Its steps end and its calls end here; they begin where those of the point before it end.
    end_of_steps: u32,
    end_of_calls: u32,
}

/// A step inside a function.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: PointId,
    /// Where it ends.
    pub to: PointId,
    /// How many edges it goes along.
    pub length: u32,
    /// Over the current bits and the next bits of what is assigned.
    pub relation: Bdd,
    /// Forgets what is assigned or dead and makes the next bits current; `None` if there is nothing of this.
    pub image: Option<Image>,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Where the caller is before it.
    pub from: PointId,
    /// Where the caller is after it.
    pub to: PointId,
    /// The function that is called.
    pub callee: ModuleId,
    /// Over the caller's current bits and the parameters, in the version `Across`.
    pub arguments: Bdd,
    /// From the caller's pairs and the arguments to the entries of the callee, as pairs of the callee remember them.
    pub enter: Image,
    /// The arguments, the results, and what the caller allows afterwards.
    pub glue: Bdd,
    /// From the glue and the pairs at the callee's exit to a relation between the caller's current and next bits.
    pub amount: Image,
    /// From the caller's pairs and that relation to the pairs after the call.
    pub image: Image,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Module {
    /// Where it is entered.
    pub entry: PointId,
    /// Where it is left.
    pub exit: PointId,
    /// Entry copies equal current values.
    pub identity: Bdd,
    /// Current values are values of their types.
    pub domain: Bdd,
    /// For each bit of an entry its current level, and the level at which pairs remember it.
    pub entry_bits: Vec<(Level, Level)>,
    /// The levels of the entry copies.
    pub copied: Vec<Level>,
    /// Forgets the entry copies.
    pub forget_entry: Image,
    /// The calls of this function.
    pub callers: Vec<CallId>,
    /// The calls in this function.
    pub calls: Vec<CallId>,
}

impl Network {
    /// The steps from a point.
    pub fn steps_of(&self, point: PointId) -> Range<usize> {
        let start = point.index().checked_sub(1).map_or(0, |before| self.points[before].end_of_steps);
        start as usize..self.points[point.index()].end_of_steps as usize
    }

    /// The calls at a point.
    pub fn calls_of(&self, point: PointId) -> Range<usize> {
        let start = point.index().checked_sub(1).map_or(0, |before| self.points[before].end_of_calls);
        start as usize..self.points[point.index()].end_of_calls as usize
    }

    /// The point is the exit of its function.
    pub fn is_exit(&self, point: PointId) -> bool {
        self.modules[self.points[point.index()].module.index()].exit == point
    }

    /// Where a product moves the bits of its second operand.
    pub fn moves_in(&self, image: Image) -> &Map {
        &self.recipes[image.recipe as usize].right
    }

    /// Where a product moves the bits of its result.
    pub fn moves_out(&self, image: Image) -> &Map {
        &self.recipes[image.recipe as usize].out
    }

    /// The product that only moves its second operand as another one does.
    pub fn carry(&self, dd: &mut Manager, image: Image) -> ProductId {
        dd.register_product(&Map::default(), self.moves_in(image), &[], &Map::default())
    }

    /// The levels of the current state by slot: those of locals, then those of globals.
    pub fn current_levels(&self) -> impl Iterator<Item = Level> {
        let current = self.versions.of(versions::Version::Current);
        current.locals.iter().chain(&current.globals).copied()
    }

    /// All diagrams.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let steps = self.steps.iter().map(|step| step.relation);
        let calls = self.calls.iter().flat_map(|call| [call.arguments, call.glue]);
        let modules = self.modules.iter().flat_map(|module| [module.identity, module.domain]);
        let goals = self.points.iter().map(|point| point.goal);
        steps.chain(calls).chain(modules).chain(goals).chain([self.init])
    }
}
