//! What executing a program shows, in a line: of programs without input everything, and of what is unknown no more than is known.

use base::{Sources, render};
use c::{Options, TargetSelection};
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
        "reachable",
        "all runs",
    );
    check("int h(int); int main() { h(1); reach_error(); }", "reachable", "all runs");
    let called = "unknown: what the undefined function `h` changes, line 2";
    check("int h(int); int g;\n int main() { h(1); if (!g) reach_error(); }", called, called);
    check("int h(int); static int g;\n int main() { h(1); if (!g) reach_error(); }", "reachable", "all runs");
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

/// What holds in C holds here: the run ends, and reaches nothing.
#[track_caller]
fn holds(declarations: &str, conditions: &[&str]) {
    for condition in conditions {
        let text =
            format!("{declarations} int main(void) {{ if (!({condition})) reach_error(); return 0; }}");
        assert_eq!(answer(&text, Quest::Target(Goal::Any)), "all runs", "{condition}");
    }
}

#[test]
fn enumerations_are_the_integers_that_compilers_take() {
    // A tag that refers to an earlier definition.
    check(
        "enum status { FAIL = -1, OK }; enum status work(int n) { return n > 3 ? FAIL : OK; }
         int main(void) { enum status s = work(7); if (s < 0) reach_error(); }",
        "reachable",
        "all runs",
    );
    check("enum { M = 0x80000000u }; int main(void) { if (M < -1) reach_error(); }", "reachable", "all runs");
    check(
        "enum big { M = 0x100000000 }; int main(void) { enum big x = M; if (x == 0) reach_error(); }",
        "all runs",
        "all runs",
    );
    let type_of = |value: &str, number: u32| {
        format!(
            "_Generic({value}, int: 1, unsigned: 2, long: 3, unsigned long: 4, unsigned char: 5, short: 6) == {number}"
        )
    };
    let types = |declarations: &str, values: &[(&str, u32)]| {
        let conditions: Vec<String> = values.iter().map(|(value, number)| type_of(value, *number)).collect();
        holds(declarations, &conditions.iter().map(String::as_str).collect::<Vec<_>>());
    };
    types("enum a { A = -1, B = 0x80000000u };", &[("A", 1), ("B", 3), ("(enum a) 0", 3)]);
    types("enum a { A = 0x100000000, B };", &[("A", 4), ("B", 4), ("(enum a) 0", 4)]);
    types("enum a { A = -1, B = 0x7fffffff };", &[("A", 1), ("B", 1), ("(enum a) 0", 1)]);
    types("enum a { A = 1u << 31, B };", &[("A", 2), ("B", 2), ("(enum a) 0", 2)]);
    types("enum a { A = -5000000000, B };", &[("A", 3), ("B", 3), ("(enum a) 0", 3)]);
    types("enum a { A = 1 << 31 };", &[("A", 1), ("(enum a) 0", 1)]);
    types("enum a { A = 3ull, B = 'a' };", &[("A", 1), ("B", 1), ("(enum a) 0", 2)]);
    types("enum __attribute__((packed)) a { A = 200 };", &[("A", 1), ("(enum a) 0", 5)]);
    types("enum a { A = -1, B = 200 } __attribute__((packed));", &[("B", 1), ("(enum a) 0", 6)]);
    holds(
        "enum a { A = 3000000000, B = sizeof(A), C = A > -1 };",
        &["B == 8", "C == 1", "sizeof(A) == 4", "!(A > -1)"],
    );
    holds(
        "enum a { A, B = 5, C, D = A - 7, E };",
        &["A == 0", "C == 6", "D == -7", "E == -6", "sizeof(enum a) == 4"],
    );
    holds("enum a { A = -1 }; int f(enum a x) { return x < 0; }", &["f(A)", "f(-5)", "!f(5)"]);
    let shadowed = "enum a { A = -1 }; int f(void) { enum a { B = 1 }; enum a x = -1; return x > 0; }
        int g(void) { { enum a { B = 1 }; } enum a x = -1; return x < 0; }";
    holds(shadowed, &["f()", "g()"]);
    let forward =
        "typedef enum e E; enum e g; int f(enum e x); enum e { A = -1 }; int f(E x) { return x < 0; }";
    holds(forward, &["f(-1)", "((E) -1) < 0", "(g = -1) < 0"]);
    for (text, message) in [
        ("enum { A = 0x7fffffff, B };", "the value of `B` does not fit the type of the constant before it"),
        ("enum { A = 4294967295u, B };", "the value of `B` does not fit the type of the constant before it"),
        ("enum { };", "expected the name of a constant, found `}`"),
        ("int x; enum { A = x };", "this is no constant integer"),
        ("enum { A = 1.5 };", "this is no constant integer"),
    ] {
        let mut sources = Sources::default();
        let file = sources.add("test.c", format!("{text} int main(void) {{ return 0; }}"));
        let errors = c::translate(&sources, file, &Options::default()).expect_err(text);
        assert_eq!(errors[0].message, message);
    }
}

