//! Several processes that search together, here threads that hand each other bytes: they find what one finds.

use crate::harness::peers::each;
use crate::harness::{check_trace, goals, is_infinite, limited, machine};
use explicit::{Answer, Outcome, Question, Settings, SharedBy, Stopped, Workers};
use generate::random::{Shape, program};
use rsm::{Goal, Rsm};
use std::num::NonZeroU8;
use testing::{Counts, seeds};

/// How many processes, how many workers each has, and what is dealt to them.
type How = (u8, u8, Option<SharedBy>);

const ENTRY: Option<SharedBy> = Some(SharedBy::Entry);
const STATE: Option<SharedBy> = Some(SharedBy::State);

/// What each of so many processes with so many workers finds.
fn together(
    rsm: &Rsm,
    goals: &[Goal],
    question: Question,
    (n, workers, by): How,
    patience: u32,
) -> Vec<Outcome> {
    let number = NonZeroU8::new(workers).expect("somebody works");
    let workers = Workers { number, steps: 16, worth_a_thread: 8, alone: 40, by };
    let settings = Settings { workers, ..Settings::default() };
    each(n, patience, |peer| {
        limited(1 << 28, |limits| explicit::together(rsm, goals, question, settings, peer, limits))
    })
}

#[test]
fn processes_find_what_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(0..20) {
        let text = program(seed, &Shape::small());
        let rsm = machine(&text);
        for how in [(2, 1, ENTRY), (2, 2, ENTRY), (3, 1, STATE), (2, 2, STATE), (2, 1, None)] {
            for goal in goals(&rsm) {
                let about = format!("seed {seed} {how:?} {goal:?}\n{text}");
                let alone =
                    limited(1 << 28, |limits| explicit::reach(&rsm, &[goal], Settings::default(), limits));
                let found = together(&rsm, &[goal], Question::Any, how, u32::MAX);
                for (n, outcome) in found.iter().enumerate() {
                    match (&outcome.answer, &alone.answer) {
                        (Answer::Reached(_, Some(trace)), Answer::Reached(..)) if n == 0 => {
                            counts.add("steps", check_trace(&rsm, trace, &about) as u64);
                        }
                        (Answer::Reached(_, None), Answer::Reached(..)) if n > 0 => {}
                        (Answer::No, Answer::No) => {
                            assert_eq!(outcome.figures.states, alone.figures.states, "{about}");
                            counts.count("not reached");
                        }
                        (found, alone) => panic!("{found:?} {alone:?}\n{about}"),
                    }
                }
                if let Goal::At(..) = goal {
                    let alone = limited(1 << 28, |limits| {
                        explicit::repeat(&rsm, &[goal], Settings::default(), limits)
                    });
                    let expected = is_infinite(&rsm, &alone, &[goal], &about);
                    let found = together(&rsm, &[goal], Question::Repeat, how, u32::MAX);
                    assert_eq!(is_infinite(&rsm, &found[0], &[goal], &about), expected, "{about}");
                    let others = found[1..].iter().map(|found| found.answer == Answer::Infinite(None));
                    assert!(others.into_iter().all(|found| found == expected), "{about}");
                    counts.count(if expected { "repeated" } else { "not repeated" });
                }
            }
        }
    }
    counts.at_least(&[("steps", 1000), ("not reached", 20), ("repeated", 30), ("not repeated", 30)]);
}

#[test]
fn who_is_lost_is_named_by_the_others() {
    let text = generate::family("driver", 20, &generate::Options::default()).expect("it is a family");
    let rsm = machine(&text);
    for (by, patience) in [(ENTRY, 0), (ENTRY, 1), (ENTRY, 5), (STATE, 1), (STATE, 5), (None, 0)] {
        for outcome in together(&rsm, &goals(&rsm), Question::Any, (3, 1, by), patience) {
            assert_eq!(outcome.answer, Answer::Stopped(Stopped::Lost(1)), "{by:?} {patience}");
        }
    }
}
