//! Certificates about infinite runs of random sequential programs: those that are written are accepted, and none is accepted for a claim
//! that the twin knows to be wrong, whatever its numbers are.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Gauge, Random, Sources, Stop};
use certificate::Claim;
use certificate::ranked::{Entry, Function, Outcome, Point, Ranked, State, read, validate, write};
use checker::{
    Asker, Engine, Explicit, Limits, Problem, Question, Target, Twin, Verdict, Wanted, WantedTrace,
};
use generate::random::{Shape, program, seeds};
use rsm::{Concurrent, Goal, ModuleId, NodeId, Reductions, Rsm};
use std::collections::BTreeMap;

#[derive(Default, Debug)]
struct Seen {
    programs: usize,
    /// Certificates that were written and accepted.
    nonterm: usize,
    repeat: usize,
    with_calls: usize,
    passed: usize,
    /// Changed ones, by what was changed.
    refused: BTreeMap<&'static str, usize>,
    harmless: BTreeMap<&'static str, usize>,
    /// Put to a goal that is passed again and again.
    elsewhere: usize,
    /// Claims that are wrong, with whatever numbers.
    attacked: usize,
}

/// The labelled statements.
fn labelled(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (m, module) in rsm.modules.iter().enumerate() {
        let nodes = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        goals.extend(nodes.map(|(n, _)| Goal::At(ModuleId::new(m), NodeId::new(n))));
    }
    goals
}

/// The answer of an engine, and the certificate; without a goal it is asked whether some run goes on for ever.
fn ask(
    engine: &dyn Engine,
    program: &Concurrent,
    goal: Option<Goal>,
    sources: &mut Sources,
) -> (Verdict, Option<String>) {
    let targets: Vec<Target> = goal.into_iter().map(|goal| Target::new("L".to_owned(), [goal])).collect();
    let problem = Problem {
        program,
        question: if goal.is_some() { Question::Repeat } else { Question::Infinite },
        targets: &targets,
        bound: None,
        watch: Default::default(),
        wanted: Wanted { trace: WantedTrace::None, certificate: true },
    };
    let mut asker = Asker { sources, known: &mut |_, _| {} };
    match engine.answer(&problem, &Limits::default(), &mut asker) {
        Ok(outcome) => (outcome.finding.verdict, outcome.certificate),
        Err(_) => panic!("there is no outcome"),
    }
}

fn accepts(rsm: &Rsm, sources: &Sources, goal: Option<Goal>, ranked: &Ranked) -> Result<(), String> {
    let goals: Vec<Goal> = goal.into_iter().collect();
    let goals = goal.map(|_| &goals[..]);
    match validate(rsm, sources, goals, ranked, &Stop::default()).expect("nobody stops it") {
        Outcome::Accepted(_) => Ok(()),
        Outcome::Refused(reason) => Err(reason),
    }
}

/// Changes something.
fn mutate(ranked: &mut Ranked, dice: &mut Random) -> &'static str {
    let n_states = ranked.states.len() as u64;
    let n = dice.below(n_states) as usize;
    match dice.below(8) {
        0 => {
            ranked.states.remove(n);
            "a state is missing"
        }
        1 => {
            ranked.states[n].number = dice.below(n_states) as u32;
            "another number"
        }
        2 => {
            ranked.states[n].passed ^= true;
            "a goal was passed"
        }
        3 if ranked.entries.len() > 1 => {
            ranked.entries.pop();
            "an entry is missing"
        }
        4 => {
            let point = dice.below(ranked.points.len() as u64) as usize;
            ranked.points[point].places.pop();
            "a value is missing"
        }
        5 => {
            let point = dice.below(ranked.points.len() as u64) as u32;
            ranked.states.retain(|state| state.point != point);
            ranked.points[point as usize].node = ranked.points[0].node;
            "a point is missing"
        }
        6 if ranked.functions.iter().any(|function| !function.places.is_empty()) => {
            ranked.functions.iter_mut().for_each(|function| function.places.truncate(0));
            "entries are not told apart"
        }
        _ => {
            let other = dice.below(n_states) as usize;
            ranked.states[n].first = ranked.states[other].first;
            ranked.states[n].point = ranked.states[other].point;
            "another state"
        }
    }
}

