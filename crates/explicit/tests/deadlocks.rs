//! Deadlocks of random programs with threads against brute force over all interleavings; every run into one is replayed.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

mod harness;

use explicit::Stopped;
use explicit::threads::{Cost, End, Question, Settings, deadlock, fewest_to_deadlock};
use generate::dice::Dice;
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use harness::threads::{all_settings, lower, within};
use rsm::Concurrent;
use rsm::interleave::{
    self, ThreadId, World, has_ended, initials, is_allowed, is_deadlock, is_free, may_switch, successors,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

/// More worlds are not looked at.
const MOST_WORLDS: usize = 1_500;

/// More worlds that a thread passes through inside an atomic region are too much work.
const MOST_INSIDE: usize = 40;

const LIMIT: usize = 1 << 12;

/// All worlds that have been met, and what could be done from each.
struct Brute<'p> {
    program: &'p Concurrent,
    order: Vec<ThreadId>,
    worlds: Vec<World>,
    numbers: HashMap<World, usize>,
    /// What is known of worlds.
    is_stuck: RefCell<HashMap<usize, bool>>,
    /// Some thread has ended in an atomic region, and for some thread this is the only move.
    ended_inside: Cell<bool>,
    only_ends_inside: Cell<bool>,
}

/// What a thread can come to, if it runs alone until it may be left.
#[derive(Default)]
struct Ends {
    left: bool,
    ended_inside: bool,
    for_ever: bool,
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

    /// What the thread comes to from a world, up to where it may be left. It runs for ever if it can take more steps inside than there
    /// are worlds.
    fn ends(&self, world: &World, thread: ThreadId) -> Option<Ends> {
        let mut ends = Ends::default();
        if !is_allowed(self.program, world, thread).ok()? {
            return Some(ends);
        }
        let (mut inside, mut edges) = (vec![world.clone()], Vec::new());
        let mut numbers: HashMap<World, usize> = HashMap::from([(world.clone(), 0)]);
        while let Some(from) = inside.get(edges.len()).cloned() {
            let mut next = Vec::new();
            for (_, after) in successors(self.program, &from, thread, LIMIT).ok()? {
                let state = &after.threads[thread.index()];
                match (is_free(self.program, state), has_ended(self.program, state)) {
                    (true, _) => return Some(Ends { left: true, ..ends }),
                    (false, true) => ends.ended_inside = true,
                    (false, false) => next.push(*numbers.entry(after.clone()).or_insert_with(|| {
                        inside.push(after);
                        inside.len() - 1
                    })),
                }
            }
            edges.push(next);
            if inside.len() > MOST_INSIDE {
                return None;
            }
        }
        // Whether so many steps can be taken inside from each world.
        let mut goes_on = vec![true; edges.len()];
        for _ in 0..edges.len() {
            goes_on = edges.iter().map(|next| next.iter().any(|to| goes_on[*to])).collect();
        }
        ends.for_ever = goes_on.contains(&true);
        Some(ends)
    }

