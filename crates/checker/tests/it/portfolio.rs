//! Engines side by side: the first answer counts, by counts of work, and the other one stops.

use base::{Known, Reading, Sources, StopReason};
use checker::{
    Asker, Bound, Budget, Engine, Explicit, Failure, Finding, Formula, Limits, Outcome, Portfolio, Problem,
    Question, Symbolic, Target, Unknown, Verdict, Wanted, WantedTrace,
};
use generate::random::{ConcurrentShape, Shape, Threads, concurrent, program, seeds};
use rsm::Concurrent;
use std::sync::atomic::{AtomicU64, Ordering};

fn lower(text: &str) -> Concurrent {
    Concurrent::sequential(testing::lower(text))
}

fn family(name: &str, n: u32) -> Concurrent {
    lower(&generate::family(name, n, &generate::Options::default()).expect("a family"))
}

fn problem<'p>(program: &'p Concurrent, targets: &'p [Target]) -> Problem<'p> {
    let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
    Problem { program, question: Question::Reach, targets, bound: None, watch: Default::default(), wanted }
}

fn side_by_side(formula: &dyn Engine) -> Portfolio<'_> {
    Portfolio { explicit: Explicit::default(), formula, first: Budget::default(), localise: true }
}

fn ask(engine: &dyn Engine, problem: &Problem, limits: &Limits) -> Outcome {
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    engine.answer(problem, limits, &mut asker).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The same where no thread can be started.
fn ask_in_turns(engine: &Portfolio, problem: &Problem, limits: &Limits) -> Outcome {
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    engine.in_turns(problem, limits, &mut asker).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// Says no when it has looked so often whether to stop.
struct Slow {
    looks: u64,
    /// How often it has.
    looked: AtomicU64,
    /// The memory that it was given.
    memory: AtomicU64,
}

impl Slow {
    fn new(looks: u64) -> Self {
        Self { looks, looked: AtomicU64::new(0), memory: AtomicU64::new(0) }
    }
}

impl Engine for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, _: &mut Asker) -> Result<Outcome, Failure> {
        self.memory.store(limits.memory.unwrap_or(0), Ordering::Relaxed);
        let mut finding = Finding::new(Verdict::No);
        for _ in 0..self.looks {
            self.looked.fetch_add(1, Ordering::Relaxed);
            if let Some(reason) = limits.stop.requested() {
                finding = Finding::unknown(Unknown::Stopped(reason, Reading::default()));
                break;
            }
        }
        Ok(Outcome::new(finding.clone(), vec![finding; problem.targets.len()]))
    }
}

#[test]
fn what_is_shallow_is_found_before_the_formula_is_asked() {
    let program = family("quicksort", 16);
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let slow = Slow::new(1);
    let portfolio = side_by_side(&slow);
    let outcome = ask(&portfolio, &problem(&program, &targets), &Limits::default());
    assert_eq!((outcome.by.as_deref(), outcome.finding.is_yes()), (Some("explicit"), true));
    assert!(outcome.trace.is_some());
    assert_eq!(slow.looked.load(Ordering::Relaxed), 0);
}

#[test]
fn the_first_answer_stops_the_other_engine() {
    let program = family("counter", 15);
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let asked = problem(&program, &targets);
    let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
    // One that never ends: the search comes to its end, and nobody waits for the other.
    let slow = Slow::new(u64::MAX);
    let outcome = ask(&side_by_side(&slow), &asked, &limits);
    assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("explicit"), &Verdict::No));
    assert!(
        outcome.figures.search.is_some_and(|search| search.figures.states > 1 << 18),
        "{:?}",
        outcome.figures.search
    );
    assert!(slow.looked.load(Ordering::Relaxed) > 0);
    assert_eq!(slow.memory.load(Ordering::Relaxed), 1 << 29, "the memory is shared out");
    // One that is quick: the search does not come to its end.
    let slow = Slow::new(10);
    let outcome = ask(&side_by_side(&slow), &asked, &limits);
    assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("symbolic"), &Verdict::No));
    assert_eq!(slow.looked.load(Ordering::Relaxed), 10);
}

