//! Deadlocks and infinite runs of any number of threads, against a few of them; and of threads that are started, against brute force.
//!
//! What counters exclude no small number of threads may have: that is what makes an answer "none" right. `GETAFIX_SEED=7` or
//! `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::threads::{all_settings, lower};
use base::{Gauge, Sources, Stop};
use explicit::Limits;
use explicit::threads::forever::{Answer, Wanted, find, none_of_any_number};
use explicit::threads::{
    Cost, End, FamilyDeadlock, Question, Settings, deadlock, family_deadlock, fewest_to_deadlock,
};
use generate::random::{ConcurrentShape, Looping, Threads, concurrent, looping, seeds};
use rsm::interleave::{ThreadId, World, initials, is_allowed, is_deadlock, may_switch, successors};
use rsm::observe::Observer;
use rsm::{Action, Concurrent, Copies, EdgeId, Place};
use std::collections::HashSet;

const LIMIT: usize = 1 << 12;

/// Asks within limits: programs that need more are left out, and counted.
fn within<T>(ask: impl FnOnce(&Limits<'_>) -> T) -> T {
    let (stop, gauge) = (Stop::default(), Gauge::default());
    ask(&Limits { max_bytes: 1 << 30, max_states: 1 << 12, max_steps: 1 << 12, stop: &stop, gauge: &gauge })
}

/// A third of all selections of what is left out, and what is usual.
fn some_settings(seed: u64) -> Vec<Settings> {
    let all = all_settings(seed);
    let usual = Settings::default();
    all.into_iter().skip(seed as usize % 3).step_by(3).chain([usual]).collect()
}

/// The program with so many threads of each block whose number is free.
fn instance(program: &Concurrent, number: u32) -> Concurrent {
    let mut program = program.clone();
    for block in &mut program.blocks {
        if block.copies == Copies::Any {
            block.copies = Copies::Number(number);
        }
    }
    program
}

fn deadlocks_of(program: &Concurrent) -> Question<'_> {
    Question { program, targets: &[], cost: Cost::Switches, bound: None }
}

/// One to three copies of each block have a deadlock; nothing if that is too much work.
fn few_deadlock(program: &Concurrent) -> Option<bool> {
    let mut is_found = false;
    for number in 1..=3 {
        let few = instance(program, number);
        let found = within(|limits| deadlock(&deadlocks_of(&few), Settings::default(), limits)).ok()?;
        is_found |= found.least[0].is_some();
        if found.least[0].is_none() && (found.end != End::Closed || found.cut.is_some()) {
            return is_found.then_some(true);
        }
    }
    Some(is_found)
}

/// The text with any number of copies of some blocks.
fn any_number(text: &str, seed: u64) -> String {
    match seed % 3 {
        0 => text.replace("[1]", "[*]").replace("[2]", "[*]").replace("[3]", "[*]"),
        1 => text.replacen("[2]", "[*]", 1).replacen("[3]", "[*]", 1).replacen("t0[1]", "t0[*]", 1),
        _ => text.replace("t0[1]", "t0[*]").replace("t0[2]", "t0[*]").replace("t0[3]", "t0[*]"),
    }
}

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    /// There is none, and few threads have none.
    none: usize,
    /// Few threads have one.
    some: usize,
    /// Counters do not tell, and few threads have none.
    open: usize,
    unfinished: usize,
}

#[test]
fn no_few_threads_have_a_deadlock_that_counters_exclude() {
    let mut seen = Seen::default();
    for seed in seeds(0..160) {
        let text = match seed % 2 {
            0 => concurrent(seed, &ConcurrentShape::small(Threads::Parameterised)),
            _ => any_number(&looping(seed).text, seed / 2),
        };
        let program = lower(&text, 0);
        let Some(is_found) = few_deadlock(&program) else { continue };
        seen.compared += 1;
        seen.some += usize::from(is_found);
        for settings in some_settings(seed) {
            let mut is_none = false;
            for exact in 1..=2 {
                let what = format!("seed {seed}, exact up to {exact}, {settings:?}\n{text}");
                let (found, _) =
                    within(|limits| family_deadlock(&deadlocks_of(&program), exact, settings, limits));
                match found {
                    Ok(FamilyDeadlock::None) => {
                        assert!(!is_found, "there is a deadlock\n{what}");
                        seen.none += 1;
                        is_none = true;
                    }
                    // More exact counters exclude no less.
                    Ok(FamilyDeadlock::Perhaps) => {
                        assert!(!is_none, "{what}");
                        seen.open += usize::from(!is_found);
                    }
                    Ok(FamilyDeadlock::Cut) | Err(_) => seen.unfinished += 1,
                }
            }
        }
    }
    eprintln!("{seen:?}");
    if std::env::var_os("GETAFIX_SEED").is_none() {
        assert!(seen.compared >= 60 && seen.none >= 60 && seen.some >= 20, "{seen:?}");
        assert!(seen.open < 6 * seen.none, "{seen:?}");
    }
}

