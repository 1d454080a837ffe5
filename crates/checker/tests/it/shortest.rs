//! Shortest traces have as many steps as those of the twin, and replay.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Sources, Stop, StopReason};
use checker::{Options, ShortestError, Target};
use generate::random::{Shape, program, seeds};
use rsm::trace::Trace;
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Reductions, Rsm, explicit};
use solver::Halt;
use testing::lower;

fn options(reductions: Reductions) -> Options {
    Options { reductions, trace: true, ..Options::default() }
}

fn find(rsm: &Rsm, goals: &[Goal], options: &Options) -> Result<Option<Trace>, ShortestError> {
    let target = Target::new("target", goals.to_vec());
    checker::shortest(rsm, &[target], options, &mut Sources::default())
}

/// The labels and assertions of a program.
fn all_goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (m, module) in rsm.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        let nodes = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        goals.extend(nodes.map(|(n, _)| Goal::At(m, NodeId::new(n))));
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(asserts.map(|(e, _)| Goal::Failure(m, EdgeId::new(e))));
    }
    goals
}

/// The twin's number of steps; the outer `None` if the program is too large for it.
fn expected(rsm: &Rsm, goals: &[Goal]) -> Option<Option<u128>> {
    let limits = explicit::Limits { max_states: 100_000, ..explicit::Limits::default() };
    let found = explicit::shortest(rsm, goals, limits, &Stop::default()).ok()?;
    Some(found.map(|trace| trace.n_steps()))
}

/// Compares with the twin; says whether the program is small enough for it.
#[track_caller]
fn compare(rsm: &Rsm, goals: &[Goal], reductions: Reductions, context: &str) -> bool {
    let Some(expected) = expected(rsm, goals) else { return false };
    let found = find(rsm, goals, &options(reductions));
    let found = found.unwrap_or_else(|error| panic!("{error} for {goals:?}, {context}"));
    assert_eq!(found.map(|trace| trace.n_steps()), expected, "{goals:?}, {context}");
    true
}

/// Compares on each goal of a random program, and on all of them together; says whether the twin could do the latter.
fn compare_random(seed: u64, shape: &Shape) -> bool {
    let text = program(seed, shape);
    let rsm = lower(&text);
    let goals = all_goals(&rsm);
    let context = format!("seed {seed}\n{text}");
    for goal in &goals {
        compare(&rsm, &[*goal], Reductions::ALL, &context);
    }
    if let Some(last) = goals.last() {
        compare(&rsm, &[*last], Reductions::NONE, &context);
    }
    compare(&rsm, &goals, Reductions::ALL, &context)
}

/// At least half of the programs were small enough for the twin.
#[track_caller]
fn enough(n_compared: usize, n_programs: usize) {
    assert!(2 * n_compared >= n_programs, "only {n_compared} of {n_programs} programs were compared");
}

/// The length of the shortest trace to the label `ERROR`.
#[track_caller]
fn steps_to_error(text: &str) -> Option<u128> {
    let rsm = lower(text);
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    let found = find(&rsm, &target.places().collect::<Vec<Goal>>(), &options(Reductions::ALL));
    found.unwrap_or_else(|error| panic!("{error}")).map(|trace| trace.n_steps())
}

#[test]
fn the_twin_agrees_on_small_programs() {
    let seeds: Vec<u64> = seeds(0..40).collect();
    enough(seeds.iter().filter(|seed| compare_random(**seed, &Shape::small())).count(), seeds.len());
}

#[test]
fn the_twin_agrees_on_medium_programs() {
    let seeds: Vec<u64> = seeds(0..8).collect();
    enough(seeds.iter().filter(|seed| compare_random(**seed, &Shape::medium())).count(), seeds.len());
}

/// Functions each of which calls the next one twice.
fn doubling(n: usize) -> String {
    let level = |i: usize| format!("void f{i}() begin f{}(); f{}(); end\n", i + 1, i + 1);
    let levels: String = (0..n).map(level).collect();
    format!("void main() begin f0(); ERROR: skip; end\n{levels}void f{n}() begin skip; end\n")
}