#[test]
fn engines_that_take_turns_come_to_the_same() {
    let program = family("counter", 12);
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let asked = problem(&program, &targets);
    let limits = Limits::default();
    let first = Budget { states: 100, ..Budget::default() };
    let mut by = Vec::new();
    for looks in [1, 200, 20_000, 2_000_000, u64::MAX] {
        let (slow, other) = (Slow::new(looks), Slow::new(looks));
        let beside = Portfolio { explicit: Explicit::default(), formula: &slow, first, localise: false };
        let turns = Portfolio { formula: &other, ..beside };
        let (one, two) = (ask(&beside, &asked, &limits), ask_in_turns(&turns, &asked, &limits));
        assert_eq!((&one.by, &one.findings), (&two.by, &two.findings), "{looks}");
        assert_eq!(one.figures.search, two.figures.search, "{looks}");
        by.push(one.by.unwrap_or_default());
    }
    assert!(
        by.first().is_some_and(|by| by == "symbolic") && by.last().is_some_and(|by| by == "explicit"),
        "{by:?}"
    );
}

#[test]
fn a_request_to_stop_stops_both() {
    let program = family("counter", 30);
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let limits = Limits::default();
    limits.stop.grant(500);
    let slow = Slow::new(u64::MAX);
    let portfolio = side_by_side(&slow);
    let outcome = ask(&portfolio, &problem(&program, &targets), &limits);
    let Verdict::Unknown(Unknown::Each(reasons)) = outcome.finding.verdict else {
        panic!("{:?}", outcome.finding)
    };
    for (engine, reason) in reasons {
        assert!(matches!(reason, Unknown::Stopped(StopReason::Work, _)), "{engine}: {reason:?}");
    }
}

/// A program with threads of which nobody knows the end soon.
fn threads() -> Concurrent {
    let text = generate::family("lock_free_stack", 6, &generate::Options::default()).expect("a family");
    let (checked, _) = bp::load(&mut Sources::default(), "test.bp", &text).expect("a program");
    bp::lower_threads(&checked, bp::ThreadOptions { slots: 2, async_labels: false }).expect("a program")
}

#[test]
fn what_is_known_of_threads_when_both_are_stopped_is_said_with_the_figures_of_each() {
    let program = threads();
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    for bound in [Bound::Switches(8), Bound::Every] {
        let problem = Problem { bound: Some(bound), ..problem(&program, &targets) };
        let formula = Symbolic::new(Formula::for_problem(&problem));
        let first = Budget { work: 100, ..Budget::default() };
        let portfolio =
            Portfolio { explicit: Explicit::default(), formula: &formula, first, localise: false };
        let limits = Limits::default();
        limits.stop.grant(20_000);
        let outcome = ask(&portfolio, &problem, &limits);
        let Verdict::Unknown(Unknown::Each(reasons)) = &outcome.finding.verdict else {
            panic!("{:?}", outcome.finding)
        };
        let [(_, Unknown::Stopped(_, explicit)), (_, Unknown::Stopped(_, symbolic))] = &reasons[..] else {
            panic!("{reasons:?}")
        };
        assert!(explicit.search.is_some() && symbolic.search.is_none(), "{reasons:?}");
        assert_ne!(explicit, symbolic);
        assert!(outcome.safe_within.is_some(), "{outcome:?}");
        // Whoever has to answer without them knows the same.
        let Known::SafeWithin(known) = limits.gauge.known() else { panic!("{:?}", limits.gauge.known()) };
        assert!(Some(known) <= outcome.safe_within, "{outcome:?}");
        let names: Vec<&str> = limits.gauge.parts().iter().map(|part| part.0).collect();
        assert_eq!(names, ["explicit", "symbolic"]);
    }
}

/// Says no when it may use what the other engine has left.
struct Waiting {
    /// How much that was.
    lent: AtomicU64,
}

