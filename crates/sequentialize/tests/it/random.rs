//! Random programs: the verdicts about the sequential programs against the textbook twin, which tries all runs.
//!
//! Of each program those goals are asked for that need exactly the bound, one of them by itself, and those that
//! need more, all together. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::{Bound, Scheme, is_reachable, load};
use base::Stop;
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::interleave::{Least, Limits, Unfinished, declaration_order, least_rounds, least_switches};
use rsm::{Action, Concurrent, Copies, EdgeId, Goal, ModuleId, NodeId, ThreadGoal};
use std::ops::Range;

/// The bounds that are tried: 0 up to a largest one, of context switches or of rounds.
#[derive(Clone, Copy)]
struct Bounds {
    bound: fn(u32) -> Bound,
    max: u32,
}

/// Every label and every assertion of the modules that threads run.
fn all_goals(program: &Concurrent) -> Vec<ThreadGoal> {
    let mut goals = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        let labelled = (0..module.nodes.len()).filter(|n| !module.nodes[*n].labels.is_empty());
        goals.extend(labelled.map(|n| Goal::At(m, NodeId::new(n))));
        let is_assertion = |e: &usize| matches!(module.edges[*e].action, Action::Assert(_));
        let assertions = (0..module.edges.len()).filter(is_assertion);
        goals.extend(assertions.map(|e| Goal::Failure(m, EdgeId::new(e))));
    }
    goals.into_iter().map(|goal| ThreadGoal { goal, copy: None }).collect()
}

/// The least bounds by the twin, if they are exact.
fn least(
    program: &Concurrent,
    goals: &[ThreadGoal],
    Bounds { bound, max }: Bounds,
) -> Option<Vec<Option<u32>>> {
    let counts: Vec<u32> = program
        .blocks
        .iter()
        .map(|block| match block.copies {
            Copies::Number(n) => n,
            Copies::Any => max + 1,
        })
        .collect();
    let limits = Limits { max_worlds: 50_000, max_depth: 8, ..Limits::default() };
    let stop = Stop::default();
    let found: Result<Least, Unfinished> = match bound(max) {
        Bound::Switches(max) => least_switches(program, &counts, goals, max, limits, &stop),
        Bound::Rounds(max) => {
            let order = declaration_order(&counts);
            least_rounds(program, &counts, goals, &order, max, limits, &stop)
        }
    };
    found.ok().filter(|least| !least.is_cut).map(|least| least.least)
}

/// Compares all bounds; false if the program is too large for the twin.
fn compare(program: &Concurrent, bounds: Bounds, seed: u64) -> bool {
    let goals = all_goals(program);
    let Bounds { bound, max } = bounds;
    let Some(least) = least(program, &goals, bounds) else { return false };
    assert_eq!(goals.len(), least.len(), "seed {seed}");
    let verdict = |goals: &[ThreadGoal], k, scheme| {
        is_reachable(&sequentialize::sequentialize(program, goals, bound(k), scheme).expect("it is small"))
    };
    for k in 0..=max {
        let reached = goals.iter().zip(&least).find(|(_, least)| **least == Some(k)).map(|(goal, _)| *goal);
        let missed = goals.iter().zip(&least).filter(|(_, least)| least.is_none_or(|least| least > k));
        let missed: Vec<ThreadGoal> = missed.map(|(goal, _)| *goal).collect();
        for scheme in [Scheme::Eager, Scheme::Lazy] {
            if let Some(goal) = reached {
                assert!(
                    verdict(&[goal], k, scheme),
                    "seed {seed}, {scheme:?}, {:?}: {goal:?} is reached",
                    bound(k)
                );
            }
            assert!(
                !verdict(&missed, k, scheme),
                "seed {seed}, {scheme:?}, {:?}: none of {missed:?} is",
                bound(k)
            );
        }
    }
    true
}

/// Compares programs. The twin cannot decide all of them, but must decide some.
fn check(threads: Threads, bounds: Bounds, usual: Range<u64>) {
    let shape = ConcurrentShape::small(threads);
    let program = |seed| load(&concurrent(seed, &shape), bounds.max as usize);
    let n_compared = seeds(usual.clone()).filter(|seed| compare(&program(*seed), bounds, *seed)).count();
    assert!(seeds(usual.clone()) != usual || n_compared >= 5, "only {n_compared} programs were compared");
}

#[test]
fn fixed_threads_within_context_switches() {
    check(Threads::Fixed, Bounds { bound: Bound::Switches, max: 2 }, 0..12);
}

#[test]
fn fixed_threads_within_rounds() {
    check(Threads::Fixed, Bounds { bound: Bound::Rounds, max: 2 }, 100..112);
}

#[test]
fn threads_of_any_number_within_context_switches() {
    check(Threads::Parameterised, Bounds { bound: Bound::Switches, max: 1 }, 200..220);
}

#[test]
fn started_threads_within_context_switches() {
    check(Threads::Started, Bounds { bound: Bound::Switches, max: 2 }, 300..312);
}
