//! Random programs: every order against the twin and the oracle, with every trace and lasso replayed.

use crate::harness::oracle::Oracle;
use crate::harness::{
    ORDERS, check_trace, goals, infinite, is_infinite, limited, machine, reach, repeat, with,
};
use base::Stop;
use explicit::{Answer, Order, Settings};
use generate::random::{Shape, program, seeds};
use rsm::explicit as twin;
use rsm::step::{Configuration, fails_assertion, initials, successors};
use rsm::{Action, Goal, Reductions, Rsm};
use std::collections::HashSet;

fn shape(seed: u64) -> Shape {
    if seed.is_multiple_of(4) { Shape::medium() } else { Shape::small() }
}

/// What the twin says, unless the program is too large for it.
fn expected(rsm: &Rsm, goals: &[Goal]) -> Option<Vec<bool>> {
    twin::reachable(rsm, goals, small(), &Stop::default()).ok()
}

/// What the twin may look at.
fn small() -> twin::Limits {
    twin::Limits { max_states: 60_000, max_outcomes: 1 << 14 }
}

/// Somebody has chosen the seeds.
fn is_selected() -> bool {
    testing::is_chosen()
}

#[test]
fn all_orders_reach_what_the_twin_reaches() {
    let (mut n_compared, mut n_reached, mut n_steps) = (0, 0, 0);
    for seed in seeds(0..150) {
        let text = program(seed, &shape(seed));
        let rsm = machine(&text);
        let goals = goals(&rsm);
        let Some(expected) = expected(&rsm, &goals) else { continue };
        for order in ORDERS {
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let settings = Settings { order, reductions, ..Settings::default() };
                let found = limited(1 << 28, |limits| explicit::reachable(&rsm, &goals, settings, limits));
                assert_eq!(found.stopped, None, "seed {seed} {order:?} {reductions}\n{text}");
                assert_eq!(found.is_reached, expected, "seed {seed} {order:?} {reductions}\n{text}");
                n_compared += 1;
            }
        }
        for (n, goal) in goals.iter().enumerate() {
            for order in ORDERS {
                let outcome = reach(&rsm, &[*goal], with(order));
                match outcome.answer {
                    Answer::Reached(reached, Some(trace)) => {
                        assert!(expected[n] && reached == *goal, "seed {seed} {order:?}\n{text}");
                        n_steps += check_trace(&rsm, &trace, &format!("seed {seed} {order:?}\n{text}"));
                        n_reached += 1;
                    }
                    Answer::No => assert!(!expected[n], "seed {seed} {order:?} {goal:?}\n{text}"),
                    other => panic!("seed {seed}: {other:?}\n{text}"),
                }
            }
        }
    }
    let enough = n_compared > 400 && n_reached > 1000 && n_steps > 5000;
    assert!(enough || is_selected(), "{n_compared} {n_reached} {n_steps}");
}

#[test]
fn breadth_first_runs_are_as_short_as_the_twins() {
    let mut n_compared = 0;
    for seed in seeds(1000..1080) {
        let text = program(seed, &Shape::small());
        let rsm = machine(&text);
        for goal in goals(&rsm) {
            let limits = twin::Limits { max_states: 60_000, max_outcomes: 1 << 14 };
            let Ok(shortest) = twin::shortest(&rsm, &[goal], limits, &Stop::default()) else { continue };
            let outcome = reach(&rsm, &[goal], with(Order::Bfs));
            match (shortest, outcome.answer) {
                (Some(trace), Answer::Reached(_, Some(found))) => {
                    assert_eq!(found.n_steps(), trace.n_steps(), "seed {seed} {goal:?}\n{text}");
                    n_compared += 1;
                }
                (None, Answer::No) => {}
                (expected, found) => panic!("seed {seed}: {expected:?} {found:?}\n{text}"),
            }
        }
    }
    assert!(n_compared > 250 || is_selected(), "{n_compared}");
}