#[test]
fn what_is_stored_where_nobody_looks_is_worth_what_c_says() {
    check(
        "int main() { int x = 1, *p = &x, y = (x += 3); if (y == 4) reach_error(); }",
        "reachable",
        "all runs",
    );
    check(
        "int a[2]; int main() { int y = (a[0] += 3); if (y == 3) reach_error(); }",
        "reachable",
        "all runs",
    );
    check(
        "typedef volatile int V; V x; int main() { if (x == 5) reach_error(); }",
        "unknown: the volatile variable `x`, line 1",
        "unknown: the volatile variable `x`, line 1",
    );
    let fields =
        "struct { int a : 3; unsigned b : 5; _Bool c : 1; enum { N = -1, M = 3 } d : 3; long e : 40; } s;";
    holds(
        fields,
        &["(s.a = 7) == -1", "(s.b = 33) == 1", "(s.c = 4) == 1", "(s.d = 6) == -2", "(s.e = 1l << 39) < 0"],
    );
}

#[test]
fn sizes_are_those_of_the_objects() {
    let arrays = "int a[][2] = {{1, 2}, {3, 4}}; int b[] = {1, 2, 3}; char c[] = \"abc\"; struct { int x, y; } d[] = {{1}, {2}}; int e[] = {[5] = 1};";
    holds(
        arrays,
        &[
            "sizeof a == 16",
            "sizeof b == 12",
            "sizeof c == 4",
            "sizeof d == 16",
            "sizeof e == 24",
            "sizeof(\"a\" \"b\") == 3",
        ],
    );
    holds(
        "",
        &["sizeof((int[]) {1, 2}) == 8", "sizeof({ long x = 1; x; }) == 8", "sizeof(long double) == 16"],
    );
    holds("struct s; struct s *p; struct s { long x; char y; };", &["sizeof(p->x) == 8", "sizeof *p == 16"]);
    holds("typedef int small __attribute__((mode(QI)));", &["sizeof(small) == 1"]);
    // Who packs is not asked how large it gets.
    for packed in [
        "struct __attribute__((packed)) s { char a; int b; };",
        "struct s { char a; int b __attribute__((aligned(16))); };",
        "\n#pragma pack(1)\nstruct s { char a; int b; };",
    ] {
        let text =
            format!("{packed}\nint main(void) {{ if (sizeof(struct s) != 5) reach_error(); return 0; }}");
        assert!(answer(&text, Quest::Target(Goal::Any)).starts_with("unknown"), "{packed}");
    }
}

#[test]
fn numbers_and_characters_are_those_of_c() {
    holds(
        "",
        &[
            "'a' == 97 && sizeof 'a' == 4",
            "'\\xff' == -1 && '\\377' == -1 && L'\\xff' == 255",
            "'ab' == 24930 && 'é' == 50089 && L'é' == 233 && U'\\u00e9' == 233",
            "u'a' - 98 < 0 && U'a' - 98 > 0",
            "-1 < 0x7fffffff && 0x80000000 > -1 == 0 && 2147483648 > -1",
            "(1 ? -1 : 0u) > 0",
            "({ long z = 5000000000; z; }) > 4000000000",
            "(1 ? ({ long long z = 5000000000; z; }) : 0) > 4000000000",
        ],
    );
    let too_large = "int main(void) { if (-9223372036854775808 > 0) reach_error(); return 0; }";
    assert!(answer(too_large, Quest::Target(Goal::Any)).starts_with("unknown: a number that is too large"));
}

