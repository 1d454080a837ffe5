//! Programs in C: verdicts, which integers they are about, traces, targets, what is not known.

use crate::harness::{Outcome, Sandbox};
use serde_json::Value;

/// What `check` prints about a program.
fn check(options: &[&str], program: &str) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program);
    sandbox.run(&[&["check", "p.c"], options].concat())
}

/// The status and the whole of stdout are these.
#[track_caller]
fn prints(options: &[&str], program: &str, code: i32, expected: &str) -> Outcome {
    let outcome = check(options, program);
    assert_eq!(outcome.stdout, expected, "{options:?}: {}", outcome.stderr);
    assert_eq!(outcome.code, code, "{options:?}: {}", outcome.stderr);
    outcome
}

const C: &str = "with the integers of C: no result overflows in any run\n";
const C_RUN: &str = "with the integers of C: no result overflows on the way\n";

const COUNT: &str = "void reach_error(void);
int nondet(void);
int total;
int add(int x) {
  total += x;
  return total;
}
int main(void) {
  int n = nondet();
  while (n > 0) {
    if (add(n) == 5 && n < 3)
      reach_error();
    n--;
  }
  return 0;
}
";

#[test]
fn a_trace_has_lines_statements_values_inputs_and_calls() {
    let expected = format!(
        "REACHABLE
{C_RUN}13 steps

step  line  statement       effect
            (initially)     total = 0
   1     9  n = nondet()    n = 3
   2    10  while n > 0     T
   3    11  add(n)          add(x = 3)
   4     5    total += x    total = 3
   5     6    return total  back in main: add() = 3
   6    11  if add(n) == 5  F
   7    13  n--             n = 2
   8    10  while n > 0     T
   9    11  add(n)          add(x = 2)
  10     5    total += x    total = 5
  11     6    return total  back in main: add() = 5
  12    11  if add(n) == 5  T
  13    11  n < 3           T
        12  reach_error()   reach_error is called
            (finally)       total = 5, n = 2
"
    );
    prints(&[], COUNT, 10, &expected);
    prints(&["--trace", "none"], COUNT, 10, &format!("REACHABLE\n{C_RUN}"));
}

#[test]
fn a_trace_can_be_the_program_with_marks() {
    let expected = format!(
        "REACHABLE
{C_RUN}first  times
                      |  1  void reach_error(void);
                      |  2  int nondet(void);
                      |  3  int total;
                      |  4  int add(int x) {{
    4      2          |  5    total += x;
    5      2          |  6    return total;
                      |  7  }}
                      |  8  int main(void) {{
    1      1          |  9    int n = nondet();
    2      2          | 10    while (n > 0) {{
    3      5          | 11      if (add(n) == 5 && n < 3)
              reached | 12        reach_error();
    7      1          | 13      n--;
                      | 14    }}
                      | 15    return 0;
                      | 16  }}
finally: total = 5, n = 2
"
    );
    prints(&["--trace", "source"], COUNT, 10, &expected);
}

#[test]
fn a_call_that_goes_on_as_an_earlier_one_is_told_once() {
    let program = "#include <assert.h>
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main(void) {
  assert(fib(4) != 3);
}
";
    let outcome = check(&[], program);
    let told = "  18     2    fib(n - 2)                          fib(n = 2)
  26            … as steps 6–13                   back in fib: fib() = 1
  27     2    return fib(n - 1) + fib(n - 2)      back in main: fib() = 3
";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n28 steps\n"), "{}", outcome.stdout);
}

#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let program = "void reach_error(void);
int main(void) { int i = 0; while (i < 3000) i++; if (i == 3000) reach_error(); }";
    let outcome = check(&[], program);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(
        (outcome.code, lines[2], lines.len()),
        (10, "6003 steps", 5 + 400 + 1 + 400 + 2),
        "{lines:#?}"
    );
    assert_eq!(lines[405].trim(), "… 5203 steps more");
}

