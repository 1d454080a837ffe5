//! Programs with memory do the same step by step, by enumeration, and in compact code.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::Random;
use integers::enumerate::{Bounds, Enumeration, enumerate};
use integers::explore::{Budget, Exploration, Quest, execute, explore};
use integers::random::{Kinds, program};
use integers::trace::{End, Manner, TraceStep, walk};
use integers::{Action, Goal, Input, Integers, Manage, Misuse, Program, Undefined, Value};
use testing::Counts;

fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let kinds = Kinds { unknowns: random.chance(20), divisions: random.chance(30), memory: true };
    program(&mut random, kinds)
}

fn chooser(seed: u64) -> impl FnMut(&Input) -> Option<i128> {
    let mut random = Random::new(seed);
    move |input| Some(input.ty.min() + random.below(input.ty.count() as u64) as i128)
}

fn end_name(end: End) -> &'static str {
    match end {
        End::Target(_) => "target",
        End::Returned => "returned",
        End::Stopped => "stopped",
        End::Blocked(..) => "blocked",
        End::Unknown(_) => "unknown",
        End::NoInput(_) => "no input",
        End::StepLimit => "step limit",
        End::Undefined(Undefined::Memory(misuse), ..) => match misuse {
            Misuse::Null => "null",
            Misuse::Bounds => "bounds",
            Misuse::Freed => "freed",
            Misuse::Uninitialised => "uninitialised",
            Misuse::Constant => "constant",
            Misuse::DoubleFree => "double free",
            Misuse::BadFree => "bad free",
            Misuse::Unrelated => "unrelated",
            Misuse::Size => "size",
        },
        End::Undefined(..) => "undefined",
    }
}

/// Counts what a step did.
fn count(counts: &mut Counts, program: &Program, step: &TraceStep) {
    let integers::trace::Event::Taken(edge) = step.event else { return };
    let what = match &program.function(step.function).edge(edge).action {
        Action::Step(taken) => match (taken.uses_memory(), taken.stores.is_empty()) {
            (false, _) => "plain",
            (true, false) => "store",
            (true, true) if step.inputs.is_empty() => "load",
            (true, true) => "load of an uninitialised cell",
        },
        Action::Call { .. } => "call",
        Action::Manage(manage) => match manage {
            Manage::Begin(_) => "begin",
            Manage::End(_) => "end",
            Manage::Allocate { .. } => "allocate",
            Manage::Reallocate { .. } => "reallocate",
            Manage::Release { .. } => "release",
            Manage::Fill { .. } => "fill",
            Manage::Copy { .. } if step.inputs.is_empty() => "copy",
            Manage::Copy { .. } => "copy of an uninitialised cell",
        },
    };
    counts.count(what);
}

