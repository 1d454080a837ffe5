//! Algorithms that are known for who waits and who is served: what schedules can do to their threads.

use crate::harness::threads::within;
use base::Sources;
use explicit::threads::Settings;
use explicit::threads::forever::{Answer, Wanted, find, stops};
use generate::{Options, family};
use rsm::Concurrent;
use rsm::interleave::Scheduler;

/// Some infinite run violates the formula, under each scheduler; and whether there is a deadlock.
struct Known {
    family: &'static str,
    n: u32,
    fixed: bool,
    formula: &'static str,
    violated: [bool; 3],
    deadlock: bool,
}

const NEVER: [bool; 3] = [false, false, false];
const IF_FORGOTTEN: [bool; 3] = [true, false, false];
const IF_TOO_LATE: [bool; 3] = [true, true, false];

fn known(family: &'static str, n: u32, formula: &'static str, violated: [bool; 3]) -> Known {
    Known { family, n, fixed: false, formula, violated, deadlock: false }
}

fn all() -> Vec<Known> {
    let waits = "G (in(p0.enter) -> F at(p0:CRITICAL))";
    let hungry = "G (at(p1:HUNGRY) -> F at(p1:EAT))";
    let mut all = vec![
        known("peterson", 2, "G (at(p0:WAIT) -> F at(p0:CRITICAL))", IF_FORGOTTEN),
        known("peterson", 2, "G !(at(p0:CRITICAL) & at(p1:CRITICAL))", NEVER),
        known("dekker", 2, waits, IF_FORGOTTEN),
        known("szymanski", 2, waits, IF_FORGOTTEN),
        known("szymanski", 3, waits, IF_FORGOTTEN),
        known("szymanski", 4, waits, IF_FORGOTTEN),
        known("szymanski", 4, "G !(at(p0:CRITICAL) & at(p3:CRITICAL))", NEVER),
        known("dekker", 2, "G (at(p1:WAIT) -> F at(p1:CRITICAL))", IF_FORGOTTEN),
        // While somebody stands before the door, nobody goes round behind it.
        known("szymanski", 3, "G (at(p0:WAIT) -> F at(p0:CRITICAL))", NEVER),
        // Every run of the driver ends.
        known("bluetooth", 2, "F", NEVER),
        Known { fixed: true, ..known("bluetooth", 2, "F", NEVER) },
        known("ticket_lock", 3, "G (at(p[0]:WAIT) -> F at(p[0]:CS))", NEVER),
        known("ticket_lock", 5, "G (at(p[0]:TRY) -> F at(p[0]:CS))", IF_FORGOTTEN),
        known("ticket_lock", 3, "G (at(p[0]:TRY) -> F at(p[0]:CS))", IF_FORGOTTEN),
        known("bounded_buffer", 2, "G F at(USE)", NEVER),
        known("bounded_buffer", 2, "G (at(consumer[0]:GET) -> F at(consumer[0]:USE))", IF_TOO_LATE),
        known("bounded_buffer", 2, "G (count > 0 -> F count = 0)", [true; 3]),
        known("readers_writers", 2, "G (writing -> F !writing)", NEVER),
        // Readers may keep the room for ever, whoever else gets his chances.
        known("readers_writers", 2, "G (at(writer[0]:WANT) -> F at(writer[0]:WRITE))", [true; 3]),
    ];
    for n in [3, 4, 5] {
        all.push(Known { fixed: true, ..known("philosophers", n, "G F at(EAT)", NEVER) });
        all.push(Known { fixed: true, ..known("philosophers", n, hungry, IF_TOO_LATE) });
        all.push(Known { deadlock: true, ..known("philosophers", n, "G F at(EAT)", NEVER) });
    }
    all
}

#[test]
fn who_waits_is_served_or_starves_as_it_is_known() {
    for Known { family: name, n, fixed, formula, violated, deadlock } in all() {
        let text =
            family(name, n, &Options { fixed, ..Options::default() }).expect("there is such a program");
        let (checked, _) = bp::load(&mut Sources::default(), "family.bp", &*text).expect("it is correct");
        let options = bp::ThreadOptions { slots: 0, async_labels: false };
        let program: Concurrent = bp::lower_threads(&checked, options).expect("it is correct");
        let watched = ltl::violations_of_threads(&mut Sources::default(), "ltl", formula, &checked, &program);
        let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}")).observer;
        for (scheduler, is_violated) in Scheduler::ALL.into_iter().zip(violated) {
            let what = format!("{name} {n}: {formula}, {scheduler:?}");
            let wanted = Wanted::Run(scheduler);
            let found = within(|limits| find(&program, &observer, wanted, Settings::default(), limits));
            match found.expect("the threads are few").answer {
                Answer::Yes(Some(trace)) => {
                    assert!(is_violated, "{what}: it holds");
                    let cycle =
                        trace.thread_cycle(&program, &observer).unwrap_or_else(|e| panic!("{what}: {e}"));
                    assert!(cycle.is_fair(scheduler), "{what}: {cycle:?}");
                }
                Answer::No => assert!(!is_violated, "{what}: it is violated"),
                other => panic!("{what}: {other:?}"),
            }
        }
        let stops = within(|limits| stops(&program, Settings::default(), limits)).expect("it is small");
        assert_eq!(stops.deadlock, deadlock, "{name} {n}");
    }
}
