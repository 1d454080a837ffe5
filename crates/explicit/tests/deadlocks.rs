//! Deadlocks of random programs with threads against brute force over all interleavings; every run into one is replayed.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

mod harness;

use explicit::Stopped;
use explicit::threads::{Cost, End, Question, Settings, deadlock, fewest_to_deadlock};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use harness::threads::{all_settings, lower, within};
use rsm::Concurrent;
use rsm::interleave::{self, ThreadId, World, initials, is_allowed, is_deadlock, may_switch, successors};
use std::collections::{BTreeSet, HashMap};

/// More worlds are not looked at.
const MOST_WORLDS: usize = 5_000;

const LIMIT: usize = 1 << 12;

/// All worlds that have been met, and what could be done from each.
struct Brute<'p> {
    program: &'p Concurrent,
    order: Vec<ThreadId>,
    worlds: Vec<World>,
    numbers: HashMap<World, usize>,
}

impl Brute<'_> {
    fn number(&mut self, world: World) -> Option<usize> {
        let next = self.worlds.len();
        let number = *self.numbers.entry(world.clone()).or_insert(next);
        if number == next {
            self.worlds.push(world);
        }
        (self.worlds.len() <= MOST_WORLDS).then_some(number)
    }

    /// Everything that the thread alone makes of some worlds.
    fn runs_on(&mut self, thread: ThreadId, from: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let mut reached = BTreeSet::new();
        let mut todo: Vec<usize> = Vec::new();
        for world in from {
            if is_allowed(self.program, &self.worlds[*world], thread).ok()? {
                todo.push(*world);
            }
        }
        while let Some(world) = todo.pop() {
            if !reached.insert(world) {
                continue;
            }
            for (_, after) in successors(self.program, &self.worlds[world], thread, LIMIT).ok()? {
                // Deep stacks are somebody else's business.
                if after.threads[thread.index()].stack.len() > 6 {
                    return None;
                }
                todo.push(self.number(after)?);
            }
        }
        Some(reached)
    }

    /// Some of the worlds is one in which nobody can go on.
    fn has_deadlock(&self, worlds: &BTreeSet<usize>) -> Option<bool> {
        for world in worlds {
            if is_deadlock(self.program, &self.worlds[*world], LIMIT).ok()? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The worlds in which the thread may be left.
    fn left(&self, thread: ThreadId, worlds: BTreeSet<usize>) -> BTreeSet<usize> {
        worlds.into_iter().filter(|world| may_switch(self.program, &self.worlds[*world], thread)).collect()
    }

    /// The least number of switches to a deadlock, if there is one; `None` if it is too much work.
    fn switches(&mut self, start: BTreeSet<usize>) -> Option<Option<u32>> {
        let mut active: Vec<BTreeSet<usize>> = vec![start; self.order.len()];
        let mut known: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.order.len()];
        for level in 0.. {
            let mut left: Vec<BTreeSet<usize>> = Vec::new();
            for (thread, worlds) in self.order.clone().into_iter().zip(&active) {
                let reached = self.runs_on(thread, worlds)?;
                if self.has_deadlock(&reached)? {
                    return Some(Some(level));
                }
                left.push(self.left(thread, reached));
            }
            let is_new = left.iter().zip(&known).any(|(left, known)| !left.is_subset(known));
            if !is_new {
                return Some(None);
            }
            known.iter_mut().zip(&left).for_each(|(known, left)| known.extend(left));
            let others = |thread: usize| {
                let other = known.iter().enumerate().filter(move |(other, _)| *other != thread);
                other.flat_map(|(_, worlds)| worlds.iter().copied()).collect()
            };
            active = (0..self.order.len()).map(others).collect();
        }
        unreachable!("worlds run out")
    }

    /// The same for rounds.
    fn rounds(&mut self, start: BTreeSet<usize>) -> Option<Option<u32>> {
        let mut known = start;
        for round in 1.. {
            let before = known.len();
            for thread in self.order.clone() {
                let reached = self.runs_on(thread, &known)?;
                if self.has_deadlock(&reached)? {
                    return Some(Some(round));
                }
                known.extend(self.left(thread, reached));
            }
            if known.len() == before {
                return Some(None);
            }
        }
        unreachable!("worlds run out")
    }
}

fn expected(program: &Concurrent, counts: &[u32], cost: Cost) -> Option<Option<u32>> {
    let order = interleave::declaration_order(counts);
    let mut brute = Brute { program, order, worlds: Vec::new(), numbers: HashMap::new() };
    let mut start = BTreeSet::new();
    for world in initials(program, counts, LIMIT).ok()? {
        start.insert(brute.number(world)?);
    }
    match brute.has_deadlock(&start)? {
        true => Some(Some(0)),
        false if cost == Cost::Switches => brute.switches(start),
        false => brute.rounds(start),
    }
}

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    none: usize,
    at_once: usize,
    later: usize,
    runs: usize,
    stopped: usize,
}

