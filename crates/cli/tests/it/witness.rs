//! Witnesses: what `check --witness` writes, and what `getafix witness` makes of it, of changed ones and of those of others.

use crate::harness::{Outcome, Sandbox};
use serde_json::Value;

const WRONG: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y;
  if (x > 10 && x < 20) {
    while (x < 20)
      x = x + 1 + (__VERIFIER_nondet_int() == 3);
    if (x == 20 && y == 70000)
      reach_error();
  }
  return 0;
}
";

const RIGHT: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int add(int a, int n) {
  if (n <= 0)
    return a;
  return add(a + 1, n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  int i = 0, s = 0;
  while (i < n) {
    i++;
    s += 2;
  }
  if (s != 2 * n)
    reach_error();
  if (add(3, 4) < 3)
    reach_error();
  return 0;
}
";

const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0) {
    x = x + __VERIFIER_nondet_int();
  }
  return 0;
}
";

/// A sandbox with a program and the witness that is written for it.
fn written(program: &str, options: &[&str]) -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program);
    let outcome = sandbox.run(&[&["check", "p.c", "--witness", "w.yml"], options].concat());
    assert!(matches!(outcome.code, 0 | 10), "{}{}", outcome.stdout, outcome.stderr);
    let witness = sandbox.read("w.yml");
    (sandbox, witness)
}

fn judged(sandbox: &Sandbox, witness: &str) -> Outcome {
    sandbox.file("v.yml", witness);
    sandbox.run(&["witness", "v.yml", "p.c"])
}

#[track_caller]
fn accepted(sandbox: &Sandbox, witness: &str, expected: &str) {
    let outcome = judged(sandbox, witness);
    assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
    assert_eq!(outcome.code, 0);
}

#[track_caller]
fn refused(sandbox: &Sandbox, witness: &str, expected: &str) {
    let outcome = judged(sandbox, witness);
    assert_eq!(
        outcome.stdout.lines().next(),
        Some(&format!("REFUSED: {expected}")[..]),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, 10);
}

#[track_caller]
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "there is no {from} in\n{text}");
    text.replacen(from, to, 1)
}

#[test]
fn a_violation_is_written_and_accepted() {
    let (sandbox, witness) = written(WRONG, &[]);
    for part in [
        "format_version: \"2.0\"",
        "specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"",
        "data_model: LP64",
        "type: function_return",
        "format: acsl_expression",
        "value: \"y == 70000\"",
        "type: target",
    ] {
        assert!(witness.contains(part), "{part}\n{witness}");
    }
    let outcome = judged(&sandbox, &witness);
    let mut lines = outcome.stdout.lines();
    assert_eq!(lines.next(), Some("ACCEPTED"), "{}", outcome.stderr);
    let what = lines.next().expect("what it shows");
    assert!(what.starts_with("the run with ") && what.ends_with("waypoints and calls reach_error"), "{what}");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn two_runs_write_the_same_bytes() {
    let (sandbox, first) = written(WRONG, &[]);
    sandbox.run(&["check", "p.c", "--witness", "w.yml"]);
    assert_eq!(sandbox.read("w.yml"), first);
    let printed = sandbox.run(&["check", "p.c", "--witness", "-"]);
    assert_eq!(printed.stdout, first, "{}", printed.stderr);
    assert!(printed.stderr.contains("REACHABLE"), "the answer goes to stderr then");
}

#[test]
fn a_changed_violation_is_refused() {
    let (sandbox, witness) = written(WRONG, &[]);
    let first =
        witness.lines().find(|line| line.contains("\\\\result == ")).expect("an input").trim().to_owned();
    refused(
        &sandbox,
        &changed(&witness, &first, "value: \"\\\\result == 3\""),
        "the run that it tells of passes 2 of 9 segments; then main returns",
    );
    refused(&sandbox, &changed(&witness, "line: 10", "line: 9"), "the property cannot be violated on line 9");
    refused(&sandbox, &changed(&witness, "line: 4\n", "line: 3\n"), "there is no call on line 3, column 33");
    refused(
        &sandbox,
        &changed(&witness, "y == 70000", "y == 70001"),
        "the run that it tells of passes 8 of 9 segments; then main returns",
    );
    let other = changed(&witness, "reach_error())) )", "abort())) )");
    refused(&sandbox, &other, "the property cannot be violated on line 10");
}

#[test]
fn what_every_property_says_may_be_left_out() {
    let (sandbox, witness) = written(WRONG, &[]);
    let whole = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    for short in [
        "G ! call(reach_error())",
        "LTL(G ! call(reach_error()))",
        "init(main()), LTL(G ! call(reach_error()))",
    ] {
        let outcome = judged(&sandbox, &changed(&witness, whole, short));
        assert!(outcome.stdout.starts_with("ACCEPTED\n"), "{short}: {}{}", outcome.stdout, outcome.stderr);
    }
    let outcome = judged(&sandbox, &changed(&witness, whole, "G ! call()"));
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("this property is not supported"), "{}", outcome.stderr);
}

