//! Random systems: the planned solver, its symbolic mode and the twin agree on every relation and query, whether dead
//! nodes are freed rarely or at every opportunity.
//!
//! `GETAFIX_SEED=17` or `GETAFIX_SEED=0..9` selects seeds; a failure prints the seed and the text.

mod common;

use base::Stop;
use calculus::naive::{self, Naive};
use calculus::random::{self, Shape};
use calculus::system::{Action, Kind, RelationId, System};
use common::{load, settings};
use solver::{Explanation, Halt, Premise, Settings, Solver};

fn seeds(count: u64) -> std::ops::RangeInclusive<u64> {
    let Ok(seed) = std::env::var("GETAFIX_SEED") else { return 0..=count - 1 };
    let parse = |text: &str| text.parse().expect("GETAFIX_SEED is a number or a range a..b");
    match seed.split_once("..") {
        Some((from, to)) => parse(from)..=parse(to),
        None => parse(&seed)..=parse(&seed),
    }
}

/// What a value looks like whoever computed it.
fn outcome<T>(result: Result<T, Halt>, show: impl Fn(T) -> String) -> String {
    match result {
        Ok(value) => show(value),
        Err(Halt::NotStabilising { relation, .. }) => format!("{relation} does not stabilise"),
        Err(other) => format!("{other:?}"),
    }
}

fn expected<T>(system: &System, result: Result<T, naive::Halt>, show: impl Fn(T) -> String) -> String {
    match result {
        Ok(value) => show(value),
        Err(naive::Halt::NotStabilising { relation, .. }) => {
            format!("{} does not stabilise", system.relation(relation).name)
        }
        Err(other) => format!("{other:?}"),
    }
}

fn compare(seed: u64, shape: &Shape) {
    let text = random::system(seed, shape);
    let (_, system) = load(&text);
    for (symbolic, collect_from) in
        [(false, solver::COLLECT_FROM), (true, solver::COLLECT_FROM), (false, 0), (true, 0)]
    {
        // Queries first on one solver, relations first on another: early stops must not leave traces.
        for queries_first in [true, false] {
            let mut twin = Naive::new(&system, Stop::default());
            let mut solver = Solver::new(&system, Settings { collect_from, ..settings(symbolic) })
                .expect("no contradiction");
            let context = |what: &str| format!("seed {seed}, symbolic {symbolic}, {what}, in\n{text}");
            for pass in [queries_first, !queries_first] {
                if pass {
                    for (n, item) in system.items.iter().enumerate() {
                        let Action::Query(formula) = item.action else { continue };
                        let want = expected(&system, twin.holds(formula), |b| b.to_string());
                        let got = outcome(solver.query(formula), |b| b.to_string());
                        assert_eq!(got, want, "{}", context(&format!("query {n}")));
                    }
                } else {
                    for relation in (0..system.relations.len()).map(RelationId::new) {
                        let want = expected(&system, twin.relation(relation), |set| format!("{set:?}"));
                        let got = outcome(solver.tuples(relation, 1 << 16), |set| {
                            format!("{:?}", set.into_iter().collect::<naive::Tuples>())
                        });
                        assert_eq!(got, want, "{}", context(&system.relation(relation).name));
                    }
                }
            }
        }
    }
}

/// Certificates hold; every tuple has a derivation whose steps are tuples and, fixed points of `nu` aside, well-founded.
fn justify(seed: u64, shape: &Shape) {
    let text = random::system(seed, shape);
    let (_, system) = load(&text);
    for symbolic in [false, true] {
        let mut twin = Naive::new(&system, Stop::default());
        let mut solver =
            Solver::new(&system, Settings { record: true, collect_from: 0, ..settings(symbolic) })
                .expect("no contradiction");
        for relation in (0..system.relations.len()).map(RelationId::new) {
            let context =
                format!("seed {seed}, symbolic {symbolic}, {}, in\n{text}", system.relation(relation).name);
            let Ok(tuples) = solver.tuples(relation, 1 << 16) else { continue };
            let certificate = solver.certify(relation).expect("limits do not apply");
            assert!(certificate.holds(), "{certificate:?}, {context}");
            for tuple in tuples.iter().step_by(tuples.len() / 3 + 1) {
                let derivation = solver.explain_tuple(relation, tuple).expect("limits do not apply");
                let derivation =
                    derivation.unwrap_or_else(|| panic!("no derivation of {tuple:?}, {context}"));
                check_derivation(&system, &mut twin, &derivation, &context);
                if shape.positive_only {
                    check_cycles(&system, &derivation, &context);
                }
            }
        }
    }
}

fn check_derivation(system: &System, twin: &mut Naive, derivation: &Explanation, context: &str) {
    for step in &derivation.steps {
        let relation = system.relation(step.relation);
        let tuple = &step.tuple;
        let set = twin.relation(step.relation).expect("the twin has an answer");
        assert!(set.contains(tuple), "{}{tuple:?} is no tuple, {context}", relation.name);
    }
    let mut state = vec![0; derivation.steps.len()];
    let mut stack = vec![(0, 0)];
    while let Some((at, next)) = stack.pop() {
        state[at] = 1;
        match derivation.steps[at].premises.get(next) {
            None => state[at] = 2,
            Some(premise) => {
                stack.push((at, next + 1));
                if let Premise::Step(to) = premise {
                    assert_ne!(
                        state[*to], 1,
                        "step {at} and step {to} support each other, {derivation:#?}, {context}"
                    );
                    if state[*to] == 0 {
                        stack.push((*to, 0));
                    }
                }
            }
        }
    }
}

/// No least fixed point supports itself: a cycle of premises belongs to a greatest one further out than all it contains.
fn check_cycles(system: &System, derivation: &Explanation, context: &str) {
    let relation = |step: usize| system.relation(derivation.steps[step].relation);
    for start in (0..derivation.steps.len()).filter(|s| relation(*s).kind == Kind::Mu).take(100) {
        let inside = |s: usize| {
            relation(s).kind == Kind::Definition || relation(s).position >= relation(start).position
        };
        let mut seen = vec![false; derivation.steps.len()];
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for premise in &derivation.steps[at].premises {
                let (Premise::Step(to) | Premise::Again(to)) = premise else { continue };
                assert_ne!(*to, start, "step {start} supports itself, {derivation:#?}, {context}");
                if inside(*to) && !std::mem::replace(&mut seen[*to], true) {
                    stack.push(*to);
                }
            }
        }
    }
}

#[test]
fn solutions_of_positive_systems_are_justified() {
    let shape = Shape { positive_only: true, ..Shape::default() };
    seeds(150).for_each(|seed| justify(seed, &shape));
}

#[test]
fn solutions_of_all_systems_are_justified() {
    seeds(150).for_each(|seed| justify(seed, &Shape::default()));
}

#[test]
fn solutions_of_explicit_systems_are_justified() {
    let shape = Shape { explicit_percent: 90, positive_only: true, n_relations: 8, ..Shape::default() };
    seeds(150).for_each(|seed| justify(seed, &shape));
}

#[test]
fn positive_systems_have_the_same_solution() {
    let shape = Shape { positive_only: true, ..Shape::default() };
    seeds(400).for_each(|seed| compare(seed, &shape));
}

#[test]
fn all_systems_have_the_same_solution() {
    seeds(400).for_each(|seed| compare(seed, &Shape::default()));
}

#[test]
fn explicit_systems_have_the_same_solution() {
    let shape = Shape { explicit_percent: 90, n_relations: 8, ..Shape::default() };
    seeds(400).for_each(|seed| compare(seed, &shape));
}