/// Everything that is reached, with whatever numbers, and as if goals had been passed, and not.
fn forged(rsm: &Rsm, dice: &mut Random) -> Option<Ranked> {
    let (stop, gauge) = (Stop::default(), Gauge::default());
    let limits = explicit::Limits {
        max_bytes: 1 << 30,
        max_states: 1 << 14,
        max_steps: 0,
        stop: &stop,
        gauge: &gauge,
    };
    // Where steps are not merged, every statement is a point: goals are among them.
    let reductions = Reductions { straight_lines: false, ..Reductions::ALL };
    let settings = explicit::Settings { reductions, ..explicit::Settings::default() };
    let all = explicit::infinite_with_reason(rsm, Some(&[]), settings, &limits).1?;
    let n_states = all.states.len() as u64;
    let how = dice.below(4);
    let mut number = |number: u32| match how {
        0 => number,
        1 => 0,
        2 => n_states as u32 - number.min(n_states as u32),
        _ => dice.below(n_states) as u32,
    };
    let states = all.states.iter().flat_map(|known| {
        let number = number(known.number);
        let explicit::RankedState { entry, point, first, .. } = *known;
        [false, true].map(|passed| State { entry, point, passed, number, first })
    });
    Some(Ranked {
        claim: Claim::Nonterm,
        states: states.collect(),
        points: all.points.into_iter().map(|(module, node, places)| Point { module, node, places }).collect(),
        functions: all.functions.into_iter().map(|(module, places)| Function { module, places }).collect(),
        entries: all
            .entries
            .into_iter()
            .map(|explicit::RankedEntry { function, first }| Entry { function, first })
            .collect(),
        values: all.values,
    })
}

fn look_at(seed: u64, seen: &mut Seen) {
    let text = program(seed, &Shape::small());
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "random.bp", text.as_str()).expect("it is correct");
    let rsm = bp::lower(&checked).expect("it is correct");
    let sequential = Concurrent::sequential(rsm.clone());
    let mut dice = Random::new(seed ^ 0x4a9c);
    let questions: Vec<Option<Goal>> =
        [None].into_iter().chain(labelled(&rsm).into_iter().map(Some)).collect();
    let twin = |goal: Option<Goal>, sources: &mut Sources| ask(&Twin, &sequential, goal, sources).0;
    let known: Vec<Verdict> = questions.iter().map(|goal| twin(*goal, &mut sources)).collect();
    for (goal, is_known) in questions.iter().zip(&known) {
        let engine = Explicit { max_states: 1 << 14, ..Explicit::default() };
        let (verdict, text_of) = ask(&engine, &sequential, *goal, &mut sources);
        let what = format!("seed {seed}, {goal:?}\n{text}");
        if *is_known == Verdict::Yes {
            assert!(text_of.is_none(), "{what}");
            for _ in 0..3 {
                let Some(forged) = forged(&rsm, &mut dice) else { continue };
                let refused = accepts(&rsm, &sources, *goal, &forged);
                assert!(refused.is_err(), "a wrong claim is accepted\n{what}");
                seen.attacked += 1;
            }
            continue;
        }
        if verdict != Verdict::No {
            continue;
        }
        let certificate = text_of.unwrap_or_else(|| panic!("there is no certificate\n{what}"));
        let ranked =
            read(&rsm, &certificate).unwrap_or_else(|error| panic!("{error:?}\n{certificate}\n{what}"));
        assert_eq!(write(&rsm, &sources, &ranked), certificate, "{what}");
        accepts(&rsm, &sources, *goal, &ranked)
            .unwrap_or_else(|reason| panic!("{reason}\n{certificate}\n{what}"));
        match goal {
            None => seen.nonterm += 1,
            Some(_) => seen.repeat += 1,
        }
        seen.with_calls += usize::from(ranked.entries.len() > 1);
        seen.passed += usize::from(ranked.states.iter().any(|state| state.passed));
        for (other, verdict) in questions.iter().zip(&known).filter(|(_, verdict)| **verdict == Verdict::Yes)
        {
            let refused = accepts(&rsm, &sources, *other, &ranked);
            assert!(refused.is_err(), "a wrong claim is accepted, {verdict:?}\n{what}");
            seen.elsewhere += 1;
        }
        if ranked.states.is_empty() {
            continue;
        }
        for _ in 0..3 {
            let mut changed = ranked.clone();
            let how = mutate(&mut changed, &mut dice);
            let counts = match accepts(&rsm, &sources, *goal, &changed) {
                Ok(()) => &mut seen.harmless,
                Err(_) => &mut seen.refused,
            };
            *counts.entry(how).or_default() += 1;
            for (other, _) in questions.iter().zip(&known).filter(|(_, verdict)| **verdict == Verdict::Yes) {
                let refused = accepts(&rsm, &sources, *other, &changed);
                assert!(refused.is_err(), "a wrong claim is accepted: {how}\n{what}");
            }
        }
    }
    seen.programs += 1;
}

#[test]
fn what_is_written_is_accepted_and_what_is_wrong_is_not() {
    let mut seen = Seen::default();
    for seed in seeds(0..200) {
        look_at(seed, &mut seen);
    }
    println!("{seen:#?}");
    if std::env::var_os("GETAFIX_SEED").is_some() {
        return;
    }
    assert!(seen.nonterm > 50 && seen.repeat > 200 && seen.with_calls > 50 && seen.passed > 50, "{seen:#?}");
    assert!(seen.attacked > 100 && seen.elsewhere > 20, "{seen:#?}");
    assert!(seen.refused.len() == 8 && seen.refused.values().all(|n| *n > 2), "{seen:#?}");
}
