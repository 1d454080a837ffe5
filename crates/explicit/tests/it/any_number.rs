//! Any number of threads under every schedule, against growing numbers of them.
//!
//! What a few copies reach must be said to be reachable; what is said to be reachable and a few copies do not reach needs a run, which is
//! replayed. The covering set is looked at as whoever writes it down would.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::threads::{all_settings, all_targets, lower, within};
use explicit::Stopped;
use explicit::threads::{
    Cost, End, Found, Located, NoCovering, Number, Question, Settings, covering, fewest, least,
};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::{Concurrent, Copies, Reductions, ThreadGoal};

/// The program with so many copies of each block of any number.
fn instance(program: &Concurrent, counts: &[u32]) -> Concurrent {
    let mut instance = program.clone();
    let mut counts = counts.iter();
    instance.blocks.retain_mut(|block| match block.copies {
        Copies::Any => {
            let count = *counts.next().expect("there is a number for each block");
            block.copies = Copies::Number(count);
            count > 0
        }
        Copies::Number(_) => true,
    });
    if let Some(first) = instance.blocks.first() {
        instance.machine.main = first.main;
    }
    instance
}

/// Of each target whether an instance with up to three copies of each block reaches it; `None` if that is too much work.
fn reached_by_few(program: &Concurrent, targets: &[Vec<ThreadGoal>]) -> Option<Vec<bool>> {
    let n_free = program.blocks.iter().filter(|block| block.copies == Copies::Any).count() as u32;
    let mut reached = vec![false; targets.len()];
    for number in 0..4u32.pow(n_free) {
        let counts: Vec<u32> = (0..n_free).map(|n| number / 4u32.pow(n) % 4).collect();
        let instance = instance(program, &counts);
        if instance.blocks.is_empty() {
            continue;
        }
        let runs = |goal: &&ThreadGoal| {
            instance.blocks.iter().any(|block| block.modules.contains(&goal.goal.module()))
        };
        let targets: Vec<Vec<ThreadGoal>> =
            targets.iter().map(|goals| goals.iter().filter(runs).copied().collect()).collect();
        let question = Question { program: &instance, targets: &targets, cost: Cost::Switches, bound: None };
        let found =
            within(|limits| least(&question, Settings::default(), limits)).expect("numbers are known");
        if matches!(found.end, End::Stopped(_)) || found.cut.is_some() {
            return None;
        }
        reached.iter_mut().zip(found.is_reached).for_each(|(known, new)| *known |= new);
    }
    Some(reached)
}

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    reached: usize,
    out_of_reach: usize,
    beyond_few: usize,
    stopped: usize,
    coverings: usize,
    many: usize,
}

fn ask(program: &Concurrent, targets: &[Vec<ThreadGoal>], cost: Cost, settings: Settings) -> Option<Found> {
    let question = Question { program, targets, cost, bound: None };
    within(|limits| least(&question, settings, limits)).ok()
}

/// What is said of every target, with one selection.
fn agrees(
    program: &Concurrent,
    targets: &[Vec<ThreadGoal>],
    few: &[bool],
    settings: Settings,
    seen: &mut Seen,
) {
    let found = ask(program, targets, Cost::Switches, settings).expect("switches are counted");
    if found.end == End::Stopped(Stopped::States) || found.cut.is_some() {
        seen.stopped += 1;
        return;
    }
    assert!(matches!(found.end, End::Found | End::Closed), "{found:?}");
    for (n, target) in targets.iter().enumerate() {
        match (found.is_reached[n], few[n]) {
            (false, true) => panic!("{target:?} is reached by a few threads"),
            (true, false) => {
                seen.beyond_few += 1;
                let targets = std::slice::from_ref(target);
                let bound = found.least[n];
                let question = Question { program, targets, cost: Cost::Switches, bound };
                let run = within(|limits| fewest(&question, settings, limits)).expect("switches are counted");
                let run = run.expect("the run is short").expect("there is a run");
                assert_eq!(run.replay(program, target), Ok(()));
            }
            (true, true) => seen.reached += 1,
            (false, false) => seen.out_of_reach += 1,
        }
        assert_eq!(found.is_reached[n], found.least[n].is_some());
    }
    // Rounds are not counted, but what no number of switches reaches no number of rounds does.
    let rounds = ask(program, targets, Cost::Rounds, settings);
    let is_safe = found.is_reached.iter().all(|reached| !reached);
    assert_eq!(rounds.is_some_and(|found| found.end == End::Closed), is_safe);
}