#[test]
fn another_program_is_noticed() {
    let (sandbox, witness) = written(WRONG, &[]);
    let hash = witness.lines().find(|line| line.contains("\"p.c\": ")).expect("a hash").trim().to_owned();
    let outcome = judged(&sandbox, &changed(&witness, &hash, "\"p.c\": \"00\""));
    assert_eq!(outcome.code, 0);
    assert_eq!(
        outcome.stderr,
        "note: the witness was written for another program, or for another version of this one\n"
    );
}

/// A violation in the way another tool might tell of it: waypoints that leave inputs open.
fn open(segments: &str) -> String {
    format!(
        "- entry_type: violation_sequence
  metadata:
    format_version: '2.0'
    uuid: 0b2f43bc-8a5f-4f5a-8d3b-1f1d1c1b1a19
    creation_time: 2024-05-06T07:08:09+02:00
    producer: {{name: other, version: '1'}}
    task:
      input_files: [p.c]
      input_file_hashes: {{}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: ILP32
      language: C
  content:
{segments}
    - segment:
      - waypoint: {{type: target, action: follow, location: {{file_name: p.c, line: 10}}}}
"
    )
}

#[test]
fn open_inputs_are_looked_for() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", WRONG.replace("70000", "7"));
    let branches = "    - segment:
      - waypoint: {type: branching, action: follow, location: {file_name: p.c, line: 6}, constraint: {value: true}}
    - segment:
      - waypoint: {type: branching, action: avoid, location: {file_name: p.c, line: 9}, constraint: {value: false}}
      - waypoint: {type: assumption, action: follow, location: {file_name: p.c, line: 9}, constraint: {value: x == 20, format: c_expression}}";
    let outcome = judged(&sandbox, &open(branches));
    assert!(outcome.stdout.starts_with("ACCEPTED\nthe run with "), "{}{}", outcome.stdout, outcome.stderr);
    // No run comes to the target after the first decision went the other way.
    let other = open(&branches.replacen("value: true", "value: false", 1));
    let outcome = judged(&sandbox, &other);
    assert_eq!(
        outcome.stdout, "REFUSED: no run that passes its waypoints violates the property\n",
        "{}",
        outcome.stderr
    );
}

#[test]
fn mistakes_in_expressions_have_places() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", WRONG);
    let segment = |value: &str| {
        open(&format!(
            "    - segment:
      - waypoint:
          type: assumption
          action: follow
          location: {{file_name: p.c, line: 7}}
          constraint:
            value: {value}"
        ))
    };
    for (value, message, column) in [
        ("\"x == z\"", "there is no variable `z` here", 26),
        ("'x = 3'", "this changes something or calls a function; expected a condition", 21),
        ("x ==", "expected an expression, found the end of the file", 24),
    ] {
        let outcome = judged(&sandbox, &segment(value));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{value}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{value}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(&format!("v.yml:20:{column}")), "{value}: {}", outcome.stderr);
    }
}

#[test]
fn correctness_is_written_and_accepted() {
    let (sandbox, witness) = written(RIGHT, &[]);
    for part in ["entry_type: invariant_set", "type: loop_invariant", "line: 13", "format: c_expression"] {
        assert!(witness.contains(part), "{part}\n{witness}");
    }
    let outcome = judged(&sandbox, &witness);
    assert!(
        outcome.stdout.starts_with("ACCEPTED\nthe property holds"),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    assert_eq!(outcome.code, 0);
}

/// A witness with one invariant of the loop of `RIGHT`.
fn invariant(kind: &str, line: u32, value: &str) -> String {
    open("").split("  content:").next().expect("the beginning").replace("violation_sequence", "invariant_set")
        + &format!(
            "  content:
  - invariant:
      type: {kind}
      location: {{file_name: p.c, line: {line}}}
      value: {value}
      format: c_expression
"
        )
}

#[test]
fn invariants_of_others() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", RIGHT);
    let holds = "ACCEPTED\nthe property holds, and so does the invariant\nwith the integers of C\n";
    accepted(&sandbox, &invariant("loop_invariant", 13, "s == 2 * i && i <= n"), holds);
    accepted(&sandbox, &invariant("location_invariant", 17, "i >= n && (long long)s + 1 > 2LL * i"), holds);
    refused(
        &sandbox,
        &invariant("loop_invariant", 13, "s == 2 * i && i < 5"),
        "line 13: `s == 2 * i && i < 5` does not always hold",
    );
    refused(&sandbox, &invariant("loop_invariant", 14, "1"), "there is no loop on line 14");
    let outcome = judged(&sandbox, &invariant("loop_transition_invariant", 13, "1"));
    assert_eq!(outcome.stdout, "UNKNOWN: the property holds, but 1 of 1 entries are not checked\n");
    assert_eq!(outcome.code, 5);
}