/// All worlds in which some thread may be active, if a thread that is started takes a slot; whether one of them is a deadlock, and
/// whether there was no slot for some thread. Nothing if it is too much work.
fn brute(program: &Concurrent) -> Option<(bool, bool)> {
    let counts = vec![1; program.blocks.len()];
    let mut known: HashSet<(World, usize)> = HashSet::new();
    let mut todo: Vec<(World, usize)> = Vec::new();
    for world in initials(program, &counts, LIMIT).ok()? {
        todo.extend((0..world.threads.len()).map(|thread| (world.clone(), thread)));
    }
    let (mut is_found, mut is_missing) = (false, false);
    while let Some((world, active)) = todo.pop() {
        let thread = ThreadId::new(active);
        if !known.insert((world.clone(), active)) {
            continue;
        }
        if known.len() > 2_000 || world.threads[active].stack.len() > 7 {
            return None;
        }
        is_found |= is_deadlock(program, &world, LIMIT).ok()?;
        if may_switch(program, &world, thread) {
            todo.extend((0..world.threads.len()).map(|other| (world.clone(), other)));
        }
        if is_allowed(program, &world, thread).ok()? {
            let steps = successors(program, &world, thread, LIMIT).ok()?;
            let (forgets, steps): (Vec<_>, Vec<_>) =
                steps.into_iter().partition(|(edge, _)| forgets(program, &world, active, *edge));
            is_missing |= !forgets.is_empty() && steps.is_empty();
            todo.extend(steps.into_iter().map(|(_, after)| (after, active)));
        }
    }
    Some((is_found, is_missing))
}

/// The step does nothing where another one would put a thread into a slot.
fn forgets(program: &Concurrent, world: &World, thread: usize, edge: EdgeId) -> bool {
    let top = world.threads[thread].stack.last().expect("it has taken a step");
    let module = program.machine.module(top.module);
    let codes: Vec<Place> = program.slots.iter().map(|slot| Place::Global(slot.variables[0])).collect();
    let starts = |action: &Action| matches!(action, Action::Assign { targets, .. } if targets.iter().any(|target| codes.contains(target)));
    matches!(module.edge(edge).action, Action::Skip)
        && module.edges_from(top.node).any(|(_, edge)| starts(&edge.action))
}

#[test]
fn deadlocks_of_threads_that_are_started_are_those_of_all_interleavings() {
    let (mut seen, mut none_of_any, mut missing) = (Seen::default(), 0, 0);
    for seed in seeds(0..220) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Started));
        let program = lower(&text, 2);
        let Some((is_found, is_missing)) = brute(&program) else { continue };
        let question = deadlocks_of(&program);
        seen.compared += 1;
        seen.some += usize::from(is_found);
        missing += usize::from(is_missing);
        for settings in some_settings(seed) {
            let what = format!("seed {seed}, {settings:?}\n{text}");
            let found =
                within(|limits| deadlock(&question, settings, limits)).expect("there are so many slots");
            match (found.least[0], found.end) {
                (Some(_), _) => {
                    assert!(is_found, "there is no deadlock\n{what}");
                    let run = within(|limits| fewest_to_deadlock(&question, settings, limits));
                    if let Ok(Ok(Some(run))) = run {
                        assert_eq!(run.replay(&program, &[]), Ok(()), "{what}");
                    }
                }
                (None, End::Closed) => {
                    assert!(!is_found, "there is a deadlock\n{what}");
                    assert!(!is_missing || found.cut.is_some(), "a thread was left out\n{what}");
                    seen.none += 1;
                }
                _ => seen.unfinished += 1,
            }
            let (any, _) = within(|limits| family_deadlock(&question, 1, settings, limits));
            if any == Ok(FamilyDeadlock::None) {
                assert!(!is_found, "there is a deadlock of some number\n{what}");
                none_of_any += 1;
            }
        }
    }
    eprintln!("{seen:?}, none of any number {none_of_any}, threads without a slot {missing}");
    if std::env::var_os("GETAFIX_SEED").is_none() {
        assert!(seen.compared >= 40 && seen.none >= 40 && seen.some >= 10, "{seen:?}");
        assert!(none_of_any >= 40 && missing >= 3, "{none_of_any} {missing}");
    }
}

