//! Random systems parse, check and have values. `GETAFIX_SEED=17` runs one seed, `GETAFIX_SEED=0..9` some.

use base::Random;
use base::{Sources, Stop, render};
use calculus::dependencies::{Dependencies, is_mixed};
use calculus::naive::{Halt, Naive};
use calculus::random::{self, Shape};
use calculus::system::{Action, RelationId, System};
use std::ops::Range;

/// The seeds to run: those of the environment, or the given ones.
fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("GETAFIX_SEED") else { return usual };
    let number = |text: &str| text.trim().parse().expect("GETAFIX_SEED is a number or first..last");
    match text.split_once("..") {
        Some((first, last)) => number(first)..number(last) + 1,
        None => number(&text)..number(&text) + 1,
    }
}

#[track_caller]
fn load(text: &str) -> System {
    let mut sources = Sources::default();
    let file = sources.add("random.mu", text);
    let (file, errors) = calculus::parse(&sources, file);
    let checked = if errors.is_empty() { calculus::check(&file, &[]) } else { Err(errors) };
    match checked {
        Ok((system, _)) => system,
        Err(errors) => panic!("{text}\n{}", errors.iter().map(|e| render(&sources, e)).collect::<String>()),
    }
}

/// Asks for every relation and every query; returns how many did not stabilise.
fn evaluate(system: &System) -> usize {
    let mut naive = Naive::new(system, Stop::default());
    let mut halts = Vec::new();
    for index in 0..system.relations.len() {
        halts.extend(naive.relation(RelationId::new(index)).err());
    }
    for item in &system.items {
        halts.extend(match &item.action {
            Action::Query(formula) => naive.holds(*formula).err(),
            Action::Witness(binders, formula) => naive.witness(binders, *formula, true).err(),
            Action::Counterexample(binders, formula) => naive.witness(binders, *formula, false).err(),
            _ => None,
        });
    }
    for halt in &halts {
        assert!(matches!(halt, Halt::NotStabilising { .. }), "{halt:?}");
    }
    halts.len()
}

/// The cycles of a system.
fn cycles(system: &System) -> Vec<Vec<RelationId>> {
    let dependencies = Dependencies::new(system);
    let all: Vec<RelationId> = (0..system.relations.len()).map(RelationId::new).collect();
    let mut components = dependencies.order(&all, &[]);
    components.retain(|component| dependencies.is_recursive(component, &[]));
    components
}

#[test]
fn positive_systems_have_values() {
    for seed in seeds(0..250) {
        let text = random::system(seed, &Shape::default());
        println!("seed {seed}\n{text}");
        let system = load(&text);
        let dependencies = Dependencies::new(&system);
        assert!(cycles(&system).iter().all(|cycle| dependencies.negative_use(cycle).is_none()));
        assert_eq!(evaluate(&system), 0);
    }
}

#[test]
fn other_systems_have_values_or_do_not_stabilise() {
    for seed in seeds(250..500) {
        let shape = Shape { positive_only: false, ..Shape::default() };
        let text = random::system(seed, &shape);
        println!("seed {seed}\n{text}");
        evaluate(&load(&text));
    }
}

#[test]
fn all_kinds_of_cycles_occur() {
    let (mut n_mixed, mut n_mutual, mut n_not_positive, mut n_not_stable) = (0, 0, 0, 0);
    for seed in 0..200 {
        let shape = Shape { positive_only: false, ..Shape::default() };
        let system = load(&random::system(seed, &shape));
        let dependencies = Dependencies::new(&system);
        for cycle in cycles(&system) {
            let is_mixed = is_mixed(&system, &cycle);
            n_mixed += usize::from(is_mixed);
            n_mutual += usize::from(!is_mixed && cycle.len() > 1);
            n_not_positive += usize::from(dependencies.negative_use(&cycle).is_some());
        }
        n_not_stable += evaluate(&system);
    }
    let counts = (n_mixed, n_mutual, n_not_positive, n_not_stable);
    assert!(n_mixed > 50 && n_mutual > 20 && n_not_positive > 20 && n_not_stable > 2, "{counts:?}");
}

#[test]
fn a_seed_means_the_same_text_each_time() {
    let shape = Shape { n_relations: 12, quantifier_depth: 3, ..Shape::default() };
    assert_eq!(random::system(7, &shape), random::system(7, &shape));
    assert_ne!(random::system(7, &shape), random::system(8, &shape));
}

/// A system in which a definition `D` restricts a static formula to `R`, which uses it, sometimes through another
/// definition. A quantifier that says nothing in `keep` keeps both from being unfolded.
fn restriction(seed: u64, keep: &str) -> String {
    let mut random = Random::new(seed);
    let names = ["s.x", "s.y", "t.x", "t.y", "n"];
    let mut atom = |names: &[&str]| {
        let not = if random.chance(40) { "!" } else { "" };
        format!("{not}({} = {})", random.pick(names), random.pick(names))
    };
    let fixed = match seed % 3 {
        // A restriction binds tighter than `!` and `&`.
        0 => format!("({} & {})", atom(&names), atom(&names)),
        1 => format!("({} | {})", atom(&names), atom(&names)),
        _ => "Static(s, t, n)".to_owned(),
    };
    let (first, second, third) = (atom(&names), atom(&names), atom(&names[..2]));
    let mut argument = |choices: &[&'static str]| *random.pick(choices);
    let flag = argument(&["0", "1", "t.x", "s.y"]);
    let grown = argument(&["R(s)", "R(t)", "R(s) & R(t)", "E(t, s)"]);
    let word = argument(&["assume", "&", "cofactor"]);
    let (from, to) = argument(&["p|s", "s|p", "p|p"]).split_once('|').expect("two names");
    let flag = flag.replace('s', from).replace("t.", &format!("{to}."));
    let beside = argument(&["R(p) & ", "", "(p.x | p.y) & "]);
    format!(
        "class S {{ bool x, y; }};
         bool Static(S s, S t, bool n) {first} | {second};
         bool E(S s, S t) {keep} Static(s, t, 1) & R(s);
         bool D(S s, S t, bool n) {keep} {fixed} {word} {grown};
         mu bool R(S s) {third} & s.x | (exists S p. {beside}D({from}, {to}, {flag}));"
    )
}

#[test]
fn unfolding_a_restriction_changes_no_value() {
    let values = |system: &System| -> Vec<_> {
        let mut naive = Naive::new(system, Stop::default());
        let all = (0..system.relations.len()).map(RelationId::new);
        all.map(|relation| naive.relation(relation).expect("a positive system has values")).collect()
    };
    let in_cycle = |system: &System, name: &str| {
        let named = |r: &RelationId| system.relation(*r).name == name;
        cycles(system).iter().any(|cycle| cycle.iter().any(named))
    };
    let (mut unfolded, mut by_another) = (0, 0);
    let seeds = seeds(0..300);
    let usual = !testing::is_chosen();
    for seed in seeds {
        let text = restriction(seed, "");
        let (system, kept) = (load(&text), load(&restriction(seed, "exists bool z.")));
        assert!(in_cycle(&kept, "D"), "seed {seed}\n{text}");
        assert_eq!(values(&system), values(&kept), "seed {seed}\n{text}");
        unfolded += usize::from(!in_cycle(&system, "D"));
        by_another += usize::from(in_cycle(&kept, "E") && !in_cycle(&system, "E"));
    }
    assert!(!usual || unfolded > 200 && by_another > 20, "{unfolded} unfolded, {by_another} by another");
}
