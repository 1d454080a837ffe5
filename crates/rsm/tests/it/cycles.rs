//! What an infinite run is: those that are, and what the others lack.

use crate::harness::machine;
use rsm::interleave::{ThreadId, World};
use rsm::step::State;
use rsm::trace::{Context, End, Recorder, Round, Run, Step, Trace};
use rsm::{Concurrent, EdgeId, Goal, NodeId, Place, Rsm, ThreadGoal};

/// A step: the edge, and the globals and locals afterwards.
type Flat<'a> = (u32, &'a [u64], &'a [u64]);

fn state(globals: &[u64], locals: &[u64]) -> State {
    State { globals: globals.to_vec(), locals: locals.to_vec() }
}

/// A run that goes on for ever from a step on, none of its calls folded.
fn flat(rsm: &Rsm, start: (&[u64], &[u64]), steps: &[Flat<'_>], first: usize) -> Trace {
    let step = |(edge, globals, locals): &Flat<'_>| Step {
        edge: EdgeId(*edge),
        run: None,
        after: state(globals, locals),
    };
    let steps = steps.iter().map(step).collect();
    Trace {
        start: World::of_main(rsm, state(start.0, start.1)),
        runs: Vec::new(),
        contexts: vec![Context { thread: ThreadId(0), steps }],
        end: End::Cycle { first },
    }
}