/// The observer of the runs that violate a formula.
fn violations(text: &str, program: &Concurrent, formula: &str) -> Observer {
    let (checked, _) = bp::load(&mut Sources::default(), "family.bp", text).expect("it is correct");
    let watched = ltl::violations_of_threads(&mut Sources::default(), "ltl", formula, &checked, program);
    watched.unwrap_or_else(|errors| panic!("{errors:?}\n{formula}\n{text}")).observer
}

/// What of a formula is said of programs with at least one copy of each block.
fn formulas(Looping { propositions, .. }: &Looping) -> Vec<String> {
    let first = |text: &&String| !text.contains("[1]") && !text.contains("[2]");
    let own: Vec<&String> = propositions.iter().filter(first).collect();
    let pick = |n: usize| own[n % own.len()];
    let (a, b) = (pick(7), pick(own.len() - 1));
    vec![
        "F".to_owned(),
        format!("G F {a}"),
        format!("G ({a} -> F {b})"),
        format!("F G !{b}"),
        format!("G !{b}"),
        format!("G F {b} | G F !x"),
    ]
}

#[test]
fn no_few_threads_have_an_infinite_run_that_counters_exclude() {
    let mut seen = Seen::default();
    let mut by_scheduler = [0; 3];
    for seed in seeds(0..120) {
        let looping = looping(seed);
        let text = any_number(&looping.text, seed);
        if !text.contains("[*]") {
            continue;
        }
        let program = lower(&text, 0);
        for formula in formulas(&looping) {
            let observer = violations(&text, &program, &formula);
            for (n, scheduler) in rsm::interleave::Scheduler::ALL.into_iter().enumerate() {
                let what = format!("seed {seed}, {formula}, {scheduler:?}\n{text}");
                let wanted = Wanted::Run(scheduler);
                let (found, _) = within(|limits| {
                    let settings =
                        Settings { symmetry: seed % 2 == 0, visibility: seed % 4 < 2, ..Settings::default() };
                    none_of_any_number(&program, &observer, wanted, 1, settings, limits)
                });
                seen.compared += 1;
                match found {
                    Ok(true) => {}
                    Ok(false) => {
                        seen.open += 1;
                        continue;
                    }
                    Err(_) => {
                        seen.unfinished += 1;
                        continue;
                    }
                }
                for number in 1..=3 {
                    let few = instance(&program, number);
                    let found = within(|limits| find(&few, &observer, wanted, Settings::default(), limits));
                    let answer = found.expect("the threads are few").answer;
                    assert!(!matches!(answer, Answer::Yes(_)), "{number} threads have one\n{what}");
                }
                seen.none += 1;
                by_scheduler[n] += 1;
            }
        }
    }
    eprintln!("{seen:?} {by_scheduler:?}");
    if std::env::var_os("GETAFIX_SEED").is_none() {
        let [any, weak, strong] = by_scheduler;
        assert!(any > 30 && weak > any && strong >= weak, "{by_scheduler:?} {seen:?}");
    }
}

/// What counters tell of a program, under each scheduler.
#[track_caller]
fn check(text: &str, formula: &str, expected: [bool; 3]) {
    let program = lower(text, 0);
    let observer = violations(text, &program, formula);
    for (scheduler, is_none) in rsm::interleave::Scheduler::ALL.into_iter().zip(expected) {
        let (found, _) = within(|limits| {
            none_of_any_number(&program, &observer, Wanted::Run(scheduler), 1, Settings::default(), limits)
        });
        assert_eq!(found, Ok(is_none), "{formula} {scheduler:?}");
    }
}

const LOCK: &str = "decl lock;
init !lock;
thread p[*] begin
  void main() begin
    while (T) do
      TRY: atomic begin assume(!lock); lock := T; end
      CS: skip;
      lock := F;
    od
  end
end
";

#[test]
fn a_lock_serves_whoever_is_named_if_the_schedule_is_strongly_fair() {
    check(LOCK, "G (at(p[0]:TRY) -> F at(p[0]:CS))", [false, false, true]);
    check(LOCK, "G F !lock", [true; 3]);
    check(LOCK, "F", [false; 3]);
}

#[test]
fn threads_that_end_are_finitely_many() {
    let text = "decl x; init !x; thread p[*] begin void main() begin x := T; L: x := F; end end";
    check(text, "F", [true; 3]);
}
