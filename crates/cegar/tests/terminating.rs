//! Proofs that every run ends, of random programs, against all runs; and claims that somebody made up. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses
//! the programs.

use base::{Gauge, Random, Stop};
use cegar::{Ending, Prover, prove_ending};
use checker::Limits;
use generate::random::seeds;
use integers::enumerate::{Bounds, enumerate};
use integers::random::{Kinds, program, resolved};
use integers::trace::{End, Manner, walk};
use integers::{Action, EdgeId, Expr, FunctionId, Goal, Input, Integers, Op, Place, Program};
use proof::{Claim, Measure, Statement, check, subject};
use std::sync::Arc;

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

/// No run of a program of this size that ends takes so long.
const MANY_STEPS: u64 = 30_000;

fn limits() -> Limits {
    Limits {
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || std::time::Duration::ZERO,
    }
}

fn random_program(random: &mut Random) -> Program {
    let kinds = Kinds { unknowns: random.chance(25), divisions: random.chance(25) };
    program(random, kinds)
}

/// Some run surely, or as good as surely, has no end, whatever is unknown being one of a few numbers.
fn goes_on(program: &Program, random: &mut Random) -> bool {
    let numbers = if program.unknowns.is_empty() { 0..=0 } else { -2..=2 };
    numbers.into_iter().any(|number| {
        let resolved = resolved(program, number);
        enumerate(&resolved, BOUNDS).is_infinite || runs_for_long(&resolved, random)
    })
}

/// A run with numbers beyond those that are enumerated.
fn runs_for_long(program: &Program, random: &mut Random) -> bool {
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: MANY_STEPS };
    (0..8).any(|_| {
        let mut choose = |input: &Input| {
            let (min, max) = (input.ty.min(), input.ty.max());
            Some(min + random.below((max - min + 1) as u64) as i128)
        };
        walk(program, &mut choose, manner, &mut |_| {}) == End::StepLimit
    })
}

#[test]
fn proofs_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let (mut n_claims, mut n_measures, mut n_nested, mut n_abstractions) = (0, 0, 0, 0);
    let (mut n_infinite, mut n_open) = (0, 0);
    let (mut n_refused, mut n_changed) = (0, 0);
    for seed in seeds(0..120) {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let is_infinite = goes_on(&program, &mut random);
        let told = |what: &str| format!("GETAFIX_SEED={seed}: {what}\n{}", integers::show(&program));
        match prove_ending(&program, None, 2, &mut prover) {
            Ok(Ending::Claimed(claim)) => {
                assert!(!is_infinite, "{}", told("it was claimed that every run ends"));
                let Statement::Terminating(measures) = &claim.statement else {
                    panic!("{}", told("a claim"))
                };
                n_claims += usize::from(!measures.is_empty());
                n_measures += measures.len();
                n_nested +=
                    measures.iter().filter(|measure| matches!(measure, Measure::Calls { .. })).count();
                without_the_last(&program, &claim, &mut prover);
                if measures.is_empty() {
                    continue;
                }
                let (refused, changed) = of_other_programs(&program, &claim, &mut random, &mut prover, seed);
                n_refused += refused;
                n_changed += changed;
            }
            Ok(Ending::Abstraction) => {
                assert!(!is_infinite, "{}", told("an abstraction has no infinite run"));
                n_abstractions += 1;
            }
            Err(_) if is_infinite => n_infinite += 1,
            Err(_) => n_open += 1,
        }
    }
    eprintln!(
        "{n_claims} claims with {n_measures} measures, {n_nested} of calls; {n_abstractions} by abstractions, {n_infinite} infinite, {n_open} open; \
         of {n_changed} changed programs {n_refused} refused"
    );
    if std::env::var("GETAFIX_SEED").is_err() {
        assert!(n_claims >= 10 && n_nested >= 1 && n_abstractions >= 1 && n_infinite >= 10);
        assert!(n_refused >= 20 && n_changed > n_refused);
    }
}

/// Each measure was found for a cycle that those before it leave.
fn without_the_last(program: &Program, claim: &Claim, prover: &mut Prover) {
    let mut less = claim.clone();
    let Statement::Terminating(measures) = &mut less.statement else { unreachable!("it says that runs end") };
    if measures.pop().is_some() {
        check(program, &less, &mut prover.solver).expect_err("a cycle is left");
    }
}

