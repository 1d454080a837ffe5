//! Formulas for threads and the brute-force twin agree on the least bound of every label of random concurrent programs, with
//! every switch on and off, and every trace replays.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Gauge, Sources, Stop};
use checker::{Bound, FormulaFile, Options, Report, Scheduling, Target, TraceReport, Verdict};
use generate::dice::Dice;
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::interleave::{self, Limits, ThreadId, ThreadState, World};
use rsm::step::Frame;
use rsm::{Concurrent, Copies, Reductions, ThreadGoal};
use std::collections::HashSet;
use std::sync::Arc;
use testing::lower_threads as lower;

/// Every labelled node and every assertion is a target of its own.
fn all_targets(program: &Concurrent) -> Vec<Target> {
    let goals = testing::all_goals(&program.machine).into_iter();
    goals.map(|(name, goal)| Target { name, goals: vec![ThreadGoal { goal, copy: None }] }).collect()
}

/// A question: which formula, how, and whether a trace is wanted.
#[derive(Clone, Copy)]
struct Way {
    algorithm: &'static str,
    reductions: Reductions,
    scheduling: Scheduling,
    /// Everything is stored as bits.
    symbolic: bool,
    trace: bool,
}

impl Way {
    fn new(algorithm: &'static str) -> Self {
        let scheduling = Scheduling::default();
        Self { algorithm, reductions: Reductions::ALL, scheduling, symbolic: false, trace: false }
    }

    /// The same with some things switched off: every selection comes up for some seeds, nothing at all for each sixteenth.
    fn without(self, seed: u64) -> Self {
        let on = |bit: u64| !seed.is_multiple_of(16) && seed >> bit & 1 == 0;
        let scheduling = Scheduling {
            symmetry: on(0),
            visibility: on(1),
            early_stop: on(2),
            order: on(3),
            deepening: on(4).then_some(1),
            every_bound: on(5),
        };
        let reductions = Reductions {
            dead_code: on(4),
            jump_chains: on(3),
            straight_lines: on(2),
            live_variables: on(1),
            cone: on(0),
        };
        Self { scheduling, reductions, ..self }
    }

    fn ask(self, program: &Concurrent, targets: &[Target], bound: Bound) -> Report {
        self.ask_with(Arc::default(), program, targets, bound)
    }

    /// The same with a gauge that shows how far the run has come.
    fn ask_with(self, gauge: Arc<Gauge>, program: &Concurrent, targets: &[Target], bound: Bound) -> Report {
        let algorithm = checker::algorithm(self.algorithm).expect("an algorithm of the list");
        let name = format!("{}.mu", algorithm.name);
        let mut read = |name: &str| checker::part(name).map(str::to_owned).ok_or("not there".to_owned());
        let file =
            FormulaFile { name: &name, text: algorithm.text, read: &mut read, params: &[], labels: &[] };
        let options = Options {
            reductions: self.reductions,
            symbolic: self.symbolic,
            trace: self.trace,
            gauge,
            ..Options::default()
        };
        let mut sources = Sources::default();
        checker::check_threads(program, targets, bound, file, self.scheduling, &options, &mut sources)
            .unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    /// The least bound of each target.
    fn least(self, program: &Concurrent, targets: &[Target], bound: Bound) -> Vec<Option<u32>> {
        let scheduling = Scheduling { early_stop: false, ..self.scheduling };
        let report = Self { scheduling, ..self }.ask(program, targets, bound);
        let unknown = report.findings.iter().find(|target| matches!(target.verdict, Verdict::Unknown(_)));
        assert!(unknown.is_none(), "{unknown:?}");
        report.findings.into_iter().map(|target| target.least).collect()
    }
}

const LIMITS: Limits = Limits { max_worlds: 60_000, max_depth: 8, max_outcomes: 1 << 14 };

fn counts(program: &Concurrent, any: u32) -> Vec<u32> {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => number,
        Copies::Any => any,
    };
    program.blocks.iter().map(|block| number(block.copies)).collect()
}

/// What the twin says; `None` if it gives up.
fn expected(program: &Concurrent, targets: &[Target], bound: Bound) -> Option<Vec<Option<u32>>> {
    let goals: Vec<ThreadGoal> = targets.iter().map(|target| target.goals[0]).collect();
    let counts = counts(program, 2);
    let stop = Stop::default();
    let found = match bound {
        Bound::Switches(_) | Bound::Every => {
            interleave::least_switches(program, &counts, &goals, bound.number(), LIMITS, &stop)
        }
        Bound::Rounds(r) => {
            let order = interleave::declaration_order(&counts);
            interleave::least_rounds(program, &counts, &goals, &order, r, LIMITS, &stop)
        }
    };
    found.ok().filter(|found| !found.is_cut).map(|found| found.least)
}

