//! Every family at small sizes: its text parses and checks, the textbook evaluation gives the stated
//! answers, and what the modules claim about larger sizes holds in an explicit search.

use super::permutation::order;
use super::*;
use crate::answers;
use base::{Sources, Stop};
use calculus::naive::Naive;
use calculus::system::{Action, System};

/// The checked system of a text.
#[track_caller]
fn checked(text: &str) -> System {
    let mut sources = Sources::default();
    let mut read = |name: &str| Err(format!("nothing to load: {name}"));
    let (file, errors) = calculus::load(&mut sources, "bench.mu", text, &mut read);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let (system, warnings) =
        calculus::check(&file, &[]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert!(warnings.is_empty(), "{warnings:?}\n{text}");
    system
}

/// Compares the twin with the answers that the text states.
#[track_caller]
fn check_answers(family: &str, size: usize) {
    let text = (find(family).expect("a family").text)(size);
    let system = checked(&text);
    let mut naive = Naive::new(&system, Stop::default());
    let mut found = Vec::new();
    for item in &system.items {
        match item.action {
            Action::Query(formula) => found.push(naive.holds(formula).expect("small enough").to_string()),
            Action::Count(relation) => {
                found.push(naive.relation(relation).expect("small enough").len().to_string());
            }
            _ => panic!("an unexpected directive in\n{text}"),
        }
    }
    assert_eq!(answers::expected(&text), found, "{family}:{size}");
}

#[test]
fn every_default_size_checks_and_states_an_answer_for_each_question() {
    for family in FAMILIES {
        for &size in family.sizes {
            let text = (family.text)(size);
            assert_eq!(checked(&text).items.len(), answers::expected(&text).len(), "{}:{size}", family.name);
        }
    }
}

#[test]
fn puzzles_have_the_stated_answers() {
    check_answers("ring-puzzle", 4);
    check_answers("pigeonhole", 2);
    check_answers("pigeonhole", 4);
}

#[test]
fn protocols_have_the_stated_answers() {
    check_answers("token-ring", 2);
    check_answers("scheduler", 2);
    check_answers("scheduler", 3);
    check_answers("peterson", 2);
    check_answers("dme", 2);
}

#[test]
fn counters_have_the_stated_answers() {
    check_answers("counter", 1);
    check_answers("counter", 4);
    check_answers("counter-alternating", 1);
    check_answers("counter-alternating", 3);
}

#[test]
fn graphs_have_the_stated_answers() {
    check_answers("graph", 2);
    check_answers("graph", 8);
    check_answers("graph-pairs", 12);
}

#[test]
fn programs_have_the_stated_answers() {
    check_answers("program", 1);
    check_answers("program", 2);
}

#[test]
fn groups_have_their_known_orders() {
    for (n, factorial) in [(4, 24), (5, 120), (6, 720), (7, 5040)] {
        assert_eq!(order(&ring_puzzle::puzzle(n)), Some(factorial), "ring of {n}");
    }
    for (faces, arrangements) in [(1, 4), (2, 120), (3, 5040), (4, 40320), (6, 40320)] {
        assert_eq!(order(&cube::puzzle(faces)), Some(arrangements), "{faces} faces");
    }
}
