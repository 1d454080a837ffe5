//! Proofs that no target is reached: an abstraction that reaches none says what holds where, and that is checked as a claim.

use crate::analysis::Analysis;
use crate::candidates::{Candidate, changes, preconditions, remainders, renamings};
use crate::invariants::{Detail, invariants};
use crate::task::Task;
use abstraction::{Cache, Predicates};
use base::StopReason;
use checker::{Limits, ProofFigures, Unknown};
use integers::cells::has_memory;
use integers::ghosts::Ghosted;
use integers::{Parametrised, Program};
use proof::{Claim, Types, subject};
use refine::Feasible;
use refine::interpolants::{Explained, explain};
use refine::invariants::{Found, Search};
use smt::{Manner, Pipe, Settings, Share, Solver, Why};
use std::path::PathBuf;
use std::time::Duration;

/// What became of an attempt.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No target is reached: a claim that has been checked.
    Claimed(Box<Claim>),
    /// The abstraction does not tell.
    Open,
    /// There is none: with these inputs, one after the other, the run reaches a target.
    Run(Vec<i128>),
    /// There is none: the solver's engine says that some run reaches a target.
    Refuted,
    /// The same, but it may depend on what is not represented.
    Depends,
    /// Nobody knows.
    Unknown(Unknown),
}

/// How much work the solver may do for one question of an abstraction.
const QUICK: u64 = 200_000;

/// How long it may be silent: where it does not count its work, as in some questions with quantifiers, it is started anew.
const PATIENCE: Duration = Duration::from_secs(3);

/// Longer paths are not explained.
const LONGEST_EXPLAINED: usize = 400;

/// More predicates of one function are not tried together.
const MOST_PREDICATES: usize = 40;

/// How much work the solver's engine for clauses may do, one attempt after the other; both manners of it are waited for, so that the same proof is
/// found each time.
pub(crate) const EFFORTS: [u64; 3] = [3_000_000, 20_000_000, 80_000_000];

/// Looks for proofs with an SMT solver.
pub struct Prover<'a> {
    /// The solver's program.
    pub path: PathBuf,
    /// The solver, for claims and runs.
    pub solver: Pipe,
    /// The same for abstractions, which ask much and can do without a single answer.
    pub quick: Pipe,
    /// What may be used up.
    pub limits: &'a Limits,
    /// The answers of the solver.
    pub cache: Cache,
    /// What was done.
    pub work: ProofFigures,
}

impl<'a> Prover<'a> {
    /// With a solver.
    pub fn new(path: PathBuf, limits: &'a Limits) -> Self {
        let share = share(limits);
        let solver = Pipe::with(&path, limits.stop.clone(), share.of_pipe());
        let settings = Settings { effort: QUICK, patience: PATIENCE, ..share.of_pipe() };
        let quick = Pipe::with(&path, limits.stop.clone(), settings);
        Self { path, solver, quick, limits, cache: Cache::default(), work: ProofFigures::default() }
    }

    pub(crate) fn now(&self) -> Duration {
        (self.limits.clock)()
    }

    /// How often a solver was asked.
    fn n_asked(&self) -> u64 {
        self.solver.n_asked() + self.quick.n_asked()
    }

    /// Abstracts a program.
    pub(crate) fn analysis(
        &mut self,
        ghosted: &Ghosted,
        predicates: &Predicates,
        with_game: bool,
    ) -> Analysis {
        let begun = self.now();
        let analysis = Analysis::new(ghosted, predicates, with_game, &mut self.cache, &mut self.quick);
        self.work.n_rounds += 1;
        self.work.n_predicates = predicates.len();
        self.work.n_inexact = analysis.abstraction.statistics.n_inexact;
        self.work.n_queries = self.n_asked();
        (self.work.n_hits, self.work.n_misses) = (self.cache.n_hits, self.cache.n_misses);
        self.work.abstracting += self.now().saturating_sub(begun);
        let ProofFigures { n_rounds, n_predicates, n_queries, .. } = self.work;
        self.limits.gauge.prove(n_rounds as u32, n_predicates as u32, n_queries as u32);
        analysis
    }

    /// One round: whether an abstraction reaches no target, and the claim that follows.
    pub(crate) fn unreachable(&mut self, task: &Task, predicates: &Predicates) -> Proof {
        let analysis = self.analysis(&task.ghosted, predicates, false);
        let begun = self.now();
        let may = analysis.may_reach(self.limits);
        self.work.evaluating += self.now().saturating_sub(begun);
        let regions = match may {
            Ok((true, _)) => return Proof::Open,
            Ok((false, regions)) => regions,
            Err(unknown) => return Proof::Unknown(unknown),
        };
        let told = |detail| invariants(&task.ghosted, predicates, &analysis.abstraction, &regions, detail);
        let claim = |formulas| task.whole(Claim { statement: task.statement.clone(), formulas });
        // What single predicates say is easier to read, and mostly enough.
        if let Some(formulas) = told(Detail::Predicates)
            && let Proof::Claimed(claim) = self.checked_plainly(&task.program, &claim(formulas))
        {
            return Proof::Claimed(claim);
        }
        let Some(formulas) = told(Detail::All) else {
            return Proof::Unknown(Unknown::because("the invariants of the abstraction are too long"));
        };
        self.checked(&task.program, claim(formulas))
    }

