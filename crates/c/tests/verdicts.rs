//! What executing a program shows, in a line: of programs without input everything, and of what is unknown no more than is known.

use base::{Sources, render};
use c::Options;
use integers::explore::{Budget, Quest, explore};
use integers::trace::{Reality, confirm};
use integers::{Goal, TargetKind, checked};

const COMMON: &str = "void reach_error(void); int nondet(void); void abort(void);";

/// The answer to one quest, as a line.
fn answer(text: &str, quest: Quest) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.c", format!("{COMMON} {text}"));
    let translation = c::translate(&sources, file, &Options::default());
    let errors =
        |errors: Vec<base::Diagnostic>| -> String { errors.iter().map(|e| render(&sources, e)).collect() };
    let program = translation.unwrap_or_else(|list| panic!("{}", errors(list))).program;
    let budget = Budget { instructions: 3_000_000, runs: 3_000, ..Budget::default() };
    let found = explore(&program, quest, &budget);
    if let (Quest::Infinite, Some((run, _))) = (quest, &found.infinite) {
        return if run.overflow.is_some() {
            "infinite over the integers".to_owned()
        } else {
            "infinite".to_owned()
        };
    }
    if let (Quest::Target(_), Some((target, run))) = (quest, &found.reached) {
        return match confirm(&program, &run.inputs, *target, 1 << 20) {
            Reality::Machine => "reachable".to_owned(),
            Reality::IntegersOnly(why, ..) => format!("reachable over the integers only: {why}"),
            Reality::No(end) => panic!("the run that was found ends as {end:?}"),
        };
    }
    if found.is_complete {
        let overflow = if found.overflow.is_some() { ", with overflow" } else { "" };
        return format!("all runs{overflow}");
    }
    match found.unknowns.first() {
        Some(unknown) => {
            let unknown = &program.unknowns[unknown.index()];
            format!("unknown: {}, line {}", unknown.construct, sources.line_column(unknown.span).0)
        }
        None => "unknown".to_owned(),
    }
}

#[track_caller]
fn check(text: &str, reachable: &str, infinite: &str) {
    let answers = (answer(text, Quest::Target(Goal::Any)), answer(text, Quest::Infinite));
    assert_eq!((answers.0.as_str(), answers.1.as_str()), (reachable, infinite));
}

#[test]
fn a_program_without_inputs_has_one_run() {
    check(
        "int main() { int i = 0; while (i < 100000) i++; if (i != 100000) reach_error(); }",
        "all runs",
        "all runs",
    );
    check(
        "int main() { int i = 0; while (i < 100000) i++; if (i == 100000) reach_error(); }",
        "reachable",
        "all runs",
    );
    check(
        "int main() { int i = 0; while (i < 5) i = i == 4 ? 0 : i + 1; reach_error(); }",
        "all runs",
        "infinite",
    );
    check("int f(int x) { return f(x); } int main() { f(3); reach_error(); }", "all runs", "infinite");
    check("int g; int f(int x) { g++; return f(x); } int main() { f(3); }", "unknown", "unknown");
}

#[test]
fn inputs_of_small_types_are_all_tried() {
    let three = "_Bool nondet_b(void); int main() { _Bool a = nondet_b(), b = nondet_b(), c = nondet_b();";
    check(&format!("{three} if (a && b && !a) reach_error(); }}"), "all runs", "all runs");
    check(&format!("{three} if (a && !b && c) reach_error(); }}"), "reachable", "all runs");
    check(&format!("{three} while (a && !b && c) ; }}"), "all runs", "infinite");
}

#[test]
fn inputs_near_the_constants_of_the_program_are_tried() {
    check("int main() { if (nondet() == 123456) reach_error(); }", "reachable", "unknown");
    check(
        "int main() { if (nondet() + 1 == 777 && nondet() < -5000) reach_error(); }",
        "reachable",
        "unknown",
    );
    check(
        "int main() { int x = nondet(); while (x != 3) ; if (x == 4) reach_error(); }",
        "unknown",
        "infinite",
    );
}

#[test]
fn a_target_that_only_an_overflow_reaches_is_said_to_be_one() {
    let only = "reachable over the integers only: a result that does not fit int32";
    check(
        "int main() { int x = 2147483647; x++; if (x > 0) reach_error(); }",
        only,
        "all runs, with overflow",
    );
    // Unsigned numbers wrap, and that is no overflow.
    check(
        "int main() { unsigned x = 4294967295u; x++; if (x == 0) reach_error(); }",
        "reachable",
        "all runs",
    );
    check("int main() { int x = nondet(); if (x + 1 > 2147483647) reach_error(); }", only, "unknown");
    // A wider type on the way is none either; a conversion keeps the low bits.
    check("int main() { long x = 2147483647; x++; if ((int)x < 0) reach_error(); }", "reachable", "all runs");
}

