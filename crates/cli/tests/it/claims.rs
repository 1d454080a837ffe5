//! `getafix validate` of claims about programs in C.

use crate::harness::{Outcome, Sandbox, root, schema};
use serde_json::Value;

const PROGRAM: &str = "extern int nondet_int(void);
extern void reach_error(void);

int sum(int n) {
    if (n <= 0)
        return 0;
    return sum(n - 1) + 1;
}

int main(void) {
    int n = nondet_int();
    if (n > 0 && sum(n) < n)
        reach_error();
    while (n > 0)
        n = n + 1;
    return 0;
}
";

const UNREACHABLE: &str = "getafix claim 1;
program 0x1;
integers math;
unreachable reach_error;
sum @entry: true;        // line 5
sum @2: n > 0;           // line 7
sum @3: $1 >= n - 1;     // line 7
sum @exit: $ret >= n;    // line 8
main @entry: true;       // line 11
main @2: n > 0;          // line 12
main @3: $1 >= n;        // line 12
main @5: true;           // line 14
main @exit: true;        // line 17
";

// A call of what is an error would end the program.
const ENDLESS: &str = "getafix claim 1;
program 0;
integers math;
endless;
input 0 = 7;
sum @entry: true;
sum @2: n > 0;
sum @3: $1 >= n - 1;
sum @exit: $ret >= n;
main @entry: true;
main @2: n > 0;
main @3: n > 0 && $1 >= n;
main @5: n > 0;
";

fn validate(program: &str, claim: &str, options: &[&str]) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program).file("p.claim", claim);
    sandbox.run(&[&["validate", "p.c", "p.claim"], options].concat())
}

#[track_caller]
fn prints(claim: &str, options: &[&str], code: i32, stdout: &str) -> Outcome {
    let outcome = validate(PROGRAM, claim, options);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (code, stdout), "{}", outcome.stderr);
    outcome
}

#[track_caller]
fn rejects(claim: &str, options: &[&str], stderr: &str) {
    let outcome = prints(claim, &[options, &["-q"]].concat(), 2, "");
    assert_eq!(outcome.stderr, stderr);
}

#[test]
fn a_claim_is_accepted_if_it_is_a_proof() {
    let outcome = prints(UNREACHABLE, &[], 0, "ACCEPTED\nno run reaches reach_error\n");
    assert_eq!(
        outcome.stderr,
        "note: the claim was written for another program, or for another version of this one\n"
    );
    let outcome = prints(UNREACHABLE, &["-q", "--stats"], 0, "ACCEPTED\nno run reaches reach_error\n");
    assert!(outcome.stderr.contains("rules, "), "{}", outcome.stderr);
}

/// Refused, with this at the beginning of the reason; the numbers of an example are the solver's.
#[track_caller]
fn refuses(claim: &str, reason: &str) {
    let outcome = validate(PROGRAM, claim, &["-q"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (10, ""), "{}", outcome.stdout);
    assert!(outcome.stdout.starts_with(&format!("REFUSED: {reason}")), "{}", outcome.stdout);
}

#[test]
fn a_claim_is_refused_with_the_place_where_it_fails() {
    let with = |old: &str, new: &str| {
        assert!(UNREACHABLE.contains(old));
        UNREACHABLE.replace(old, new)
    };
    let step = with("main @3: $1 >= n;", "main @3: true;");
    refuses(&step, "line 12: from main @3 to @4: it does not hold, for example with $1 = ");
    let summary = with("sum @exit: $ret >= n;", "sum @exit: $ret >= 0;");
    refuses(
        &summary,
        "line 7: from sum @2 behind the call of sum, @3: it does not hold, for example with n = ",
    );
    refuses(&with("main @entry: true;", ""), "line 10: at the start of main: it does not hold\n");
    refuses(
        &with("sum @entry: true;", "sum @entry: n > 3;"),
        "line 7: from sum @2 into sum @entry: it does not hold",
    );
    refuses(
        &with("main @5: true;", "main @4: true; main @5: true;"),
        "line 13: at main @4, which must not be reached: it does not hold\n",
    );
    let outcome = validate(PROGRAM, &step, &["--json"]);
    let value: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!((value["verdict"].as_str(), outcome.code), (Some("refused"), 10));
    let text = std::fs::read_to_string(root().join("docs/output.schema.json")).expect("a schema");
    let schema_text: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema::validate(&schema_text, &value), Ok(()));
}

