//! The textbook checker gives the answers that the generated programs promise.

use generate::{Options, family};
use rsm::explicit::{Limits, reachable};
use rsm::{Goal, ModuleId, NodeId, Rsm};

/// The places labelled `ERROR`.
fn questions(machine: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (i, module) in machine.modules.iter().enumerate() {
        let is_error = |label: &String| label == "ERROR";
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| node.labels.iter().any(is_error));
        goals.extend(labelled.map(|(node, _)| Goal::At(ModuleId::new(i), NodeId::new(node))));
    }
    goals
}

#[track_caller]
fn check_verdict(name: &str, n: u32, options: &Options) {
    let text = family(name, n, options).expect("a program");
    let mut sources = base::Sources::default();
    let (program, _) = bp::load(&mut sources, name, text.as_str()).expect("a correct program");
    let machine = bp::lower(&program).expect("a sequential program");
    let found = reachable(&machine, &questions(&machine), Limits::default(), &base::Stop::default());
    let found = found.expect("few states").contains(&true);
    assert_eq!(
        found,
        text.contains("// expect: reachable, because "),
        "{name}, n = {n}, {options:?}\n{text}"
    );
}

fn plain() -> Options {
    Options::default()
}

fn buggy() -> Options {
    Options { reachable: true, ..plain() }
}

#[test]
fn levels_of_calls_keep_their_promise() {
    for n in 1..6 {
        check_verdict("t1", n, &plain());
        check_verdict("t2", n, &plain());
    }
    check_verdict("t1", 20, &plain());
    check_verdict("t1", 21, &plain());
    check_verdict("t2", 20, &plain());
}

#[test]
fn drivers_keep_their_promise() {
    for seed in 0..5 {
        for n in [1, 2, 10] {
            check_verdict("driver", n, &Options { seed, ..plain() });
            check_verdict("driver", n, &Options { seed, ..buggy() });
        }
    }
    check_verdict("driver", 3, &Options { globals: 2, ..plain() });
    check_verdict("driver", 3, &Options { globals: 2, ..buggy() });
}

#[test]
fn counters_keep_their_promise() {
    for n in 1..5 {
        check_verdict("counter", n, &plain());
        check_verdict("counter", n, &buggy());
    }
}

#[test]
fn multipliers_keep_their_promise() {
    for n in 1..5 {
        check_verdict("multiplier", n, &Options { seed: u64::from(n), ..plain() });
        check_verdict("multiplier", n, &Options { seed: u64::from(n), ..buggy() });
    }
}

#[test]
fn quicksort_keeps_its_promise() {
    check_verdict("quicksort", 2, &plain());
    check_verdict("quicksort", 2, &Options { fixed: true, ..plain() });
}

#[test]
fn a_termination_argument_keeps_its_promise() {
    check_verdict("terminator", 2, &plain());
}

#[test]
fn programs_of_which_little_matters_keep_their_promise() {
    for name in ["copied", "count", "growing", "irrelevant", "parity", "permuted", "rounds"] {
        for seed in 0..3 {
            check_verdict(name, 3, &Options { seed, ..plain() });
            check_verdict(name, 3, &Options { seed, ..buggy() });
        }
    }
    check_verdict("nested", 1, &plain());
    check_verdict("nested", 1, &buggy());
}