#[test]
fn what_survives_the_unknown_stands() {
    check("int a[3]; int main() { int x = a[0]; reach_error(); }", "reachable", "all runs");
    check(
        "int a[3]; int main() { int x = a[0] + 1; x = 3; if (x == 3) reach_error(); }",
        "reachable",
        "all runs",
    );
    check(
        "int a[3]; int main() {\n int x = a[0];\n x = x * 2 + 1;\n if (x) reach_error(); }",
        "unknown: an array element, line 2",
        "unknown: an array element, line 2",
    );
    check("int h(int); int main() { h(1); reach_error(); }", "reachable", "all runs");
    let called = "unknown: what the undefined function `h` changes, line 2";
    check("int h(int); int g;\n int main() { h(1); if (!g) reach_error(); }", called, called);
    check("int h(int); static int g;\n int main() { h(1); if (!g) reach_error(); }", "reachable", "all runs");
    let bits = "unknown: the bit operation `&`, line 1";
    check("int main() { int x = nondet(); if (x & 1) reach_error(); }", bits, bits);
    // Library functions and those of the competition do not change what they cannot see.
    let float =
        "float __VERIFIER_nondet_float(void); int g; int main() { float f = __VERIFIER_nondet_float();";
    check(&format!("{float} printf(\"%f\", f); if (!g) reach_error(); }}"), "reachable", "all runs");
    // What is unknown may differ each time, but the loop does not depend on it.
    check("int a[3]; int main() { int i = 0, s = 0; while (i < 3) s += a[0]; }", "all runs", "infinite");
}

#[test]
fn ends_of_runs_are_no_targets() {
    check("int main() { abort(); reach_error(); }", "all runs", "all runs");
    check("int main() { __VERIFIER_assume(0); reach_error(); }", "all runs", "all runs");
    check("int main() { int x = 0; x = 1 / x; reach_error(); }", "all runs", "all runs");
    check(
        "int main() { int x = 0; if (x && 1 / x) x = 1; else if (x == 0 || 1 % x) reach_error(); }",
        "reachable",
        "all runs",
    );
    check("int main() { assert(1); ERROR: return 0; }", "reachable", "all runs");
    // A label does not end the run, a call of the error function does.
    check("int main() { ERROR: goto ERROR; }", "reachable", "infinite");
}

#[test]
fn numbers_may_grow_beyond_the_machine_but_not_for_ever() {
    check(
        "int main() { long long x = 9223372036854775807; int i; for (i = 0; i < 10; i++) x = x + x; if (x > 0) reach_error(); }",
        "reachable over the integers only: a result that does not fit int64",
        "all runs, with overflow",
    );
    check("int main() { long long x = 3; while (1) x = x * x; }", "unknown", "unknown");
}

#[test]
fn overflows_can_be_targets() {
    let text =
        "int main(void) { int x = 2147483640; int i; for (i = 0; i < 10; i++) { x = x + 1; } return -x; }";
    let mut sources = Sources::default();
    let file = sources.add("test.c", text);
    let program = c::translate(&sources, file, &Options::default()).expect("it is right").program;
    let mut checked = checked(&program);
    checked.select_targets(|_, target| target.kind == TargetKind::Overflow);
    let found = explore(&checked, Quest::Target(Goal::Any), &Budget::default());
    let (target, _) = found.reached.expect("the eighth addition overflows");
    let span = checked.targets[target.index()].span;
    assert_eq!(sources.text(span), "x = x + 1");
}

#[test]
fn what_is_not_computed_does_not_overflow() {
    let overflows = |condition: &str| {
        let text = format!("int main(void) {{ int x = 2147483647; if ({condition}) x = 1; return x; }}");
        let mut sources = Sources::default();
        let file = sources.add("test.c", text);
        let program = c::translate(&sources, file, &Options::default()).expect("it is right").program;
        let found = explore(&checked(&program), Quest::Target(Goal::Any), &Budget::default());
        assert!(found.is_complete, "there is one run");
        found.reached.is_some()
    };
    for fine in [
        "x < 100 && x + 1 > 5",
        "x > 100 || x + 1 > 5",
        "x > 100 ? x : x + 1",
        "x - 1 > 5",
        "x % 2 == 1",
        "x + 1u > 5",
        "x + 1l > 5",
    ] {
        assert!(!overflows(fine), "{fine}");
    }
    for wrong in [
        "x > 100 && x + 1 > 5",
        "x < 100 || x + 1 > 5",
        "x < 100 ? x : x + 1",
        "-(-x - 1)",
        "(-x - 1) / (x - 2147483648l < 0 ? -1 : 1)",
        "(-x - 1) % (0 - (x > 0))",
        "x * 2",
    ] {
        assert!(overflows(wrong), "{wrong}");
    }
}
