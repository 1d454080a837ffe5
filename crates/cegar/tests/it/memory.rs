//! What is proved of random programs with memory, against all runs with objects; claims are validated, and mutated ones are not. `GETAFIX_SEED=17` or
//! `GETAFIX_SEED=0..1000` chooses the programs.

use base::{Gauge, Random, Stop};
use cegar::{Attempt, Proof, Prover};
use checker::Limits;
use integers::Expr;
use integers::cells::Choice;
use integers::enumerate::{Bounds, enumerate};
use integers::random::memory::{SHAPES, program};
use proof::Statement;
use std::sync::Arc;
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

fn limits() -> Limits {
    Limits {
        memory: None,
        end: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || std::time::Duration::ZERO,
    }
}

#[test]
fn proofs_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let mut counts = Counts::default();
    for seed in seeds(0..24) {
        let mut random = Random::new(seed);
        let program = program(&mut random, SHAPES[seed as usize % SHAPES.len()]);
        let runs = enumerate(&program, BOUNDS);
        let mut attempt = Attempt::new(program.clone(), Statement::Unreachable, None);
        let Proof::Claimed(claim) = attempt.advance(1, &mut prover).clone() else {
            counts.count("open");
            continue;
        };
        assert!(!runs.reaches, "GETAFIX_SEED={seed}: proved, but reached\n{}", integers::show(&program));
        counts.count("proved");
        let check = |claim: &proof::Claim, prover: &mut Prover| {
            proof::check(&program, claim, &mut prover.solver).is_ok()
        };
        assert!(check(&claim, &mut prover), "GETAFIX_SEED={seed}");
        // A claim about other cells is one about another program, and is no proof by accident only.
        let none = Choice::default();
        if proof::check_with(&program, &none, &claim, &mut prover.solver).is_ok() {
            counts.count("proved without cells");
        }
        let mut mutated = claim.clone();
        let formulas = mutated.formulas.iter_mut().flatten();
        for formula in formulas.filter(|formula| formula.as_truth().is_none()) {
            *formula = Expr::truth(false);
            counts.count("mutated");
        }
        if mutated != *claim && !check(&mutated, &mut prover) {
            counts.count("mutated and refused");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("proved", 4), ("open", 4)]);
    }
}