fn compare(
    seed: u64,
    text: &str,
    targets: &[Target],
    what: &str,
    ours: &[Option<u32>],
    twin: &[Option<u32>],
) {
    assert_eq!([ours.len(), twin.len()], [targets.len(); 2], "seed {seed}, {what}\n{text}");
    for ((target, ours), twin) in targets.iter().zip(ours).zip(twin) {
        assert_eq!(ours, twin, "seed {seed}, {what}, `{}`\n{text}", target.name);
    }
}

/// Asks for each reachable target alone and looks at the trace.
fn traces(seed: u64, text: &str, program: &Concurrent, way: Way, bound: Bound, twin: &[Option<u32>]) {
    let targets = all_targets(program);
    assert_eq!(targets.len(), twin.len(), "seed {seed}\n{text}");
    for (n, (target, least)) in targets.iter().zip(twin).enumerate() {
        let report = Way { trace: true, ..way }.ask(program, std::slice::from_ref(target), bound);
        assert_eq!(report.finding.least, *least, "seed {seed}, {}, `{}`\n{text}", way.algorithm, target.name);
        match (&report.trace, least) {
            (TraceReport::Replayed(trace), Some(least)) => {
                let fits = match bound {
                    Bound::Switches(_) | Bound::Every => trace.n_switches() <= *least as usize,
                    Bound::Rounds(_) => {
                        let order = interleave::declaration_order(&trace.counts());
                        trace.n_rounds(&order).is_some_and(|rounds| rounds <= *least as usize)
                    }
                };
                assert!(fits, "seed {seed}, {}, `{}`: {trace:?}\n{text}", way.algorithm, target.name);
            }
            (TraceReport::None, None) => {
                let goes_on =
                    report.every_bound.is_some().then(|| expected(program, &targets, Bound::Switches(9)));
                let found = goes_on.flatten().and_then(|twin| twin[n]);
                assert_eq!(found, None, "seed {seed}, every bound, `{}`\n{text}", target.name);
            }
            (other, _) => {
                panic!("seed {seed}, {}, `{}`: {other:?}\n{text}", way.algorithm, target.name)
            }
        }
    }
}

/// Ways in which the first answer must be that of the least bound.
fn early_ways(way: Way, seed: u64) -> Vec<(&'static str, Way)> {
    let mut ways = vec![("stopping early", way)];
    let scheduling = Scheduling { deepening: Some(1), ..way.scheduling };
    match seed % 4 {
        0 => ways.push(("stopping early, as bits", Way { symbolic: true, ..way })),
        1 | 3 => ways.push(("by increasing bounds", Way { scheduling, ..way })),
        _ => {}
    }
    ways
}

/// Compares one program with the twin, in all ways; says whether the twin has an answer.
fn agrees(seed: u64, algorithm: &'static str, bound: Bound) -> bool {
    let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
    let program = lower(&text, 0);
    let targets = all_targets(&program);
    let Some(twin) = expected(&program, &targets, bound) else { return false };
    let way = Way::new(algorithm);
    compare(seed, &text, &targets, "as usual", &way.least(&program, &targets, bound), &twin);
    for (what, way) in early_ways(way, seed) {
        let early = way.ask(&program, &targets, bound).findings.into_iter().map(|target| target.least);
        compare(seed, &text, &targets, what, &early.collect::<Vec<_>>(), &twin);
    }
    let way = way.without(seed);
    compare(seed, &text, &targets, "switched off", &way.least(&program, &targets, bound), &twin);
    traces(seed, &text, &program, Way::new(algorithm), bound, &twin);
    true
}

/// At least half of the programs were small enough for the twin.
#[track_caller]
fn enough(n_compared: usize, n_programs: usize) {
    assert!(2 * n_compared >= n_programs, "only {n_compared} of {n_programs} programs were compared");
}

#[test]
fn switches_agree_with_the_twin() {
    let seeds: Vec<u64> = seeds(0..40).collect();
    let compared = seeds.iter().filter(|seed| agrees(**seed, "bounded_contexts", Bound::Switches(3)));
    enough(compared.count(), seeds.len());
}

