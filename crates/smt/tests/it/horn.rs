//! The engine for Horn clauses, real and faked.
#![cfg(unix)]

use base::{Stop, StopReason};
use smt::{Horn, Manner, Solution, Why};
use std::path::PathBuf;
use testing::Folder;

const COUNTER: &str = "(declare-fun p (Int) Bool)\n(assert (p 0))\n\
    (assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))\n";

fn z3() -> PathBuf {
    smt::find(None).unwrap_or_else(|missing| panic!("{missing}"))
}

fn ask(clauses: &str, manner: Manner) -> Solution {
    Horn::start(&z3(), clauses, manner).wait(&Stop::default()).clone()
}

#[test]
fn clauses_have_a_model_or_none() {
    for global in [false, true] {
        let manner = Manner { global, ..Manner::default() };
        let safe = format!("{COUNTER}(assert (forall ((x Int)) (=> (and (p x) (> x 10)) false)))\n");
        let Solution::Sat(model) = ask(&safe, manner) else { panic!("there is a model") };
        assert_eq!(model[0].list().map(|list| list[0].atom()), Some(Some("define-fun")));
        let unsafe_ = format!("{COUNTER}(assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))\n");
        assert_eq!(ask(&unsafe_, manner), Solution::Unsat);
    }
}

#[test]
fn what_takes_too_much_work_is_unknown() {
    let deep = COUNTER.replace("10", "1000000");
    let deep = format!("{deep}(assert (forall ((x Int)) (=> (and (p x) (= (mod (* x x) 7) 3)) false)))\n");
    let manner = Manner { effort: 1000, ..Manner::default() };
    assert_eq!(ask(&deep, manner), Solution::Unknown(Why::GaveUp));
}

#[test]
fn clauses_that_are_none_are_unknown() {
    assert!(matches!(ask("(assert (q 0))\n", Manner::default()), Solution::Unknown(Why::Failed(_))));
    assert!(matches!(ask("(assert (", Manner::default()), Solution::Unknown(Why::Failed(_))));
}

#[test]
fn it_can_be_looked_at_until_it_is_done() {
    let safe = format!("{COUNTER}(assert (forall ((x Int)) (=> (and (p x) (> x 10)) false)))\n");
    let mut horn = Horn::start(&z3(), &safe, Manner::default());
    while horn.poll().is_none() {
        std::thread::yield_now();
    }
    assert!(matches!(horn.poll(), Some(Solution::Sat(_))));
    assert!(matches!(horn.wait(&Stop::default()), Solution::Sat(_)));
}

/// A solver that says one thing, whatever it is asked.
fn faked(body: &str) -> (Solution, Folder) {
    let folder = Folder::temporary();
    let greeting = "echo '(:name \"Z3\")'; echo '(:version \"4.12.0\")'";
    let text = format!("#!/bin/sh\ncat > {}/read\n{greeting}\n{body}\n", folder.path().display());
    let path = folder.script("solver", &text);
    let solution = Horn::start(&path, COUNTER, Manner::default()).wait(&Stop::default()).clone();
    (solution, folder)
}

#[test]
fn an_engine_that_fails_finds_nothing() {
    for (name, body) in [
        ("dies", "exit 1"),
        ("half", "echo sat; echo '((define-fun p'"),
        ("alone", "echo sat"),
        ("error", "echo sat; echo '(error \"no model\")'"),
        ("maybe", "echo maybe; echo '()'"),
        ("much", "echo unsat; echo sat; echo '()'"),
    ] {
        let (solution, folder) = faked(body);
        assert!(matches!(solution, Solution::Unknown(Why::Failed(_))), "{name}: {solution:?}");
        let script = folder.read("read");
        assert!(
            script.contains("(set-option :fp.xform.slice false)") && script.ends_with("(exit)\n"),
            "{script}"
        );
    }
    let (solution, _) = faked("echo unsat; echo '(error \"no model\")'");
    assert_eq!(solution, Solution::Unsat);
    let missing =
        Horn::start(&PathBuf::from("/nowhere/z3"), COUNTER, Manner::default()).wait(&Stop::default()).clone();
    assert!(matches!(missing, Solution::Unknown(Why::Failed(_))));
}

#[test]
fn a_stop_ends_it() {
    let stop = Stop::default();
    stop.request(StopReason::Time);
    let mut horn = Horn::start(&z3(), COUNTER, Manner::default());
    let solution = horn.wait(&stop).clone();
    assert!(matches!(solution, Solution::Unknown(Why::Stopped) | Solution::Sat(_)), "{solution:?}");
}
