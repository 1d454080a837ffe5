//! Searches in shares: they find what one search finds, whoever is faster, and what they show can be run.

use crate::harness::{check_trace, goals, infinite, is_infinite, limited, machine, reach, repeat};
use explicit::{Answer, Figures, Outcome, Settings, Stopped, Workers};
use generate::random::{Shape, program};
use generate::{Options, family};
use rsm::{Goal, Reductions};
use std::num::NonZeroU8;
use testing::{Counts, seeds};

/// Workers that take few steps in a round, so that small programs have many rounds, on threads and on one.
fn workers(number: u8, steps: u32) -> Settings {
    let number = NonZeroU8::new(number).expect("somebody works");
    let workers = Workers { number, steps, worth_a_thread: if steps > 4 { steps / 2 } else { u32::MAX } };
    Settings { workers, ..Settings::default() }
}

const WAYS: [(u8, u32); 4] = [(2, 1), (2, 16), (3, 9), (60, 64)];

fn count(counts: &mut Counts, figures: &Figures) {
    let sharing = figures.sharing.expect("it was shared");
    counts.add("letters", sharing.letters);
    counts.add("rounds", sharing.rounds);
    counts.add("rounds side by side", sharing.side_by_side);
}

#[test]
fn workers_reach_what_one_reaches() {
    let mut counts = Counts::default();
    for seed in seeds(0..24) {
        let shape = if seed.is_multiple_of(4) { Shape::medium() } else { Shape::small() };
        let text = program(seed, &shape);
        let rsm = machine(&text);
        let goals = goals(&rsm);
        for (number, steps) in WAYS {
            let about = format!("seed {seed}, {number} workers, {steps} steps\n{text}");
            let reductions = if seed % 3 == 0 { Reductions::NONE } else { Reductions::ALL };
            let settings = Settings { reductions, ..workers(number, steps) };
            let ask =
                |settings| limited(1 << 28, |limits| explicit::reachable(&rsm, &goals, settings, limits));
            let alone = ask(Settings { reductions, ..Settings::default() });
            let found = ask(settings);
            assert_eq!((&found.is_reached, found.stopped), (&alone.is_reached, None), "{about}");
            if !found.is_reached.iter().all(|is_reached| *is_reached) {
                let size =
                    |figures: &Figures| (figures.states, figures.entries, figures.ends, figures.blocks);
                assert_eq!(size(&found.figures), size(&alone.figures), "{about}");
                counts.add("complete searches", 1);
            }
            count(&mut counts, &found.figures);
            for (goal, is_reached) in goals.iter().zip(&alone.is_reached) {
                let outcome = reach(&rsm, &[*goal], settings);
                assert_eq!(outcome, reach(&rsm, &[*goal], settings), "{about}");
                let Answer::Reached(_, Some(trace)) = outcome.answer else {
                    assert!(outcome.answer == Answer::No && !is_reached, "{about}{:?}", outcome.answer);
                    continue;
                };
                assert!(is_reached, "{about}");
                counts.add("steps of runs", check_trace(&rsm, &trace, &about) as u64);
            }
        }
    }
    let searches = [("letters", 5000), ("rounds side by side", 300), ("complete searches", 20)];
    counts.at_least(&searches);
    counts.at_least(&[("steps of runs", 1500)]);
}

#[test]
fn workers_find_the_infinite_runs_that_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(2000..2030) {
        let text = program(seed, &Shape::small());
        let rsm = machine(&text);
        let is_there =
            |outcome: &Outcome, goals: &[Goal], about: &str| is_infinite(&rsm, outcome, goals, about);
        for (number, steps) in WAYS {
            let about = format!("seed {seed}, {number} workers, {steps} steps\n{text}");
            let (settings, alone) = (workers(number, steps), Settings::default());
            let outcome = infinite(&rsm, settings);
            let found = is_there(&outcome, &[], &about);
            assert_eq!(found, is_there(&infinite(&rsm, alone), &[], &about), "{about}");
            counts.add("infinite", u64::from(found));
            count(&mut counts, &outcome.figures);
            for goal in goals(&rsm).into_iter().filter(|goal| matches!(goal, Goal::At(..))) {
                let outcome = repeat(&rsm, &[goal], settings);
                let found = is_there(&outcome, &[goal], &about);
                let expected = is_there(&repeat(&rsm, &[goal], alone), &[goal], &about);
                assert_eq!(found, expected, "{about}{goal:?}");
                counts.add(if found { "repeated" } else { "not repeated" }, 1);
            }
        }
    }
    counts.at_least(&[("infinite", 30), ("repeated", 60), ("not repeated", 60), ("rounds side by side", 20)]);
}

#[test]
fn families_have_the_same_states_whoever_looks_at_them() {
    for (name, n) in [("driver", 40), ("counter", 8), ("t1", 200), ("terminator", 3)] {
        let text = family(name, n, &Options::default()).expect("it is a family");
        let rsm = machine(&text);
        let goals = goals(&rsm);
        let ask = |settings| limited(1 << 28, |limits| explicit::reachable(&rsm, &goals, settings, limits));
        let alone = ask(Settings::default());
        for (number, steps) in WAYS {
            let found = ask(workers(number, steps));
            let sharing = found.figures.sharing.expect("it was shared");
            assert!(sharing.letters > 0, "{name}: {sharing:?}");
            assert_eq!(found.is_reached, alone.is_reached, "{name}");
            if !found.is_reached.iter().all(|is_reached| *is_reached) {
                assert_eq!(found.figures.states, alone.figures.states, "{name}, {number} workers");
            }
        }
    }
}

#[test]
fn workers_stop_within_their_limits() {
    let text = family("driver", 400, &Options::default()).expect("it is a family");
    let rsm = machine(&text);
    let goals = goals(&rsm);
    let settings = workers(3, 256);
    let found = limited(1 << 20, |limits| explicit::reachable(&rsm, &goals, settings, limits));
    assert_eq!(found.stopped, Some(Stopped::Memory));
    assert!(found.figures.bytes <= 1 << 20, "{:?}", found.figures);
}