#[test]
fn rounds_agree_with_the_twin() {
    let seeds: Vec<u64> = seeds(0..40).collect();
    let compared = seeds.iter().filter(|seed| agrees(**seed, "rounds", Bound::Rounds(3)));
    enough(compared.count(), seeds.len());
}

/// The least rounds over all orders of the threads and all numbers of copies up to the most; `None` if the twin gives up.
fn least_in_some_order(
    program: &Concurrent,
    targets: &[Target],
    most_copies: u32,
    rounds: u32,
) -> Option<Vec<Option<u32>>> {
    let goals: Vec<ThreadGoal> = targets.iter().map(|target| target.goals[0]).collect();
    let mut least: Vec<Option<u32>> = vec![None; goals.len()];
    for counts in all_counts(program, most_copies) {
        if counts.iter().sum::<u32>() == 0 {
            continue;
        }
        let mut order = interleave::declaration_order(&counts);
        loop {
            let stop = Stop::default();
            let found =
                interleave::least_rounds(program, &counts, &goals, &order, rounds, LIMITS, &stop).ok()?;
            if found.is_cut {
                return None;
            }
            assert_eq!(least.len(), found.least.len());
            for (least, found) in least.iter_mut().zip(found.least) {
                *least = [*least, found].into_iter().flatten().min();
            }
            if !next_permutation(&mut order) {
                break;
            }
        }
    }
    Some(least)
}