/// The set is there only if nothing is reached, and counts only threads without a number as any.
fn covering_agrees(program: &Concurrent, target: &[ThreadGoal], is_reached: bool, seen: &mut Seen) {
    let whole = Settings { reductions: Reductions::NONE, visibility: false, ..Settings::default() };
    for settings in [Settings::default(), whole] {
        let targets = [target.to_vec()];
        let question = Question { program, targets: &targets, cost: Cost::Switches, bound: None };
        match within(|limits| covering(&question, settings, limits)) {
            Err(NoCovering::Reached) => assert!(is_reached),
            Err(_) => {}
            Ok(covering) => {
                assert!(!is_reached, "{target:?}");
                let threads = covering.elements.iter().flat_map(|element| &element.threads);
                seen.many += threads.clone().filter(|(_, number)| *number == Number::Any).count();
                let of_any = |standing: &Located| match standing {
                    Located::Start(block) => *block,
                    Located::At(thread) => thread.block,
                };
                let is_any = |block: u32| program.blocks[block as usize].copies == Copies::Any;
                assert!(threads.clone().all(|(at, number)| *number != Number::Any || is_any(of_any(at))));
                seen.coverings += 1;
            }
        }
    }
}

#[test]
fn counters_agree_with_growing_numbers_of_threads() {
    let (mut seen, mut n_programs) = (Seen::default(), 0);
    for seed in seeds(0..20) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Parameterised));
        let program = lower(&text, 2);
        if !program.is_parameterised() {
            continue;
        }
        n_programs += 1;
        let targets = all_targets(&program, false);
        let Some(few) = reached_by_few(&program, &targets) else { continue };
        eprintln!("seed {seed}\n{text}");
        seen.compared += 1;
        for settings in all_settings(seed) {
            agrees(&program, &targets, &few, settings, &mut seen);
        }
        for (target, is_reached) in targets.iter().zip(&few).step_by(3) {
            covering_agrees(&program, target, *is_reached, &mut seen);
        }
    }
    eprintln!("{n_programs} programs, {seen:?}");
    assert!(2 * seen.compared >= n_programs && seen.compared >= 10, "{n_programs} programs, {seen:?}");
    assert!(seen.stopped < 2 * seen.compared, "{seen:?}");
    assert!(seen.reached >= 100 && seen.out_of_reach >= 100, "{seen:?}");
    assert!(seen.coverings >= 20 && seen.many >= 20, "{seen:?}");
}

/// What is said without a bound of threads that are started, against slots for three of them.
fn started_agrees(seed: u64, text: &str, settings: Settings, seen: &mut Seen) {
    let program = lower(text, 3);
    let targets = all_targets(&program, false);
    let within_three =
        Question { program: &program, targets: &targets, cost: Cost::Switches, bound: Some(3) };
    let by_slots = Settings { native_start: false, ..settings };
    let slots = within(|limits| least(&within_three, by_slots, limits)).expect("switches are counted");
    let every = Question { bound: None, ..within_three };
    let found = within(|limits| least(&every, settings, limits)).expect("switches are counted");
    if slots.cut.is_some() || matches!(slots.end, End::Stopped(_)) {
        return;
    }
    seen.compared += 1;
    let is_open = found.cut.is_some() || matches!(found.end, End::Stopped(_));
    seen.stopped += usize::from(is_open);
    for (n, target) in targets.iter().enumerate() {
        let what = format!("seed {seed}, {target:?}, {settings:?}, {:?}\n{text}", found.end);
        let ours = found.least[n].filter(|least| *least <= 3);
        let is_known = !is_open || found.is_least(n) || found.safe_within().is_some_and(|safe| safe >= 3);
        assert!(!is_known || ours == slots.least[n], "{ours:?}, {:?}, {what}", slots.least[n]);
        seen.reached += usize::from(found.least[n].is_some());
        seen.out_of_reach += usize::from(!is_open && !found.is_reached[n]);
        seen.beyond_few += usize::from(found.least[n].is_some_and(|least| least > 3));
    }
}

#[test]
fn started_threads_are_as_many_as_it_takes() {
    let mut seen = Seen::default();
    for seed in seeds(0..16) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Started));
        for n in [0, 2, 4, 8] {
            let settings = Settings { native_start: true, ..all_settings(seed)[n] };
            started_agrees(seed, &text, settings, &mut seen);
        }
    }
    eprintln!("{seen:?}");
    assert!(seen.compared >= 30 && 2 * seen.stopped < seen.compared, "{seen:?}");
    assert!(seen.reached >= 100 && seen.out_of_reach >= 100, "{seen:?}");
}

#[test]
fn a_loop_that_starts_threads_needs_few_states() {
    let text = "decl lock, in; init !lock & !in;
        void worker() begin
          atomic begin assume(!lock); lock := T; end
          if (in) then L: skip; fi
          in := T; in := F; lock := F;
        end
        void main() begin while (*) do start_thread worker(); od end";
    let program = lower(text, 12);
    let targets = all_targets(&program, false);
    for bound in [2, 6, 12] {
        let question =
            Question { program: &program, targets: &targets, cost: Cost::Switches, bound: Some(bound) };
        let found =
            within(|limits| least(&question, Settings::default(), limits)).expect("switches are counted");
        assert_eq!((found.least.clone(), found.end), (vec![None], End::Closed));
        assert!(found.figures.states < 100 * u64::from(bound), "{found:?}");
    }
}
