//! The search by context switches and rounds against the textbook twin, on random programs with threads, with every selection of
//! what it leaves out; every run that it finds is replayed.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::threads::{all_settings, all_targets, lower, within};
use base::Stop;
use explicit::Stopped;
use explicit::threads::{Cost, End, Found, Question, Settings, counts, fewest, least};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::interleave::{self, Least};
use rsm::{Copies, ThreadGoal};

const TWIN: interleave::Limits =
    interleave::Limits { max_worlds: 30_000, max_depth: 10, max_outcomes: 1 << 14 };

/// What the twin says; `None` if it gives up. Of blocks of any number there may also be no copies, where none can start.
fn expected(question: &Question<'_>, counts: &[u32]) -> Option<Least> {
    let free = question.program.blocks.iter().enumerate().filter(|(_, block)| block.copies == Copies::Any);
    let free: Vec<usize> = free.map(|(n, _)| n).collect();
    let mut all = Least { least: vec![None; question.targets.len()], is_cut: false };
    for without in 0..1 << free.len() {
        let mut counts = counts.to_vec();
        free.iter()
            .enumerate()
            .filter(|(n, _)| without >> n & 1 == 1)
            .for_each(|(_, block)| counts[*block] = 0);
        let found = twin(question, &counts)?;
        all.is_cut |= found.is_cut;
        for (known, new) in all.least.iter_mut().zip(found.least) {
            *known = known.iter().copied().chain(new).min();
        }
    }
    Some(all)
}

fn twin(question: &Question<'_>, counts: &[u32]) -> Option<Least> {
    let goals: Vec<ThreadGoal> = question.targets.iter().map(|goals| goals[0]).collect();
    let (bound, stop) = (question.bound.unwrap_or(u32::MAX), Stop::default());
    let program = question.program;
    match question.cost {
        Cost::Switches => interleave::least_switches(program, counts, &goals, bound, TWIN, &stop).ok(),
        Cost::Rounds => {
            let order = interleave::declaration_order(counts);
            interleave::least_rounds(program, counts, &goals, &order, bound, TWIN, &stop).ok()
        }
    }
}

/// What the test has seen.
#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    closed: usize,
    reached: usize,
    out_of_reach: usize,
    cut: usize,
    stopped: usize,
    runs: usize,
    switching: usize,
    by_symmetry: usize,
    by_visibility: usize,
    by_lazy_start: usize,
}

/// Compares one question in all ways; says nothing if the twin gives up.
fn compare(seed: u64, text: &str, question: &Question<'_>, seen: &mut Seen) {
    let Ok(counts) = counts(question) else { return };
    let Some(twin) = expected(question, &counts).filter(|twin| !twin.is_cut) else { return };
    seen.compared += 1;
    let mut states = Vec::new();
    for settings in all_settings(seed) {
        let what = format!("seed {seed}, {:?} within {:?}, {settings:?}", question.cost, question.bound);
        let found = within(|limits| least(question, settings, limits)).expect("the numbers are known");
        agrees(&found, &twin, question, &format!("{what}\n{text}"));
        seen.stopped += usize::from(matches!(found.end, End::Stopped(_)));
        seen.cut += usize::from(found.cut.is_some());
        seen.closed += usize::from(found.end == End::Closed);
        states.push(found.figures.states);
    }
    // Selections that differ in one bit only: 0 has everything but some variables, 1 no symmetry, and so on.
    seen.by_symmetry += usize::from(states[0] < states[1]);
    seen.by_visibility += usize::from(states[0] < states[2]);
    seen.by_lazy_start += usize::from(states[0] < states[4]);
    seen.reached += twin.least.iter().flatten().count();
    seen.out_of_reach += twin.least.iter().filter(|least| least.is_none()).count();
    runs(seed, text, question, &twin, seen);
}

fn agrees(found: &Found, twin: &Least, question: &Question<'_>, what: &str) {
    // Without reductions there may be too many states; what was found until then is exact nevertheless.
    let is_stopped = matches!(found.end, End::Stopped(_));
    assert!(!is_stopped || found.end == End::Stopped(Stopped::States), "{:?}, {what}", found.end);
    assert_eq!(found.least.len(), twin.least.len(), "{what}");
    for (n, (ours, twins)) in found.least.iter().zip(&twin.least).enumerate() {
        if (found.cut.is_none() && !is_stopped) || found.is_least(n) {
            assert_eq!(ours, twins, "{:?}, {what}", question.targets[n]);
        }
        let is_safe = |safe: u32| ours.is_some() || twins.is_none_or(|least| least > safe);
        assert!(found.safe_within().is_none_or(is_safe), "{:?}, {what}", question.targets[n]);
    }
}

