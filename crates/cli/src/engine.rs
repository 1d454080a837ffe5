//! The two ways to evaluate a system behind one face: the planned solver and the textbook twin.
//!
//! Contract: both give the same answers to the same questions; what only the solver can do is reached through
//! [`Engine::solver`].

use base::{Reading, Stop};
use calculus::listing::{self, Listing};
use calculus::naive::{self, Naive};
use calculus::system::{BinderId, FormulaId, RelationId, System};
use solver::{Columns, Halt, Shown, Solver, Valuation};

/// An evaluation of one system.
pub enum Engine<'s> {
    /// Tables of decision diagrams.
    Solver(Box<Solver<'s>>),
    /// Plain sets of tuples.
    Twin(Twin<'s>),
}

/// The textbook evaluation, with what it takes to start it afresh.
pub struct Twin<'s> {
    system: &'s System,
    stop: Stop,
    naive: Naive<'s>,
}

impl<'s> Twin<'s> {
    /// An evaluation in which nothing is known yet.
    pub fn new(system: &'s System, stop: Stop) -> Self {
        Self { system, naive: Naive::new(system, stop.clone()), stop }
    }

    fn halt(&self, halt: naive::Halt) -> Halt {
        match halt {
            naive::Halt::Stopped(reason) => Halt::Stopped(reason, Reading::default()),
            naive::Halt::NotStabilising { relation, first, again } => {
                Halt::NotStabilising { relation: self.system.relation(relation).name.clone(), first, again }
            }
            naive::Halt::TooLarge { what, size } => Halt::TooLarge { what, size },
        }
    }
}

impl<'s> Engine<'s> {
    /// The solver, if this is the solver.
    pub fn solver(&mut self) -> Option<&mut Solver<'s>> {
        match self {
            Engine::Solver(solver) => Some(solver),
            Engine::Twin(_) => None,
        }
    }

    /// The truth value of a closed formula.
    pub fn query(&mut self, formula: FormulaId) -> Result<bool, Halt> {
        match self {
            Engine::Solver(solver) => solver.query(formula),
            Engine::Twin(twin) => twin.naive.holds(formula).map_err(|halt| twin.halt(halt)),
        }
    }

    /// The number of tuples of a relation, in decimal.
    pub fn count(&mut self, relation: RelationId) -> Result<String, Halt> {
        match self {
            Engine::Solver(solver) => Ok(solver.count(relation)?.to_string()),
            Engine::Twin(twin) => {
                let tuples = twin.naive.relation(relation).map_err(|halt| twin.halt(halt))?;
                Ok(tuples.len().to_string())
            }
        }
    }

    /// The first rows of a list of a relation's tuples, column by column.
    pub fn list(&mut self, relation: RelationId, most: usize) -> Result<Listing, Halt> {
        match self {
            Engine::Solver(solver) => {
                solver.list(relation, most, &mut |at, _| vec![Columns { at: vec![at], shown: Shown::Value }])
            }
            Engine::Twin(twin) => {
                let tuples = twin.naive.relation(relation).map_err(|halt| twin.halt(halt))?;
                Ok(listing::list(twin.system, relation, &tuples, most))
            }
        }
    }

    /// A valuation of the binders that makes the formula `wanted`.
    pub fn witness(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Valuation>, Halt> {
        match self {
            Engine::Solver(solver) => solver.witness(binders, formula, wanted),
            Engine::Twin(twin) => {
                let system = twin.system;
                let found = twin.naive.witness(binders, formula, wanted).map_err(|halt| twin.halt(halt))?;
                let named = |(var, value)| (system.var_name(var), system.sort_of(var).value_name(value));
                Ok(found.map(|values| values.into_iter().map(named).collect()))
            }
        }
    }

    /// Forgets the value of a relation and of everything that uses it.
    pub fn reset(&mut self, relation: RelationId) {
        match self {
            Engine::Solver(solver) => solver.reset(relation),
            Engine::Twin(_) => self.reset_all(),
        }
    }

    /// Forgets all values.
    pub fn reset_all(&mut self) {
        match self {
            Engine::Solver(solver) => solver.reset_all(),
            Engine::Twin(twin) => twin.naive = Naive::new(twin.system, twin.stop.clone()),
        }
    }
}
