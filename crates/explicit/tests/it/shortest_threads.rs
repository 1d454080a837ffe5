//! Shortest runs of threads: on random programs, of the runs with the fewest switches or rounds none has fewer steps, by trying all.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Gauge, Stop};
use explicit::threads::{Cost, Question, Settings, counts, fewest, shortest};
use explicit::{Limits, Stopped};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::interleave::{
    ThreadId, World, declaration_order, initials, is_allowed, is_at, may_switch, successors,
};
use rsm::{Concurrent, Copies, Goal, ModuleId, NodeId, ThreadGoal};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

fn lower(text: &str) -> Concurrent {
    testing::lower_threads(text, 1)
}

/// Every labelled node, in some programs of one copy.
fn all_goals(program: &Concurrent, names_copies: bool) -> Vec<ThreadGoal> {
    let mut goals: Vec<ThreadGoal> = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        for (n, _) in labelled {
            let copy = if names_copies { [None, Some(0), Some(1)][goals.len() % 3] } else { None };
            goals.push(ThreadGoal { goal: Goal::At(ModuleId::new(m), NodeId::new(n)), copy });
        }
    }
    goals
}

const MAX_WORLDS: usize = 3_000;
const MAX_DEPTH: usize = 8;

/// What it takes, a world, and the thread that is active in it.
type Next = ((u32, u32), usize, Option<usize>);

/// For each goal the fewest switches or rounds, and with them the fewest steps; none if there is too much to try.
fn brute(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    cost: Cost,
) -> Option<BTreeMap<usize, (u32, u32)>> {
    let mut found = BTreeMap::new();
    let mut worlds: Vec<World> = initials(program, counts, MAX_WORLDS).ok()?;
    let mut numbers: HashMap<World, usize> = worlds.iter().cloned().zip(0..).collect();
    let mut queue: BinaryHeap<Reverse<Next>> = BinaryHeap::new();
    let mut settled = HashSet::new();
    queue.extend((0..worlds.len()).map(|world| Reverse(((0, 0), world, None))));
    while let Some(Reverse(((spent, n_steps), number, active))) = queue.pop() {
        if !settled.insert((number, active)) {
            continue;
        }
        let world = worlds[number].clone();
        for thread in (0..world.threads.len()).map(ThreadId::new) {
            let now = match (cost, active) {
                (_, Some(active)) if active == thread.index() => spent,
                (_, Some(active)) if !may_switch(program, &world, ThreadId::new(active)) => continue,
                _ if !is_allowed(program, &world, thread).ok()? => continue,
                (Cost::Switches, None) => spent,
                (Cost::Switches, Some(_)) => spent + 1,
                (Cost::Rounds, None) => 1,
                (Cost::Rounds, Some(active)) => spent + u32::from(thread.index() < active),
            };
            for (n, goal) in goals.iter().enumerate() {
                if is_at(program, &world, thread, *goal).ok()? {
                    let now = if active.is_none() { 0 } else { now };
                    let best = found.entry(n).or_insert((now, n_steps));
                    *best = (*best).min((now, n_steps));
                }
            }
            for (_, after) in successors(program, &world, thread, 1 << 12).ok()? {
                if after.threads.iter().any(|thread| thread.stack.len() > MAX_DEPTH) {
                    return None;
                }
                let next = *numbers.entry(after.clone()).or_insert_with(|| {
                    worlds.push(after);
                    worlds.len() - 1
                });
                if worlds.len() > MAX_WORLDS {
                    return None;
                }
                queue.push(Reverse(((now, n_steps + 1), next, Some(thread.index()))));
            }
        }
    }
    Some(found)
}

fn within<T>(ask: impl FnOnce(&Limits<'_>) -> T) -> T {
    let (stop, gauge) = (Stop::default(), Gauge::default());
    ask(&Limits { max_bytes: 1 << 30, max_states: 1 << 18, max_steps: 1 << 12, stop: &stop, gauge: &gauge })
}

#[derive(Default, Debug)]
struct Seen {
    programs: usize,
    compared: usize,
    switching: usize,
    shorter: usize,
}

fn look_at(seed: u64, seen: &mut Seen) {
    let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
    let program = lower(&text);
    if program.blocks.iter().any(|block| block.copies == Copies::Any) {
        return;
    }
    let cost = if seed.is_multiple_of(2) { Cost::Switches } else { Cost::Rounds };
    let goals = all_goals(&program, seed.is_multiple_of(3));
    let question = Question { program: &program, targets: &[], cost, bound: None };
    let counts = counts(&question).expect("the numbers are known");
    let Some(expected) = brute(&program, &counts, &goals, cost) else { return };
    seen.programs += 1;
    let settings = Settings { symmetry: seed & 4 == 0, visibility: seed & 8 == 0, ..Settings::default() };
    for (n, goal) in goals.iter().enumerate() {
        let what = format!("seed {seed}, {goal:?}, {cost:?}, {settings:?}\n{text}");
        let targets = [vec![*goal]];
        let one = Question { targets: &targets, ..question };
        let found = within(|limits| shortest(&one, settings, limits)).expect("the numbers are known");
        if found == Err(Stopped::States) {
            continue;
        }
        let found = found.unwrap_or_else(|stopped| panic!("{stopped:?}, {what}"));
        let found = found.filter(|found| !found.is_cut);
        let ours = found.as_ref().map(|found| {
            let trace = &found.trace;
            assert_eq!(trace.replay(&program, &[*goal]), Ok(()), "{what}");
            let spent = match cost {
                Cost::Switches => trace.n_switches(),
                Cost::Rounds => {
                    trace.n_rounds(&declaration_order(&trace.counts())).expect("there is an order")
                }
            };
            (spent as u32, trace.n_steps() as u32)
        });
        assert_eq!(ours, expected.get(&n).copied(), "{what}");
        seen.compared += 1;
        let (Some((_, n_steps)), Some(found)) = (ours, found) else { continue };
        seen.switching += usize::from(found.trace.n_switches() > 0);
        let any = within(|limits| fewest(&one, settings, limits)).expect("the numbers are known");
        if let Ok(Some(any)) = any {
            assert!(any.n_steps() as u32 >= n_steps, "{what}");
            seen.shorter += usize::from(any.n_steps() as u32 > n_steps);
        }
    }
}

#[test]
fn no_run_with_as_few_switches_is_shorter() {
    let mut seen = Seen::default();
    seeds(0..60).for_each(|seed| look_at(seed, &mut seen));
    assert!(seen.programs >= 20 && seen.compared >= 200, "{seen:?}");
    assert!(seen.switching >= 20 && seen.shorter >= 3, "{seen:?}");
}
