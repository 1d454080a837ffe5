//! Programs with threads, searched by several workers and by several processes: what one search finds, with the same bounds, and runs that replay.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::peers::each;
use crate::harness::threads::{all_settings, all_targets, lower, within};
use base::{Gauge, Stop, StopReason};
use explicit::threads::together::{Asked, Company};
use explicit::threads::{Cost, End, Found, Question, Settings, closure, deadlock, fewest, least};
use explicit::{Limits, Peers, SharedBy, Stopped, Workers};
use generate::random::{ConcurrentShape, Threads, concurrent};
use generate::{Options, family};
use rsm::interleave::declaration_order;
use rsm::trace::Trace;
use std::num::NonZeroU8;
use testing::{Counts, seeds};

/// How many workers, how many steps they take in a round, and what is dealt to them; one begins alone if that is not said.
type Way = (u8, u32, Option<SharedBy>);

/// Workers that take few steps in a round, so that small programs have many rounds, on threads and on one.
fn company((number, steps, by): Way, peers: Option<&dyn Peers>) -> Company<'_> {
    let number = NonZeroU8::new(number).expect("somebody works");
    let worth_a_thread = if steps > 4 { steps / 2 } else { u32::MAX };
    Company { workers: Workers { number, steps, worth_a_thread, alone: 40, by }, peers }
}

const AT_ONCE: Option<SharedBy> = Some(SharedBy::Configuration);

const WAYS: [Way; 5] = [(2, 1, AT_ONCE), (2, 12, AT_ONCE), (3, 7, AT_ONCE), (3, 9, None), (40, 64, AT_ONCE)];

/// What is known does not depend on who searched.
fn agrees(found: &Found, alone: &Found, counts: &mut Counts, about: &str) {
    assert_eq!((&found.least, found.end), (&alone.least, alone.end), "{about}");
    if matches!(alone.end, End::Stopped(_)) {
        counts.count("stopped");
        return;
    }
    assert_eq!(found.looked_at, alone.looked_at, "{about}");
    for target in 0..alone.least.len() {
        assert_eq!(found.is_least(target), alone.is_least(target), "{about}");
    }
    if alone.end != End::Found {
        assert_eq!((found.cut, found.safe_within()), (alone.cut, alone.safe_within()), "{about}");
        assert_eq!(found.figures.states, alone.figures.states, "{about}");
        counts.count("complete searches");
    }
    let sharing = found.figures.sharing.expect("it was shared");
    counts.count(if sharing.rounds == 0 { "alone" } else { "shared" });
    counts.add("letters", sharing.letters);
    counts.add("rounds side by side", sharing.side_by_side);
    counts.add("reached", alone.least.iter().flatten().count() as u64);
}

/// A run is one of the program, with as few switches or rounds as are needed.
fn replays(trace: &Trace, question: &Question<'_>, least: u32, about: &str) {
    let goals: Vec<_> = question.targets.iter().flatten().copied().collect();
    assert_eq!(trace.replay(question.program, &goals), Ok(()), "{about}");
    let needed = match question.cost {
        Cost::Switches => Some(trace.n_switches()),
        Cost::Rounds => trace.n_rounds(&declaration_order(&trace.counts())),
    };
    assert_eq!(needed, Some(least as usize), "{about}");
}

const ASKED: [(Cost, Option<u32>); 4] =
    [(Cost::Switches, None), (Cost::Switches, Some(2)), (Cost::Rounds, Some(2)), (Cost::Rounds, None)];

#[test]
fn workers_find_the_bounds_that_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(0..16) {
        let recursion = if seed % 4 == 3 { 60 } else { ConcurrentShape::small(Threads::Fixed).recursion };
        let text = concurrent(seed, &ConcurrentShape { recursion, ..ConcurrentShape::small(Threads::Fixed) });
        let program = lower(&text, 0);
        let targets = all_targets(&program, seed % 3 == 0);
        let every = all_settings(seed);
        let settings = every[seed as usize % every.len()];
        for (n, (cost, bound)) in ASKED.into_iter().enumerate() {
            let question = Question { program: &program, targets: &targets, cost, bound };
            let alone = within(|limits| least(&question, settings, limits)).expect("numbers are known");
            let way = WAYS[(seed as usize + n) % WAYS.len()];
            let company = company(way, None);
            let about = format!("seed {seed}, {cost:?} {bound:?}, {way:?}\n{text}");
            let ask = || within(|limits| Asked { question: &question, settings, company, limits }.least());
            let found = ask().expect("numbers are known");
            assert_eq!(ask().as_ref(), Ok(&found), "{about}");
            agrees(&found, &alone, &mut counts, &about);
            for (target, least) in targets.iter().zip(&alone.least).skip(n % 2).step_by(3) {
                let one = Question { targets: std::slice::from_ref(target), ..question };
                let ask = || within(|limits| Asked { question: &one, settings, company, limits }.fewest());
                let found = ask().expect("numbers are known");
                if found == Err(Stopped::States) || matches!(alone.end, End::Stopped(_)) {
                    continue;
                }
                let trace = found.unwrap_or_else(|stopped| panic!("{stopped:?} {about}"));
                assert_eq!(trace.is_some(), least.is_some(), "{target:?} {about}");
                if let (Some(trace), Some(least)) = (trace, least) {
                    replays(&trace, &one, *least, &about);
                    counts.count("runs");
                }
            }
        }
    }
    counts.at_least(&[("letters", 4_000), ("rounds side by side", 20), ("complete searches", 20)]);
    counts.at_least(&[("reached", 50), ("runs", 20), ("alone", 5), ("shared", 20)]);
}

