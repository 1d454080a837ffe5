//! Random programs: every order against the twin and the oracle, with every trace and lasso replayed.

mod harness;

use base::Stop;
use explicit::{Answer, Order, Settings};
use generate::random::{Shape, program, seeds};
use harness::oracle::Oracle;
use harness::{ORDERS, check_trace, goals, infinite, is_infinite, limited, machine, reach, repeat, with};
use rsm::explicit as twin;
use rsm::{Goal, Reductions, Rsm};

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
    std::env::var("GETAFIX_SEED").is_ok()
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
                let settings = Settings { order, reductions };
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