impl Engine for Waiting {
    fn name(&self) -> &str {
        "waiting"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, _: &mut Asker) -> Result<Outcome, Failure> {
        while limits.stop.lent() == 0 && limits.stop.requested_after(0).is_none() {
            std::thread::yield_now();
        }
        self.lent.store(limits.stop.lent(), Ordering::Relaxed);
        let finding = Finding::new(Verdict::No);
        Ok(Outcome::new(finding.clone(), vec![finding; problem.targets.len()]))
    }
}

#[test]
fn what_a_search_leaves_the_formula_may_use() {
    let program = threads();
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    let of_threads = Problem { bound: Some(Bound::Switches(8)), ..problem(&program, &targets) };
    let sequential = family("counter", 30);
    let targets = checker::default_targets(&sequential.machine).expect("there is a label");
    let sequential = problem(&sequential, &targets);
    for (problem, memory) in [(of_threads, 1 << 20), (sequential, 8 << 20)] {
        let waiting = Waiting { lent: AtomicU64::new(0) };
        let first = Budget { states: 100, work: 100 };
        let portfolio =
            Portfolio { explicit: Explicit::default(), formula: &waiting, first, localise: false };
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let outcome = ask(&portfolio, &problem, &limits);
        assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("symbolic"), &Verdict::No));
        assert_eq!(waiting.lent.load(Ordering::Relaxed), memory / 2);
    }
}

/// Needs more than half of the memory, and says so at once.
struct Hungry {
    /// How many times it was asked.
    asked: AtomicU64,
}

impl Engine for Hungry {
    fn name(&self) -> &str {
        "hungry"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, _: &mut Asker) -> Result<Outcome, Failure> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let is_enough = limits.memory.is_some_and(|bytes| bytes + limits.stop.lent() >= 1 << 20);
        let finding = match is_enough {
            true => Finding::new(Verdict::No),
            false => Finding::unknown(Unknown::Stopped(StopReason::Memory, Reading::default())),
        };
        Ok(Outcome::new(finding.clone(), vec![finding; problem.targets.len()]))
    }
}

#[test]
fn a_formula_that_ends_before_the_search_may_use_all_memory_as_well() {
    let program = threads();
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    let asked = Problem { bound: Some(Bound::Switches(8)), ..problem(&program, &targets) };
    let hungry = Hungry { asked: AtomicU64::new(0) };
    let first = Budget { work: 100, ..Budget::default() };
    let portfolio = Portfolio { explicit: Explicit::default(), formula: &hungry, first, localise: false };
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let outcome = ask(&portfolio, &asked, &limits);
    assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("symbolic"), &Verdict::No));
    assert!(hungry.asked.load(Ordering::Relaxed) <= 2);
}

#[test]
fn when_memory_is_scarce_the_search_stops_and_the_formula_goes_on() {
    let program = family("counter", 30);
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let limits = Limits { memory: Some(8 << 30), ..Limits::default() };
    let (stop, gauge) = (limits.stop.clone(), limits.gauge.clone());
    let outcome = std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let waiting = Waiting { lent: AtomicU64::new(0) };
            ask(&side_by_side(&waiting), &problem(&program, &targets), &limits)
        });
        // Both are at work once the search has looked at more than it does alone.
        let states = |reading: &Reading| reading.search.as_ref().map_or(0, |search| search.states);
        while !gauge.parts().iter().any(|(_, reading)| states(reading) > 1 << 15) {
            std::thread::yield_now();
        }
        assert!(stop.relieve(), "there is a part that can be done without");
        asked.join().expect("it answers")
    });
    assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("symbolic"), &Verdict::No));
}

#[test]
fn what_one_engine_cannot_do_the_other_does() {
    // Too many initial values for a search of few bytes, none for a formula.
    let text = "decl x: int<32>, y: int<32>; void main() begin while (x != y) do x := y; od ERROR: skip; end";
    let program = lower(&text.replace("ERROR: skip;", "if (x != y) then ERROR: skip; fi"));
    let targets = checker::default_targets(&program.machine).expect("there is a label");
    let formula = Symbolic::new(Formula::default());
    let portfolio = side_by_side(&formula);
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    let outcome = ask(&portfolio, &problem(&program, &targets), &limits);
    assert_eq!((outcome.by.as_deref(), &outcome.finding.verdict), (Some("symbolic"), &Verdict::No));
}