#[test]
fn workers_find_the_deadlocks_that_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(0..24) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
        let program = lower(&text, 0);
        let every = all_settings(seed);
        let settings = every[seed as usize % every.len()];
        for (cost, bound) in ASKED {
            let question = Question { program: &program, targets: &[], cost, bound };
            let alone = within(|limits| deadlock(&question, settings, limits)).expect("numbers are known");
            let way = WAYS[seed as usize % WAYS.len()];
            let company = company(way, None);
            let about = format!("seed {seed}, {cost:?} {bound:?}, {way:?}\n{text}");
            let found = within(|limits| Asked { question: &question, settings, company, limits }.deadlock())
                .expect("numbers are known");
            assert_eq!((&found.is_reached, &found.least), (&alone.is_reached, &alone.least), "{about}");
            assert_eq!(found.end, alone.end, "{about}");
            counts.count(if alone.is_reached[0] { "deadlocks" } else { "none" });
            let Some(least) = alone.least[0] else { continue };
            let run = within(|limits| {
                Asked { question: &question, settings, company, limits }.fewest_to_deadlock()
            })
            .expect("numbers are known");
            let run = run.unwrap_or_else(|stopped| panic!("{stopped:?} {about}"));
            replays(&run.expect("there is one"), &question, least, &about);
            counts.count("runs");
        }
    }
    counts.at_least(&[("deadlocks", 12), ("none", 12), ("runs", 12)]);
}

#[test]
fn processes_find_the_bounds_that_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(100..116) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
        let program = lower(&text, 0);
        let targets = all_targets(&program, seed % 3 == 0);
        let settings = Settings::default();
        let by = if seed % 3 == 0 { None } else { AT_ONCE };
        for ((n, workers), (cost, bound)) in [(2, 1), (2, 2), (3, 1)].into_iter().zip(ASKED) {
            let question = Question { program: &program, targets: &targets, cost, bound };
            let about = format!("seed {seed}, {cost:?} {bound:?}, {n} processes of {workers}\n{text}");
            let alone = within(|limits| least(&question, settings, limits)).expect("numbers are known");
            let found = each(n, u32::MAX, |peer| {
                let company = company((workers, 9, by), Some(peer));
                within(|limits| Asked { question: &question, settings, company, limits }.least())
                    .expect("known")
            });
            found.iter().for_each(|found| agrees(found, &alone, &mut counts, &about));
            let Some((target, least)) =
                targets.iter().zip(&alone.least).find_map(|(target, least)| Some((target, (*least)?)))
            else {
                continue;
            };
            let one = Question { targets: std::slice::from_ref(target), ..question };
            let runs = each(n, u32::MAX, |peer| {
                let company = company((workers, 9, by), Some(peer));
                within(|limits| Asked { question: &one, settings, company, limits }.fewest()).expect("known")
            });
            for (process, run) in runs.into_iter().enumerate() {
                let run = run.unwrap_or_else(|stopped| panic!("{stopped:?} {about}"));
                assert_eq!(run.is_some(), process == 0, "{about}");
                if let Some(run) = run {
                    replays(&run, &one, least, &about);
                    counts.count("runs");
                }
            }
        }
    }
    counts.at_least(&[("letters", 3_000), ("complete searches", 20), ("reached", 50), ("runs", 20)]);
}

#[test]
fn what_was_looked_at_is_brought_together() {
    let mut counts = Counts::default();
    for seed in seeds(200..240) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
        let program = lower(&text, 0);
        // Those that are out of reach are of interest.
        let targets = all_targets(&program, false);
        let settings = Settings::default();
        let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
        let all = within(|limits| least(&question, settings, limits)).expect("numbers are known");
        let open = targets.iter().zip(&all.least).filter(|(_, least)| least.is_none());
        let open: Vec<_> = open.map(|(target, _)| target.clone()).collect();
        if open.is_empty() {
            continue;
        }
        let question = Question { targets: &open, ..question };
        let (_, alone) = within(|limits| closure(&question, settings, limits)).expect("known");
        let told = each(2, u32::MAX, |peer| {
            let company =
                company((1 + seed as u8 % 2, 9, if seed % 5 == 0 { None } else { AT_ONCE }), Some(peer));
            within(|limits| Asked { question: &question, settings, company, limits }.closure())
                .expect("known")
                .1
        });
        assert_eq!(told[0].is_some(), alone.is_some(), "seed {seed}\n{text}");
        assert!(told[1].is_none(), "the first one has everything");
        let (Some(Ok(told)), Some(alone)) = (&told[0], &alone) else { continue };
        assert_eq!(told.configurations.len(), alone.configurations.len(), "seed {seed}\n{text}");
        assert_eq!(told.groups, alone.groups);
        counts.add("configurations", told.configurations.len() as u64);
        counts.count("closed sets");
    }
    counts.at_least(&[("configurations", 200), ("closed sets", 10)]);
}

