//! Any number of threads: covering sets of random programs are accepted as certificates and changed ones refused, and what counters
//! reach is called reachable only if there is a run.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources, Stop};
use certificate::Outcome;
use certificate::threads::{ClosedSet, Count, Local, read, validate, write};
use checker::{
    Asker, Bound, Engine, Explicit, Limits, Missing, Problem, Question, Target, Verdict, Wanted, WantedTrace,
};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::{Concurrent, Goal, Reductions, ThreadGoal};
use std::collections::BTreeMap;

fn lower(text: &str, sources: &mut Sources) -> Concurrent {
    let checked = testing::load(sources, text);
    let options = bp::ThreadOptions { slots: 1, async_labels: true };
    bp::lower_threads(&checked, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Every labelled node is a target of its own.
fn all_targets(program: &Concurrent) -> Vec<Target> {
    let labels =
        testing::all_goals(&program.machine).into_iter().filter(|(_, goal)| matches!(goal, Goal::At(..)));
    labels.map(|(name, goal)| Target { name, goals: vec![ThreadGoal { goal, copy: None }] }).collect()
}

/// What an engine says about one target, without a bound.
fn ask(engine: &Explicit, program: &Concurrent, target: &Target, sources: &mut Sources) -> checker::Outcome {
    let wanted = Wanted { trace: WantedTrace::None, certificate: true };
    let targets = std::slice::from_ref(target);
    let problem = Problem {
        program,
        question: Question::Reach,
        targets,
        bound: Some(Bound::Every),
        watch: Default::default(),
        wanted,
    };
    let mut asker = Asker { sources, known: &mut |_, _| {} };
    engine.answer(&problem, &Limits::default(), &mut asker).expect("there is an outcome")
}

fn engine(n: u64) -> Explicit {
    let reductions = Reductions { live_variables: n & 2 == 0, cone: n & 4 == 0, ..Reductions::ALL };
    Explicit { visibility: n & 1 == 0, reductions, max_states: 1 << 12, ..Explicit::default() }
}

#[derive(Default, Debug)]
struct Seen {
    accepted: usize,
    any: usize,
    without: usize,
    moved: usize,
    refused: BTreeMap<&'static str, usize>,
    harmless: usize,
}

/// The change that need not matter.
const DONE: &str = "threads that are done";

/// Takes something away that runs rely on; whether threads are done matters only where some come to that.
fn mutate(closed: &mut ClosedSet, dice: &mut Random) -> Option<&'static str> {
    let n = dice.below(closed.configurations.len() as u64) as usize;
    let group = dice.below(closed.groups.len() as u64) as usize;
    let standings = &mut closed.configurations[n].threads[group];
    match dice.below(4) {
        0 => {
            closed.configurations.remove(n);
            Some("an element")
        }
        1 => {
            let (_, count) = standings.iter_mut().find(|(local, _)| *local == Local::Start)?;
            *count = match count {
                Count::Any => Count::Number(3),
                Count::Number(1) => return None,
                Count::Number(n) => Count::Number(*n - 1),
            };
            Some("threads that have not run")
        }
        2 => {
            let any = |entry: &&mut (Local, Count)| matches!(entry, (Local::At(_), Count::Any));
            let (_, count) = standings.iter_mut().find(any)?;
            *count = Count::Number(2);
            Some("threads that have")
        }
        _ => {
            let at = standings.iter().position(|(local, _)| *local == Local::Done)?;
            standings[at].1 = Count::Number(1);
            Some(DONE)
        }
    }
}

fn look_at(seed: u64, seen: &mut Seen) {
    let text = concurrent(seed, &ConcurrentShape::small(Threads::Parameterised));
    let sources = &mut Sources::default();
    let program = lower(&text, sources);
    if !program.is_parameterised() {
        return;
    }
    let engine = engine(seed % 8);
    let targets = all_targets(&program);
    let outcomes: Vec<checker::Outcome> =
        targets.iter().map(|target| ask(&engine, &program, target, sources)).collect();
    let reached: Vec<&Target> = targets
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.finding.is_yes())
        .map(|(t, _)| t)
        .collect();
    let dice = &mut Random::new(seed);
    for (target, outcome) in targets.iter().zip(&outcomes) {
        if outcome.finding.verdict != Verdict::No {
            assert_eq!(outcome.certificate, None);
            continue;
        }
        let Some(certificate) = &outcome.certificate else {
            assert!(outcome.unfinished.iter().any(|(missing, _)| *missing == Missing::Certificate));
            seen.without += 1;
            continue;
        };
        let what = format!("seed {seed}, {}\n{text}\n{certificate}", target.name);
        let closed = read(&program, certificate).unwrap_or_else(|problem| panic!("{problem:?}, {what}"));
        assert_eq!(write(&program, sources, &closed), *certificate, "{what}");
        let check = |closed: &ClosedSet, goals: &[ThreadGoal]| {
            validate(&program, goals, closed, &Stop::default()).expect("nobody stops it")
        };
        let accepted = check(&closed, &target.goals);
        assert!(matches!(accepted, Outcome::Accepted(_)), "{accepted:?}, {what}");
        seen.accepted += 1;
        let any_at = |(local, count): &(Local, Count)| matches!((local, count), (Local::At(_), Count::Any));
        seen.any += usize::from(
            closed.configurations.iter().any(|element| element.threads.iter().flatten().any(any_at)),
        );
        for other in &reached {
            let outcome = check(&closed, &other.goals);
            assert!(matches!(outcome, Outcome::Refused(_)), "{}, {what}", other.name);
            seen.moved += 1;
        }
        if closed.configurations.is_empty() {
            continue;
        }
        for _ in 0..4 {
            let mut changed = closed.clone();
            let Some(kind) = mutate(&mut changed, dice) else { continue };
            match check(&changed, &target.goals) {
                Outcome::Refused(_) => *seen.refused.entry(kind).or_default() += 1,
                // Nobody of the group may ever be done; then the set is a proof all the same, but of nothing false.
                Outcome::Accepted(_) => {
                    assert_eq!(kind, DONE, "{what}");
                    seen.harmless += 1;
                    for other in &reached {
                        let outcome = check(&changed, &other.goals);
                        assert!(matches!(outcome, Outcome::Refused(_)), "{}, {kind}, {what}", other.name);
                    }
                }
            }
        }
    }
}

