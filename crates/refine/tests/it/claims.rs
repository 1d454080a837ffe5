//! Claims that the engine for Horn clauses finds, on random programs: they pass the check, and hold in every run. Wrong ones do not pass.

use crate::harness::{holds, program, walk};
use base::{Random, Sources, Stop};
use generate::random::seeds;
use integers::ghosts::Ghosted;
use integers::{Expr, Op, Program, Relation};
use proof::{Claim, Draft, Header, Reason, Statement, check, subject, write};
use refine::invariants::{Found, Search};
use smt::{Manner, Pipe, Solver};
use std::path::PathBuf;

fn z3() -> PathBuf {
    smt::find(None).unwrap_or_else(|missing| panic!("{missing}"))
}

const MANNER: Manner =
    Manner { global: false, effort: 200_000, seconds: 100, memory: 1000, begins: smt::Begins::AtOnce };

/// Whether the claim holds wherever some random runs come, and no run reaches a target.
fn holds_in_runs(subject: &Ghosted, claim: &Claim, seed: u64) -> bool {
    let mut is_right = true;
    for n in 0..20 {
        let mut random = Random::new(seed * 1000 + n);
        walk(subject, &mut random, 200, &mut |function, node, at| {
            let is_target = subject.program.target_at(function, node).is_some();
            is_right &= !is_target && holds(claim.at(function, node), at);
        });
    }
    is_right
}

fn reaches_target(subject: &Ghosted, seed: u64) -> bool {
    let mut is_reached = false;
    for n in 0..200 {
        let mut random = Random::new(seed * 1000 + n);
        walk(subject, &mut random, 200, &mut |function, node, _| {
            is_reached |= subject.program.target_at(function, node).is_some();
        });
    }
    is_reached
}

#[derive(Default, Debug)]
struct Counts {
    claims: u32,
    refuted: u32,
    reached: u32,
    mutated: u32,
    refused: u32,
    not_confirmed: u32,
}

#[test]
fn found_claims_are_proofs_and_mutated_ones_are_none() {
    let (z3, mut counts) = (z3(), Counts::default());
    let mut pipe = Pipe::new(&z3, Stop::default());
    for seed in seeds(0..14) {
        let (text, program) = program(seed);
        let subject = subject(&program, &Statement::Unreachable);
        let found = Search::start(&z3, &program, Statement::Unreachable, MANNER).wait(&Stop::default());
        let is_reached = reaches_target(&subject, seed);
        counts.reached += u32::from(is_reached);
        match found {
            Found::Refuted => counts.refuted += 1,
            Found::Nothing(_) => {}
            Found::Claim(claim) => {
                assert!(!is_reached, "GETAFIX_SEED={seed}: a claim about what can be reached\n{text}");
                counts.claims += 1;
                let checked = check(&program, &claim, &mut pipe);
                assert!(checked.is_ok(), "GETAFIX_SEED={seed}: {checked:?}\n{text}");
                assert!(
                    holds_in_runs(&subject, &claim, seed),
                    "GETAFIX_SEED={seed}: it does not hold\n{text}"
                );
                round_trip(&subject, &claim, seed);
                mutations(&program, &subject, &claim, seed, &mut pipe, &mut counts);
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.claims > 0 && counts.refused * 3 > counts.mutated, "{counts:?}");
}

/// What is written is read as the same.
fn round_trip(subject: &Ghosted, claim: &Claim, seed: u64) {
    let header = Header {
        cells: Vec::new(),
        integers: "math".to_owned(),
        targets: vec!["reach_error".to_owned()],
        statement: Statement::Unreachable,
    };
    let mut program = Sources::default();
    program.add("random.c", "");
    let text = write(&header, claim, subject, &program);
    let mut sources = Sources::default();
    let file = sources.add("claim", text.clone());
    let read = || {
        let draft = Draft::read(&sources, file)?;
        assert!(draft.is_about(subject) && draft.header == header, "GETAFIX_SEED={seed}: {text}");
        draft.finish(subject)
    };
    let again =
        read().unwrap_or_else(|error| panic!("GETAFIX_SEED={seed}: {}", base::render(&sources, &error)));
    assert_eq!(write(&header, &again, subject, &program), text, "GETAFIX_SEED={seed}");
}

/// Claims that differ in one place: those that are accepted hold in every run.
fn mutations(
    program: &Program,
    subject: &Ghosted,
    claim: &Claim,
    seed: u64,
    pipe: &mut dyn Solver,
    counts: &mut Counts,
) {
    let mut random = Random::new(seed);
    for _ in 0..10 {
        let mut mutated = claim.clone();
        if !mutate(&mut mutated, &mut random) {
            continue;
        }
        counts.mutated += 1;
        match check(program, &mutated, pipe) {
            Ok(_) => {
                assert!(holds_in_runs(subject, &mutated, seed), "GETAFIX_SEED={seed}: {mutated:?}");
            }
            Err(refused) => {
                counts.refused += 1;
                counts.not_confirmed += u32::from(matches!(refused.reason, Reason::NotConfirmed(_)));
            }
        }
    }
}

/// Changes one operation of one formula; whether there was one.
fn mutate(claim: &mut Claim, random: &mut Random) -> bool {
    let formulas: Vec<&mut Expr> =
        claim.formulas.iter_mut().flatten().filter(|formula| formula.as_truth() != Some(false)).collect();
    let n = random.index(formulas.len().max(1));
    let Some(formula) = formulas.into_iter().nth(n) else { return false };
    let at = random.index(formula.code().len());
    let step = if random.chance(50) { 1 } else { -1 };
    let count = std::cell::Cell::new(0);
    let is_changed = std::cell::Cell::new(false);
    let changed = formula.relabelled(|op| {
        let here = count.replace(count.get() + 1) == at;
        let new = match op {
            _ if !here => op,
            Op::Constant(number) => Op::Constant(number + step),
            Op::Truth(value) => Op::Truth(!value),
            Op::Compare(Relation::LessEqual) => Op::Compare(Relation::Less),
            Op::Compare(Relation::GreaterEqual) => Op::Compare(Relation::Greater),
            Op::Compare(relation) => Op::Compare(relation.negated()),
            Op::And => Op::Or,
            Op::Or => Op::And,
            Op::Add => Op::Subtract,
            Op::Subtract => Op::Add,
            op => op,
        };
        is_changed.set(is_changed.get() || new != op);
        new
    });
    *formula = changed;
    is_changed.get()
}
