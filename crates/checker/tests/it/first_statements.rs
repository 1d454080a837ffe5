//! Labels at the first statements of threads that are started at run time: they are reached as soon as the thread is there.
//!
//! The expected numbers of context switches are derived by hand; the formula and the brute-force twin both have to find them.

use base::{Sources, Stop};
use checker::{Bound, FormulaFile, Options, Scheduling, Target, TraceReport, Verdict};
use rsm::Concurrent;
use rsm::interleave::{self, Limits};
use testing::lower_threads;

/// What the formula says; a run that reaches the target is replayed.
fn by_formula(program: &Concurrent, target: &Target, switches: u32) -> Option<u32> {
    let algorithm = checker::algorithm("bounded_contexts").expect("an algorithm of the list");
    let mut read = |name: &str| checker::part(name).map(str::to_owned).ok_or("not there".to_owned());
    let file = FormulaFile {
        name: "bounded_contexts.mu",
        text: algorithm.text,
        read: &mut read,
        params: &[],
        labels: &[],
    };
    let options = Options { trace: true, ..Options::default() };
    let (targets, bound) = (std::slice::from_ref(target), Bound::Switches(switches));
    let mut sources = Sources::default();
    let scheduling = Scheduling::default();
    let report =
        checker::check_threads(program, targets, bound, file, scheduling, &options, &mut sources).unwrap();
    let is_replayed = matches!(report.trace, TraceReport::Replayed(_));
    assert_eq!(is_replayed, report.finding.verdict == Verdict::Yes, "{:?}", report.trace);
    report.finding.least
}

/// What the twin says.
fn by_twin(program: &Concurrent, target: &Target, switches: u32) -> Option<u32> {
    let limits = Limits { max_worlds: 10_000, max_depth: 8, max_outcomes: 1 << 10 };
    let counts = vec![1; program.blocks.len()];
    let found =
        interleave::least_switches(program, &counts, &target.goals, switches, limits, &Stop::default());
    found.unwrap().least.into_iter().flatten().min()
}

/// The target needs so many context switches, if it is reached within two.
#[track_caller]
fn check(text: &str, target: &str, expected: Option<u32>) {
    for switches in 0..=2 {
        let program = lower_threads(text, switches as usize);
        let target = checker::find_thread_target(&program, target).unwrap();
        let expected = expected.filter(|least| *least <= switches);
        let context = format!("`{}` within {switches}: {text}", target.name);
        assert_eq!(by_formula(&program, &target, switches), expected, "formula, {context}");
        assert_eq!(by_twin(&program, &target, switches), expected, "twin, {context}");
    }
}

#[test]
fn the_first_statement_of_a_function_is_reached_by_its_start() {
    let text = "void f() begin L: skip; M: skip; end void main() begin start_thread f(); N: skip; end";
    check(text, "L", Some(0));
    check(text, "f:L", Some(0));
    check(text, "M", Some(1));
    check(text, "N", Some(0));
}

#[test]
fn the_label_of_a_goto_is_reached_by_its_start() {
    let text = "void main() begin start_thread goto L; assume(F); L: skip; M: skip; end";
    check(text, "L", Some(0));
    check(text, "M", Some(1));
}

#[test]
fn a_thread_that_starts_another_one_has_to_run_first() {
    let text = "void g() begin L: skip; M: skip; end void f() begin K: start_thread g(); end
                void main() begin start_thread f(); end";
    check(text, "K", Some(0));
    check(text, "L", Some(1));
    check(text, "M", Some(2));
}

#[test]
fn a_thread_that_a_goto_started_may_start_another_one() {
    let text = "void g() begin L: skip; end
                void main() begin start_thread goto K; assume(F); K: skip; start_thread g(); end";
    check(text, "K", Some(0));
    check(text, "L", Some(1));
}

#[test]
fn a_start_that_is_not_reached_starts_nothing() {
    check("void f() begin L: skip; end void main() begin assume(F); start_thread f(); end", "L", None);
    check("void main() begin assume(F); start_thread goto L; L: skip; end", "L", None);
}

#[test]
fn a_start_that_waits_for_a_thread_takes_its_switches() {
    let text = "decl g; init !g; void f() begin g := T; end void h() begin L: skip; end
                void main() begin start_thread f(); assume(g); start_thread h(); end";
    check(text, "L", Some(2));
}

#[test]
fn a_thread_is_there_even_if_its_starter_lets_nobody_run() {
    let text = "void f() begin L: skip; M: skip; end void h() begin start_thread f(); assume(F); end
                void main() begin atomic begin h(); end end";
    check(text, "L", Some(0));
    check(text, "M", None);
}

#[test]
fn a_call_that_does_not_wait_is_a_start() {
    check("void f() begin L: skip; end void main() begin ASYNC_1: f(); end", "L", Some(0));
}

#[test]
fn only_the_function_that_is_started_counts() {
    let text = "void f() begin L: skip; end void g() begin L: skip; end
                void main() begin start_thread f(); end";
    check(text, "L", Some(0));
    check(text, "g:L", None);
}

#[test]
fn an_assertion_fails_only_when_it_is_executed() {
    check("void f() begin L: assert(F); end void main() begin start_thread f(); end", "assert", Some(1));
}

#[test]
fn labels_that_are_targets_by_default_are_reached_as_well() {
    let program = lower_threads("void f() begin ERROR: skip; end void main() begin start_thread f(); end", 0);
    let targets = checker::default_thread_targets(&program).unwrap();
    assert_eq!(targets.len(), 1);
    assert_eq!(by_formula(&program, &targets[0], 0), Some(0));
    assert_eq!(by_twin(&program, &targets[0], 0), Some(0));
}