    /// Nobody can go on, and somebody has not ended.
    fn nobody_goes_on(&self, world: &World) -> Option<bool> {
        let ended = |thread: &&interleave::ThreadState| has_ended(self.program, thread);
        let n_ended = world.threads.iter().filter(ended).count();
        if world.threads.iter().filter(ended).any(|thread| !is_free(self.program, thread)) {
            self.ended_inside.set(true);
            return Some(n_ended < world.threads.len());
        }
        if n_ended == world.threads.len() || world.threads.iter().any(|t| !is_free(self.program, t)) {
            return Some(false);
        }
        for thread in &self.order {
            let ends = self.ends(world, *thread)?;
            if ends.ended_inside && !ends.left && !ends.for_ever {
                self.only_ends_inside.set(true);
            }
            if ends.left || ends.ended_inside || ends.for_ever {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Some of the worlds is one in which nobody can go on. The semantics says so, too.
    fn has_deadlock(&self, worlds: &BTreeSet<usize>) -> Option<bool> {
        for number in worlds {
            if self.is_stuck.borrow().contains_key(number) {
                continue;
            }
            let world = &self.worlds[*number];
            let found = self.nobody_goes_on(world)?;
            assert_eq!(is_deadlock(self.program, world, LIMIT), Ok(found), "{world:?}");
            self.is_stuck.borrow_mut().insert(*number, found);
        }
        Some(worlds.iter().any(|number| self.is_stuck.borrow()[number]))
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

/// The least bound of a deadlock, if there is one; `None` if it is too much work.
fn expected(program: &Concurrent, counts: &[u32], cost: Cost, seen: &mut Seen) -> Option<Option<u32>> {
    let order = interleave::declaration_order(counts);
    let mut brute = Brute {
        program,
        order,
        worlds: Vec::new(),
        numbers: HashMap::new(),
        is_stuck: RefCell::default(),
        ended_inside: Cell::default(),
        only_ends_inside: Cell::default(),
    };
    let mut start = BTreeSet::new();
    for world in initials(program, counts, LIMIT).ok()? {
        start.insert(brute.number(world)?);
    }
    let least = match brute.has_deadlock(&start)? {
        true => Some(Some(0)),
        false if cost == Cost::Switches => brute.switches(start),
        false => brute.rounds(start),
    }?;
    seen.ended_inside[usize::from(least.is_some())] += usize::from(brute.ended_inside.get());
    seen.only_ends_inside += usize::from(brute.only_ends_inside.get());
    Some(least)
}

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    none: usize,
    at_once: usize,
    later: usize,
    runs: usize,
    stopped: usize,
    /// Programs in which a thread ends in an atomic region, without a deadlock and with one.
    ended_inside: [usize; 2],
    /// Programs in which a thread that can go on can do nothing else.
    only_ends_inside: usize,
}

fn compare(seed: u64, text: &str, program: &Concurrent, cost: Cost, seen: &mut Seen) {
    let question = Question { program, targets: &[], cost, bound: None };
    let counts = explicit::threads::counts(&question).expect("the numbers are known");
    let Some(expected) = expected(program, &counts, cost, seen) else { return };
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

/// A program in which threads set and clear their flags, wait, and end, in every order.
fn flags(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut text = "decl x, y; init !x & !y;\n".to_owned();
    // One thread may be the last to end, whatever the others do.
    let waits = if dice.chance(20) { "assume(x); atomic_begin; " } else { "" };
    for n in 0..2 + dice.below(2) {
        let copies = if n == 0 && dice.chance(25) { "[2]" } else { "" };
        text +=
            &format!("thread p{n}{copies} begin void f() begin {} end\nvoid main() begin ", one(&mut dice));
        match (waits.is_empty(), n) {
            (true, _) => (0..1 + dice.below(4)).for_each(|_| text += &one(&mut dice)),
            (false, 0) => text += waits,
            (false, _) => {
                let signal = dice.pick(&["x := T;", "if (*) then x := T; fi"]);
                text += &format!("atomic begin {signal} end_thread; end ");
            }
        }
        text += "end end\n";
    }
    text
}

/// A statement of such a program.
fn one(dice: &mut Dice) -> String {
    let values = ["x := T;", "y := T;", "x := F;", "y := !y;"];
    let tests = ["assume(x);", "assume(y);", "assume(!x);", "skip;"];
    match dice.below(12) {
        0..=3 => "atomic_begin; ".to_owned(),
        4 => "atomic_end; ".to_owned(),
        5 => format!("atomic begin {} {} end ", dice.pick(&tests), dice.pick(&values)),
        6 => format!("if (*) then {} fi ", dice.pick(&["end_thread;", "atomic_begin;", "atomic_end;"])),
        7 => format!("while ({}) do {} od ", dice.pick(&["*", "x", "T"]), dice.pick(&values)),
        8 => "f(); ".to_owned(),
        9 => dice.pick(&["end_thread; ", "atomic begin x := T; end_thread; end "]).to_owned(),
        10 => format!("{} ", dice.pick(&tests)),
        _ => format!("{} ", dice.pick(&values)),
    }
}

#[test]
fn flags_that_outlive_their_threads_agree_with_brute_force() {
    let mut seen = Seen::default();
    for seed in seeds(0..150) {
        let text = flags(seed);
        let program = lower(&text, 0);
        compare(seed, &text, &program, Cost::Switches, &mut seen);
        compare(seed, &text, &program, Cost::Rounds, &mut seen);
    }
    eprintln!("{seen:?}");
    assert!(seen.compared >= 200 && seen.none >= 30 && seen.runs >= 500, "{seen:?}");
    assert!(seen.ended_inside[0] >= 5 && seen.ended_inside[1] >= 50, "{seen:?}");
    assert!(seen.only_ends_inside >= 50, "{seen:?}");
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
fn who_ends_inside_could_go_on_and_keeps_all_others_from_running() {
    let holder = "thread p begin void main() begin atomic_begin; end end ";
    let other = |code: &str| format!("{holder} thread q begin decl z; void main() begin {code} end end");
    // Alone, it ends, and nobody is left who waits.
    is_least(holder, None);
    is_least(
        "thread p begin void f() begin end_thread; end void main() begin atomic_begin; f(); end end",
        None,
    );
    // Beside it others may run for ever, or end, but need not.
    is_least(&other("while (T) do skip; od"), Some(0));
    is_least(&other("skip;"), Some(0));
    is_least(&other("L: goto L;"), Some(0));
    // It waits for the other one, and both end.
    let waits = "decl x; init !x; thread p begin void main() begin assume(x); atomic_begin; end end
        thread q begin void main() begin atomic_begin; x := T; atomic_end; end end";
    is_least(waits, Some(1));
    let ends_first = "decl x; init !x; thread p begin void main() begin assume(x); atomic_begin; end end
        thread q begin void main() begin atomic begin x := T; end_thread; end end end";
    is_least(ends_first, None);
    // The other one waits for nobody any more, and has not ended when the run is over.
    for rest in ["skip;", "while (T) do skip; od", "while (*) do skip; od", "atomic begin end_thread; end"] {
        let first = format!(
            "decl x; init !x; thread p begin void main() begin assume(x); atomic_begin; end end
            thread q begin void main() begin x := T; {rest} end end"
        );
        is_least(&first, Some(1));
    }
    // It never ends inside: it blocks on the way, so it does not go in.
    is_least(
        "decl x; init !x; thread p begin void main() begin atomic_begin; assume(x); end end
        thread q begin void main() begin while (T) do skip; od end end",
        None,
    );
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
