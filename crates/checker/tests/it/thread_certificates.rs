//! Certificates of random programs with threads: those that the search writes are accepted, changed ones are refused, and none is
//! accepted for a target that some run reaches.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources, Stop};
use certificate::Outcome;
use certificate::threads::{ClosedSet, Count, Local, read, validate, write};
use checker::{
    Asker, Bound, Engine, Explicit, Limits, Problem, Question, Target, Verdict, Wanted, WantedTrace,
};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::{Concurrent, Copies, Goal, Reductions, ThreadGoal};

fn lower(text: &str, sources: &mut Sources) -> Concurrent {
    let checked = testing::load(sources, text);
    let options = bp::ThreadOptions { slots: 1, async_labels: true };
    bp::lower_threads(&checked, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Every labelled node is a target of its own; in some programs copies count.
fn all_targets(program: &Concurrent, names_copies: bool) -> Vec<Target> {
    let copy = |n: usize| if names_copies { [None, Some(0), Some(1)][n % 3] } else { None };
    let labels =
        testing::all_goals(&program.machine).into_iter().filter(|(_, goal)| matches!(goal, Goal::At(..)));
    labels
        .enumerate()
        .map(|(n, (name, goal))| Target { name, goals: vec![ThreadGoal { goal, copy: copy(n) }] })
        .collect()
}

fn goals(targets: &[Target]) -> Vec<ThreadGoal> {
    targets.iter().flat_map(|target| target.goals.iter().copied()).collect()
}

/// Which targets no schedule reaches, and with them the certificate; nothing if the search does not end.
fn search(
    engine: &Explicit,
    program: &Concurrent,
    targets: &[Target],
    sources: &mut Sources,
) -> Option<(Vec<bool>, Option<String>)> {
    let wanted = Wanted { trace: WantedTrace::None, certificate: true };
    let problem = Problem {
        program,
        question: Question::Reach,
        targets,
        bound: Some(Bound::Every),
        watch: Default::default(),
        wanted,
    };
    let mut asker = Asker { sources, known: &mut |_, _| {} };
    let outcome = engine.answer(&problem, &Limits::default(), &mut asker).expect("there is an outcome");
    let verdicts = outcome.findings.iter().map(|finding| &finding.verdict);
    let is_known = verdicts.clone().all(|verdict| !verdict.is_unknown());
    is_known.then(|| (verdicts.map(|verdict| *verdict == Verdict::No).collect(), outcome.certificate))
}

/// What is left out of the search; any selection has its certificate.
fn engine(n: u64) -> Explicit {
    let reductions = Reductions { live_variables: n & 4 == 0, cone: n & 8 == 0, ..Reductions::ALL };
    Explicit {
        symmetry: n & 1 == 0,
        visibility: n & 2 == 0,
        reductions,
        max_states: 1 << 12,
        ..Explicit::default()
    }
}

/// Changes something that runs rely on.
fn mutate(closed: &mut ClosedSet, dice: &mut Random) -> &'static str {
    let n = dice.below(closed.configurations.len() as u64) as usize;
    let shared = closed.configurations[n].shared as usize;
    let kept: Vec<usize> = (0..closed.kept.shared.len()).filter(|n| closed.kept.shared[*n]).collect();
    match dice.below(4) {
        1 if !kept.is_empty() => {
            let place = kept[dice.below(kept.len() as u64) as usize];
            closed.shared[shared][place] ^= 1;
            "a shared value"
        }
        2 => {
            let threads = closed.configurations[n].threads.iter_mut().flatten();
            let (local, _) = threads.max_by_key(|(local, _)| *local).expect("there is a thread");
            *local = if *local == Local::Done { Local::Start } else { Local::Done };
            closed.configurations[n].threads.iter_mut().for_each(|group| group.sort_unstable());
            "a thread"
        }
        3 if closed.configurations[n]
            .threads
            .iter()
            .flatten()
            .any(|(_, count)| *count > Count::Number(1)) =>
        {
            let mut threads = closed.configurations[n].threads.iter_mut().flatten();
            let (_, count) = threads.find(|(_, count)| *count > Count::Number(1)).expect("there are some");
            *count = Count::Number(1);
            "a number of threads"
        }
        _ => {
            closed.configurations.remove(n);
            "a configuration"
        }
    }
}

#[derive(Default, Debug)]
struct Seen {
    programs: usize,
    accepted: usize,
    refused: std::collections::BTreeMap<&'static str, usize>,
    moved: usize,
    copies: usize,
}

fn look_at(seed: u64, seen: &mut Seen) {
    let text = concurrent(seed, &ConcurrentShape::small(Threads::Fixed));
    let sources = &mut Sources::default();
    let program = lower(&text, sources);
    if program.blocks.iter().any(|block| block.copies == Copies::Any) {
        return;
    }
    let targets = all_targets(&program, seed.is_multiple_of(3));
    let engine = engine(seed % 16);
    let Some((is_safe, _)) = search(&engine, &program, &targets, sources) else { return };
    let part = |wanted: bool| -> Vec<Target> {
        let of = targets.iter().zip(&is_safe).filter(|(_, is_safe)| **is_safe == wanted);
        of.map(|(target, _)| target.clone()).collect()
    };
    let (safe, reached) = (part(true), part(false));
    if safe.is_empty() {
        return;
    }
    let (_, certificate) = search(&engine, &program, &safe, sources).expect("what is smaller ends, too");
    let certificate = certificate.expect("what no schedule reaches has a certificate");
    let what = format!("seed {seed}\n{text}\n{certificate}");
    let closed = read(&program, &certificate).unwrap_or_else(|problem| panic!("{problem:?}, {what}"));
    assert_eq!(write(&program, sources, &closed), certificate, "{what}");
    let check = |closed: &ClosedSet, goals: &[ThreadGoal]| {
        validate(&program, goals, closed, &Stop::default()).expect("nobody stops it")
    };
    let outcome = check(&closed, &goals(&safe));
    assert!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}, {what}");
    seen.programs += 1;
    seen.accepted += 1;
    seen.copies += usize::from(certificate.contains("*2"));
    let dice = &mut Random::new(seed);
    // Where no run starts there is nothing to change.
    let n_changes = if closed.configurations.is_empty() { 0 } else { 6 };
    for _ in 0..n_changes {
        let mut changed = closed.clone();
        let kind = mutate(&mut changed, dice);
        let outcome = check(&changed, &goals(&safe));
        let changed = write(&program, sources, &changed);
        assert!(matches!(outcome, Outcome::Refused(_)), "{kind}\n{changed}\n{what}");
        *seen.refused.entry(kind).or_default() += 1;
    }
    for target in &reached {
        let mut changed = closed.clone();
        for _ in 0..3 {
            let outcome = check(&changed, &target.goals);
            assert!(matches!(outcome, Outcome::Refused(_)), "{}, {what}", target.name);
            seen.moved += 1;
            forget(&mut changed, dice);
        }
    }
}