#[test]
fn a_program_without_inputs_is_decided() {
    let program = "void reach_error(void);
int main(void) { int i = 0; while (i < 1000) i++; if (i != 1000) reach_error(); return 0; }";
    prints(&[], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{C}"));
    let program = "#include <assert.h>
int main(void) { int i = 0; while (i < 1000) i++; assert(i == 1000); ERROR: return 0; }";
    let outcome = check(&["--trace", "none"], program);
    let expected = format!("REACHABLE\nassert: unreachable\nERROR: reachable\n{C_RUN}");
    assert_eq!((outcome.code, outcome.stdout), (10, expected), "{}", outcome.stderr);
    // Nothing leads to the call, but it is there to be asked for.
    let program = "void reach_error(void); int main(void) { return 0; reach_error(); }";
    prints(&[], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{C}"));
}

#[test]
fn all_values_of_few_inputs_are_tried() {
    let program = "_Bool nondet_bool(void); void reach_error(void);
int main(void) { _Bool a = nondet_bool(), b = nondet_bool(); if (a && b && a != b) reach_error(); }";
    prints(&[], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{C}"));
}

#[test]
fn where_there_are_more_inputs_than_can_be_tried_there_are_proofs() {
    let program = "int nondet(void); void reach_error(void); int main(void) { int x = nondet(); if (x != x) reach_error(); }";
    prints(&[], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{C}"));
}

const OVERFLOW: &str = "void reach_error(void); int nondet(void);
int main(void) {
  int x = nondet();
  x = x + 1;
  if (x > 2147483647)
    reach_error();
  return 0;
}
";

#[test]
fn a_run_that_overflows_is_one_of_the_integers_only() {
    let expected = "REACHABLE over the integers only
in C the run is undefined at line 4, `x = x + 1`: a result that does not fit int32
3 steps

step  line  statement          effect
   1     3  x = nondet()       x = 2147483647
   2     4  x = x + 1          x = 2147483648
   3     5  if x > 2147483647  T
         6  reach_error()      reach_error is called
            (finally)          x = 2147483648
";
    prints(&[], OVERFLOW, 10, expected);
    let program = "void reach_error(void); int main(void) {
  int x = 2147483647; x++; if (x < 0) reach_error(); return 0; }";
    let expected = "UNREACHABLE over the integers only
no run reaches reach_error
in C the run is undefined at line 2, `x++`: a result that does not fit int32
";
    prints(&["--int", "math"], program, 0, expected);
    let expected = "UNREACHABLE unless a result overflows
with mathematical integers no run reaches reach_error
in C a result overflows in some run at line 2, `x++`; `--int checked` shows it
`--int math` asks about mathematical integers only
";
    let outcome = prints(&[], program, 5, expected);
    assert!(outcome.stderr.contains("`--int wrap` shows the run"), "{}", outcome.stderr);
}

/// A sum that may overflow, so that the comparison behind it may hold.
const NEXT: &str = "int nondet(void); void reach_error(void); int main(void) {
  int x = nondet();
  int y = x + 1;
  if (y < x) reach_error(); return 0; }";

#[test]
fn what_holds_unless_a_result_overflows_is_unknown() {
    let known = "in C a result overflows in some run at line 3, `y = x + 1`; `--int checked` shows it\n";
    let math = "`--int math` asks about mathematical integers only\n";
    let expected = format!(
        "UNREACHABLE unless a result overflows\nwith mathematical integers no run reaches reach_error\n{known}{math}"
    );
    prints(&[], NEXT, 5, &expected);
    let outcome = check(&["--int", "math"], NEXT);
    assert_eq!((outcome.code, outcome.stdout.lines().next()), (0, Some("UNREACHABLE")), "{}", outcome.stdout);
    let json: Value = serde_json::from_str(&check(&["--json"], NEXT).stdout).expect("it is JSON");
    assert_eq!(json["verdict"], "unknown");
    assert_eq!(json["targets"][0]["verdict"], "unknown");
    assert_eq!(
        (&json["integers"]["about"], &json["integers"]["undefined"]["line"]),
        (&"assumed".into(), &3.into())
    );
    let reason = json["reason"].as_str().expect("there is a reason");
    assert!(reason.starts_with("unreachable unless a result overflows"), "{reason}");
    let sarif = check(&["--sarif", "-"], NEXT).stdout;
    assert!(sarif.contains("unknown: unreachable unless a result overflows"), "{sarif}");
    let outcome = check(&["--target", "reach_error", "--witness", "-"], NEXT);
    assert!(outcome.stderr.contains("no witness is written"), "{}", outcome.stderr);
}

#[test]
fn an_overflow_that_does_not_matter_is_none() {
    let program =
        "int nondet(void); void reach_error(void); int main(void) { int got = 2147483000, locked = 0;
  while (nondet()) { if (locked) reach_error(); locked = 1;
    got++;
    locked = 0; } return 0; }";
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program);
    let outcome = sandbox.run(&["check", "p.c", "--certificate", "p.claim"]);
    let expected = "UNREACHABLE\nno run reaches reach_error\nwith the integers of C: ";
    assert!(outcome.code == 0 && outcome.stdout.starts_with(expected), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(", and the same holds with results that wrap\n"), "{}", outcome.stdout);
    let json: Value = serde_json::from_str(&check(&["--json"], program).stdout).expect("it is JSON");
    assert_eq!((&json["verdict"], &json["integers"]["about"]), (&"unreachable".into(), &"either".into()));
    // What is claimed is about these integers.
    let claim = sandbox.read("p.claim");
    assert!(claim.contains("integers wrap;"), "{claim}");
    assert_eq!(sandbox.run(&["validate", "p.c", "p.claim"]).code, 0);
}