#[test]
fn a_run_that_never_ends_is_a_claim_too() {
    prints(ENDLESS, &["-q"], 0, "ACCEPTED\nno run ends in which nondet_int on line 11 is 7\n");
    refuses(&ENDLESS.replace("= 7", "= -7"), "line 11: from main @entry to @");
}

#[test]
fn a_claim_that_cannot_be_read_is_rejected_with_its_place() {
    rejects(
        "getafix claim 3;",
        &[],
        "error: claims of this version are not known; expected `getafix claim 1` or `getafix claim 2`\n  --> p.claim:1:15\n 1 | getafix claim 3;\n   |               ^\n",
    );
    rejects(
        &UNREACHABLE.replace("sum @2: n > 0", "sum @2: m > 0"),
        &[],
        "error: there is no variable `m` here\n  --> p.claim:6:9\n 6 | sum @2: m > 0;           // line 7\n   |         ^\n",
    );
    rejects(
        &UNREACHABLE.replace("sum @2", "sun @2"),
        &[],
        "error: there is no function `sun`\n  --> p.claim:6:1\n 6 | sun @2: n > 0;           // line 7\n   | ^^^\nnote: did you mean `sum`?\n",
    );
    rejects(
        &UNREACHABLE.replace("sum @2", "sum @99"),
        &[],
        "error: `sum` has 5 points\n  --> p.claim:6:6\n 6 | sum @99: n > 0;           // line 7\n   |      ^^\n",
    );
    rejects(
        &UNREACHABLE.replace("sum @2", "sum @3"),
        &[],
        "error: this point has a formula already\n  --> p.claim:7:6\n 7 | sum @3: $1 >= n - 1;     // line 7\n   |      ^\n",
    );
    rejects("", &[], "error: expected `getafix`, found the end\n  --> p.claim:1:1\n 1 | \n   | ^\n");
}

#[test]
fn a_claim_about_other_targets_proves_nothing_else() {
    rejects(
        UNREACHABLE,
        &["--target", "ERROR"],
        "error: there is no label `ERROR`, and no call of a function of this name\n",
    );
    rejects(
        ENDLESS,
        &["--target", "reach_error"],
        "error: the claim is about whether runs end, and `--target` is about what is reached\n",
    );
}

#[test]
fn without_a_solver_there_is_a_hint() {
    let outcome = validate(PROGRAM, UNREACHABLE, &["-q", "--solver", "missing/z3"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert_eq!(
        outcome.stderr,
        "error: there is no solver `missing/z3`; `pip install z3-solver` installs one, `--solver PATH` or `GETAFIX_SOLVER` names \
         one (z3 4.11.2 or later)\n"
    );
}

#[cfg(unix)]
#[test]
fn what_a_broken_solver_does_not_confirm_is_unknown() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", PROGRAM).file("p.claim", UNREACHABLE).script("z3", "#!/bin/sh\nexit 1\n");
    let outcome = sandbox.run(&["validate", "p.c", "p.claim", "--solver", "./z3"]);
    assert_eq!(outcome.code, 5, "{}", outcome.stderr);
    assert!(
        outcome.stdout.starts_with("UNKNOWN: line 10: at the start of main: not confirmed: "),
        "{}",
        outcome.stdout
    );
}

#[test]
fn options_of_programs_in_c_are_not_for_others() {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", "void main() begin skip; end\n").file("p.cert", "");
    let outcome = sandbox.run(&["validate", "p.bp", "p.cert", "--solver", "z3"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "error: `--solver` is about programs in C, which are files `.c`, `.i` or `.yml`, or read with `--language c`\n"
    );
}
