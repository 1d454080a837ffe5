//! Searches in shares, of entries and of states: they find what one search finds, whoever is faster, and what they show can be run.

use crate::harness::{check_trace, goals, infinite, is_infinite, limited, machine, reach, repeat};
use explicit::{Answer, Figures, Outcome, Settings, SharedBy, Stopped, Workers};
use generate::random::{Shape, program};
use generate::{Options, family};
use rsm::{Goal, Reductions};
use std::num::NonZeroU8;
use testing::{Counts, seeds};

/// Workers that take few steps in a round, so that small programs have many rounds, on threads and on one.
fn workers((number, steps, by): Way) -> Settings {
    let number = NonZeroU8::new(number).expect("somebody works");
    let worth_a_thread = if steps > 4 { steps / 2 } else { u32::MAX };
    Settings { workers: Workers { number, steps, worth_a_thread, alone: ALONE, by }, ..Settings::default() }
}

/// How many workers, how many steps they take in a round, and what is dealt to them.
type Way = (u8, u32, Option<SharedBy>);

/// So many states are looked at alone where it is not said what is dealt.
const ALONE: u32 = 40;

const ENTRY: Option<SharedBy> = Some(SharedBy::Entry);
const STATE: Option<SharedBy> = Some(SharedBy::State);

const WAYS: [Way; 8] = [
    (2, 1, ENTRY),
    (2, 16, ENTRY),
    (3, 9, ENTRY),
    (60, 64, ENTRY),
    (2, 1, STATE),
    (2, 16, STATE),
    (7, 9, STATE),
    (3, 16, None),
];

fn count(counts: &mut Counts, figures: &Figures) {
    let sharing = figures.sharing.expect("it was shared");
    let by = match sharing.by {
        _ if sharing.rounds == 0 => "alone",
        SharedBy::Entry => "by entry",
        SharedBy::State => "by state",
        SharedBy::Configuration => panic!("there are no threads"),
    };
    counts.count(by);
    counts.add(if by == "by state" { "letters by state" } else { "letters" }, sharing.letters);
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
        for way in WAYS {
            let about = format!("seed {seed}, {way:?}\n{text}");
            let reductions = if seed % 3 == 0 { Reductions::NONE } else { Reductions::ALL };
            let settings = Settings { reductions, ..workers(way) };
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
    let searches = [("letters", 5000), ("letters by state", 5000), ("rounds side by side", 300)];
    counts.at_least(&searches);
    let ways = [("by entry", 60), ("by state", 60), ("alone", 15), ("complete searches", 20)];
    counts.at_least(&ways);
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
        for way in WAYS {
            let about = format!("seed {seed}, {way:?}\n{text}");
            let (settings, alone) = (workers(way), Settings::default());
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
    counts.at_least(&[("by entry", 60), ("by state", 60), ("letters by state", 1000)]);
}

#[test]
fn families_have_the_same_states_whoever_looks_at_them() {
    for (name, n) in [("driver", 40), ("counter", 8), ("t1", 200), ("terminator", 3)] {
        let text = family(name, n, &Options::default()).expect("it is a family");
        let rsm = machine(&text);
        let goals = goals(&rsm);
        let ask = |settings| limited(1 << 28, |limits| explicit::reachable(&rsm, &goals, settings, limits));
        let alone = ask(Settings::default());
        for way in WAYS {
            let found = ask(workers(way));
            let sharing = found.figures.sharing.expect("it was shared");
            assert!(sharing.letters > 0 || way.2.is_none(), "{name}: {sharing:?}");
            assert_eq!(found.is_reached, alone.is_reached, "{name}");
            if !found.is_reached.iter().all(|is_reached| *is_reached) {
                assert_eq!(found.figures.states, alone.figures.states, "{name}, {way:?}");
            }
        }
    }
}

/// A program whose states are all of one function, some thousand on each level.
const WIDE: &str = "decl a: int<4>, b: int<4>, c: int<4>;
void main() begin
  decl i: int<4>;
  a, b, c, i := 0, 0, 0, 0;
  while (i < 7) do
    a, b, c := a + i, b + a, c + b;
    if (*) then a := a + 1; else skip; fi
    if (*) then b := b + c; else c := c + a; fi
    if (*) then i := i + 1; else skip; fi
  od
  if (a = 3 & b = 5 & c = 7 & i = 0) then ERROR: skip; fi
end
";

#[test]
fn what_is_dealt_depends_on_what_one_worker_has_seen() {
    let dealt = |text: &str, alone: u32| {
        let rsm = machine(text);
        let goals = goals(&rsm);
        let workers = Workers { alone, ..Workers::of(NonZeroU8::new(2).expect("two")) };
        let settings = Settings { workers, ..Settings::default() };
        let found = limited(1 << 28, |limits| explicit::reachable(&rsm, &goals, settings, limits));
        assert_eq!(found.stopped, None);
        let sharing = found.figures.sharing.expect("two workers were there");
        (sharing.rounds > 0).then_some(sharing.by)
    };
    let family = |name, n| family(name, n, &Options::default()).expect("it is a family");
    assert_eq!(dealt(&family("driver", 200), 500), ENTRY);
    assert_eq!(dealt(&family("driver", 200), 1 << 20), None, "it is small");
    assert_eq!(dealt(WIDE, 500), STATE);
    assert_eq!(dealt(&family("counter", 8), 500), None, "it is a chain");
    let widening = WIDE.replacen("  while", "  while (n != 1023) do n := n + 1; od\n  while", 1);
    let widening = widening.replacen("i: int", "n: int<10>, i: int", 1);
    assert!(widening.contains("n: int<10>") && widening.contains("n != 1023"));
    assert_eq!(dealt(&widening, 500), STATE, "it is a chain at first");
}

#[test]
fn workers_stop_within_their_limits() {
    let text = family("driver", 400, &Options::default()).expect("it is a family");
    let rsm = machine(&text);
    let goals = goals(&rsm);
    for by in [ENTRY, STATE, None] {
        let settings = workers((3, 256, by));
        let found = limited(1 << 20, |limits| explicit::reachable(&rsm, &goals, settings, limits));
        assert_eq!(found.stopped, Some(Stopped::Memory), "{by:?}");
        assert!(found.figures.bytes <= 1 << 20, "{by:?} {:?}", found.figures);
    }
}

#[test]
fn large_tables_of_shares_become_larger_together() {
    let text = family("driver", 150, &Options::default()).expect("it is in range");
    let rsm = machine(&text);
    let ask = |number, by| {
        let number = NonZeroU8::new(number).expect("somebody works");
        let workers = Workers { by, alone: ALONE, ..Workers::of(number) };
        let found = reach(&rsm, &[], Settings { workers, ..Settings::default() });
        assert_eq!(found.answer, Answer::No);
        found.figures
    };
    let alone = ask(1, None);
    assert!(alone.states > 1 << 17, "{alone:?}");
    for by in [ENTRY, STATE] {
        let together = ask(2, by);
        assert_eq!((together.states, together.entries), (alone.states, alone.entries));
        assert!(together.sharing.is_some_and(|sharing| sharing.side_by_side > 3), "{together:?}");
    }
}