/// Asks for runs to some of the targets.
fn runs(seed: u64, text: &str, question: &Question<'_>, twin: &Least, seen: &mut Seen) {
    let every = all_settings(seed);
    for (n, (target, least)) in
        question.targets.iter().zip(&twin.least).enumerate().skip(seed as usize % 2).step_by(2)
    {
        let settings = every[(seed as usize + n) % every.len()];
        let what = format!("seed {seed}, {target:?}, {:?}, {settings:?}\n{text}", question.cost);
        let one = Question { targets: std::slice::from_ref(target), ..*question };
        let found = within(|limits| fewest(&one, settings, limits)).expect("the numbers are known");
        if found == Err(Stopped::States) {
            continue;
        }
        let trace = found.unwrap_or_else(|stopped| panic!("{stopped:?}, {what}"));
        assert_eq!(trace.is_some(), least.is_some(), "{what}");
        let (Some(trace), Some(least)) = (trace, least) else { continue };
        assert_eq!(trace.replay(question.program, target), Ok(()), "{what}");
        let cost = match question.cost {
            Cost::Switches => trace.n_switches(),
            Cost::Rounds => {
                let order = interleave::declaration_order(&trace.counts());
                trace.n_rounds(&order).expect("every thread has its turn")
            }
        };
        assert_eq!(cost, *least as usize, "{what}");
        seen.runs += 1;
        seen.switching += usize::from(trace.n_switches() > 0);
    }
}

fn compare_all(kind: Threads, slots: usize, default: std::ops::Range<u64>) -> (Seen, usize) {
    let mut seen = Seen::default();
    let mut n_questions = 0;
    for seed in seeds(default) {
        let text = concurrent(seed, &ConcurrentShape::small(kind));
        let program = lower(&text, slots);
        let targets = all_targets(&program, seed % 3 == 0 && kind == Threads::Fixed);
        let is_fixed = program.blocks.iter().all(|block| matches!(block.copies, Copies::Number(_)));
        let mut asked = vec![(Cost::Switches, Some(slots as u32))];
        if is_fixed && kind == Threads::Fixed {
            asked.extend([
                (Cost::Rounds, Some(seed as u32 % 4)),
                (Cost::Switches, None),
                (Cost::Rounds, None),
            ]);
        }
        for (cost, bound) in asked {
            n_questions += 1;
            compare(seed, &text, &Question { program: &program, targets: &targets, cost, bound }, &mut seen);
        }
    }
    (seen, n_questions)
}

#[test]
fn threads_agree_with_the_twin() {
    let (seen, n_questions) = compare_all(Threads::Fixed, 3, 0..60);
    assert!(2 * seen.compared >= n_questions, "{n_questions} questions, {seen:?}");
    let counts = [seen.closed, seen.reached, seen.out_of_reach, seen.runs, seen.switching];
    let saved = [seen.by_symmetry, seen.by_visibility, seen.by_lazy_start];
    assert!(counts.iter().all(|n| *n >= 20), "{seen:?}");
    assert!(saved.iter().all(|n| *n >= 5), "{seen:?}");
}

#[test]
fn any_number_of_threads_agrees_with_the_twin_within_switches() {
    let (seen, n_questions) = compare_all(Threads::Parameterised, 2, 0..40);
    assert!(2 * seen.compared >= n_questions, "{n_questions} questions, {seen:?}");
    assert!(seen.stopped < seen.compared, "{seen:?}");
    assert!(seen.reached >= 20 && seen.out_of_reach >= 20 && seen.by_symmetry >= 5, "{seen:?}");
}

#[test]
fn threads_that_are_started_agree_with_the_twin() {
    let (seen, n_questions) = compare_all(Threads::Started, 2, 0..40);
    assert!(2 * seen.compared >= n_questions, "{n_questions} questions, {seen:?}");
    assert!(seen.reached >= 20 && seen.out_of_reach >= 20 && seen.runs >= 20, "{seen:?}");
}

/// Where calls were left out, what is still said to be least, or safe, is not contradicted by deeper stacks.
fn is_careful(seed: u64, recursion: usize, seen: &mut Seen) {
    let shape = ConcurrentShape { recursion, ..ConcurrentShape::small(Threads::Fixed) };
    let text = concurrent(seed, &shape);
    let program = lower(&text, 0);
    let targets = all_targets(&program, false);
    let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: Some(2) };
    let counts = counts(&question).expect("the numbers are known");
    let found =
        within(|limits| least(&question, Settings::default(), limits)).expect("the numbers are known");
    if found.cut.is_none() || matches!(found.end, End::Stopped(_)) {
        return;
    }
    seen.cut += 1;
    let Some(twin) = twin(&question, &counts) else { return };
    seen.compared += 1;
    for (n, (ours, twins)) in found.least.iter().zip(&twin.least).enumerate() {
        let what = format!("seed {seed}, {:?}, {ours:?}, {twins:?}, {:?}\n{text}", targets[n], found.cut);
        if let (Some(ours), true) = (ours, found.is_least(n)) {
            assert!(twins.is_none_or(|twins| twins >= *ours), "{what}");
            seen.reached += 1;
        }
        if let (None, Some(safe)) = (ours, found.safe_within()) {
            assert!(twins.is_none_or(|twins| twins > safe), "{what}");
            seen.out_of_reach += 1;
        }
    }
}

#[test]
fn calls_that_are_left_out_are_accounted_for() {
    let mut seen = Seen::default();
    seeds(0..120).for_each(|seed| is_careful(seed, 80, &mut seen));
    assert!(seen.cut >= 3 && seen.compared >= 3 && seen.reached >= 5, "{seen:?}");
}
