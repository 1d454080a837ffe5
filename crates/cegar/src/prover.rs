//! Proofs that no target is reached: an abstraction that reaches none says what holds where, and that is checked as a claim.

use crate::analysis::Analysis;
use crate::candidates::{Candidate, preconditions, renamings};
use crate::invariants::invariants;
use abstraction::{Cache, Predicates};
use checker::{Limits, Unknown};
use integers::Program;
use integers::ghosts::Ghosted;
use proof::{Claim, Statement, subject};
use smt::{Pipe, Solver};
use std::path::PathBuf;

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Abstractions that were asked.
    pub n_rounds: usize,
    /// The predicates of the last one.
    pub n_predicates: usize,
    /// Questions to the solver.
    pub n_queries: u64,
    /// Of the questions about factors those that had been answered before.
    pub n_hits: u64,
    /// And those that had not.
    pub n_misses: u64,
    /// Edges of the last abstraction of which less is known than could be.
    pub n_inexact: usize,
}

/// What became of an attempt.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No target is reached: a claim that has been checked.
    Claimed(Box<Claim>),
    /// The abstraction does not tell.
    Open,
    /// Nobody knows.
    Unknown(Unknown),
}

/// More predicates of one function are not tried together.
const MOST_PREDICATES: usize = 40;

/// Looks for proofs with an SMT solver.
pub struct Prover<'a> {
    /// The solver's program.
    pub path: PathBuf,
    /// The solver.
    pub solver: Pipe,
    /// What may be used up.
    pub limits: &'a Limits,
    /// The answers of the solver.
    pub cache: Cache,
    /// What was done.
    pub work: Work,
}

impl<'a> Prover<'a> {
    /// With a solver.
    pub fn new(path: PathBuf, limits: &'a Limits) -> Self {
        let solver = Pipe::new(&path, limits.stop.clone());
        Self { path, solver, limits, cache: Cache::default(), work: Work::default() }
    }

    /// Abstracts a program.
    pub(crate) fn analysis(
        &mut self,
        ghosted: &Ghosted,
        predicates: &Predicates,
        with_game: bool,
    ) -> Analysis {
        let analysis = Analysis::new(ghosted, predicates, with_game, &mut self.cache, &mut self.solver);
        self.work.n_rounds += 1;
        self.work.n_predicates = predicates.len();
        self.work.n_inexact = analysis.abstraction.statistics.n_inexact;
        self.work.n_queries = self.solver.n_asked();
        (self.work.n_hits, self.work.n_misses) = (self.cache.n_hits, self.cache.n_misses);
        analysis
    }

    /// One round: whether an abstraction reaches no target, and the claim that follows.
    pub(crate) fn unreachable(
        &mut self,
        program: &Program,
        statement: &Statement,
        ghosted: &Ghosted,
        predicates: &Predicates,
    ) -> Proof {
        let analysis = self.analysis(ghosted, predicates, false);
        let regions = match analysis.may_reach(self.limits) {
            Ok((true, _)) => return Proof::Open,
            Ok((false, regions)) => regions,
            Err(unknown) => return Proof::Unknown(unknown),
        };
        let Some(formulas) = invariants(ghosted, predicates, &analysis.abstraction, &regions) else {
            return Proof::Unknown(Unknown::because("the invariants of the abstraction are too long"));
        };
        self.checked(program, Claim { statement: statement.clone(), formulas })
    }

    /// Checks a claim.
    pub(crate) fn checked(&mut self, program: &Program, claim: Claim) -> Proof {
        let checked = proof::check(program, &claim, &mut self.solver);
        self.work.n_queries = self.solver.n_asked();
        match checked {
            Ok(_) => Proof::Claimed(Box::new(claim)),
            Err(refused) => {
                let name =
                    &program.functions.get(refused.function.index()).map_or("", |function| &function.name);
                let reason = format!("the proof is not confirmed, in `{name}`: {}", refused.reason);
                Proof::Unknown(Unknown::because(reason))
            }
        }
    }

    /// Rounds of guards, preconditions and renamings, or the predicates that somebody has given.
    pub(crate) fn rounds(
        &mut self,
        program: &Program,
        statement: &Statement,
        given: Option<&[Candidate]>,
        n_rounds: usize,
    ) -> (Proof, Predicates) {
        let ghosted = subject(program, statement);
        let mut predicates = match given {
            Some(given) => {
                let mut predicates = Predicates::new(&ghosted);
                add(&mut predicates, &ghosted, given.to_vec());
                predicates
            }
            None => Predicates::of_guards(&ghosted),
        };
        let mut proof = self.unreachable(program, statement, &ghosted, &predicates);
        for _ in 1..n_rounds {
            if !matches!(proof, Proof::Open) || given.is_some() {
                break;
            }
            let mut candidates = preconditions(&ghosted, &predicates);
            candidates.extend(renamings(&ghosted, &predicates));
            if !add(&mut predicates, &ghosted, candidates) {
                break;
            }
            proof = self.unreachable(program, statement, &ghosted, &predicates);
        }
        (proof, predicates)
    }
}

/// Adds candidates; whether there was a new one. A function that has many takes no more.
pub(crate) fn add(predicates: &mut Predicates, ghosted: &Ghosted, candidates: Vec<Candidate>) -> bool {
    let mut is_new = false;
    for (function, formula) in candidates {
        if predicates.of(function).len() < MOST_PREDICATES {
            is_new |= predicates.add(ghosted, function, &formula);
        }
    }
    is_new
}
