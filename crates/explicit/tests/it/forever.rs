//! Infinite runs of threads against the textbook twin, on random programs that mostly run for ever, under every scheduler and with every
//! selection of what is left out; every run that is found is replayed, and its schedule judged, by `rsm`.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::threads::within;
use base::{Random, Sources};
use bp::Checked;
use explicit::threads::Settings;
use explicit::threads::forever::{Answer, Wanted, find, stops};
use generate::random::{Looping, looping, seeds};
use rsm::interleave::{AllRuns, Limits, Scheduler};
use rsm::observe::Observer;
use rsm::trace::Trace;
use rsm::{Concurrent, Copies, Reductions};

const TWIN: Limits = Limits { max_worlds: 1_200, max_depth: 6, max_outcomes: 1 << 12 };

/// The program and its machine.
pub(crate) fn lower(text: &str) -> (Checked, Concurrent) {
    let checked = testing::load(&mut Sources::default(), text);
    let options = bp::ThreadOptions { slots: 0, async_labels: true };
    let threads = bp::lower_threads(&checked, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (checked, threads)
}

pub(crate) fn counts(program: &Concurrent) -> Vec<u32> {
    let number = |copies| match copies {
        Copies::Number(number) => number,
        Copies::Any => panic!("there are so many threads"),
    };
    program.blocks.iter().map(|block| number(block.copies)).collect()
}

/// Formulas of many shapes; some count steps.
pub(crate) fn formula(random: &mut Random, propositions: &[String]) -> String {
    // Places are what waiting is told by.
    let places: Vec<&String> = propositions.iter().filter(|text| text.starts_with("at(")).collect();
    let mut pick = || {
        let text = match random.chance(50) && !places.is_empty() {
            true => places[random.below(places.len() as u64) as usize],
            false => &propositions[random.below(propositions.len() as u64) as usize],
        };
        if random.chance(50) { text.clone() } else { format!("!{text}") }
    };
    let (a, b, c) = (pick(), pick(), pick());
    match random.below(17) {
        0 => "F".to_owned(),
        1 => format!("G F {a}"),
        2 => format!("F G {a}"),
        3 => format!("G {a}"),
        4 => format!("F {a}"),
        5 => format!("G ({a} -> F {b})"),
        6 => format!("{a} U {b}"),
        7 => format!("{a} W {b}"),
        8 => format!("G F {a} -> G F {b}"),
        9 => format!("(G F {a} & G F {b}) -> G F {c}"),
        10 => format!("G ({a} -> ({b} U {c}))"),
        11 => format!("F ({a} & F ({b} & F {c}))"),
        12 => format!("G (({a} & {b}) -> F {c})"),
        13 => format!("G ({a} -> X {b})"),
        14 => format!("F ({a} & X {b})"),
        15 => format!("X X {a} | G F {b}"),
        _ => format!("G F ({a} & {b}) | F G {c}"),
    }
}

/// What is left out, in all combinations.
fn all_settings(with_summaries: bool) -> Vec<Settings> {
    let with = |n: u32| Settings {
        reductions: Reductions { live_variables: n & 1 == 0, ..Reductions::ALL },
        symmetry: n & 2 == 0,
        visibility: n & 4 == 0,
        summaries: with_summaries,
        ..Settings::default()
    };
    (0..8).map(with).chain([0, 2, 5].map(|n| Settings { stubborn_sets: false, ..with(n) })).collect()
}

/// A third of them with what is usual; all if the seeds were chosen.
fn some_settings(seed: u64) -> Vec<Settings> {
    let usual = [Settings::default(), Settings { summaries: false, ..Settings::default() }];
    let all = all_settings(true);
    match testing::is_chosen() {
        true => all.into_iter().chain(usual).collect(),
        false => {
            all.into_iter().skip(seed as usize % 4).step_by(4).chain([usual[seed as usize % 2]]).collect()
        }
    }
}

/// What the test has seen.
#[derive(Default, Debug)]
struct Seen {
    programs: usize,
    too_large: usize,
    compared: usize,
    cut: usize,
    /// Questions with a run, under each scheduler.
    found: [usize; 3],
    /// Questions for which threads were left out, so that there were fewer configurations.
    smaller: usize,
    replayed: usize,
    not_written: usize,
    inside: usize,
    ended: usize,
    deadlock: usize,
    with_private: usize,
    with_locals: usize,
    with_steps: usize,
    with_next: usize,
    with_enforce: usize,
    with_recursion: usize,
    targets: usize,
}

fn check_trace(
    trace: &Trace,
    program: &Concurrent,
    observer: &Observer,
    scheduler: Scheduler,
    what: &str,
    seen: &mut Seen,
) {
    let cycle =
        trace.thread_cycle(program, observer).unwrap_or_else(|error| panic!("no run: {error}\n{what}"));
    assert!(cycle.is_fair(scheduler), "unfair: {cycle:?}\n{what}");
    seen.replayed += 1;
    seen.inside += usize::from(cycle.is_inside);
}

/// Compares one question in all ways.
fn compare(seed: u64, program: &Concurrent, observer: &Observer, what: &str, seen: &mut Seen) -> bool {
    let Ok(twin) = AllRuns::new(program, &counts(program), observer, TWIN) else { return false };
    seen.compared += 1;
    let has = Scheduler::ALL.map(|scheduler| twin.has(scheduler, observer));
    assert!(has[0] >= has[1] && has[1] >= has[2], "any ⊇ weak ⊇ strong: {has:?}\n{what}");
    let n_states = [true, false].map(|stubborn_sets| {
        let settings = Settings { stubborn_sets, ..Settings::default() };
        let any = Wanted::Run(Scheduler::Any);
        within(|limits| find(program, observer, any, settings, limits))
            .map_or(0, |found| found.figures.states)
    });
    seen.smaller += usize::from(n_states[0] < n_states[1]);
    for (n, scheduler) in Scheduler::ALL.into_iter().enumerate() {
        seen.found[n] += usize::from(has[n]);
        for settings in some_settings(seed) {
            let what = format!("{scheduler:?} {settings:?}, expected {}\n{what}", has[n]);
            let found = within(|limits| find(program, observer, Wanted::Run(scheduler), settings, limits));
            match found.expect("the threads are few").answer {
                Answer::Yes(trace) => {
                    assert!(has[n], "there is none\n{what}");
                    match trace {
                        Some(trace) => check_trace(&trace, program, observer, scheduler, &what, seen),
                        None => seen.not_written += 1,
                    }
                }
                Answer::No => assert!(!has[n], "there is one\n{what}"),
                Answer::Cut => seen.cut += 1,
                Answer::Stopped(stopped) => panic!("{stopped:?}\n{what}"),
            }
        }
    }
    true
}

fn compare_stops(program: &Concurrent, what: &str, seen: &mut Seen) {
    let observer = Observer::of_everything();
    let Ok(twin) = AllRuns::new(program, &counts(program), &observer, TWIN) else { return };
    for settings in all_settings(true) {
        if let Some(found) = within(|limits| stops(program, settings, limits)) {
            assert_eq!(found, twin.stops(), "{settings:?}\n{what}");
        }
    }
    seen.ended += usize::from(twin.stops().ended);
    seen.deadlock += usize::from(twin.stops().deadlock);
}

/// Whether a monitor gets to a target state, one that counts steps.
fn compare_targets(seed: u64, program: &Concurrent, mut observer: Observer, what: &str, seen: &mut Seen) {
    observer.ignores_repetition = false;
    let last = observer.states.len() - 1;
    observer.states[last].is_target = true;
    let Ok(twin) = AllRuns::new(program, &counts(program), &observer, TWIN) else { return };
    for settings in some_settings(seed) {
        let found = within(|limits| find(program, &observer, Wanted::Target, settings, limits));
        match found.expect("the threads are few").answer {
            Answer::Yes(trace) => {
                assert!(twin.reaches(), "no target is reached\n{what}");
                let trace = trace.unwrap_or_else(|| panic!("the run is short\n{what}"));
                trace.reaches_target(program, &observer).unwrap_or_else(|error| panic!("{error}\n{what}"));
                seen.targets += 1;
            }
            Answer::No => assert!(!twin.reaches(), "a target is reached\n{what}"),
            Answer::Cut => seen.cut += 1,
            Answer::Stopped(stopped) => panic!("{stopped:?}\n{what}"),
        }
    }
}

fn ask(seed: u64, Looping { text, propositions, .. }: &Looping, seen: &mut Seen) {
    let (checked, program) = lower(text);
    let mut random = Random::new(seed ^ 0x5eed);
    let mut is_small = true;
    for _ in 0..3 {
        let formula = formula(&mut random, propositions);
        let what = format!("seed {seed}, {formula}\n{text}");
        let watched =
            ltl::violations_of_threads(&mut Sources::default(), "ltl", &formula, &checked, &program);
        let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}\n{what}")).observer;
        is_small &= compare(seed, &program, &observer, &what, seen);
        if is_small {
            seen.with_locals += usize::from(formula.contains(".main.") || formula.contains(".r.m"));
            seen.with_private += usize::from(formula.contains(".own"));
            seen.with_steps += usize::from(formula.contains("call(") || formula.contains("ret("));
            seen.with_next += usize::from(formula.contains('X'));
            seen.with_enforce += usize::from(text.contains("enforce"));
            seen.with_recursion += usize::from(text.contains("void r()"));
            compare_targets(seed, &program, observer, &what, seen);
        }
    }
    compare_stops(&program, &format!("seed {seed}\n{text}"), seen);
    seen.programs += 1;
    seen.too_large += usize::from(!is_small);
}