#[test]
fn families_have_the_same_configurations_whoever_looks_at_them() {
    let mut counts = Counts::default();
    for (name, n) in [("bluetooth", 2), ("peterson", 2), ("philosophers", 4), ("szymanski", 2)] {
        let text = family(name, n, &Options::default()).expect("it is a family");
        let program = lower(&text, 0);
        let targets = all_targets(&program, false);
        let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
        let settings = Settings::default();
        let alone = within(|limits| least(&question, settings, limits)).expect("numbers are known");
        for way in WAYS {
            let company = company(way, None);
            let found = within(|limits| Asked { question: &question, settings, company, limits }.least());
            agrees(&found.expect("numbers are known"), &alone, &mut counts, name);
        }
    }
    counts.at_least(&[("letters", 5_000)]);
}

#[test]
fn who_is_lost_or_has_no_memory_stops_all() {
    let text = family("philosophers", 6, &Options::default()).expect("it is a family");
    let program = lower(&text, 0);
    let targets = all_targets(&program, false);
    let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
    let stopped = Stop::default();
    stopped.request(StopReason::Interrupt);
    let ask = |peer: &dyn Peers, max_bytes: usize, by, stop: &Stop| {
        let gauge = Gauge::default();
        let limits = Limits { max_bytes, max_states: u64::MAX, max_steps: 1 << 12, stop, gauge: &gauge };
        let mut company = company((1, 16, by), Some(peer));
        company.workers.alone = 1 << 12;
        Asked { question: &question, settings: Settings::default(), company, limits: &limits }
            .least()
            .expect("known")
    };
    let go_on = &Stop::default();
    for (patience, by) in [(0, AT_ONCE), (1, AT_ONCE), (5, AT_ONCE), (0, None)] {
        for found in each(3, patience, |peer| ask(peer, 1 << 28, by, go_on)) {
            assert_eq!(found.end, End::Stopped(Stopped::Lost(1)), "{patience}");
        }
    }
    // Who has no room alone asks the others to share.
    for by in [AT_ONCE, None] {
        let found =
            each(2, u32::MAX, |peer| ask(peer, if peer.own() == 1 { 1 << 15 } else { 1 << 28 }, by, go_on));
        for one in &found {
            assert_eq!(one.end, End::Stopped(Stopped::Memory));
            assert!(one.figures.sharing.is_some_and(|sharing| sharing.rounds > 0), "{one:?}");
            assert_eq!(one.figures.states, found[0].figures.states, "all tell the states of all");
        }
        let found =
            each(2, u32::MAX, |peer| ask(peer, 1 << 28, by, if peer.own() == 1 { &stopped } else { go_on }));
        for one in found {
            assert_eq!(one.end, End::Stopped(Stopped::Requested(StopReason::Interrupt)), "{by:?}");
        }
    }
}

#[test]
fn a_run_through_all_shares_is_one_of_fewest() {
    // One search without shares and one with a single worker are the same.
    let text = family("bluetooth", 2, &Options::default()).expect("it is a family");
    let program = lower(&text, 0);
    let targets = all_targets(&program, false);
    let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
    let settings = Settings::default();
    let alone = within(|limits| fewest(&question, settings, limits)).expect("numbers are known");
    let shared = within(|limits| {
        Asked { question: &question, settings, company: company((5, 3, AT_ONCE), None), limits }.fewest()
    });
    let [alone, shared] = [alone, shared.expect("numbers are known")].map(|run| run.expect("it ends"));
    let [alone, shared] = [alone, shared].map(|run| run.map(|run| run.n_switches()));
    assert_eq!(alone, shared);
}

#[test]
fn moves_that_cost_little_stay_with_one_worker() {
    // Everybody does the same with the same few values, and each counts in values of its own: tables of moves are small, or larger than what was looked at.
    let cheap = family("philosophers", 6, &Options::default()).expect("it is a family");
    let costly = "decl x: int<16>; decl y: bool; init x = 0 & !y;
        thread a begin void main() begin
            while (T) do x := x * 3 + 1; if (x = 7 & y) then ERROR: skip; fi od
        end end
        thread b begin void main() begin while (T) do x := x + 5; od end end";
    for (text, is_shared) in [(cheap.as_str(), false), (costly, true)] {
        let program = lower(text, 0);
        let targets = all_targets(&program, false);
        let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
        let found = within(|limits| {
            let mut company = company((2, 64, None), None);
            company.workers.alone = 1 << 12;
            Asked { question: &question, settings: Settings::default(), company, limits }.least()
        });
        let sharing = found.expect("numbers are known").figures.sharing.expect("there are two");
        assert_eq!(sharing.rounds > 0, is_shared, "{text}\n{sharing:?}");
    }
}