fn compare(seed: u64, text: &str, program: &Concurrent, cost: Cost, seen: &mut Seen) {
    let question = Question { program, targets: &[], cost, bound: None };
    let counts = explicit::threads::counts(&question).expect("the numbers are known");
    let Some(expected) = expected(program, &counts, cost) else { return };
    seen.compared += 1;
    match expected {
        None => seen.none += 1,
        Some(0) => seen.at_once += 1,
        Some(_) => seen.later += 1,
    }
    for settings in all_settings(seed) {
        let what = format!("seed {seed}, {cost:?}, {settings:?}\n{text}");
        let found = within(|limits| deadlock(&question, settings, limits)).expect("the numbers are known");
        if found.end == End::Stopped(Stopped::States) || found.cut.is_some() {
            seen.stopped += 1;
            continue;
        }
        assert_eq!(found.least[0], expected, "{what}");
        assert_eq!(found.end, if expected.is_some() { End::Found } else { End::Closed }, "{what}");
        let run =
            within(|limits| fewest_to_deadlock(&question, settings, limits)).expect("numbers are known");
        let Some(run) = run.unwrap_or_else(|stopped| panic!("{stopped:?} {what}")) else { continue };
        assert_eq!(run.replay(program, &[]), Ok(()), "{what}");
        let needed = match cost {
            Cost::Switches => Some(run.n_switches()),
            Cost::Rounds => run.n_rounds(&interleave::declaration_order(&counts)),
        };
        assert_eq!(needed.map(|n| n as u32), expected, "{what}");
        seen.runs += 1;
    }
}

#[test]
fn deadlocks_agree_with_brute_force() {
    let mut seen = Seen::default();
    for seed in seeds(0..60) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
        let program = lower(&text, 0);
        compare(seed, &text, &program, Cost::Switches, &mut seen);
        compare(seed, &text, &program, Cost::Rounds, &mut seen);
    }
    eprintln!("{seen:?}");
    assert!(seen.compared >= 60, "{seen:?}");
    assert!(seen.none >= 10 && seen.at_once >= 5 && seen.later >= 10 && seen.runs >= 100, "{seen:?}");
    assert!(seen.stopped < 2 * seen.compared, "{seen:?}");
}

#[track_caller]
fn is_least(text: &str, expected: Option<u32>) {
    let program = lower(text, 0);
    for settings in all_settings(0) {
        let question = Question { program: &program, targets: &[], cost: Cost::Switches, bound: None };
        let found = within(|limits| deadlock(&question, settings, limits)).expect("the numbers are known");
        let end = if expected.is_some() { End::Found } else { End::Closed };
        assert_eq!((found.least[0], found.end), (expected, end), "{settings:?}");
    }
}

const TAKE_A: &str = "atomic begin assume(!a); a := T; end";
const TAKE_B: &str = "atomic begin assume(!b); b := T; end";

fn locks(first: &str, second: &str) -> String {
    let thread = |name: &str, code: &str| {
        format!("thread {name} begin void main() begin {code} a, b := F, F; end end\n")
    };
    format!("decl a, b; init !a & !b;\n{}{}", thread("p", first), thread("q", second))
}

#[test]
fn two_locks_in_different_orders_deadlock() {
    is_least(&locks(&format!("{TAKE_A} {TAKE_B}"), &format!("{TAKE_B} {TAKE_A}")), Some(1));
}

#[test]
fn who_waits_for_a_lock_that_is_released_is_no_deadlock() {
    is_least(&locks(&format!("{TAKE_A} {TAKE_B}"), &format!("{TAKE_A} {TAKE_B}")), None);
    // But who ends with the lock leaves the other one waiting.
    let keeps =
        "decl a; init !a; thread p[2] begin void main() begin atomic begin assume(!a); a := T; end end end";
    is_least(keeps, Some(0));
}

#[test]
fn who_spins_can_go_on() {
    let text = |wait: &str| {
        format!(
            "decl a; init a; thread p begin void main() begin {wait} end end thread q begin void main() begin skip; end end"
        )
    };
    for wait in ["while (a) do skip; od", "L: goto L;", "atomic begin while (a) do skip; od end"] {
        is_least(&text(wait), None);
    }
    for (wait, least) in [("assume(!a);", 0), ("atomic begin assume(!a); end", 0), ("skip; assume(!a);", 1)] {
        is_least(&text(wait), Some(least));
    }
}

#[test]
fn all_have_ended_is_no_deadlock() {
    let text =
        "decl a; thread p begin void f() begin end_thread; end void main() begin f(); assume(F); end end
        thread q begin void main() begin a := T; end end";
    is_least(text, None);
}

#[test]
fn code_that_leads_to_no_label_can_block() {
    // Neither the variable nor the code matters to any target.
    let text = "decl a; init !a; thread p begin decl y; void main() begin y := *; assume(y); a := T; end end
        thread q begin void main() begin skip; end end";
    is_least(text, Some(1));
    let question = |program| Question { program, targets: &[], cost: Cost::Switches, bound: Some(0) };
    let program = lower(text, 0);
    let found = within(|limits| deadlock(&question(&program), Settings::default(), limits));
    assert_eq!(found.map(|found| found.end), Ok(End::Bound));
}