#[test]
fn compact_code_does_what_the_steps_do() {
    let mut counts = Counts::default();
    for seed in generate::random::seeds(0..1500) {
        let program = random_program(seed);
        for choice in 0..4 {
            let goal = if choice % 2 == 0 { Goal::Any } else { Goal::Never };
            let budget = Budget { instructions: 20_000, ..Budget::default() };
            let fast = execute(&program, &mut chooser(choice), goal, &budget);
            let manner =
                Manner { integers: Integers::Mathematical, goal, max_steps: fast.run.n_steps + 2000 };
            let (mut inputs, mut globals) = (Vec::new(), Vec::new());
            let mut n_steps = 0;
            let mut configuration = integers::step::Configuration::start(&program);
            let mut choose = chooser(choice);
            let end = integers::trace::walk_from(
                &program,
                &mut configuration,
                &mut |input| {
                    let number = choose(input);
                    inputs.extend(number);
                    number
                },
                manner,
                &mut |step, after| {
                    n_steps += 1;
                    count(&mut counts, &program, &step);
                    globals = after.globals.clone();
                    std::ops::ControlFlow::Continue(())
                },
            );
            if fast.end == End::StepLimit {
                // What comes back without inputs comes back again.
                if fast.repeats_from == Some(fast.run.inputs.len()) {
                    assert_eq!(end, End::StepLimit, "seed {seed}, choice {choice}");
                }
                counts.count(if fast.repeats_from.is_some() { "without end" } else { "step limit" });
                continue;
            }
            assert_eq!((fast.end, &fast.run.inputs), (end, &inputs), "seed {seed}, choice {choice}");
            counts.count(end_name(end));
            if n_steps > 0 && end != End::StepLimit && !matches!(end, End::Undefined(..)) {
                let known = |value: &Value| match value {
                    Value::Number(number) => Some(*number),
                    _ => None,
                };
                assert_eq!(fast.globals, globals.iter().map(known).collect::<Vec<_>>(), "seed {seed}");
            }
        }
    }
    counts.at_least(&[
        ("load", 500),
        ("load of an uninitialised cell", 100),
        ("store", 500),
        ("call", 500),
        ("begin", 100),
        ("end", 20),
        ("allocate", 500),
        ("reallocate", 100),
        ("release", 100),
        ("fill", 50),
        ("copy", 50),
        ("copy of an uninitialised cell", 20),
        ("null", 100),
        ("bounds", 100),
        ("freed", 30),
        ("uninitialised", 30),
        ("constant", 5),
        ("double free", 2),
        ("bad free", 20),
        ("unrelated", 20),
        ("size", 5),
        ("unknown", 5),
        ("without end", 10),
    ]);
}

#[test]
fn enumeration_finds_what_runs_show() {
    let mut counts = Counts::default();
    for seed in generate::random::seeds(0..400) {
        let program = random_program(seed);
        if !program.unknowns.is_empty() {
            continue;
        }
        let all = enumerate(&program, Bounds { number: 8, states: 4000 });
        let budget = Budget { instructions: 200_000, runs: 300, ..Budget::default() };
        let runs = explore(&program, Quest::Target(Goal::Any), &budget);
        let misuses = runs.undefined.iter().any(|(undefined, ..)| matches!(undefined, Undefined::Memory(_)));
        compare(seed, &all, &runs, misuses, &mut counts);
        by_steps(seed, &program, &all, &mut counts);
    }
    counts.at_least(&[("both reach", 30), ("neither", 10), ("both misuse", 50), ("no misuse", 10)]);
}

fn compare(seed: u64, all: &Enumeration, runs: &Exploration, misuses: bool, counts: &mut Counts) {
    if all.is_complete {
        assert!(all.reaches || runs.reached.is_none(), "seed {seed}: a run reaches a target");
        assert!(all.misuses || !misuses, "seed {seed}: a run misuses memory");
    }
    if runs.is_complete && runs.reached.is_none() {
        assert!(!all.reaches, "seed {seed}: no run reaches a target");
        assert!(misuses || !all.misuses, "seed {seed}: no run misuses memory");
    }
    match (all.reaches, runs.reached.is_some()) {
        (true, true) => counts.count("both reach"),
        (false, false) if all.is_complete => counts.count("neither"),
        _ => {}
    }
    if all.misuses && misuses {
        counts.count("both misuse");
    }
    if !all.misuses && all.is_complete {
        counts.count("no misuse");
    }
}

/// Runs by the meaning alone show nothing that the enumeration does not know.
fn by_steps(seed: u64, program: &Program, all: &Enumeration, counts: &mut Counts) {
    for choice in 0..20 {
        let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: 300 };
        let end = walk(program, &mut chooser(choice), manner, &mut |_| {});
        counts.count(end_name(end));
        match end {
            End::Target(_) => assert!(all.reaches || !all.is_complete, "seed {seed}, choice {choice}"),
            End::Undefined(Undefined::Memory(_), ..) => {
                assert!(all.misuses || !all.is_complete, "seed {seed}, choice {choice}");
            }
            _ => {}
        }
    }
}