/// The same claim about programs that differ in a number or two: how many are refused, of how many. What is accepted is right.
fn of_other_programs(
    program: &Program,
    claim: &Claim,
    random: &mut Random,
    prover: &mut Prover,
    seed: u64,
) -> (usize, usize) {
    let (mut n_refused, n_changed) = (0, 6);
    for _ in 0..n_changed {
        let other = changed(program, random);
        // The points are others if another constant makes straight lines of what was a branch.
        match check(&other, claim, &mut prover.solver) {
            Err(_) => n_refused += 1,
            Ok(_) => assert!(
                !goes_on(&other, random),
                "GETAFIX_SEED={seed}: a claim was accepted\n{}",
                integers::show(&other)
            ),
        }
    }
    (n_refused, n_changed)
}

/// A program with another number, sign or comparison somewhere.
fn changed(program: &Program, random: &mut Random) -> Program {
    let mut other = program.clone();
    let steps = other.functions.iter_mut().flat_map(|function| &mut function.edges);
    let mut steps: Vec<&mut integers::Step> = steps
        .filter_map(|edge| match &mut edge.action {
            Action::Step(step) => Some(step),
            Action::Call { .. } => None,
        })
        .collect();
    for _ in 0..1 + random.index(2) {
        let n = random.index(steps.len());
        let by = random.below(5) as i128 - 2;
        let change = |op: Op| match op {
            Op::Constant(number) => Op::Constant(number + by),
            Op::Add if by > 0 => Op::Subtract,
            Op::Subtract if by > 0 => Op::Add,
            op => op,
        };
        let step = &mut *steps[n];
        step.updates.iter_mut().for_each(|(_, value)| *value = value.relabelled(change));
    }
    other
}

#[test]
fn claims_that_are_made_up() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let (mut n_accepted, mut n_refused) = (0, 0);
    for seed in seeds(0..60) {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let is_infinite = goes_on(&program, &mut random);
        for _ in 0..12 {
            let claim = made_up(&program, &mut random);
            match check(&program, &claim, &mut prover.solver) {
                Err(_) => n_refused += 1,
                Ok(_) => {
                    assert!(!is_infinite, "GETAFIX_SEED={seed}: {claim:?}\n{}", integers::show(&program));
                    n_accepted += 1;
                }
            }
        }
    }
    eprintln!("{n_accepted} accepted, {n_refused} refused");
    if std::env::var("GETAFIX_SEED").is_err() {
        assert!(n_accepted >= 20 && n_refused >= 200);
    }
}

/// Everything is possible everywhere, and any terms decrease anywhere: small ones, in a function after the other, until each edge has been served.
fn made_up(program: &Program, random: &mut Random) -> Claim {
    let subject = subject(program, &Statement::Terminating(Vec::new()));
    let program = &subject.program;
    let mut measures = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(f);
        let mut edges: Vec<EdgeId> = (0..function.edges.len()).map(EdgeId::new).collect();
        while !edges.is_empty() && measures.len() < 12 {
            let (served, rest) = edges.into_iter().partition(|_| random.chance(70));
            let places = (0..function.locals.len() as u32).map(Place::Local).chain([Place::Global(0)]);
            let term = term(&places.collect::<Vec<_>>(), random);
            measures.push(Measure::Steps { function: id, term, edges: served });
            edges = rest;
        }
    }
    let mut calls = Vec::new();
    let mut terms = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(f);
        let is_call = |n: &usize| matches!(function.edges[*n].action, Action::Call { .. });
        calls.extend((0..function.edges.len()).filter(is_call).map(|n| (id, EdgeId::new(n))));
        let ghosts: Vec<Place> = subject.ghosts[f].iter().map(|ghost| Place::Local(ghost.local)).collect();
        terms.push((id, if ghosts.is_empty() { Expr::constant(f as i128) } else { term(&ghosts, random) }));
    }
    measures.push(Measure::Calls { terms, edges: calls });
    let everywhere = |function: &integers::Function| vec![Expr::truth(true); function.nodes.len()];
    let formulas = program.functions.iter().map(everywhere).collect();
    Claim { statement: Statement::Terminating(measures), formulas }
}

fn term(places: &[Place], random: &mut Random) -> Expr {
    let place = Expr::read(*random.pick(places));
    let term = if random.chance(50) { place } else { place.unary(Op::Negate) };
    term.binary(Op::Add, Expr::constant(random.below(8) as i128))
}