#[test]
fn covering_sets_are_accepted_and_changed_ones_refused() {
    let mut seen = Seen::default();
    seeds(0..80).for_each(|seed| look_at(seed, &mut seen));
    assert!(seen.accepted >= 40 && seen.any >= 20 && seen.moved >= 100, "{seen:?}");
    assert!(seen.refused.len() == 4 && seen.refused.values().all(|n| *n >= 5), "{seen:?}");
    assert!(seen.harmless <= seen.refused[DONE], "{seen:?}");
}

/// A recursive function that nobody notices is one step to the search; the certificate has to look into it.
#[test]
fn a_call_that_is_one_step_has_a_certificate_or_says_why_not() {
    let program = |copies: &str, body: &str| {
        format!(
            "decl g;
thread worker{copies}
begin
  void main()
  begin
    decl x;
    x := *;
    call deep(x);
    assume(F);
    ERROR: skip;
  end
  void deep(b)
  begin
    {body}
  end
end
"
        )
    };
    for copies in ["[2]", "[*]"] {
        for (body, has_one) in
            [("if (b) then call deep(F); fi", true), ("if (*) then call deep(b); fi", false)]
        {
            let text = program(copies, body);
            let sources = &mut Sources::default();
            let program = lower(&text, sources);
            let targets = checker::default_thread_targets(&program).expect("there is a label");
            let outcome = ask(&Explicit::default(), &program, &targets[0], sources);
            assert_eq!(outcome.finding.verdict, Verdict::No, "{text}");
            assert_eq!(outcome.certificate.is_some(), has_one, "{text}");
            let says = outcome.unfinished.iter().any(|(missing, _)| *missing == Missing::Certificate);
            assert_eq!(says, !has_one, "{text}");
            if let Some(certificate) = &outcome.certificate {
                let closed = read(&program, certificate).expect("it can be read");
                let outcome = validate(&program, &targets[0].goals, &closed, &Stop::default());
                assert!(matches!(outcome, Ok(Outcome::Accepted(_))), "{outcome:?}\n{text}");
            }
        }
    }
}

/// Counters know soon that enough threads reach the target; a run needs a switch for each of them, and more states than are allowed.
#[test]
fn counters_without_a_run_are_no_answer() {
    let text = "decl c: int<3>, d: int<3>;
init c == 0 & d == 0;
thread worker[*]
begin
  void main()
  begin
    decl x: int<3>;
    x := c;
    if (x < 5) then c := x + 1; fi
    d := *;
    if (c == 5 & d == 3) then ERROR: skip; fi
  end
end
";
    let sources = &mut Sources::default();
    let program = lower(text, sources);
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    let (mut n_without, mut n_reached) = (0, 0);
    for exponent in 2..=18 {
        let engine = Explicit { max_states: 1 << exponent, ..Explicit::default() };
        let outcome = ask(&engine, &program, &targets[0], sources);
        match &outcome.finding.verdict {
            Verdict::Yes => {
                assert!(outcome.finding.least.is_some(), "{exponent}");
                n_reached += 1;
            }
            Verdict::No => panic!("{exponent}: some number of threads reaches it"),
            Verdict::Unknown(checker::Unknown::Because(reason)) => {
                n_without += usize::from(reason.contains("no run to it was found within"));
            }
            Verdict::Unknown(other) => panic!("{exponent}: {other:?}"),
        }
    }
    assert!(n_without > 0 && n_reached > 0, "{n_without} {n_reached}");
}
