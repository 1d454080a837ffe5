//! Models of Horn clauses as claims.
//!
//! Input: what the solver's `get-model` says about the predicates of a program's points. Output: a formula for each point. A definition that
//! cannot be said as a formula over the point's variables, because it has quantifiers or is not about integers, makes the model none; a predicate that is not defined is
//! true, which the check of the claim may not like.

mod translate;

use base::Stop;
use integers::clauses::{Clauses, Symbol};
use integers::ghosts::Ghosted;
use integers::{Expr, Parametrised, Program};
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
    /// The program with parameters that is asked about in its place.
    parametrised: Option<Parametrised>,
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
        Self::about(solver, subject(program, &statement), statement, manner)
    }

    /// Starts to look for a claim about a program as it is: neither composed nor changed.
    pub fn about(solver: &Path, subject: Ghosted, statement: Statement, manner: Manner) -> Self {
        let Clauses { script, symbols } = Clauses::new(&subject);
        let horn = Horn::start(solver, &script, manner);
        Self { horn, statement, subject, symbols, parametrised: None }
    }

    /// Starts to look for a claim that holds whatever some large numbers of the program are. Where there is none, there may be one all the same.
    pub fn parametrised(
        solver: &Path,
        subject: Ghosted,
        parametrised: Parametrised,
        statement: Statement,
        manner: Manner,
    ) -> Self {
        let Clauses { script, symbols } = Clauses::assuming(&parametrised.ghosted, &parametrised.assumed);
        let horn = Horn::start(solver, &script, manner);
        Self { horn, statement, subject, symbols, parametrised: Some(parametrised) }
    }

    /// The program that the claim is about.
    pub fn subject(&self) -> &Ghosted {
        &self.subject
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
        let model = match solution {
            Solution::Unsat if self.parametrised.is_some() => return Found::Nothing(Why::GaveUp),
            Solution::Unsat => return Found::Refuted,
            Solution::Unknown(why) => return Found::Nothing(why.clone()),
            Solution::Sat(model) => model,
        };
        let Some(mut claim) = claim(model, &self.symbols, &self.subject, self.statement.clone()) else {
            return Found::Nothing(Why::Failed("its model is no claim".to_owned()));
        };
        if let Some(parametrised) = &self.parametrised {
            for formula in claim.formulas.iter_mut().flatten() {
                *formula = parametrised.with_numbers(formula);
            }
        }
        Found::Claim(claim)
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
