//! Certificates that are no proofs, and what is said about them.

use crate::accepted::LOCK;
use crate::program::load;

#[track_caller]
fn refuses(program: &str, rows: &str, message: &str) {
    assert_eq!(load(program).verdict(&format!("getafix certificate 1\n{rows}")), message);
}

/// A proof for [`LOCK`], to be spoilt.
const PROOF: &str = "n1 = entry locked ? T : F
n2 = locked ? T : F
n3 = entry other ? F : !n1
n4 = other ? F : n2
n5 = other ? F : !n2
function main
entry = n3
node 1 = n4
node 3 = n5
function lock
entry = !n1
node 1 = !n2
node 3 = n2
function unlock
entry = n1
node 0 = n2
node 2 = !n2
";

#[track_caller]
fn spoilt(line: &str, by: &str, message: &str) {
    assert!(PROOF.contains(line), "the proof has the line");
    refuses(LOCK, &PROOF.replacen(line, by, 1), message);
}

#[test]
fn the_proof_is_one() {
    assert_eq!(load(LOCK).verdict(&format!("getafix certificate 1\n{}", PROOF)), "accepted");
}

#[test]
fn without_initial_states() {
    spoilt("entry = n3", "entry = n1", "the initial states of `main` are not covered");
    refuses(LOCK, "", "the initial states of `main` are not covered");
}

#[test]
fn with_a_step_to_a_state_that_is_missing() {
    spoilt(
        "node 1 = !n2",
        "node 1 = n2",
        "line 11: the step `assume !locked` leads out of the summary of `lock` at line 12",
    );
}

#[test]
fn with_an_exit_that_is_missing() {
    spoilt(
        "node 3 = n2",
        "node 3 = F",
        "line 13: the step `end` leads out of the summary of `lock` at line 13",
    );
}

#[test]
fn with_a_call_to_an_entry_that_is_missing() {
    spoilt(
        "entry = n1",
        "entry = F",
        "line 7: the call `unlock()` enters `unlock` in a state that is not covered",
    );
}

#[test]
fn with_a_return_to_a_state_that_is_missing() {
    spoilt(
        "node 1 = n4",
        "node 1 = F",
        "line 5: the step `lock()` leads out of the summary of `main` at line 6",
    );
}

#[test]
fn with_entry_states_that_are_not_at_the_first_node() {
    spoilt("node 0 = n2", "node 0 = F", "the entry states of `unlock` lead out of its summary at line 15");
}

#[test]
fn with_a_goal() {
    spoilt("node 3 = n5", "node 3 = T", "the goal at line 8 of `main` is covered");
}

#[test]
fn with_an_assertion_that_can_fail() {
    let program = "void main() begin decl x;\n assert x | *;\nend";
    refuses(
        program,
        "function main\nentry = T",
        "the assertion at line 2 of `main` fails in a covered state",
    );
}

#[test]
fn if_a_global_that_is_changed_is_taken_for_unchanged() {
    // The summary of `unlock` forgets what becomes of `locked`, which must not be taken from the caller.
    spoilt(
        "node 2 = !n2",
        "node 2 = T",
        "line 7: the step `unlock()` leads out of the summary of `main` at line 8",
    );
}

#[test]
fn if_a_global_is_changed_by_a_function_further_down() {
    let program = "decl g; init g;
    void main() begin f(); ERROR: assume !g; end
    void f() begin h(); end
    void h() begin g := F; end";
    let goal = "n1 = entry g ? T : F\nn2 = g ? T : F\n";
    refuses(
        program,
        &format!(
            "{goal}function main\nentry = n1\nnode 1 = n2\nfunction f\nentry = T\nfunction h\nentry = T"
        ),
        "line 2: the step `f()` leads out of the summary of `main` at line 2",
    );
}

#[test]
fn with_names_of_another_program() {
    spoilt("function lock", "function open", "there is no function `open`");
    spoilt("entry locked", "entry closed", "there is no function `main` with a variable `closed`");
    spoilt("n2 = locked", "n2 = locked[1]", "`locked` has no bit 1");
    spoilt("function main", "order z\nfunction main", "there is no global variable `z`");
    spoilt("function main", "function main\norder x[2]", "`main:x` has no bit 2");
    spoilt("node 2", "node 9", "function `unlock` has no node 9");
}

#[test]
fn with_variables_where_there_are_none() {
    spoilt("n3 = entry other", "n3 = other", "the entry states of `main` speak of a later value of `other`");
    spoilt("n3 = entry other", "n3 = entry x", "`x` is no parameter of `main`, so it has no value at entry");
    let program = "bool f() begin decl x; return x; end void main() begin f(); end";
    let rows = "function main\nentry = T\nfunction f\nentry = T\n";
    refuses(
        program,
        &format!("{rows}n1 = x ? T : F\nnode 2 = n1"),
        "the exit of `f` speaks of the local variable `x`",
    );
    refuses(
        program,
        &format!("{rows}n1 = result.0 ? T : F\nnode 0 = n1"),
        "`f` has `result.0` at its exit only",
    );
}