#[test]
fn lines_go_on_behind_a_backslash() {
    let text = "int ma\\\nin(void) { int i = 1, j = 2; // a comment \\\n reach_error();\n int k = i+\\\n++j; \
                if (i != 2 || j != 2 || k != 3) reach_error(); int m = 1\\\n2; if (m != 12) reach_error(); }";
    check(text, "all runs", "all runs");
    let digraphs = "int main(void) <% int a<:2:>; a<:0:> = 1; return 0; %>";
    check(digraphs, "all runs", "all runs");
}

#[test]
fn constants_that_only_wrapping_makes_are_computed() {
    let text = "void reach_error(void); enum { A = 1 << 31 }; int main(void) { long x = 5; if (x == -A) reach_error(); }";
    let mut sources = Sources::default();
    let file = sources.add("test.c", text);
    let program = c::translate(&sources, file, &Options::default()).expect("it is right").program;
    let found = explore(&integers::wrapped(&program), Quest::Target(Goal::Any), &Budget::default());
    assert!(found.is_complete && found.reached.is_none());
}

#[test]
fn old_c_and_extensions_are_read() {
    let one_run = |text: &str| check(text, "all runs", "all runs");
    one_run("add(a, b) char a; { return a + b; } main() { if (add(300, 1) != 45) reach_error(); return 0; }");
    one_run(
        "int main() { __auto_type x = 3; __asm__ volatile (\"\" ::: \"memory\"); if (x != 3) reach_error(); return 0; }",
    );
    one_run(
        "int main() { __extension__ int x = 1; __extension__ (x = 2); __extension__ __extension__ ({ x++; }); if (x != 3) reach_error(); return 0; }",
    );
    // Functions that are called through a pointer have parameters of the kinds that it is called with.
    one_run(
        "struct dev { int state; int (*handlers[2])(int); void (*reset)(struct dev *); };
         int h0(int x) { return x + 1; } int h1(int x) { return x * 2; } void rs(struct dev *d) { d->state = 0; }
         int main() { struct dev d = {3, {h0, h1}, rs}; if (d.handlers[1](d.handlers[0](5)) != 12) reach_error();
                      d.reset(&d); if (d.state) reach_error(); return 0; }",
    );
}

#[test]
fn what_may_do_anything_is_unknown_with_its_line() {
    let unknown = |text: &str, why: &str| check(text, why, why);
    unknown(
        "int main() { int x = 1; asm(\"nop\" : \"=r\"(x)); if (x) reach_error(); return 0; }",
        "unknown: assembly, line 1",
    );
    unknown(
        "int main() { void *p = &&a; goto *p; a: return 0; b: reach_error(); return 0; }",
        "unknown: a jump to a computed address, line 1",
    );
    unknown(
        "void start(void (*)(void)); void f(void) { reach_error(); } int main() { start(f); return 0; }",
        "unknown: what `start` does with a function that it may call, line 1",
    );
}

#[test]
fn who_fills_something_up_does_one_thing_many_times() {
    let text = "int main() { int n = 0; for (;;) { int c = nondet(); if (c == 7) n++; else if (c == 8) return 0; else n = 0; \
                if (n == 40) reach_error(); } }";
    assert_eq!(answer(text, Quest::Target(Goal::Any)), "reachable");
}

#[test]
fn a_call_that_says_that_something_is_wrong_ends_the_program_whatever_is_asked() {
    let mut sources = Sources::default();
    for function in ["reach_error", "__VERIFIER_error"] {
        let text = format!("void {function}(void); int g; int main() {{ g = 1; {function}(); while (g); }}");
        let file = sources.add("test.c", text);
        let options = Options { targets: TargetSelection::None, ..Options::default() };
        let program = c::translate(&sources, file, &options).expect("it is a program").program;
        let found = explore(&program, Quest::Infinite, &Budget::default());
        assert!(found.is_complete && found.infinite.is_none() && found.unknowns.is_empty(), "{function}");
    }
}