#[test]
fn an_exponential_run_is_counted_exactly() {
    // The innermost function takes two steps, its `skip` and its return.
    let length = (0..40).fold(2u128, |inner, _| 2 * (1 + inner) + 1);
    assert_eq!(steps_to_error(&doubling(40)), Some(1 + length));
    assert!(length > 1 << 40);
}

#[test]
fn a_run_that_cannot_be_counted_is_refused() {
    let rsm = lower(&doubling(130));
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    assert_eq!(
        find(&rsm, &target.places().collect::<Vec<Goal>>(), &options(Reductions::ALL)),
        Err(ShortestError::TooLong)
    );
}

#[test]
fn the_twin_agrees_on_nested_levels() {
    let text = generate::family("t1", 40, &generate::Options::default()).expect("the family has this size");
    let rsm = lower(&text);
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    compare(&rsm, &target.places().collect::<Vec<Goal>>(), Reductions::ALL, "t1");
}

#[test]
fn the_shorter_of_two_branches_between_the_same_points_is_taken() {
    let text = "void main() begin if (*) then skip; skip; skip; else skip; fi ERROR: skip; end";
    assert_eq!(steps_to_error(text), Some(2));
}

#[test]
fn a_detour_through_a_cheap_call_beats_a_long_way() {
    let text = "decl g; init !g;
        void main() begin
            if (*) then skip; skip; skip; skip; skip; g := T; else set(); fi
            if (g) then ERROR: skip; fi
        end
        void set() begin g := T; end";
    // The test, the call, the assignment, the return, the second test.
    assert_eq!(steps_to_error(text), Some(5));
}

#[test]
fn the_caller_that_is_reached_sooner_opens_the_run() {
    let text = "void main() begin if (*) then skip; skip; f(T); else f(F); fi end
        void f(x) begin if (x) then ERROR: skip; else skip; skip; skip; goto ERROR; fi end";
    assert_eq!(steps_to_error(text), Some(5));
}

#[test]
fn a_target_that_no_run_reaches_has_no_trace() {
    assert_eq!(steps_to_error("decl g; init !g; void main() begin if (g) then ERROR: skip; fi end"), None);
}

#[test]
fn a_target_at_the_first_statement_needs_no_step() {
    assert_eq!(steps_to_error("void main() begin ERROR: skip; end"), Some(0));
}

#[test]
fn a_loop_of_too_many_lengths_is_given_up() {
    let text =
        "void main() begin decl i: int<18>; i := 0; while (i != 262143) do i := i + 1; od ERROR: skip; end";
    let rsm = lower(text);
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    let found = find(&rsm, &target.places().collect::<Vec<Goal>>(), &options(Reductions::ALL));
    assert_eq!(found, Err(ShortestError::TooManyLengths));
}

#[test]
fn two_searches_find_the_same_trace() {
    let rsm = lower(&program(3, &Shape::medium()));
    let goals = all_goals(&rsm);
    let search = |goal: &Goal| find(&rsm, &[*goal], &options(Reductions::ALL));
    assert!(goals.iter().all(|goal| search(goal) == search(goal)));
}

#[test]
fn running_out_of_memory_is_an_answer() {
    let text = generate::family("quicksort", 12, &generate::Options::default());
    let rsm = lower(&text.expect("the family has this size"));
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    let options = Options { memory: Some(1 << 17), ..options(Reductions::ALL) };
    let found = find(&rsm, &target.places().collect::<Vec<Goal>>(), &options);
    assert!(matches!(found, Err(ShortestError::Halted(Halt::Stopped(StopReason::Memory, _)))));
}

#[test]
fn a_stop_is_an_answer() {
    let rsm = lower("void main() begin skip; ERROR: skip; end");
    let target = checker::find_target(&rsm, "ERROR").expect("the program has the label");
    let options = options(Reductions::ALL);
    options.stop.request(StopReason::Time);
    assert!(matches!(
        find(&rsm, &target.places().collect::<Vec<Goal>>(), &options),
        Err(ShortestError::Halted(_))
    ));
}
