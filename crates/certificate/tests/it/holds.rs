//! What is told of a proof: the text is parsed again, and every state that a run gets to satisfies it.

use crate::program::load;
use crate::random::{program, thinned};
use crate::summaries::{certificate, exact, reaches};
use base::{Random, Stop};
use certificate::{Holds, Outcome, Point, explain, read};
use rsm::NodeId;
use rsm::values::{View, can_hold};

/// How many programs each test looks at.
const N_PROGRAMS: u64 = 60;

#[test]
fn every_state_of_a_run_satisfies_what_is_told_at_its_place() {
    let (mut n_states, mut n_clauses, mut n_whole, mut n_never) = (0, 0, 0, 0);
    for seed in 0..N_PROGRAMS {
        let program = load(&program(seed));
        let rsm = &program.rsm;
        let summaries = exact(rsm);
        if program.goals().into_iter().any(|goal| reaches(rsm, &summaries, goal)) {
            continue;
        }
        let thin = thinned(&program, &summaries, &mut Random::new(seed));
        let proof = read(&certificate(&program, &thin)).expect("it is one");
        let told = explain(rsm, &program.sources, &program.goals(), &proof, &Stop::default(), None);
        let Ok(Outcome::Accepted(told)) = told else { panic!("seed {seed}: {told:?}") };
        for Holds { module, span, is_end, clauses, is_whole } in told {
            let shape = rsm.module(module);
            let parsed: Vec<_> = clauses
                .iter()
                .map(|clause| {
                    bp::condition(rsm, Some(module), clause)
                        .unwrap_or_else(|error| panic!("seed {seed}: `{clause}`: {error:?}"))
                })
                .collect();
            let all = bp::condition(rsm, Some(module), &clauses.join(" & "));
            assert!(clauses.is_empty() || all.is_ok(), "seed {seed}: {clauses:?}");
            let nodes = (0..).map(NodeId).zip(&shape.nodes);
            let here =
                nodes.filter(|(n, node)| node.span.start == span.start && (*n == shape.exit) == is_end);
            let mut n_here = 0;
            for (node, _) in here {
                for (_, state) in summaries.get(&(module, Point::Node(node))).into_iter().flatten() {
                    n_here += 1;
                    // At the end only the globals are spoken of.
                    let own = if is_end { vec![0; shape.locals.len()] } else { state.own.clone() };
                    let view = View::new(&state.globals, &own);
                    for (text, clause) in clauses.iter().zip(&parsed) {
                        let holds = can_hold(clause, &view).expect("small sets");
                        assert!(holds, "seed {seed}: `{text}` at {span:?} does not hold in {state:?}");
                        n_clauses += 1;
                    }
                }
            }
            n_never += usize::from(clauses == ["F"]);
            n_whole += usize::from(is_whole);
            n_states += n_here;
        }
    }
    assert!(n_states > 1000 && n_clauses > 1000, "{n_states} states, {n_clauses} clauses");
    assert!(n_whole > 100 && n_never > 10, "{n_whole} told exactly, {n_never} never reached");
}

/// What is told at the statement of a program that reads like this, if every state may enter.
#[track_caller]
fn told_at(text: &str, statement: &str) -> String {
    let program = load(text);
    let proof = read("getafix certificate 1\nfunction main\nentry = T\n").expect("it is one");
    let told = explain(&program.rsm, &program.sources, &program.goals(), &proof, &Stop::default(), None);
    let Ok(Outcome::Accepted(told)) = told else { panic!("{told:?}") };
    let here = told.iter().find(|holds| program.sources.text(holds.span).starts_with(statement));
    here.expect("something is told there").clauses.join(" & ")
}

#[test]
fn values_of_enumerations_are_told_where_no_variable_is_called_like_one() {
    let body = "void main() begin decl e: enum {a, b, c}; e := a; skip; assert e = a; end";
    assert_eq!(told_at(body, "skip"), "e = a");
    // A text that says `b` would mean the variable, so nothing is said of what may be `b`.
    assert_eq!(told_at(&format!("decl b; {body}"), "skip"), "");
}

#[test]
fn many_values_are_told_by_the_least_and_the_largest() {
    let told = |condition: &str| {
        told_at(
            &format!("void main() begin decl x: int<8>; assume {condition}; skip; assert {condition}; end"),
            "skip",
        )
    };
    for condition in ["x <= 100", "x >= 3", "x >= 3 & x <= 100", "x = 7"] {
        assert_eq!(told(condition), condition);
    }
}

#[test]
fn a_global_is_told_and_an_enumeration_of_many_values_has_no_order() {
    assert_eq!(told_at("decl g; void main() begin assume g; skip; assert g; end", "skip"), "g");
    let values: Vec<String> = (0..40).map(|n| format!("v{n}")).collect();
    let all = values.join(", ");
    let with = |condition: &str| {
        format!("void main() begin decl e: enum {{{all}}}; assume {condition}; skip; assert {condition}; end")
    };
    assert_eq!(told_at(&with("e = v7"), "skip"), "e = v7");
    assert_eq!(told_at(&with("e = v0 | e = v1"), "skip"), "");
}
