//! Composed and checked programs do what the program does, on random C programs, run by run.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::Sources;
use c::Options;
use integers::compose::{Composed, compose};
use integers::explore::{Budget, Quest, Random, execute, explore};
use integers::step::{Configuration, Situation};
use integers::trace::{End, Event, Manner, Reality, TraceStep, confirm, walk};
use integers::{
    EdgeId, Goal, Input, InputId, Integers, Program, TargetKind, Undefined, checked, endless, promote,
};

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
void reach_error(void); long long observed; void observe(long long v) { observed = v; if (v == 3) reach_error(); }
";

fn program(seed: u64) -> Program {
    let text = testing::random_c::program(&mut Random::new(seed), seed);
    let whole = format!("{DECLARATIONS}{text}int main(void) {{ p{seed}_main(); return 0; }}\n");
    let mut sources = Sources::default();
    let file = sources.add("random.c", whole);
    c::translate(&sources, file, &Options::default()).expect("random programs are right").program
}

/// The numbers that the environment chooses, the same for the same seed.
fn chooser(seed: u64) -> impl FnMut(&Input) -> Option<i128> {
    let mut random = Random::new(seed);
    move |input| {
        let number = match random.below(3) {
            0 => i128::from(random.below(9)) - 4,
            1 => input.ty.max() - i128::from(random.below(2)),
            _ => i128::from(random.draw()),
        };
        Some(input.ty.wrap(number))
    }
}

fn run(program: &Program, seed: u64, integers: Integers, goal: Goal) -> (End, Vec<TraceStep>) {
    let mut steps = Vec::new();
    let manner = Manner { integers, goal, max_steps: 100_000 };
    let end = walk(program, &mut chooser(seed), manner, &mut |step| steps.push(step));
    (end, steps)
}

#[test]
fn composed_programs_take_the_same_runs_in_fewer_steps() {
    let (mut n_runs, mut n_steps, mut n_composed) = (0, 0, 0);
    for seed in generate::random::seeds(0..60) {
        let program = program(seed);
        let composed = compose(&program);
        for choice in 0..3 {
            let (_, steps) = run(&program, choice, Integers::Mathematical, Goal::Never);
            n_composed += follow(&program, &composed, &steps, seed);
            n_steps += steps.len();
            n_runs += 1;
        }
    }
    println!("{n_runs} runs, {n_steps} steps, {n_composed} composed steps");
    assert!(n_composed < n_steps, "nothing was composed");
}

/// Takes the run in the composed program, edge by edge, and compares the states; gives the number of steps.
fn follow(program: &Program, composed: &Composed, steps: &[TraceStep], seed: u64) -> usize {
    let mut original = Configuration::start(program);
    let mut joined = Configuration::start(&composed.program);
    let mut rest = steps;
    let mut n_steps = 0;
    while let Situation::At(..) | Situation::AtExit = joined.situation(&composed.program) {
        if rest.is_empty() {
            break;
        }
        n_steps += 1;
        if rest[0].event == Event::Returned {
            joined.leave(&composed.program);
            original.leave(program);
            rest = &rest[1..];
            continue;
        }
        let Some((edge, length)) = next_edge(composed, rest) else { break };
        let inputs: Vec<i128> =
            rest[..length].iter().flat_map(|step| &step.inputs).map(|(_, n)| *n).collect();
        let taken = joined.take(&composed.program, edge, &inputs, Integers::Mathematical);
        assert!(taken.is_ok(), "GETAFIX_SEED={seed}");
        for step in &rest[..length] {
            let Event::Taken(edge) = step.event else {
                panic!("GETAFIX_SEED={seed}: a line contains a return")
            };
            let inputs: Vec<i128> = step.inputs.iter().map(|(_, number)| *number).collect();
            original.take(program, edge, &inputs, Integers::Mathematical).expect("the run is one");
        }
        let state = |configuration: &Configuration| {
            let frame = configuration.frames.last().expect("somebody is running").clone();
            (configuration.globals.clone(), frame.function, frame.node, frame.locals)
        };
        assert_eq!(state(&joined), state(&original), "GETAFIX_SEED={seed}");
        rest = &rest[length..];
    }
    n_steps
}

/// The composed edge whose path the run goes along; none if the run ends on the way.
fn next_edge(composed: &Composed, rest: &[TraceStep]) -> Option<(EdgeId, usize)> {
    let function = rest[0].function;
    let paths = &composed.paths[function.index()];
    let is_next = |path: &Vec<EdgeId>| {
        path.len() <= rest.len()
            && path
                .iter()
                .zip(rest)
                .all(|(edge, step)| step.event == Event::Taken(*edge) && step.function == function)
    };
    let n = paths.iter().position(is_next)?;
    Some((EdgeId::new(n), paths[n].len()))
}

