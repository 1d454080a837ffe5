//! Random systems in MUCKE's language: MUCKE accepts them, and the textbook evaluation of the text gives the same answers.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the systems.

use crate::mucke::recognise;
use base::{Sources, Stop};
use calculus::Mucke;
use calculus::naive::Naive;
use calculus::random::{self, Shape};
use calculus::system::{Action, System};
use generate::random::seeds;

fn load(text: &str) -> System {
    let mut sources = Sources::default();
    let file = sources.add("random.mu", text);
    let (tree, errors) = calculus::parse(&sources, file);
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    calculus::check(&tree, &[]).unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).0
}

/// The answers of all queries; none for one that does not stabilise.
fn answers(system: &System) -> Vec<Option<bool>> {
    let queries = system.items.iter().filter_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    // A new evaluation for each query, since what a cycle with a negation means depends on who asks first.
    queries.map(|query| Naive::new(system, Stop::default()).holds(query).ok()).collect()
}

#[test]
fn random_systems_become_mucke() {
    let seeds = seeds(0..100);
    let n_seeds = seeds.clone().count();
    let (mut n_compared, mut n_merged, mut n_nested, mut n_refused) = (0, 0, 0, 0);
    for seed in seeds {
        let shape = Shape { positive_only: seed % 2 == 0, ..Shape::default() };
        let text = random::system(seed, &shape);
        let system = load(&text);
        let expected = answers(&system);
        let mucke = match Mucke::new(&system, |_| false) {
            Ok(mucke) => mucke,
            Err(reason) => {
                assert!(reason.contains("MUCKE would"), "{reason}");
                n_refused += 1;
                continue;
            }
        };
        let translated = [mucke.types(), mucke.relations(), mucke.queries()].concat();
        let context = format!("seed {seed}\n{text}\n{translated}");
        assert_eq!(recognise(&translated), Ok(expected.len()), "{context}");
        assert_eq!(answers(&load(&translated)), expected, "{context}");
        n_compared += expected.len();
        n_merged += usize::from(translated.contains("(which = 1 & "));
        n_nested +=
            usize::from(translated.lines().any(|line| line.ends_with(");") && line.contains("u bool ")));
    }
    let enough = n_compared >= n_seeds && n_refused < n_seeds / 2;
    let varied = n_seeds < 100 || n_merged >= 5 && n_nested >= 1;
    assert!(
        enough && varied,
        "{n_compared} queries, {n_merged} merged, {n_nested} nested, {n_refused} refused"
    );
    println!("{n_compared} queries, {n_merged} merged, {n_nested} nested, {n_refused} refused");
}
