//! Runs without end, on random programs: what is proved to have no end has none, and what ends is not proved to have none.

mod harness;

use base::Stop;
use generate::random::seeds;
use harness::program;
use integers::explore::{Budget, lasting};
use integers::trace::{End, Manner, walk};
use integers::{Goal, Input, InputId, Integers, Program};
use proof::Statement;
use refine::invariants::proved;
use smt::{Manner as Search, Pipe};

const SEARCH: Search =
    Search { global: false, effort: 200_000, seconds: 100, memory: 1000, begins: smt::Begins::AtOnce };

/// How the run ends in which these numbers are chosen, each time.
fn end(program: &Program, inputs: &[(InputId, i128)]) -> End {
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: 20_000 };
    let mut choose = |asked: &Input| {
        let is_asked = |(id, _): &&(InputId, i128)| program.input(*id).span == asked.span;
        inputs.iter().find(is_asked).map(|(_, number)| *number)
    };
    walk(program, &mut choose, manner, &mut |_| {})
}

#[test]
fn what_is_proved_to_have_no_end_has_none() {
    let z3 = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    let mut pipe = Pipe::new(&z3, Stop::default());
    let budget = Budget { runs: 20, instructions: 1_000_000, ..Budget::default() };
    let (mut n_proved, mut n_candidates, mut n_ended) = (0, 0, 0);
    for seed in seeds(0..15) {
        let (text, program) = program(seed);
        let found = lasting(&program, 20_000, &budget);
        for inputs in found.iter().take(1) {
            n_candidates += 1;
            assert!(
                matches!(end(&program, inputs), End::StepLimit | End::Undefined(..)),
                "GETAFIX_SEED={seed}\n{text}"
            );
            let statement = Statement::Endless(inputs.clone());
            if proved(&z3, &program, &statement, &[SEARCH], &mut pipe, &Stop::default()).is_ok() {
                n_proved += 1;
            }
        }
        // Some numbers with which the run ends.
        let zeros: Vec<(InputId, i128)> = (0..program.inputs.len()).map(|n| (InputId::new(n), 0)).collect();
        if end(&program, &zeros) != End::StepLimit {
            n_ended += 1;
            let statement = Statement::Endless(zeros);
            let wrong = proved(&z3, &program, &statement, &[SEARCH], &mut pipe, &Stop::default());
            assert!(wrong.is_err(), "GETAFIX_SEED={seed}\n{text}");
        }
    }
    println!("{n_proved} proved of {n_candidates}, {n_ended} end");
    assert!(n_proved > 0 && n_ended > 0, "{n_proved} {n_candidates} {n_ended}");
}
