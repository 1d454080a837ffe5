//! The three questions about an abstraction: may a target be reached, must one be, is there surely an infinite run.

use abstraction::{Abstraction, Back, Cache, Predicates};
use base::Sources;
use checker::abstraction::{Inquiry, Region};
use checker::{Formula, Limits, Options, Target, TraceReport, Unknown};
use integers::ghosts::Ghosted;
use integers::trace::Event;
use integers::{FunctionId, NodeId, Role};
use rsm::trace::Visit;
use rsm::{Game, Goal, ModuleId, Rsm};
use smt::Solver;
use std::sync::Arc;

/// Longer paths are not looked at.
const LONGEST_PATH: u128 = 50_000;

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

    /// Where the targets are.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
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

    /// Whether there may be an infinite run.
    pub fn may_run_for_ever(&self, limits: &Limits) -> Result<bool, Unknown> {
        self.inquiry(&shipped("non_termination"), limits).is_true()
    }

    /// A path of the program to a target that the abstraction has, if it can be written down.
    pub fn path(&self, limits: &Limits) -> Option<Vec<Event>> {
        path(&self.abstraction.rsm, &self.abstraction.back, &self.goals, limits)
    }

    fn inquiry<'a>(&'a self, formula: &'a Formula, limits: &'a Limits) -> Inquiry<'a> {
        Inquiry { rsm: &self.abstraction.rsm, game: Some(&self.game), goals: &self.goals, formula, limits }
    }
}

/// A path of a program to a target that a machine made of it has, if it can be written down.
pub(crate) fn path(machine: &Rsm, back: &[Vec<Back>], goals: &[Goal], limits: &Limits) -> Option<Vec<Event>> {
    let Limits { memory, stop, gauge, clock, .. } = limits.clone();
    let options = Options { trace: true, memory, stop, gauge, clock, ..Options::default() };
    let targets = [Target::new("target", goals.iter().copied())];
    let report = Formula::default().with_file(&[], &[], |file| {
        checker::check(machine, &targets, file, &options, &mut Sources::default())
    });
    let TraceReport::Replayed(trace) = report.ok()?.trace else { return None };
    if trace.n_steps() > LONGEST_PATH {
        return None;
    }
    let event = |visit: Visit| match back[visit.module.index()][visit.edge.index()] {
        Back::Step(edge) | Back::Call(edge) => Some(Event::Taken(edge)),
        Back::Return => Some(Event::Returned),
        Back::Start | Back::Enter(_) | Back::Leave(_) => None,
    };
    Some(trace.walk(machine).filter_map(event).collect())
}

/// A formula that comes with the program.
pub(crate) fn shipped(name: &str) -> Formula {
    Formula::shipped(name).expect("the formula comes with the program")
}