#[test]
fn a_portfolio_agrees_with_the_search_and_is_the_same_twice() {
    let (mut n_yes, mut n_no) = (0, 0);
    for seed in seeds(7000..7030) {
        let text = program(seed, &Shape::medium());
        let program = lower(&text);
        let Ok(targets) = checker::default_targets(&program.machine) else { continue };
        let asked = problem(&program, &targets);
        let limits = Limits { memory: Some(128 << 20), ..Limits::default() };
        let formula = Symbolic::new(Formula::default());
        let portfolio = side_by_side(&formula);
        let (first, second) = (ask(&portfolio, &asked, &limits), ask(&portfolio, &asked, &limits));
        let about = format!("seed {seed}\n{text}");
        for other in [&second, &ask_in_turns(&portfolio, &asked, &limits)] {
            assert_eq!(
                (&first.findings, &first.trace, &first.by),
                (&other.findings, &other.trace, &other.by),
                "{about}"
            );
        }
        assert_eq!(first.findings, ask(&formula, &asked, &limits).findings, "{about}");
        n_yes += u32::from(first.finding.is_yes());
        n_no += u32::from(first.finding.verdict == Verdict::No);
    }
    assert!((n_yes > 5 && n_no > 3) || testing::is_chosen(), "{n_yes} {n_no}");
}

/// What the engines said of random programs with threads.
#[derive(Default, Debug)]
struct Seen {
    explicit: usize,
    symbolic: usize,
    unreachable: usize,
    reachable: usize,
}

/// However little the explicit engine does first, the answer is the same, and in two runs it is that of the same engine.
fn is_the_same(seed: u64, seen: &mut Seen) {
    let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
    let loaded = bp::load(&mut Sources::default(), "test.bp", &text);
    let (checked, _) = loaded.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let options = bp::ThreadOptions { slots: 2, async_labels: false };
    let program = bp::lower_threads(&checked, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    if program.is_parameterised() {
        return;
    }
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    let bound = [Bound::Switches(2), Bound::Rounds(2), Bound::Every][seed as usize % 3];
    let problem = Problem { bound: Some(bound), ..problem(&program, &targets) };
    let formula = Symbolic::new(Formula::for_problem(&problem));
    let limits = Limits { memory: Some(1 << 28), ..Limits::default() };
    let alone = ask(&Explicit { max_states: 1 << 14, ..Explicit::default() }, &problem, &limits);
    if alone.finding.verdict.is_unknown() || (alone.finding.is_yes() && alone.finding.least.is_none()) {
        return;
    }
    for work in [0, 100, 1000] {
        let first = Budget { work, ..Budget::default() };
        let portfolio =
            Portfolio { explicit: Explicit::default(), formula: &formula, first, localise: false };
        let (outcome, again) = (ask(&portfolio, &problem, &limits), ask(&portfolio, &problem, &limits));
        let what = format!("seed {seed}, {bound:?}, {work}\n{text}");
        assert_eq!(outcome.finding, alone.finding, "{what}");
        let told = |outcome: &Outcome| (outcome.by.clone(), outcome.trace.clone(), outcome.every_bound);
        assert_eq!(told(&outcome), told(&again), "{what}");
        assert_eq!(told(&outcome), told(&ask_in_turns(&portfolio, &problem, &limits)), "in turns, {what}");
        match outcome.by.as_deref() {
            Some("explicit") => seen.explicit += 1,
            _ => seen.symbolic += 1,
        }
        seen.unreachable += usize::from(outcome.finding.verdict == Verdict::No);
        seen.reachable += usize::from(outcome.finding.is_yes());
    }
}

#[test]
fn the_answer_about_threads_does_not_depend_on_who_is_first() {
    let mut seen = Seen::default();
    seeds(0..24).for_each(|seed| is_the_same(seed, &mut seen));
    let counts = [seen.explicit, seen.unreachable, seen.reachable];
    assert!(counts.iter().all(|n| *n >= 6) && seen.symbolic >= 2, "{seen:?}");
}