#[test]
fn infinite_runs_are_those_of_the_definition() {
    let mut seen = Seen::default();
    for seed in seeds(0..400) {
        ask(seed, &looping(seed), &mut seen);
    }
    println!("{seen:#?}");
    if !testing::is_chosen() {
        seen.is_enough();
    }
}

impl Seen {
    /// Every construct was reached, and schedulers were told apart.
    fn is_enough(&self) {
        let [any, weak, strong] = self.found;
        assert!(any > weak && weak > strong && strong > 100, "{self:#?}");
        assert!(self.compared > 500 && self.replayed > 2_000 && self.targets > 400, "{self:#?}");
        let rare = [
            self.inside,
            self.smaller,
            self.ended,
            self.deadlock,
            self.with_private,
            self.with_locals,
            self.with_steps,
            self.with_next,
            self.with_enforce,
            self.with_recursion,
        ];
        assert!(rare.iter().all(|number| *number > 5), "{self:#?}");
        assert_eq!(self.not_written, 0, "{self:#?}");
    }
}

/// What is said of a program whose twin has no end of worlds.
#[track_caller]
fn check(text: &str, formula: &str, expected: [bool; 3]) {
    let (checked, program) = lower(text);
    let watched = ltl::violations_of_threads(&mut Sources::default(), "ltl", formula, &checked, &program);
    let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}")).observer;
    let mut seen = Seen::default();
    for (scheduler, has) in Scheduler::ALL.into_iter().zip(expected) {
        for settings in all_settings(true) {
            let found = within(|limits| find(&program, &observer, Wanted::Run(scheduler), settings, limits));
            let answer = found.expect("the threads are few").answer;
            let what = format!("{scheduler:?} {settings:?}");
            match answer {
                Answer::Yes(Some(trace)) if has => {
                    check_trace(&trace, &program, &observer, scheduler, &what, &mut seen);
                }
                Answer::No if !has => {}
                other => panic!("{what}: {other:?}"),
            }
        }
    }
}

const DEEPER: &str = "decl x;
init !x;
thread p
begin
  decl own;
  void deeper() begin own := !own; if (own) then deeper(); fi deeper(); L: skip; end
  void main() begin deeper(); END: skip; end
end
thread q begin void main() begin while (T) do Q: x := !x; od end end
";

#[test]
fn a_call_that_nobody_notices_may_go_on_for_ever() {
    check(DEEPER, "F", [true; 3]);
    check(DEEPER, "G F at(Q)", [true, false, false]);
    check(DEEPER, "F at(END)", [true; 3]);
    check(DEEPER, "G !at(END)", [false; 3]);
}

/// A thread that may stay in an atomic block for ever, in sight of the observer, and may leave it as well.
const STAYS: &str = "decl x, y;
init !x & !y;
thread p begin void main() begin while (T) do atomic begin x := !x; while (*) do x := !x; od end od end end
thread q begin void main() begin y := T; end end
";

#[test]
fn who_stays_inside_for_ever_excuses_everybody() {
    check(STAYS, "F y | F G x", [true; 3]);
}