fn all_counts(program: &Concurrent, most: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for block in &program.blocks {
        let numbers = match block.copies {
            Copies::Number(number) => number..=number,
            Copies::Any => 0..=most,
        };
        let longer = |counts: &Vec<u32>| {
            let extend = |number| counts.iter().copied().chain([number]).collect();
            numbers.clone().map(extend).collect::<Vec<Vec<u32>>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn next_permutation(order: &mut [interleave::ThreadId]) -> bool {
    let Some(at) = (1..order.len()).rev().find(|&n| order[n - 1] < order[n]) else { return false };
    let larger = (at..order.len()).rev().find(|&n| order[n] > order[at - 1]).expect("a larger one follows");
    order.swap(at - 1, larger);
    order[at..].reverse();
    true
}

#[test]
fn linear_interfaces_agree_with_instances_and_with_each_other() {
    for seed in seeds(0..24) {
        let text = concurrent(seed, &ConcurrentShape::small(Threads::Parameterised));
        let program = lower(&text, 0);
        let (targets, bound) = (all_targets(&program), Bound::Rounds(2));
        let lazy = Way::new("linear_interfaces_lazy").least(&program, &targets, bound);
        let eager = Way::new("linear_interfaces_eager").least(&program, &targets, bound);
        compare(seed, &text, &targets, "lazy and eager", &lazy, &eager);
        let Some(twin) = least_in_some_order(&program, &targets, 2, 2) else { continue };
        assert_eq!(targets.len(), twin.len(), "seed {seed}\n{text}");
        for ((target, lazy), twin) in targets.iter().zip(&lazy).zip(&twin) {
            let more_copies_help = lazy.is_some_and(|lazy| twin.is_none_or(|twin| lazy < twin));
            assert!(lazy == twin || more_copies_help, "seed {seed}, `{}`\n{text}", target.name);
        }
        for algorithm in ["linear_interfaces_lazy", "linear_interfaces_eager"] {
            parameterised_traces(seed, &text, &program, Way::new(algorithm), &lazy);
        }
    }
}

/// Traces say how many copies there are: with these, the twin finds a run in as many rounds.
fn parameterised_traces(seed: u64, text: &str, program: &Concurrent, way: Way, least: &[Option<u32>]) {
    let targets = all_targets(program);
    assert_eq!(targets.len(), least.len(), "seed {seed}\n{text}");
    for (target, least) in targets.iter().zip(least) {
        let Some(least) = least else { continue };
        let report = Way { trace: true, ..way }.ask(program, std::slice::from_ref(target), Bound::Rounds(2));
        assert_eq!(
            report.finding.least,
            Some(*least),
            "seed {seed}, {}, `{}`\n{text}",
            way.algorithm,
            target.name
        );
        let TraceReport::Replayed(trace) = &report.trace else {
            panic!("seed {seed}, {}, `{}`: {:?}\n{text}", way.algorithm, target.name, report.trace)
        };
        let mut order = interleave::declaration_order(&trace.counts());
        if order.len() > 6 {
            continue;
        }
        loop {
            if trace.n_rounds(&order).is_some_and(|rounds| rounds <= *least as usize) {
                break;
            }
            let more = next_permutation(&mut order);
            assert!(more, "seed {seed}, {}, `{}`: {trace:?}\n{text}", way.algorithm, target.name);
        }
    }
}

/// Some thread ends in a function that an atomic block has called, and another one goes on.
fn ends_inside(program: &Concurrent) -> bool {
    let in_atomic = |frame: &Frame| program.machine.module(frame.module).node(frame.node).in_atomic;
    let ends = |thread: &ThreadState| {
        let top = thread.stack.last();
        top.is_some_and(|top| program.machine.module(top.module).ends_thread(top.node))
            && thread.stack.iter().any(in_atomic)
    };
    let mut todo = interleave::initials(program, &counts(program, 2), 64).unwrap_or_default();
    let mut known: HashSet<World> = todo.iter().cloned().collect();
    while let Some(world) = todo.pop().filter(|_| known.len() < 3000) {
        let n_threads = world.threads.len();
        for thread in (0..n_threads).map(ThreadId::new) {
            let others_wait = (0..n_threads)
                .map(ThreadId::new)
                .all(|other| other == thread || interleave::may_switch(program, &world, other));
            if !others_wait || world.threads[thread.index()].stack.len() > 6 {
                continue;
            }
            let after = interleave::successors(program, &world, thread, 64).unwrap_or_default();
            if !after.is_empty() && world.threads.iter().any(ends) {
                return true;
            }
            todo.extend(
                after.into_iter().map(|(_, after)| after).filter(|after| known.insert(after.clone())),
            );
        }
    }
    false
}

#[test]
fn threads_created_at_run_time_agree_with_the_twin() {
    let seeds: Vec<u64> = seeds(0..16).collect();
    let text = |seed: u64| concurrent(seed, &ConcurrentShape::small(Threads::Started));
    let compared = seeds.iter().filter(|seed| created_at_run_time(**seed, &text(**seed)));
    enough(compared.count(), seeds.len());
}

/// Compares with the twin; says whether the twin has an answer.
fn created_at_run_time(seed: u64, text: &str) -> bool {
    let program = lower(text, 3);
    let (targets, bound) = (all_targets(&program), Bound::Switches(3));
    let Some(twin) = expected(&program, &targets, bound) else { return false };
    let way = Way::new("bounded_contexts");
    compare(seed, text, &targets, "as usual", &way.least(&program, &targets, bound), &twin);
    traces(seed, text, &program, way, bound, &twin);
    true
}

/// A program that is made to end threads in functions that atomic blocks call: `main` calls `f` and `g`, `f` calls `g`.
fn ending(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut text = "decl x, y; init !x & !y;\n".to_owned();
    for (name, callees) in [("main", &["f", "g"][..]), ("f", &["g"]), ("g", &[])] {
        let mut body = String::new();
        for n in 0..3 + dice.below(3) {
            let callee = if callees.is_empty() { None } else { Some(dice.pick(callees)) };
            let statement = match (dice.below(8), callee) {
                (0, _) => "start_thread g()".to_owned(),
                (1, _) => "start_thread goto L0".to_owned(),
                (2, _) => "if (x) then end_thread; fi".to_owned(),
                (3 | 4, Some(callee)) => format!("atomic begin {callee}(); end"),
                (5, Some(callee)) => format!("{callee}()"),
                (6, _) => "assume(y)".to_owned(),
                (3..=5, None) => "end_thread".to_owned(),
                _ => format!("{} := {}", dice.pick(&["x", "y"]), dice.pick(&["T", "F", "*", "!x"])),
            };
            body.push_str(&format!("  L{n}: {statement};\n"));
        }
        text.push_str(&format!("void {name}() begin\n{body}  END: skip;\nend\n"));
    }
    text
}

#[test]
fn threads_that_end_inside_atomic_blocks_agree_with_the_twin() {
    let mut n_compared = 0;
    for seed in seeds(0..60) {
        let text = ending(seed);
        let is_started = text.contains("start_thread");
        if is_started && ends_inside(&lower(&text, 3)) {
            n_compared += usize::from(created_at_run_time(seed, &text));
        }
        if n_compared == 4 {
            return;
        }
    }
    assert!(n_compared == 4 || testing::is_chosen(), "only {n_compared} compared");
}
