//! Infinite runs of threads, looked for by several workers and by several processes: what one search finds, with runs that replay and are fair.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::forever::{formula, lower};
use crate::harness::peers::each;
use crate::harness::threads::within;
use base::{Gauge, Random, Sources, Stop};
use explicit::threads::Settings;
use explicit::threads::forever::{Answer, Found, Wanted, find, find_together};
use explicit::threads::together::Company;
use explicit::{Limits, Peers, SharedBy, Stopped, Workers};
use generate::random::{looping, seeds};
use generate::{Options, family};
use rsm::Concurrent;
use rsm::interleave::Scheduler;
use rsm::observe::{Observer, Who};
use std::num::NonZeroU8;
use testing::Counts;

/// Workers that take few steps in a round, so that small programs have many rounds; one begins alone if it is not said what is dealt.
fn company(number: u8, steps: u32, by: Option<SharedBy>, peers: Option<&dyn Peers>) -> Company<'_> {
    let number = NonZeroU8::new(number).expect("somebody works");
    let worth_a_thread = if steps > 4 { steps / 2 } else { u32::MAX };
    Company { workers: Workers { number, steps, worth_a_thread, alone: 100, by }, peers }
}

const AT_ONCE: Option<SharedBy> = Some(SharedBy::Configuration);

/// How many processes, how many workers each has, how many steps they take in a round, and what is dealt to them.
type Way = (u8, u8, u32, Option<SharedBy>);

const WAYS: [Way; 6] = [
    (1, 2, 1, AT_ONCE),
    (1, 3, 9, AT_ONCE),
    (1, 20, 16, AT_ONCE),
    (2, 1, 7, AT_ONCE),
    (3, 2, 5, AT_ONCE),
    (2, 2, 16, None),
];

/// What each of the processes finds.
fn together(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    settings: Settings,
    (n, workers, steps, by): Way,
) -> Vec<Found> {
    let ask = |peers: Option<&dyn Peers>| {
        let company = company(workers, steps, by, peers);
        within(|limits| find_together(program, observer, wanted, settings, company, limits))
            .expect("few threads")
    };
    if n == 1 { vec![ask(None)] } else { each(n, u32::MAX, |peer| ask(Some(peer))) }
}

/// Compares with what one search finds.
fn compare(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    way: Way,
    counts: &mut Counts,
    what: &str,
) {
    let settings = Settings { stubborn_sets: counts.of("asked").is_multiple_of(2), ..Settings::default() };
    counts.count("asked");
    let alone = within(|limits| find(program, observer, wanted, settings, limits)).expect("few threads");
    for (process, found) in together(program, observer, wanted, settings, way).into_iter().enumerate() {
        let what = format!("{wanted:?} {way:?} {settings:?}\n{what}");
        let sharing = found.figures.sharing.expect("it was shared");
        counts.add("letters", sharing.letters);
        counts.add("side by side", sharing.side_by_side);
        match (found.answer, &alone.answer) {
            (Answer::Yes(trace), Answer::Yes(_)) => {
                assert_eq!(trace.is_some(), process == 0, "{what}");
                let Some(trace) = trace else { continue };
                match wanted {
                    Wanted::Target => {
                        trace
                            .reaches_target(program, observer)
                            .unwrap_or_else(|error| panic!("{error}\n{what}"));
                        counts.count("targets");
                    }
                    Wanted::Run(scheduler) => {
                        let cycle = trace.thread_cycle(program, observer);
                        let cycle = cycle.unwrap_or_else(|error| panic!("no run: {error}\n{what}"));
                        assert!(cycle.is_fair(scheduler), "unfair: {cycle:?}\n{what}");
                        counts.count("runs");
                    }
                }
            }
            (Answer::No, Answer::No) => {
                assert!(alone.stops.is_none() || found.stops == alone.stops, "{what}");
                counts.count("none");
            }
            (Answer::Cut, Answer::Cut) => counts.count("cut"),
            (found, alone) => panic!("{found:?} {alone:?}\n{what}"),
        }
    }
}

#[test]
fn workers_find_the_runs_of_threads_that_one_finds() {
    let mut counts = Counts::default();
    for seed in seeds(0..120) {
        let looping = looping(seed);
        let (checked, program) = lower(&looping.text);
        let mut random = Random::new(seed ^ 0x5eed);
        let formula = formula(&mut random, &looping.propositions);
        let what = format!("seed {seed}, {formula}\n{}", looping.text);
        let watched =
            ltl::violations_of_threads(&mut Sources::default(), "ltl", &formula, &checked, &program);
        let mut observer = watched.unwrap_or_else(|errors| panic!("{errors:?}\n{what}")).observer;
        for (n, scheduler) in Scheduler::ALL.into_iter().enumerate() {
            let way = WAYS[(seed as usize + n) % WAYS.len()];
            compare(&program, &observer, Wanted::Run(scheduler), way, &mut counts, &what);
        }
        observer.ignores_repetition = false;
        let last = observer.states.len() - 1;
        observer.states[last].is_target = true;
        compare(&program, &observer, Wanted::Target, WAYS[seed as usize % WAYS.len()], &mut counts, &what);
    }
    counts.at_least(&[("letters", 5_000), ("side by side", 20), ("runs", 60), ("targets", 30), ("none", 60)]);
}

#[test]
fn who_is_lost_or_has_no_memory_stops_all_that_look_for_cycles() {
    let text = family("philosophers", 6, &Options::default()).expect("it is a family");
    let (_, program) = lower(&text);
    // No place is passed again and again.
    let observer = Observer::of_places(Who { block: None, copy: None }, Vec::new());
    let wanted = Wanted::Run(Scheduler::Strong);
    let settings = Settings { stubborn_sets: false, ..Settings::default() };
    let ask = |peer: &dyn Peers, max_bytes: usize| {
        let (stop, gauge) = (Stop::default(), Gauge::default());
        let limits = Limits { max_bytes, max_states: u64::MAX, max_steps: 0, stop: &stop, gauge: &gauge };
        let company = company(1, 64, AT_ONCE, Some(peer));
        find_together(&program, &observer, wanted, settings, company, &limits).expect("few threads")
    };
    for patience in [0, 1, 5, 12] {
        for found in each(3, patience, |peer| ask(peer, 1 << 28)) {
            assert!(
                matches!(found.answer, Answer::Stopped(Stopped::Lost(1))),
                "{patience} {:?}",
                found.answer
            );
        }
    }
    for poor in [0, 1] {
        for found in each(2, u32::MAX, |peer| ask(peer, if peer.own() == poor { 1 << 17 } else { 1 << 28 })) {
            assert!(matches!(found.answer, Answer::Stopped(Stopped::Memory)), "{poor} {:?}", found.answer);
        }
    }
}