#[test]
fn types_bound_inputs() {
    let program = "unsigned char nondet_uchar(void); void reach_error(void);
int add(unsigned char a, unsigned char b) { return a + b; }
int main(void) { while (nondet_uchar()) if (add(nondet_uchar(), nondet_uchar()) > 510) reach_error(); return 0; }";
    let outcome = check(&[], program);
    assert!(
        outcome.stdout.starts_with(&format!("UNREACHABLE\nno run reaches reach_error\n{C}")),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_certificate_that_is_not_there_is_explained() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", "int main(void) { return 0; }");
    sandbox.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    let outcome = sandbox.run(&["check", "p.c", "--property", "p.prp", "--certificate", "p.claim"]);
    assert!(outcome.stdout.starts_with("UNREACHABLE\n"), "{}", outcome.stdout);
    let told = "there is no certificate: there is nothing that could be reached\n";
    assert!(outcome.stdout.ends_with(told), "{}", outcome.stdout);
    // A run decides it, and nobody proves that it ends without looking at all of its steps.
    let collatz = "int main(void) { int n = 27; while (n != 1) { if (n % 2) n = 3 * n + 1; else n = n / 2; } return 0; }";
    sandbox.file("q.c", collatz);
    let outcome = sandbox.run(&["check", "q.c", "--nonterm", "--certificate", "q.claim"]);
    assert!(outcome.stdout.starts_with("NO INFINITE RUN\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("there is no certificate: runs decide it"), "{}", outcome.stdout);
    assert!(!sandbox.names().contains(&"q.claim".to_owned()));
}

#[test]
fn constants_that_are_divided_are_numbers() {
    let program = "int nondet(void); void reach_error(void);
int power(int b, int e) { int r = 1; while (e > 0) { if (e % 2) r *= b; b *= b; e /= 2; } return r; }
int main(void) { int n = nondet(); if (power(3, 5) != 243) reach_error(); return n; }";
    let outcome = check(&["--timeout", "20"], program);
    assert!(outcome.code == 0 || outcome.code == 5, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn static_variables_have_names_in_claims_and_witnesses() {
    let program = "int nondet(void); void reach_error(void);
int next(void) { static int n = 0; if (n < 100) n++; return n; }
int other(void) { static int n = 5; { static int n = 7; if (n < 50) n++; if (n > 50) reach_error(); } if (n < 9) n++; return n; }
int main(void) { while (nondet()) { int k = next(); if (k < 0) reach_error(); { int k = other(); if (k > 9) reach_error(); } } return 0; }
";
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program);
    let outcome = sandbox.run(&[
        "check",
        "p.c",
        "--target",
        "reach_error",
        "--certificate",
        "p.claim",
        "--witness",
        "p.yml",
    ]);
    assert!(outcome.stdout.starts_with("UNREACHABLE\n"), "{}", outcome.stdout);
    let claim = sandbox.read("p.claim");
    assert!(claim.contains("next.n") && claim.contains("other.n.2"), "{claim}");
    let outcome = sandbox.run(&["validate", "p.c", "p.claim"]);
    assert!(outcome.stdout.starts_with("ACCEPTED\n"), "{}{}", outcome.stdout, outcome.stderr);
    let outcome = sandbox.run(&["witness", "p.yml", "p.c"]);
    assert!(outcome.stdout.starts_with("ACCEPTED\n"), "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn an_overflow_can_be_an_error() {
    let expected = "REACHABLE
with the integers of C: an overflow ends a run
1 step

step  line  statement     effect
   1     3  x = nondet()  x = 2147483647
         4  x = x + 1     a result that does not fit int32
            (finally)     x = 2147483647
";
    prints(&["--target", "overflow"], OVERFLOW, 10, expected);
    let outcome = check(&["--int", "checked", "--trace", "none"], OVERFLOW);
    assert!(outcome.stdout.starts_with("REACHABLE\nreach_error: un"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\noverflow: reachable\n"), "{}", outcome.stdout);
    let program = "int main(void) { int x = 2147483647; unsigned u = x; u = 2 * u + 2; return u == 0; }";
    prints(&["--int", "checked"], program, 0, &format!("UNREACHABLE\nno result overflows\n{C}"));
}

#[test]
fn an_overflow_can_wrap() {
    let program = "void reach_error(void); int main(void) {
  int x = 2147483647; x++; if (x < 0) reach_error(); return 0; }";
    let expected = "REACHABLE with integers that wrap
every result keeps the low bits that its type has
3 steps

step  line  statement       effect
   1     2  x = 2147483647  x = 2147483647
   2     2  x++             x = -2147483648
   3     2  if x < 0        T
         2  reach_error()   reach_error is called
            (finally)       x = -2147483648
";
    prints(&["--int", "wrap"], program, 10, expected);
}

#[test]
fn what_is_not_represented_is_named_with_its_line() {
    let unknown = |declarations: &str, condition: &str| {
        let program = format!(
            "void reach_error(void);\n{declarations}\nint main(void) {{\n  int x = 1;\n  if ({condition})\n    reach_error();\n}}\n"
        );
        let outcome = check(&[], &program);
        assert_eq!(outcome.code, 5, "{condition}: {}{}", outcome.stdout, outcome.stderr);
        outcome.stdout.replace("UNKNOWN: how a run goes on depends on ", "").trim_end().to_owned()
    };
    let other = "an object that is used as one of another type (line 5)";
    assert_eq!(unknown("int a[2];", "*(char *)a"), other);
    assert_eq!(unknown("int a; char *p = (char *)&a;", "*p"), other);
    assert_eq!(unknown("double d;", "d > 1"), "a floating-point number (line 5)");
    assert_eq!(unknown("int f(int);", "f(x)"), "the result of the undefined function `f` (line 5)");
    assert_eq!(unknown("extern int e;", "e"), "`e`, which is defined elsewhere (line 2)");
}

#[test]
fn what_survives_the_unknown_stands() {
    let program =
        "void reach_error(void); int a[2]; int main(void) { int x = a[0], y = 2; if (y > 1) reach_error(); }";
    assert_eq!(check(&[], program).code, 10);
    let program =
        "void reach_error(void); int a[2]; int main(void) { int x = a[0], y = 2; if (y < 1) reach_error(); }";
    prints(&[], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{C}"));
}

#[test]
fn notes_say_what_a_verdict_rests_on() {
    let program = "void reach_error(void); int main(void) { int x;\n if (x == 7) reach_error(); }";
    let outcome = check(&["--trace", "source"], program);
    assert_eq!(outcome.stderr, "note: nothing is stored in x (line 1), so that it may be any number\n");
    let program = "void reach_error(void); int main(void) { int y = 0;\n y = 5 / y; reach_error(); }";
    let outcome = check(&[], program);
    let note = "note: a run ends in a division by zero, line 2: what it does in C is undefined\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, note));
}

#[test]
fn targets_are_labels_assertions_and_calls() {
    let program = "int get(void); void fail(int);
void f(int x) { L: if (x == 3) fail(x); }
int main(void) { f(get()); L: return 0; }
";
    let answer = |targets: &[&str]| {
        let options: Vec<&str> = targets.iter().flat_map(|target| ["--target", target]).collect();
        let outcome = check(&[&options[..], &["--input", "get", "--trace", "none"]].concat(), program);
        (
            outcome.code,
            outcome.stdout.lines().map(str::to_owned).collect::<Vec<_>>().join("; "),
            outcome.stderr,
        )
    };
    let yes = format!("REACHABLE; {}", C_RUN.trim_end());
    for target in ["L", "f:L", "main:L", "fail"] {
        assert_eq!(answer(&[target]), (10, yes.clone(), String::new()), "{target}");
    }
    let both = format!("REACHABLE; f:L: reachable; main:L: reachable; {}", C_RUN.trim_end());
    assert_eq!(answer(&["f:L", "main:L"]).1, both);
    let missing = "error: there is no label `g:L`, and no call of a function of this name\n";
    assert_eq!(answer(&["g:L"]), (2, String::new(), missing.to_owned()));
    let nothing = answer(&[]);
    assert!(nothing.0 == 2 && nothing.2.starts_with("error: nothing to check: "), "{nothing:?}");
}

#[test]
fn two_runs_print_the_same_and_the_seed_may_change_it() {
    let program = "int nondet(void); void reach_error(void);
int main(void) { int x = nondet(), y = nondet(), z = nondet(); if (x * y == z && x > 90 && y > 80) reach_error(); }";
    let (first, second) = (check(&["--json"], program), check(&["--json"], program));
    assert_eq!((first.code, &first.stdout), (second.code, &second.stdout));
    assert_eq!(check(&["--seed", "7"], program).code, first.code);
}

#[test]
fn limits_are_kept() {
    // A sum of three cubes: nobody finds one by chance, or proves that there is none.
    let program = "int nondet(void); void reach_error(void); int main(void) {
  int x = nondet(), y = nondet(), z = nondet(); if (x * x * x + y * y * y + z * z * z == 114) reach_error(); }";
    let outcome = check(&["--timeout", "0.5"], program);
    assert_eq!(outcome.code, 5);
    // A quick solver gives up before, which is said too.
    assert!(outcome.stdout.starts_with("UNKNOWN: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("timeout after 0.5s ("), "{}", outcome.stdout);
    let program = "void reach_error(void); int f(int n) { return f(n + 1) + 1; } int main(void) { if (f(0)) reach_error(); }";
    let wraps = "with the integers of C: a result may overflow, and the same holds with results that wrap\n";
    // Three solvers take more than half of that before they are asked anything.
    prints(&["--memory", "128M"], program, 0, &format!("UNREACHABLE\nno run reaches reach_error\n{wraps}"));
}

/// What is cheap is tried of everything before anything is tried hard: whoever sets a limit learns no less.
#[test]
fn a_limit_of_time_loses_no_answer() {
    let outcome = crate::harness::run(
        crate::harness::root(),
        &["check", "examples/change.c", "--nonterm", "--timeout", "300"],
        "",
    );
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert!(outcome.stdout.starts_with("NO INFINITE RUN\nwith the integers of C: "), "{outcome:?}");
}
