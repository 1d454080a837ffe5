//! Models of Horn clauses as claims.
//!
//! Input: what the solver's `get-model` says about the predicates of a program's points. Output: a formula for each point. A definition that
//! cannot be said as a formula over the point's variables, because it has quantifiers or is not about integers, makes the model none; a predicate that is not defined is
//! true, which the check of the claim may not like.

mod translate;

use base::Stop;
use integers::clauses::{Clauses, Symbol};
use integers::ghosts::Ghosted;
use integers::{Expr, Program};
use proof::{Claim, Figures, Refused, Statement, subject};
use rustc_hash::FxHashMap;
use smt::sexpr::Sexpr;
use smt::{Horn, Manner, Solution, Solver, Why};
use std::path::Path;
use translate::{Definition, translate};

/// A search for a claim, in a process of its own.
pub struct Search {
    horn: Horn,
    statement: Statement,
    subject: Ghosted,
    symbols: Vec<Symbol>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Something to check.
    Claim(Claim),
    /// There is none: some run reaches a target, unless it needs a value for something unknown.
    Refuted,
    /// Nothing.
    Nothing(Why),
}

impl Search {
    /// Starts to look for a claim about a program. For [`Statement::Unreachable`] its targets are those that are not to be reached.
    pub fn start(solver: &Path, program: &Program, statement: Statement, manner: Manner) -> Self {
        let subject = subject(program, &statement);
        let Clauses { script, symbols } = Clauses::new(&subject);
        Self { horn: Horn::start(solver, &script, manner), statement, subject, symbols }
    }

    /// What was found, if the search is over.
    pub fn poll(&mut self) -> Option<Found> {
        let solution = self.horn.poll()?.clone();
        Some(self.found(&solution))
    }

    /// Waits until the search is over, or a stop is requested.
    pub fn wait(&mut self, stop: &Stop) -> Found {
        let solution = self.horn.wait(stop).clone();
        self.found(&solution)
    }

    fn found(&self, solution: &Solution) -> Found {
        match solution {
            Solution::Unsat => Found::Refuted,
            Solution::Unknown(why) => Found::Nothing(why.clone()),
            Solution::Sat(model) => {
                match claim(model, &self.symbols, &self.subject, self.statement.clone()) {
                    Some(claim) => Found::Claim(claim),
                    None => Found::Nothing(Why::Failed("its model is no claim".to_owned())),
                }
            }
        }
    }
}

/// The claim that a model makes.
pub fn claim(model: &[Sexpr], symbols: &[Symbol], subject: &Ghosted, statement: Statement) -> Option<Claim> {
    let definitions: FxHashMap<&str, Definition> =
        model.iter().filter_map(Definition::new).map(|definition| (definition.name, definition)).collect();
    let mut claim = Claim::nowhere(statement, subject);
    for Symbol { name, function, node, arguments } in symbols {
        let name = name.trim_matches('|');
        let formula = match definitions.get(name) {
            Some(definition) => translate(definition, arguments)?,
            None => Expr::truth(true),
        };
        claim.formulas[function.index()][node.index()] = formula;
    }
    Some(claim)
}

/// Looks for a claim and checks it, one manner after the other.
pub fn proved(
    solver: &Path,
    program: &Program,
    statement: &Statement,
    manners: &[Manner],
    checker: &mut dyn Solver,
    stop: &Stop,
) -> Result<(Claim, Figures), Vec<Failure>> {
    let mut failures = Vec::new();
    for &manner in manners {
        match Search::start(solver, program, statement.clone(), manner).wait(stop) {
            Found::Claim(claim) => match proof::check(program, &claim, checker) {
                Ok(figures) => return Ok((claim, figures)),
                Err(refused) => failures.push(Failure::Refused(refused)),
            },
            Found::Refuted => failures.push(Failure::Refuted),
            Found::Nothing(why) => failures.push(Failure::Nothing(why)),
        }
    }
    Err(failures)
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A claim was found, and it is no proof.
    Refused(Refused),
    /// There is none.
    Refuted,
    /// None was found.
    Nothing(Why),
}