    /// Checks a claim, in few words first.
    pub(crate) fn checked(&mut self, program: &Program, claim: Claim) -> Proof {
        match self.checked_plainly(program, &claim) {
            Proof::Claimed(claim) => Proof::Claimed(claim),
            // What the solver makes of a formula may depend on how it is written.
            _ => self.checked_as_it_is(program, claim),
        }
    }

    fn checked_plainly(&mut self, program: &Program, claim: &Claim) -> Proof {
        let plain = claim.plain(&subject(program, &claim.statement), Types::Told);
        self.checked_as_it_is(program, plain)
    }

    fn checked_as_it_is(&mut self, program: &Program, claim: Claim) -> Proof {
        let begun = self.now();
        let checked = proof::check(program, &claim, &mut self.solver);
        self.work.checking += self.now().saturating_sub(begun);
        self.work.n_queries = self.n_asked();
        match checked {
            Ok(_) => Proof::Claimed(Box::new(claim)),
            Err(_) if self.limits.stop.requested().is_some() => Proof::Unknown(self.stopped()),
            Err(refused) => {
                let name =
                    &program.functions.get(refused.function.index()).map_or("", |function| &function.name);
                let reason = format!("the proof is not confirmed, in `{name}`: {}", refused.reason);
                Proof::Unknown(Unknown::because(reason))
            }
        }
    }

    /// The answer of somebody who was told to stop.
    fn stopped(&self) -> Unknown {
        let reason = self.limits.stop.requested().unwrap_or(StopReason::Interrupt);
        Unknown::Stopped(reason, self.limits.gauge.read())
    }

    /// Looks at the path to a target that the last abstraction has: whether it can be taken, or why not.
    pub(crate) fn followed(&mut self, task: &Task, predicates: &mut Predicates, n_rounds: usize) -> Proof {
        let ghosted = &task.ghosted;
        for round in 0..=n_rounds {
            let analysis = self.analysis(ghosted, predicates, false);
            let Some(path) = analysis.path(self.limits) else { return Proof::Open };
            match refine::feasible(&ghosted.program, &path, &mut self.solver) {
                // What is not known of memory may be in the way of a run.
                Feasible::Yes(_) if has_memory(&task.program) => return Proof::Open,
                Feasible::Yes(inputs) => {
                    return Proof::Run(inputs.into_iter().map(|(_, number)| number).collect());
                }
                Feasible::No if round < n_rounds && path.len() <= LONGEST_EXPLAINED => {}
                Feasible::No | Feasible::Unknown(_) => return Proof::Open,
            }
            let manner = Manner { effort: EFFORTS[0], ..share(self.limits).of_horn() };
            let found = explain(&self.path, ghosted, &path, manner, &self.limits.stop);
            let Explained::Predicates(found) = found else { return Proof::Open };
            if !add(predicates, ghosted, found) {
                return Proof::Open;
            }
            match self.unreachable(task, predicates) {
                Proof::Open => {}
                done => return done,
            }
        }
        Proof::Open
    }

    /// Starts to look for a model of the program's clauses, in two manners; with parameters in the place of numbers, or as they are.
    pub(crate) fn searches(
        &self,
        task: &Task,
        parametrised: Option<&Parametrised>,
        effort: u64,
    ) -> Vec<Search> {
        let start = |global| {
            let manner = Manner { global, effort, ..share(self.limits).of_horn() };
            let (subject, statement) = (task.ghosted.clone(), task.statement.clone());
            match parametrised {
                Some(parametrised) => {
                    Search::parametrised(&self.path, subject, parametrised.clone(), statement, manner)
                }
                None => Search::about(&self.path, subject, statement, manner),
            }
        };
        [true, false].map(start).into()
    }

    /// What became of a search. A claim that is refused is good for ideas.
    pub(crate) fn found(&mut self, task: &Task, search: &mut Search, predicates: &mut Predicates) -> Proof {
        let begun = self.now();
        let found = search.wait(&self.limits.stop);
        self.work.waiting += self.now().saturating_sub(begun);
        match found {
            Found::Claim(claim) => {
                let ideas = refine::atoms(&claim);
                match self.checked(&task.program, task.whole(claim)) {
                    Proof::Claimed(claim) => Proof::Claimed(claim),
                    _ if add(predicates, &task.ghosted, ideas) => self.unreachable(task, predicates),
                    refused => refused,
                }
            }
            Found::Refuted if task.ghosted.program.unknowns.is_empty() => Proof::Refuted,
            Found::Refuted => Proof::Depends,
            Found::Nothing(Why::Stopped) => Proof::Unknown(self.stopped()),
            Found::Nothing(why) => Proof::Unknown(Unknown::because(why.to_string())),
        }
    }

    /// A round with more predicates from the program.
    pub(crate) fn refined(&mut self, task: &Task, predicates: &mut Predicates, round: usize) -> Proof {
        let ghosted = &task.ghosted;
        let mut candidates = preconditions(ghosted, predicates);
        candidates.extend(renamings(ghosted, predicates));
        if round > 0 {
            candidates.extend(remainders(ghosted));
            candidates.extend(changes(ghosted, predicates));
        }
        if !add(predicates, ghosted, candidates) {
            return Proof::Open;
        }
        self.unreachable(task, predicates)
    }
}

/// What solvers may take.
pub(crate) fn share(limits: &Limits) -> Share {
    Share { memory: limits.memory, time: limits.time_left() }
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