#[test]
fn a_refused_invariant_comes_with_a_run() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", RIGHT);
    let outcome = judged(&sandbox, &invariant("loop_invariant", 13, "i < 2"));
    assert!(outcome.stdout.contains("line  statement"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("i = 2"), "{}", outcome.stdout);
}

#[test]
fn contracts_are_checked() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", RIGHT);
    let contract = |ensures: &str| {
        changed(&invariant("loop_invariant", 13, "1"), "content:\n", &format!(
            "content:\n  - contract:\n      type: function_contract\n      location: {{file_name: p.c, line: 3, function: add}}\n      requires: \"1\"\n      ensures: '{ensures}'\n      format: ext_c_expression\n"
        ))
        .replace("'2.0'", "'2.1'")
    };
    let right = judged(&sandbox, &contract("\\result >= \\at(a, Old)"));
    assert!(right.stdout.starts_with("ACCEPTED"), "{}{}", right.stdout, right.stderr);
    refused(&sandbox, &contract("\\result == \\at(a, Old)"), "line 3: the contract is violated");
}

#[test]
fn a_witness_of_correctness_of_a_wrong_program_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", WRONG.replace("70000", "7"));
    refused(&sandbox, &invariant("loop_invariant", 7, "x <= 21"), "the property does not hold");
}

#[test]
fn runs_without_end() {
    let (sandbox, witness) = written(ENDLESS, &["--nonterm"]);
    assert!(witness.contains("format_version: \"2.1\"") && witness.contains("action: cycle"), "{witness}");
    accepted(
        &sandbox,
        &witness,
        "ACCEPTED\nthe run with the inputs 1, 0, 0 goes around the cycle for ever\n",
    );
    refused(
        &sandbox,
        &witness.replace("\\\\result == 0", "\\\\result == -1"),
        "the run that it tells of passes 2 of 3 segments; then main returns",
    );
}

#[test]
fn overflows() {
    let program = "extern int nondet_int(void);
int main(void) {
  int x = nondet_int();
  if (x > 5)
    x = x + 1;
  return x;
}
";
    let (sandbox, witness) = written(program, &["--int", "checked", "--target", "overflow"]);
    assert!(witness.contains("LTL(G ! overflow)"), "{witness}");
    accepted(
        &sandbox,
        &witness,
        "ACCEPTED\nthe run with the inputs 2147483647 passes its waypoint and overflows\n",
    );
    refused(
        &sandbox,
        &changed(&witness, "2147483647", "2147483646"),
        "the run that it tells of passes 1 of 2 segments; then main returns",
    );
}

#[test]
fn what_the_format_does_not_know_is_no_witness() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", "int main(void) { int x = 3; assert(x == 4); return 0; }\n");
    let outcome = sandbox.run(&["check", "p.c", "--witness", "w.yml"]);
    assert_eq!(outcome.code, 10);
    assert_eq!(
        outcome.stderr,
        "note: no witness is written: the run reaches something else, and the format knows calls of a function, overflows and runs without end\n"
    );
    assert_eq!(sandbox.names(), ["p.c"]);
    let overflowing = "extern void reach_error(void); int main(void) { int x = 2147483647; x = x + 1; if (x > 0) reach_error(); }";
    sandbox.file("p.c", overflowing);
    let outcome = sandbox.run(&["check", "p.c", "--witness", "w.yml"]);
    assert!(outcome.stdout.starts_with("REACHABLE over the integers only"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("no witness is written: the answer is not about the integers of C"));
    assert_eq!(sandbox.names(), ["p.c"]);
}

#[test]
fn json() {
    let (sandbox, witness) = written(WRONG, &[]);
    sandbox.file("v.yml", &witness);
    let outcome = sandbox.run(&["witness", "v.yml", "p.c", "--json"]);
    let object: Value = serde_json::from_str(&outcome.stdout).expect("an object");
    assert_eq!(object["verdict"], "accepted");
}

#[test]
fn usage() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", WRONG).file("w.yml", "nonsense");
    let outcome = sandbox.run(&["witness", "w.yml", "p.c"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .starts_with("error: expected a list of entries, each `- entry_type: …`, found `nonsense`"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("w.yml:1:1"), "{}", outcome.stderr);
    let outcome = sandbox.run(&["witness", "missing.yml", "p.c"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, "error: `missing.yml` does not exist\n"));
    let outcome = sandbox.run(&["check", "p.c", "p.c", "--witness", "w.yml"]);
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (2, "error: `--witness` names one file, so it goes with one program\n")
    );
}
