//! A translation is a file of the calculus that evaluates to the verdict, by itself.

use base::{Gauge, Sources, Stop};
use calculus::system::Action;
use checker::{ALGORITHMS, Algorithm, Dialect, FormulaFile, Options, Programs, Target};
use generate::random::{Shape, program};
use rsm::{Goal, ModuleId, NodeId, Reductions, Rsm, explicit};
use solver::{Settings, Solver};
use std::sync::Arc;
use std::time::Duration;

fn sequential() -> Vec<Algorithm> {
    ALGORITHMS.into_iter().filter(|algorithm| algorithm.programs == Programs::Sequential).collect()
}

fn options() -> Options {
    Options {
        reductions: Reductions::ALL,
        symbolic: false,
        trace: false,
        certificate: false,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    }
}

fn lower(text: &str) -> Rsm {
    let (checked, _) = bp::load(&mut Sources::default(), "p.bp", text).expect("the program is right");
    bp::lower(&checked).expect("the program is sequential")
}

fn translate(rsm: &Rsm, targets: &[Target], algorithm: Algorithm, dialect: Dialect) -> String {
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let file = FormulaFile { name: algorithm.name, text: algorithm.text, read: &mut read, params: &[] };
    let translated = checker::translate(rsm, targets, file, &options(), &mut Sources::default(), dialect);
    translated.unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The truth value of the last query.
fn evaluate(text: &str) -> bool {
    let mut sources = Sources::default();
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let (tree, errors) = calculus::load(&mut sources, "translated.mu", text, &mut read);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let (system, _) = calculus::check(&tree, &[]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let settings = Settings {
        symbolic: false,
        record: false,
        collect_from: solver::COLLECT_FROM,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    };
    let mut solver = Solver::new(&system, settings).unwrap_or_else(|errors| panic!("{errors:?}"));
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    solver.query(query.expect("a query")).expect("there are no limits")
}

#[test]
fn a_translation_has_the_verdict_of_the_program() {
    for seed in 0..12 {
        let text = program(seed, &Shape::small());
        let rsm = lower(&text);
        for (m, module) in rsm.modules.iter().enumerate() {
            let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
            for (n, node) in labelled.step_by(3) {
                let goals = vec![Goal::At(ModuleId::new(m), NodeId::new(n))];
                let limits = explicit::Limits::default();
                let expected = explicit::reachable(&rsm, &goals, limits, &Stop::default()).expect("small");
                let targets = [Target { name: node.labels[0].clone(), goals }];
                let algorithm = sequential()[(seed as usize + n) % sequential().len()];
                for dialect in [Dialect::Calculus, Dialect::Mucke] {
                    let translated = translate(&rsm, &targets, algorithm, dialect);
                    let context = format!("{}, seed {seed}\n{text}\n{translated}", algorithm.name);
                    assert_eq!(evaluate(&translated), expected[0], "{context}");
                }
            }
        }
    }
}

#[test]
fn large_diagrams_are_cut_into_predicates() {
    let text = generate::family("multiplier", 5, &generate::Options::default()).expect("a family");
    let rsm = lower(&text);
    let targets = checker::default_targets(&rsm).expect("it has an ERROR");
    let translated = translate(&rsm, &targets, ALGORITHMS[0], Dialect::Calculus);
    assert!(translated.contains("bool ProgramInt_0("), "{translated}");
    assert!(!evaluate(&translated));
}