/// Leaves open what a variable is worth, everywhere.
fn forget(closed: &mut ClosedSet, dice: &mut Random) {
    let n = dice.below(closed.kept.shared.len().max(1) as u64) as usize;
    if let Some(kept) = closed.kept.shared.get_mut(n) {
        *kept = false;
        closed.shared.iter_mut().for_each(|values| values[n] = 0);
    }
    closed.kept.points.values_mut().for_each(|places| _ = places.pop());
}

#[test]
fn certificates_are_accepted_and_changed_ones_refused() {
    let mut seen = Seen::default();
    seeds(0..150).for_each(|seed| look_at(seed, &mut seen));
    assert!(seen.accepted >= 40 && seen.copies >= 5 && seen.moved >= 100, "{seen:?}");
    assert!(seen.refused.len() == 4 && seen.refused.values().all(|n| *n >= 10), "{seen:?}");
}

#[test]
fn families_have_certificates() {
    let number = |n: u32| std::num::NonZeroU32::new(n).expect("some threads");
    let count = |n: u32| generate::concurrent::Count::Number(number(n));
    let variant = generate::concurrent::Variant::Correct;
    for text in [
        generate::concurrent::bluetooth(count(2), count(2), variant),
        generate::concurrent::lock_free_stack(number(2), variant),
        generate::concurrent::readers_writers(count(2), count(2), variant),
        generate::concurrent::szymanski(number(3), variant),
        generate::concurrent::dekker(variant),
    ] {
        let sources = &mut Sources::default();
        let program = lower(&text, sources);
        let targets = checker::default_thread_targets(&program).expect("there is a label");
        let (_, certificate) = search(&engine(0), &program, &targets, sources).expect("the search ends");
        let closed = certificate.map(|certificate| read(&program, &certificate));
        let closed = closed.expect("there is a certificate").unwrap_or_else(|problem| panic!("{problem:?}"));
        let outcome = validate(&program, &goals(&targets), &closed, &Stop::default());
        assert!(matches!(outcome, Ok(Outcome::Accepted(_))), "{outcome:?}\n{text}");
    }
}
