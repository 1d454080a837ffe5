//! What the parts of variables tell: against all runs of random programs, and of programs that are control and little else. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the random ones.

use crate::limits::limits;
use base::{Random, Sources};
use cegar::{Proof, Prover, Task, controlled};
use generate::control_in_c::{Bug, dispatch, handshake, locks};
use integers::enumerate::{Bounds, enumerate};
use integers::random::{Kinds, program};
use integers::trace::{End, Manner, walk};
use integers::{Goal, Integers, Program};
use proof::Statement;
use testing::{Counts, seeds};

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

/// Where the run with these inputs ends.
fn end(program: &Program, inputs: &[i128]) -> End {
    let mut left = inputs.iter().copied();
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: 1 << 20 };
    walk(program, &mut |_| Some(left.next().unwrap_or(0)), manner, &mut |_| {})
}

#[test]
fn random_programs_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let mut counts = Counts::default();
    for seed in seeds(0..120) {
        let mut random = Random::new(seed);
        let kinds = Kinds { unknowns: false, divisions: random.chance(25), memory: false };
        let program = program(&mut random, kinds);
        let runs = enumerate(&program, BOUNDS);
        let text = || integers::show(&program);
        match controlled(&Task::new(program.clone(), Statement::Unreachable), &mut prover) {
            Proof::Claimed(_) => {
                assert!(!runs.reaches, "GETAFIX_SEED={seed}: proved, but reached\n{}", text());
                counts.count("proved");
            }
            Proof::Run(inputs) => {
                assert!(runs.reaches || !runs.is_complete, "GETAFIX_SEED={seed}: {inputs:?}\n{}", text());
                counts.count("reached");
                // Where several steps from a point read inputs, a list does not say which of them is taken.
                if matches!(end(&program, &inputs), End::Target(_)) {
                    counts.count("replayed");
                }
            }
            // A machine that has not all runs of its program makes claims that are refused.
            Proof::Unknown(why) => panic!("GETAFIX_SEED={seed}: {why:?}\n{}", text()),
            _ => counts.count("open"),
        }
    }
    counts.at_least(&[("proved", 30), ("reached", 15), ("replayed", 8)]);
}

/// What becomes of a program in C.
fn proof(text: String) -> (Program, Proof) {
    let mut sources = Sources::default();
    let file = sources.add("control.c", text);
    let program = c::translate(&sources, file, &c::Options::default()).expect("the text is right").program;
    let limits = limits();
    let mut prover = Prover::new(smt::find(None).expect("there is a solver"), &limits);
    let proof = controlled(&Task::new(program.clone(), Statement::Unreachable), &mut prover);
    (program, proof)
}

#[track_caller]
fn check(make: impl Fn(Bug) -> String) {
    let (_, safe) = proof(make(Bug::Absent));
    assert!(matches!(safe, Proof::Claimed(_)), "{safe:?}");
    let (program, wrong) = proof(make(Bug::Present));
    let Proof::Run(inputs) = &wrong else { panic!("{wrong:?}") };
    assert!(matches!(end(&program, inputs), End::Target(_)), "{inputs:?}");
}

#[test]
fn a_loop_over_many_states() {
    check(|bug| handshake(24, bug, 5));
    check(|bug| handshake(50, bug, 9));
}

#[test]
fn locks_that_numbers_from_outside_choose() {
    check(|bug| locks(12, bug));
}

#[test]
fn requests_of_a_driver() {
    check(|bug| dispatch(6, bug));
    check(|bug| dispatch(18, bug));
}
