//! Random systems: the planned solver, its symbolic mode and the twin agree on every relation and query, whether dead
//! nodes are freed rarely or at every opportunity, and whether additions are logged. Each test counts the shortcuts that the
//! solver took and fails if one was hardly met.
//!
//! `GETAFIX_SEED=17` or `GETAFIX_SEED=0..10` selects seeds; a failure prints the seed and the text.

use crate::common::{load, settings};
use base::Stop;
use calculus::naive::{self, Naive};
use calculus::random::{self, Shape};
use calculus::system::{Action, FormulaId, Kind, RelationId, System, Term, VarId};
use solver::{Explanation, Halt, Links, Premise, Settings, Solver};
use std::collections::BTreeMap;

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

/// How a system is put to the solver.
#[derive(Clone, Copy, Debug)]
struct Mode {
    symbolic: bool,
    record: bool,
    collect_from: usize,
    /// Queries first on one solver, relations first on another: early stops must not leave traces.
    queries_first: bool,
}

fn modes() -> Vec<Mode> {
    let mut modes = Vec::new();
    for bits in 0..8 {
        let [symbolic, record, queries_first] = [1, 2, 4].map(|bit| bits & bit != 0);
        // Dead nodes are freed at every opportunity in half of the modes, each switch being met both ways.
        let is_often = symbolic ^ record ^ queries_first;
        let collect_from = if is_often { 0 } else { solver::COLLECT_FROM };
        modes.push(Mode { symbolic, record, collect_from, queries_first });
    }
    modes
}

/// What the twin says about a system: about its queries, and about its relations.
struct Answers {
    queries: Vec<(FormulaId, String)>,
    relations: Vec<String>,
}

fn answers(system: &System) -> Answers {
    let mut twin = Naive::new(system, Stop::default());
    let queries = system.items.iter().filter_map(|item| match item.action {
        Action::Query(formula) => Some(formula),
        _ => None,
    });
    let queries = queries.map(|f| (f, expected(system, twin.holds(f), |b| b.to_string()))).collect();
    let all = (0..system.relations.len()).map(RelationId::new);
    let relations = all.map(|r| expected(system, twin.relation(r), |set| format!("{set:?}"))).collect();
    Answers { queries, relations }
}

fn compare(seed: u64, shape: &Shape, tally: &mut Tally) {
    let text = random::system(seed, shape);
    let (_, system) = load(&text);
    let answers = answers(&system);
    for mode in modes() {
        let Mode { symbolic, record, collect_from, queries_first } = mode;
        let mut solver = Solver::new(&system, Settings { record, collect_from, ..settings(symbolic) })
            .expect("no contradiction");
        let context = |what: &str| format!("seed {seed}, {mode:?}, {what}, in\n{text}");
        for pass in [queries_first, !queries_first] {
            if pass {
                for (n, (formula, want)) in answers.queries.iter().enumerate() {
                    let got = outcome(solver.query(*formula), |b| b.to_string());
                    assert_eq!(got, *want, "{}", context(&format!("query {n}")));
                }
            } else {
                for (n, want) in answers.relations.iter().enumerate() {
                    let relation = RelationId::new(n);
                    let got = outcome(solver.tuples(relation, 1 << 16), |set| {
                        format!("{:?}", set.into_iter().collect::<naive::Tuples>())
                    });
                    assert_eq!(got, *want, "{}", context(&system.relation(relation).name));
                }
            }
        }
        tally.add(&solver);
    }
}

/// How often the solvers of a test took each shortcut.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    fn add(&mut self, solver: &Solver) {
        for (name, count) in solver.shortcuts().all() {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// Fails if one of some shortcuts was taken too rarely for the comparison to mean anything. Only the usual seeds are many enough.
    fn check(&self, wanted: impl Fn(&str) -> bool) {
        println!("{:?}", self.0);
        if testing::is_chosen() {
            return;
        }
        for (name, &count) in self.0.iter().filter(|entry| wanted(entry.0)) {
            assert!(count >= 20, "{name}: {count} times, in {:?}", self.0);
        }
    }
}

/// Certificates hold; every tuple has a derivation whose steps are tuples and, fixed points of `nu` aside, well-founded.
fn justify(seed: u64, shape: &Shape, tally: &mut Tally) {
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
                let derivation = match solver.explain_tuple(relation, tuple) {
                    // In a cycle with negation a premise may be of a relation that has no value when it is asked for itself.
                    Err(Halt::NotStabilising { .. }) if !shape.positive_only => continue,
                    other => other.expect("limits do not apply"),
                };
                let derivation =
                    derivation.unwrap_or_else(|| panic!("no derivation of {tuple:?}, {context}"));
                check_derivation(&system, &mut twin, &derivation, &context);
                if shape.positive_only {
                    check_cycles(&system, &derivation, &context);
                }
            }
        }
        justify_queries(&system, &mut twin, &mut solver, shape, tally, &format!("seed {seed}, in\n{text}"));
        tally.add(&solver);
    }
}

