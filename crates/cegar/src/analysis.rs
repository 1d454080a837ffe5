//! The three questions about an abstraction: may a target be reached, must one be, is there surely an infinite run.

use abstraction::{Abstraction, Cache, Predicates};
use checker::abstracted::{Inquiry, Region};
use checker::{Formula, Limits, Unknown};
use integers::ghosts::Ghosted;
use integers::{FunctionId, NodeId, Role};
use rsm::{Game, Goal, ModuleId};
use smt::Solver;
use std::sync::Arc;

/// An abstraction that is asked.
pub struct Analysis {
    /// The abstraction.
    pub abstraction: Abstraction,
    game: Arc<Game>,
    goals: Vec<Goal>,
}

impl Analysis {
    /// Abstracts a program whose targets are all that is looked for.
    pub fn new(
        ghosted: &Ghosted,
        predicates: &Predicates,
        with_game: bool,
        cache: &mut Cache,
        solver: &mut dyn Solver,
    ) -> Self {
        let abstraction = abstraction::abstraction(ghosted, predicates, with_game, cache, solver);
        let game = Arc::new(abstraction.game.clone());
        let mut goals = Vec::new();
        for (f, function) in ghosted.program.functions.iter().enumerate() {
            for (n, node) in function.nodes.iter().enumerate() {
                if let Role::Target(_) = node.role
                    && let Some(node) = abstraction.node(FunctionId::new(f), NodeId::new(n))
                {
                    goals.push(Goal::At(ModuleId::new(f), node));
                }
            }
        }
        Self { abstraction, game, goals }
    }

    /// Whether a target may be reached, and where runs may be.
    pub fn may_reach(&self, limits: &Limits) -> Result<(bool, Vec<Region>), Unknown> {
        self.inquiry(&shipped("summary"), limits).regions()
    }

    /// Whether a target is reached for sure.
    pub fn must_reach(&self, limits: &Limits) -> Result<bool, Unknown> {
        self.inquiry(&shipped("u_ef"), limits).is_true()
    }

    /// Whether there is an infinite run for sure, and where it may be.
    pub fn runs_for_ever(&self, limits: &Limits) -> Result<(bool, Vec<Region>), Unknown> {
        self.inquiry(&shipped("u_eg"), limits).regions()
    }

    fn inquiry<'a>(&'a self, formula: &'a Formula, limits: &'a Limits) -> Inquiry<'a> {
        Inquiry { rsm: &self.abstraction.rsm, game: Some(&self.game), goals: &self.goals, formula, limits }
    }
}

/// A formula that comes with the program.
fn shipped(name: &str) -> Formula {
    Formula::shipped(name).expect("the formula comes with the program")
}