/// The same with finished calls as single steps.
fn folded(rsm: &Rsm, start: (&[u64], &[u64]), steps: &[Flat<'_>], first: usize) -> Trace {
    let mut recorder = Recorder::new(rsm, World::of_main(rsm, state(start.0, start.1)));
    let mut head = 0;
    for (n, (edge, globals, locals)) in steps.iter().enumerate() {
        if n == first {
            head = recorder.begin_cycle(ThreadId(0));
        }
        recorder.step(ThreadId(0), EdgeId(*edge), state(globals, locals));
    }
    recorder.finish_cycle(head)
}

/// The round of an infinite run, with and without its finished calls folded.
#[track_caller]
fn round(
    rsm: &Rsm,
    start: (&[u64], &[u64]),
    steps: &[Flat<'_>],
    first: usize,
    goals: &[ThreadGoal],
) -> Round {
    let program = Concurrent::sequential(rsm.clone());
    let (flat, folded) = (flat(rsm, start, steps, first), folded(rsm, start, steps, first));
    for trace in [&flat, &folded] {
        assert_eq!((trace.n_stem(), trace.n_round()), (first as u128, (steps.len() - first) as u128));
        assert_eq!(trace.replay(&program, goals), Ok(()));
    }
    let found = flat.round(&program, goals).unwrap();
    assert_eq!(folded.round(&program, goals).unwrap(), found);
    found
}

/// What is wrong with a run that none of its calls folded.
fn fault(rsm: &Rsm, start: (&[u64], &[u64]), steps: &[Flat<'_>], first: usize) -> String {
    let program = Concurrent::sequential(rsm.clone());
    flat(rsm, start, steps, first).replay(&program, &[]).expect_err("it is no infinite run").to_string()
}

fn matters(round: &Round) -> Vec<Place> {
    round.matters.iter().copied().collect()
}

#[test]
fn a_loop_that_comes_back() {
    let rsm = machine("global a\ninit a !\nmodule main\n0 1 skip\n1 1 set a := a !\n1 2 return");
    let twice: [Flat; 3] = [(0, &[0], &[]), (1, &[1], &[]), (1, &[0], &[])];
    let found = round(&rsm, (&[0], &[]), &twice, 1, &[]);
    assert_eq!((found.growth, found.matters.len()), (0, 0));
    // Nothing reads it, so one round is enough.
    round(&rsm, (&[0], &[]), &twice[..2], 1, &[]);
}

#[test]
fn what_a_condition_reads_has_to_come_back() {
    let rsm = machine(
        "global a b\ninit a ! b ! &\nmodule main\n0 1 assume a b != T |\n1 0 set a , b := b ! , a\n0 2 return",
    );
    let start: (&[u64], &[u64]) = (&[0, 0], &[]);
    let once: [Flat; 2] = [(0, &[0, 0], &[]), (2, &[1, 0], &[])];
    assert_eq!(fault(&rsm, start, &once, 0), "`a` matters to the cycle and has changed at its end");
    let mut four = once.to_vec();
    four.extend([(0, &[1, 0][..], &[][..]), (2, &[1, 1], &[]), (0, &[1, 1], &[]), (2, &[0, 1], &[])]);
    four.extend([(0, &[0, 1][..], &[][..]), (2, &[0, 0], &[])]);
    assert_eq!(matters(&round(&rsm, start, &four, 0, &[])), [Place::Global(0), Place::Global(1)]);
}

#[test]
fn choices_are_made_again() {
    // The condition holds because of what is chosen; the old value does not matter.
    let rsm = machine("global a:8\nmodule main\n0 1 set a := *:8\n1 0 assume a 7:8 =\n0 2 return");
    let steps: [Flat; 2] = [(0, &[7], &[]), (2, &[7], &[])];
    assert!(round(&rsm, (&[3], &[]), &steps, 0, &[]).matters.is_empty());
    let wrong: [Flat; 2] = [(0, &[6], &[]), (2, &[6], &[])];
    assert_eq!(fault(&rsm, (&[3], &[]), &wrong, 0), "step 2: the program cannot take this step");
}

#[test]
fn recursion_grows_and_its_arguments_matter() {
    let rsm = machine(
        "module main\n0 1 call f ( T )\n1 2 return\nmodule f p\n0 1 assume p\n1 2 call f ( p )\n1 2 call f ( p ! )\n2 3 return",
    );
    let grows: [Flat; 3] = [(0, &[], &[1]), (0, &[], &[1]), (1, &[], &[1])];
    let found = round(&rsm, (&[], &[]), &grows, 1, &[]);
    assert_eq!((found.growth, matters(&found)), (1, vec![Place::Local(0)]));
    let stops: [Flat; 3] = [(0, &[], &[1]), (0, &[], &[1]), (2, &[], &[0])];
    assert_eq!(fault(&rsm, (&[], &[]), &stops, 1), "`p` matters to the cycle and has changed at its end");
}

#[test]
fn a_callee_that_returns_is_part_of_a_round() {
    let rsm = machine(
        "global g\ninit g\nmodule main ; x\n0 1 call x := f ( g )\n1 0 assume x\n1 2 return\nmodule f p ; ; bool\n0 1 return p",
    );
    let steps: [Flat; 3] = [(0, &[1], &[1]), (0, &[1], &[1]), (1, &[1], &[1])];
    let found = round(&rsm, (&[1], &[0]), &steps, 0, &[]);
    assert_eq!((found.growth, matters(&found)), (0, vec![Place::Global(0)]));
    assert_eq!(folded(&rsm, (&[1], &[0]), &steps, 0).runs.len(), 1);
}

#[test]
fn goals_have_to_be_on_the_cycle() {
    let rsm = machine("module main\n0 1 skip\n1 2 skip\n2 1 skip\n2 3 return");
    let steps: [Flat; 3] = [(0, &[], &[]), (1, &[], &[]), (2, &[], &[])];
    let goal = |node| [ThreadGoal::from(Goal::At(rsm.main, NodeId(node)))];
    for node in [1, 2] {
        round(&rsm, (&[], &[]), &steps, 1, &goal(node));
    }
    let program = Concurrent::sequential(rsm.clone());
    let check = |goals: &[ThreadGoal]| flat(&rsm, (&[], &[]), &steps, 1).replay(&program, goals);
    assert_eq!(check(&goal(0)).unwrap_err().to_string(), "no goal is on the cycle");
    let elsewhere = goal(1).map(|goal| ThreadGoal { copy: Some(1), ..goal });
    assert_eq!(check(&elsewhere).unwrap_err().to_string(), "no goal is on the cycle");
}

/// A call for ever again, and inside it a loop.
const CALLS: &str =
    "global a\ninit a\nmodule main\n0 0 call f ( )\n0 1 return\nmodule f\n0 0 skip\n0 1 return";

#[test]
fn what_is_no_infinite_run() {
    let rsm = machine(CALLS);
    let check = |globals: &[u64], steps: &[Flat], first| fault(&rsm, (globals, &[]), steps, first);
    assert_eq!(check(&[1], &[], 0), "the cycle has no steps");
    assert_eq!(check(&[1], &[(0, &[1], &[])], 1), "the cycle has no steps");
    assert_eq!(check(&[1], &[(0, &[1], &[])], 2), "the cycle begins behind the end of the run");
    assert_eq!(check(&[0], &[], 0), "the program does not start like this");
    let left = "step 2: a function returns that was called before the cycle";
    assert_eq!(check(&[1], &[(0, &[1], &[]), (1, &[1], &[]), (0, &[1], &[])], 1), left);
    assert_eq!(check(&[1], &[(0, &[1], &[])], 0), "the cycle ends at another place than it begins");
    let none = "step 1: the program cannot take this step";
    assert_eq!(check(&[1], &[(0, &[0], &[])], 0), none);
    assert_eq!(check(&[1], &[(9, &[1], &[])], 0), none);
    assert_eq!(
        check(&[1], &[(1, &[1], &[])], 0),
        "step 1: a function returns that was called before the cycle"
    );
    assert_eq!(round(&rsm, (&[1], &[]), &[(0, &[1], &[]), (1, &[1], &[])], 0, &[]).growth, 0);
}

/// What is wrong with the run of [`CALLS`] that calls twice before the cycle and once in it, after a change.
#[track_caller]
fn check_changed(change: impl FnOnce(&mut Trace), expected: &str) {
    let rsm = machine(CALLS);
    let call: [Flat; 3] = [(0, &[1], &[]), (0, &[1], &[]), (1, &[1], &[])];
    let mut trace = folded(&rsm, (&[1], &[]), &call.repeat(3), 6);
    let program = Concurrent::sequential(rsm);
    assert_eq!((trace.runs.len(), trace.contexts[0].steps.len()), (1, 3));
    assert_eq!((trace.cycle(), trace.replay(&program, &[])), (Some(2), Ok(())));
    change(&mut trace);
    assert_eq!(trace.replay(&program, &[]).unwrap_err().to_string(), expected);
}

#[test]
fn a_replay_notices_what_is_wrong_with_a_cycle() {
    check_changed(|run| run.end = End::Cycle { first: 3 }, "the cycle has no steps");
    check_changed(|run| run.end = End::Cycle { first: 4 }, "the cycle begins behind the end of the run");
    check_changed(|run| run.contexts.clear(), "the run does not go on for ever");
    check_changed(|run| run.contexts.push(run.contexts[0].clone()), "the run does not go on for ever");
    check_changed(|run| run.contexts[0].thread = ThreadId(1), "there is no thread 1");
    let none = "step 3: the program cannot take this step";
    check_changed(|run| run.contexts[0].steps[2].edge = EdgeId(1), none);
    check_changed(|run| run.contexts[0].steps[2].after.globals[0] = 0, none);
    check_changed(|run| run.contexts[0].steps[2].run = Some(7), "step 3: there is no run 7 to call here");
    // The last call stays open, so the cycle ends inside the callee.
    let elsewhere = "the cycle ends at another place than it begins";
    check_changed(|run| run.contexts[0].steps[2].run = None, elsewhere);
    // A callee that never returns cannot be folded.
    let open = "step 2 of a run of `f`: the program cannot take this step";
    check_changed(|run| run.runs[0].steps[1] = run.runs[0].steps[0].clone(), open);
    let inside = "step 1 of a run of `f`: the program cannot take this step";
    check_changed(|run| run.runs[0].start.globals[0] = 0, inside);
}

#[test]
fn a_long_way_to_a_short_cycle_is_not_written_out() {
    // Each run calls the one before it twice: the way has 2^100 steps.
    let rsm = machine(
        "module main\n0 1 call f ( )\n1 1 skip\n1 2 return\nmodule f\n0 1 call f ( )\n1 2 call f ( )\n0 2 skip\n2 3 return",
    );
    let step = |edge, run| Step { edge: EdgeId(edge), run, after: state(&[], &[]) };
    let f = rsm::ModuleId(1);
    let run = |steps| Run { module: f, start: state(&[], &[]), steps };
    let mut trace = flat(&rsm, (&[], &[]), &[(0, &[], &[]), (1, &[], &[])], 1);
    // The edges are sorted by where they begin.
    trace.runs.push(run(vec![step(1, None), step(3, None)]));
    for n in 0..99 {
        trace.runs.push(run(vec![step(0, Some(n)), step(2, Some(n)), step(3, None)]));
    }
    trace.contexts[0].steps[0].run = Some(99);
    assert!(trace.n_stem() > 1 << 100);
    let program = Concurrent::sequential(rsm);
    assert_eq!(trace.round(&program, &[]).map(|round| round.growth), Ok(0));
    // A round as long as that is too much.
    trace.end = End::Cycle { first: 0 };
    trace.contexts[0].steps.truncate(1);
    let fault = trace.replay(&program, &[]).unwrap_err().to_string();
    assert_eq!(fault, "the cycle has too many steps to go round it");
}