/// What configurations say, one after the other: whether some run ends, some run cannot go on, and some assertion may fail and may
/// hold; `None` if there are too many, or if only the `enforce` of a caller keeps a run from going on.
fn finite_by_configurations(rsm: &Rsm) -> Option<(bool, bool, bool)> {
    let (mut ends, mut blocks, mut both) = (false, false, false);
    let mut todo = initials(rsm, 1 << 12).ok()?;
    let mut known: HashSet<Configuration> = todo.iter().cloned().collect();
    while let Some(configuration) = todo.pop() {
        let top = configuration.top()?.clone();
        let steps = successors(rsm, &configuration, 1 << 12).ok()?;
        let module = rsm.module(top.module);
        let (mut returns, mut fails) = (false, false);
        for (id, edge) in module.edges_from(top.node) {
            returns |= matches!(edge.action, Action::Return { .. });
            fails |= fails_assertion(rsm, &configuration, id).ok()?;
        }
        if steps.is_empty() && !fails && returns {
            return None;
        }
        both |= fails && !steps.is_empty();
        blocks |= fails || steps.is_empty();
        for (_, after) in steps {
            match after.stack.len() {
                0 => ends = true,
                1..=5 if known.insert(after.clone()) => todo.push(after),
                1..=5 => {}
                _ => return None,
            }
        }
        if known.len() > 20_000 {
            return None;
        }
    }
    Some((ends, blocks, both))
}

#[test]
fn finite_runs_are_those_of_all_configurations() {
    let (mut n_compared, mut n_ends, mut n_blocks, mut n_neither, mut n_only_may_fail) = (0, 0, 0, 0, 0);
    for seed in seeds(3000..3200) {
        // Assertions that may fail and may hold are rare otherwise.
        let mut text = program(seed, &Shape::small());
        if seed % 2 == 1 {
            text = text.replace("skip", "assert(*)").replace("dead ", "assert(* | F); dead ");
        }
        let rsm = machine(&text);
        let Some((ends, blocks, may_fail)) = finite_by_configurations(&rsm) else { continue };
        let found = limited(1 << 28, |limits| explicit::finite(&rsm, limits));
        assert_eq!(found.stopped, None, "seed {seed}\n{text}");
        assert_eq!((found.ends, found.blocks), (ends, blocks), "seed {seed}\n{text}");
        n_compared += 1;
        n_ends += u32::from(ends);
        n_blocks += u32::from(blocks);
        n_neither += u32::from(!blocks);
        n_only_may_fail += u32::from(may_fail);
    }
    let counts = format!("{n_compared} {n_ends} {n_blocks} {n_neither} {n_only_may_fail}");
    let enough = n_compared > 60 && n_ends > 20 && n_blocks > 20 && n_neither > 5 && n_only_may_fail > 5;
    assert!(enough || is_selected(), "{counts}");
    eprintln!("{counts}");
}

#[test]
fn infinite_runs_are_those_of_the_oracle() {
    let (mut n_programs, mut n_infinite, mut n_questions, mut n_repeated) = (0, 0, 0, 0);
    for seed in seeds(2000..2120) {
        let text = program(seed, &Shape::small());
        let rsm = machine(&text);
        let Some(mut oracle) = Oracle::new(&rsm) else { continue };
        n_programs += 1;
        let expected = oracle.is_infinite();
        n_infinite += u32::from(expected);
        let twin = twin::infinite(&rsm, small(), &Stop::default());
        assert_eq!(twin, Ok(expected), "seed {seed}\n{text}");
        for order in ORDERS {
            let about = format!("seed {seed} {order:?}\n{text}");
            assert_eq!(is_infinite(&rsm, &infinite(&rsm, with(order)), &[], &about), expected, "{about}");
        }
        for goal in goals(&rsm) {
            if let Goal::Failure(..) = goal {
                continue;
            }
            let expected = oracle.repeats(&[goal]);
            n_questions += 1;
            n_repeated += u32::from(expected);
            let twin = twin::repeats(&rsm, &[goal], small(), &Stop::default());
            assert_eq!(twin, Ok(vec![expected]), "seed {seed} {goal:?}\n{text}");
            for order in ORDERS {
                let about = format!("seed {seed} {order:?} {goal:?}\n{text}");
                let outcome = repeat(&rsm, &[goal], with(order));
                assert_eq!(is_infinite(&rsm, &outcome, &[goal], &about), expected, "{about}");
            }
        }
    }
    let enough = n_programs > 60 && n_infinite > 20 && n_questions > 300 && n_repeated > 50;
    assert!(enough || is_selected(), "{n_programs} {n_infinite} {n_questions} {n_repeated}");
}