/// A query is derived if it is true, and refuted if it is false.
fn justify_queries(
    system: &System,
    twin: &mut Naive,
    solver: &mut Solver,
    shape: &Shape,
    tally: &mut Tally,
    context: &str,
) {
    for item in &system.items {
        let Action::Query(query) = item.action else { continue };
        let Ok(holds) = twin.holds(query) else { continue };
        let (derived, refuted) = (solver.explain(&[], query), solver.refute(query));
        let (Ok(derived), Ok(refuted)) = (derived, refuted) else {
            assert!(!shape.positive_only, "limits do not apply, {context}");
            continue;
        };
        assert_eq!((derived.is_some(), refuted.is_some()), (holds, !holds), "{context}");
        for derivation in derived.iter().chain(&refuted) {
            let absent = derivation.steps.iter().filter(|step| step.is_absent).count();
            *tally.0.entry("absent tuples").or_default() += absent as u64;
            check_derivation(system, twin, derivation, context);
            if shape.positive_only {
                check_cycles(system, derivation, context);
            }
        }
    }
}

/// The terms of a clause have the values of the tuples that they stand for.
fn check_links(system: &System, derivation: &Explanation, context: &str) {
    let check = |links: &Links, own: &[(VarId, u32)], to: usize, terms: &[Term]| {
        let tuple = &derivation.steps[to].tuple;
        assert_eq!(terms.len(), tuple.len(), "{links:?}, {context}");
        for (term, value) in terms.iter().zip(tuple.iter()) {
            let found = match term {
                Term::Value(value) => Some(*value),
                Term::Var(var) => own.iter().chain(&links.values).find(|v| v.0 == *var).map(|v| v.1),
            };
            assert_eq!(found, Some(*value), "{term:?}, {links:?}, {derivation:#?}, {context}");
        }
    };
    assert_eq!(derivation.roots.len(), derivation.links.terms.len(), "{context}");
    for (root, terms) in derivation.roots.iter().zip(&derivation.links.terms) {
        check(&derivation.links, &[], *root, terms);
    }
    for step in &derivation.steps {
        let columns = system.relation(step.relation).columns.iter().copied();
        let own: Vec<(VarId, u32)> = columns.zip(step.tuple.iter().copied()).collect();
        assert_eq!(step.premises.len(), step.links.terms.len(), "{context}");
        for (premise, terms) in step.premises.iter().zip(&step.links.terms) {
            if let Premise::Step(to) | Premise::Again(to) = premise {
                check(&step.links, &own, *to, terms);
            }
        }
        let value = |var: &VarId| own.iter().chain(&step.links.values).find(|v| v.0 == *var).map(|v| v.1);
        for (a, b) in &step.links.equal {
            assert_eq!(value(a), value(b), "{step:?}, {context}");
        }
    }
}

fn check_derivation(system: &System, twin: &mut Naive, derivation: &Explanation, context: &str) {
    for step in &derivation.steps {
        let relation = system.relation(step.relation);
        let tuple = &step.tuple;
        let set = twin.relation(step.relation).expect("the twin has an answer");
        assert_eq!(set.contains(&tuple[..]), !step.is_absent, "{}{tuple:?}, {context}", relation.name);
    }
    check_links(system, derivation, context);
    let mut state = vec![0; derivation.steps.len()];
    let mut stack: Vec<(usize, usize)> = derivation.roots.iter().map(|root| (*root, 0)).collect();
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
    for start in (0..derivation.steps.len())
        .filter(|s| relation(*s).kind == Kind::Mu && !derivation.steps[*s].is_absent)
        .take(100)
    {
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

fn positive() -> Shape {
    Shape { positive_only: true, ..Shape::default() }
}

fn all() -> Shape {
    Shape { positive_only: false, ..Shape::default() }
}

fn explicit() -> Shape {
    Shape { explicit_percent: 90, ..Shape::default() }
}

fn machines() -> Shape {
    Shape { explicit_percent: 15, machine_percent: 100, n_relations: 4, ..Shape::default() }
}

/// Compares the solutions of many systems; all shortcuts but the rare ones, and two that are for derivations, must be met.
fn all_the_same(shape: &Shape, rare: &[&str]) {
    let mut tally = Tally::default();
    testing::seeds(0..200).for_each(|seed| compare(seed, shape, &mut tally));
    tally.check(|name| !["tuples first", "known rows"].contains(&name) && !rare.contains(&name));
}

/// Justifies the solutions of many systems; what changes how tuples come about, or how that is found out, must be met.
fn all_justified(shape: &Shape) {
    let mut tally = Tally::default();
    testing::seeds(0..100).for_each(|seed| justify(seed, shape, &mut tally));
    let wanted = [
        "absent tuples",
        "tuples first",
        "known rows",
        "frames",
        "renamings",
        "framed substitutions",
        "splits",
        "closures",
    ];
    tally.check(|name| wanted.contains(&name));
}

#[test]
fn solutions_of_positive_systems_are_justified() {
    all_justified(&positive());
}

#[test]
fn solutions_of_all_systems_are_justified() {
    all_justified(&all());
}

#[test]
fn solutions_of_explicit_systems_are_justified() {
    all_justified(&explicit());
}

#[test]
fn solutions_of_machines_are_justified() {
    all_justified(&machines());
}

#[test]
fn positive_systems_have_the_same_solution() {
    all_the_same(&positive(), &[]);
}

#[test]
fn all_systems_have_the_same_solution() {
    all_the_same(&all(), &["full rounds"]);
}

#[test]
fn explicit_systems_have_the_same_solution() {
    all_the_same(&explicit(), &[]);
}

#[test]
fn machines_have_the_same_solution() {
    // Most rows of machines go through networks, which find out once what plans look for.
    all_the_same(&machines(), &["full rounds", "cuts", "out of order"]);
}
