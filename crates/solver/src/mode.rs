//! Modes: ways of working that hold for a while and are taken back whatever happens.
//!
//! Invariant: a mode is entered by a function that takes what is to be done in it, and is left when that returns, be it with
//! a fault. Nothing else sets one.

use crate::component::StaticGroup;
use crate::machine::{Fault, Machine};
use crate::rules::{Fact, Group};
use crate::table::TableId;
use dd::Bdd;

/// How plans are run and rows are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode {
    /// While a derivation is rebuilt: rows are read as they were before this rank.
    pub before: Option<u32>,
    /// Additions are not logged.
    pub quiet: bool,
    /// Plans are run from a single tuple.
    pub from_tuple: bool,
}

/// What making rules leaves behind besides the rules.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub groups: Vec<Group>,
    pub statics: Vec<StaticGroup>,
    pub facts: Vec<Fact>,
}

impl Machine<'_> {
    /// Runs something in another mode.
    pub fn in_mode<T>(&mut self, mode: Mode, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.mode, mode);
        let result = run(self);
        self.mode = outer;
        result
    }

    /// Runs something whose additions the log need not know.
    pub fn forgotten<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.in_mode(Mode { quiet: true, ..self.mode }, run)
    }

    /// Makes rules aside from those that are being made, and returns what came with them.
    pub fn made_apart<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(T, Made), Fault> {
        let outer = std::mem::take(&mut self.made);
        let result = make(self);
        let made = std::mem::replace(&mut self.made, outer);
        Ok((result?, made))
    }

    /// Runs something that the first tuple of a table ends. Says whether there was one.
    pub fn until_goal<T>(&mut self, goal: TableId, run: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let outer = (self.goal.replace(goal), std::mem::replace(&mut self.goal_reached, false));
        let result = run(self);
        let found = self.goal_reached;
        (self.goal, self.goal_reached) = outer;
        (result, found)
    }

    /// The sum of what plans deliver to it. A goal that was reached cuts searches short, and a run on keys alone looks at no
    /// diagrams, but a sum must be whole.
    pub fn summed(&mut self, run: impl FnOnce(&mut Self) -> Result<(), Fault>) -> Result<Bdd, Fault> {
        let outer = (self.sum, self.goal_reached);
        (self.sum, self.goal_reached) = (Bdd::FALSE, false);
        let graph = self.key_graph.take();
        let result = run(self);
        self.key_graph = graph;
        let sum = self.sum;
        (self.sum, self.goal_reached) = outer;
        result.map(|()| sum)
    }

    /// Runs something while diagrams that no table has are kept alive.
    pub fn holding<T>(
        &mut self,
        diagrams: impl IntoIterator<Item = Bdd>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let held = self.held.len();
        self.held.extend(diagrams);
        let result = run(self);
        self.held.truncate(held);
        result
    }
}
