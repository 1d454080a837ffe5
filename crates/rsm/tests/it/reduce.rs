//! Reductions: what each of them selects, and that none of them changes which goals can be reached.

mod checker;
mod control;
mod data;
mod form;
mod random;
mod runs;
mod text;
mod verdicts;

use rsm::{Goal, Reductions, reduce};

/// Reduces a machine, given as text, with the named reductions, and compares the view with a text. A goal is `MODULE:NODE`.
#[track_caller]
fn check_reduce(source: &str, goals: &[&str], which: &str, expected: &str) {
    let rsm = text::machine(source);
    let goals: Vec<Goal> = goals.iter().map(|goal| find_goal(&rsm, goal)).collect();
    let which: Reductions = which.parse().expect("names of reductions");
    let shown = reduce(&rsm, &goals, which).show(&rsm);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&shown), lines(expected.trim()), "the view is\n{shown}");
}

fn find_goal(rsm: &rsm::Rsm, goal: &str) -> Goal {
    let (module, node) = goal.split_once(':').expect("a module and a node");
    let module = rsm.modules.iter().position(|candidate| candidate.name == module).expect("a module");
    Goal::At(rsm::ModuleId::new(module), rsm::NodeId(node.parse().expect("a node")))
}
