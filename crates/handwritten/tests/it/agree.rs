//! Both algorithms agree with the explicit engine on every label and assertion of random programs.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::Stop;
use generate::random::{Shape, program, seeds};
use handwritten::Algorithm;
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Reductions, Rsm, explicit};
use symbolic::SymbolicProgram;
use testing::lower;

/// Every labelled node and every assertion.
fn all_goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (m, module) in rsm.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        goals.extend(labelled.map(|(n, _)| Goal::At(m, NodeId::new(n))));
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(asserts.map(|(e, _)| Goal::Failure(m, EdgeId::new(e))));
    }
    goals
}

fn is_reachable(rsm: &Rsm, all: &[Goal], goals: &[Goal], algorithm: Algorithm, which: Reductions) -> bool {
    let reduced = rsm::reduce(rsm, all, which);
    let program = SymbolicProgram::new(rsm, &reduced);
    handwritten::check(&program, goals, algorithm, &Stop::default()).expect("nothing runs out").is_reachable
}

/// Compares on one program; says whether it is small enough for the twin.
#[track_caller]
fn compare(seed: u64, shape: &Shape) -> bool {
    let text = program(seed, shape);
    let rsm = lower(&text);
    let goals = all_goals(&rsm);
    let limits = explicit::Limits { max_states: 200_000, ..explicit::Limits::default() };
    let Ok(expected) = explicit::reachable(&rsm, &goals, limits, &Stop::default()) else { return false };
    assert_eq!(goals.len(), expected.len());
    for algorithm in Algorithm::ALL {
        for (goal, expected) in goals.iter().zip(&expected) {
            let context = || format!("seed {seed}, {}, {goal:?}\n{text}", algorithm.name());
            for (all, which) in
                [(&goals[..], Reductions::ALL), (&[*goal], Reductions::ALL), (&[*goal], Reductions::NONE)]
            {
                let found = is_reachable(&rsm, all, &[*goal], algorithm, which);
                assert_eq!(found, *expected, "{}", context());
            }
        }
        let any = is_reachable(&rsm, &goals, &goals, algorithm, Reductions::ALL);
        assert_eq!(any, expected.contains(&true), "seed {seed}, {}\n{text}", algorithm.name());
    }
    true
}

/// At least half of the programs were small enough for the twin.
#[track_caller]
fn enough(n_compared: usize, n_programs: usize) {
    assert!(2 * n_compared >= n_programs, "only {n_compared} of {n_programs} programs were compared");
}

#[test]
fn both_algorithms_agree_with_the_explicit_engine_on_small_programs() {
    let seeds: Vec<u64> = seeds(0..80).collect();
    enough(seeds.iter().filter(|seed| compare(**seed, &Shape::small())).count(), seeds.len());
}

#[test]
fn both_algorithms_agree_with_the_explicit_engine_on_medium_programs() {
    let seeds: Vec<u64> = seeds(0..12).collect();
    enough(seeds.iter().filter(|seed| compare(**seed, &Shape::medium())).count(), seeds.len());
}

#[track_caller]
fn check_family(name: &str, n: u32, options: &generate::Options, expected: bool) {
    let rsm = lower(&generate::family(name, n, options).expect("a program of the family"));
    let labelled = |goal: &Goal| match *goal {
        Goal::At(m, node) => rsm.module(m).node(node).labels.iter().any(|label| label == "ERROR"),
        Goal::Failure(..) => false,
    };
    let goals: Vec<Goal> = all_goals(&rsm).into_iter().filter(labelled).collect();
    for algorithm in Algorithm::ALL {
        let found = is_reachable(&rsm, &goals, &goals, algorithm, Reductions::ALL);
        assert_eq!(found, expected, "{name} {n} {options:?} {}", algorithm.name());
    }
}

#[test]
fn families_have_their_known_answers() {
    let plain = generate::Options::default();
    check_family("t1", 10, &plain, true);
    check_family("t1", 11, &plain, false);
    check_family("t2", 10, &plain, false);
    check_family("counter", 5, &plain, false);
    check_family("counter", 5, &generate::Options { reachable: true, ..plain.clone() }, true);
    check_family("driver", 20, &plain, false);
    check_family("driver", 20, &generate::Options { reachable: true, globals: 5, ..plain }, true);
}