#[test]
fn checked_programs_reach_a_target_exactly_where_the_machine_overflows() {
    let (mut n_overflows, mut n_other) = (0, 0);
    for seed in generate::random::seeds(0..60) {
        let program = program(seed);
        let checked = checked(&program);
        for choice in 0..4 {
            let (machine, _) = run(&program, choice, Integers::Machine, Goal::Any);
            let (end, _) = run(&checked, choice, Integers::Mathematical, Goal::Any);
            match (machine, end) {
                (End::Undefined(Undefined::Overflow(_), ..), End::Target(target)) => {
                    assert_eq!(
                        checked.targets[target.index()].kind,
                        TargetKind::Overflow,
                        "GETAFIX_SEED={seed}"
                    );
                    n_overflows += 1;
                }
                (End::Undefined(why, ..), End::Undefined(same, ..)) if why == same => n_other += 1,
                (machine, end) => {
                    assert_eq!(machine, end, "GETAFIX_SEED={seed}, choices {choice}");
                    n_other += 1;
                }
            }
        }
    }
    println!("{n_overflows} overflows, {n_other} other ends");
    assert!(n_overflows > 5 && n_other > 5, "too little was compared");
}

#[test]
fn what_exploration_finds_is_true() {
    let (mut n_reached, mut n_overflow, mut n_complete) = (0, 0, 0);
    for seed in generate::random::seeds(0..60) {
        let program = program(seed);
        let budget = Budget { instructions: 200_000, runs: 100, ..Budget::default() };
        let found = explore(&program, Quest::Target(Goal::Any), &budget);
        if let Some((target, run)) = &found.reached {
            let reality = confirm(&program, &run.inputs, *target, 100_000);
            match run.overflow {
                None => assert_eq!(reality, Reality::Machine, "GETAFIX_SEED={seed}"),
                Some(_) => {
                    assert!(matches!(reality, Reality::IntegersOnly(..)), "GETAFIX_SEED={seed}: {reality:?}")
                }
            }
            n_reached += 1;
            n_overflow += usize::from(run.overflow.is_some());
        }
        n_complete += usize::from(found.is_complete);
        let again = explore(&program, Quest::Target(Goal::Any), &budget);
        assert_eq!(again.reached, found.reached, "GETAFIX_SEED={seed}: two explorations differ");
        // Checked code, executed, ends as the meaning says.
        let checked = checked(&program);
        let (end, _) = run(&checked, seed, Integers::Mathematical, Goal::Any);
        let execution = execute(&checked, &mut chooser(seed), Goal::Any, &Budget::default());
        assert_eq!(execution.end, end, "GETAFIX_SEED={seed}");
    }
    println!("{n_reached} reached, {n_overflow} of them with overflow, {n_complete} complete");
    assert!(n_reached > 5 && n_complete > 0, "too little was found");
}

#[test]
fn where_ends_are_targets_a_run_reaches_one_if_it_ends() {
    let (mut n_ended, mut n_endless, mut n_undefined) = (0, 0, 0);
    for seed in generate::random::seeds(0..60) {
        // Few cells of memory are variables; others are not looked at here.
        let program = program(seed);
        let Some(program) = promote(&program) else { continue };
        let (all, composed) = (endless(&program, &[]), compose(&endless(&program, &[])).program);
        // Where inputs are fixed, whatever the environment chooses is overruled.
        let fixed: Vec<(InputId, i128)> = (0..program.inputs.len())
            .map(|n| (InputId::new(n), program.inputs[n].ty.wrap(n as i128 - 3)))
            .collect();
        let deaf = endless(&program, &fixed);
        for choice in 0..3 {
            let manner =
                |max_steps| Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps };
            let end = walk(&program, &mut chooser(choice), manner(20_000), &mut |_| {});
            let goal = Manner { goal: Goal::Any, ..manner(60_000) };
            let other = walk(&all, &mut chooser(choice), goal, &mut |_| {});
            let joined = walk(&composed, &mut chooser(choice), goal, &mut |_| {});
            let set = |input: &Input| {
                let n = program
                    .inputs
                    .iter()
                    .position(|other| other.span == input.span && other.name == input.name);
                n.map(|n| fixed[n].1)
            };
            let ended = walk(&program, &mut { set }, manner(20_000), &mut |_| {});
            let deaf = walk(&deaf, &mut |_| None, goal, &mut |_| {});
            for (end, other) in [(end, other), (end, joined), (ended, deaf)] {
                match end {
                    End::StepLimit => n_endless += 1,
                    End::Undefined(Undefined::TooLarge, ..) | End::Unknown(_) => continue,
                    End::Undefined(..) => n_undefined += 1,
                    _ => n_ended += 1,
                }
                // Joined steps read inputs edge by edge, so that it is another run: it may meet numbers that are too large, or refuse all edges.
                if matches!(other, End::Undefined(Undefined::TooLarge, ..))
                    || other == joined && matches!(other, End::Blocked(..))
                {
                    continue;
                }
                let expected = end != End::StepLimit;
                assert_eq!(
                    matches!(other, End::Target(_)),
                    expected,
                    "GETAFIX_SEED={seed}: {end:?}, {other:?}"
                );
            }
        }
    }
    println!("{n_ended} runs end, {n_endless} do not, {n_undefined} are undefined");
    assert!(n_ended > 0, "no run ended");
}
