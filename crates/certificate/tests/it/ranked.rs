//! Certificates about infinite runs of sequential programs, written by hand, and everything that differs from them in one place.

use crate::changed::changes;
use crate::program::{Program, load};
use base::Stop;
use certificate::of_ranked;
use certificate::ranked::{Outcome, read, validate, write};
use rsm::{Goal, ModuleId, NodeId};

/// A function that counts down, called until its result is 0.
const DOWN: &str = "decl g;
void main() begin
  decl x: int<2>;
  x := 3;
  while x > 0 do
    x := down(x);
  od
end
int<2> down(n: int<2>) begin
  g := *;
  return n - 1;
end
";

const DOWN_ENDS: &str = "getafix certificate of infinite runs 2
claim nonterm
p0 = main 0 # line 4
p1 = main 1 x # line 5
p2 = main 2 x # line 6
p3 = down 0 n # line 10
f0 = main
f1 = down n
e f0
p0 14
p1 13 3
p2 12 3
p1 11 2
p2 10 2
p1 9 1
p2 8 1
p1 7 0
e f1 3
p3 1 3
e f1 2
p3 3 2
e f1 1
p3 5 1
";

/// The label is passed once, and the loop goes on for ever.
const ONCE: &str = "decl done, g;
init !done;
void main() begin
  while T do
    if !done then L: step(); fi
    g := !g;
  od
end
void step() begin
  assume !done;
  done := T;
end
";

const ONCE_PASSED: &str = "getafix certificate of infinite runs 2
claim repeat L
p0 = main 0 done # line 4
p1 = main 1 done # line 5
p2 = main 2 done # line 5
p3 = main 3 done # line 6
p4 = step 0 done # line 10
f0 = main done
f1 = step done
e f0 0
p0 5 0
p1 4 0
p2+ 3 0
p3+ 2 1
p0+ 2 1
p1+ 2 1
e f1 0
p4 1 0
";

/// The label is in the function that is called, which is entered with one value only.
const INSIDE: &str = "decl fuel, g;
init fuel;
void main() begin
  while T do
    if fuel then burn(F); fi
    g := *;
  od
end
void burn(x) begin
  enforce fuel | x;
  x := T;
  L: fuel := F;
end
";

const INSIDE_PASSED: &str = "getafix certificate of infinite runs 2
claim repeat L
p0 = main 0 fuel # line 4
p1 = main 1 fuel # line 5
p2 = main 2 fuel # line 5
p3 = main 3 fuel # line 6
p4 = burn 0 fuel x # line 11
p5 = burn 1 fuel x # line 12
f0 = main fuel
f1 = burn fuel x
e f0 1
p0 7 1
p1 6 1
p2 5 1
p3+ 4 0
p0+ 4 0
p1+ 4 0
e f1 1 0
p4 2 1 0
p5+ 1 1 1
";

/// The function has a local of which nothing is known, and an `enforce` that keeps runs from the label.
const CHOSEN: &str = "decl g;
void main() begin
  while g do
    try(*);
  od
end
void try(x) begin
  decl y;
  enforce !x | !y;
  if x & y then
    L: skip;
  fi
  g := y & !x;
end
";

const CHOSEN_NEVER: &str = "getafix certificate of infinite runs 2
claim repeat L
p0 = main 0 g # line 3
p1 = main 1 # line 4
p2 = try 0 x y # line 10
p3 = try 2 x y # line 13
f0 = main g
f1 = try x
e f0 0
p0 1 0
e f0 1
p0 16 1
p1 16
p0 11 0
e f1 0
p2 5 0 0
p3 4 0 0
p2 8 0 1
p3 7 0 1
e f1 1
p2 14 1 0
p3 13 1 0
";

/// `accepted`, or why it is not.
fn verdict(program: &Program, text: &str) -> String {
    let ranked = match read(&program.rsm, text) {
        Ok(ranked) => ranked,
        Err(problem) => return format!("{problem:?}"),
    };
    let goals: Vec<Goal> = program
        .rsm
        .modules
        .iter()
        .enumerate()
        .flat_map(|(m, module)| {
            let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
            labelled.map(move |(n, _)| Goal::At(ModuleId::new(m), NodeId::new(n)))
        })
        .collect();
    let goals = text.contains("claim repeat").then_some(&goals[..]);
    match validate(&program.rsm, &program.sources, goals, &ranked, &Stop::default()) {
        Ok(Outcome::Accepted(_)) => "accepted".to_owned(),
        Ok(Outcome::Refused(message)) => message,
        Err(reason) => panic!("stopped: {reason:?}"),
    }
}

/// The certificate is a proof, and nothing that differs from it in one place is one, but for these: other numbers of states, in the same order where
/// it matters.
#[track_caller]
fn tight(program: &str, text: &str, harmless: &[&str]) {
    let program = load(program);
    let ranked = read(&program.rsm, text).expect("it is well formed");
    assert_eq!(write(&program.rsm, &program.sources, &ranked), text);
    assert_eq!(verdict(&program, text), "accepted");
    let changed = changes(text);
    assert!(changed.len() > 60);
    let accepted = changed.iter().filter(|(_, text)| verdict(&program, text) == "accepted");
    let accepted: Vec<&str> = accepted.map(|(what, _)| what.as_str()).collect();
    assert_eq!(accepted, harmless);
}

#[test]
fn a_function_that_counts_down() {
    tight(DOWN, DOWN_ENDS, &["p0 15", "p1 6 0", "p3 2 3", "p3 0 3", "p3 4 2", "p3 2 2", "p3 6 1", "p3 4 1"]);
}

#[test]
fn a_label_that_is_passed_once() {
    tight(ONCE, ONCE_PASSED, &["p0 6 0", "p0 4 0", "p1 5 0", "p1 3 0", "p2+ 4 0", "p4 2 0", "p4 0 0"]);
}

#[test]
fn a_label_inside_of_a_function() {
    let numbers =
        ["p0 8 1", "p0 6 1", "p1 7 1", "p1 5 1", "p2 6 1", "p4 3 1 0", "p4 1 1 0", "p5+ 2 1 1", "p5+ 0 1 1"];
    tight(INSIDE, INSIDE_PASSED, &numbers);
}

#[test]
fn a_local_of_which_nothing_is_known() {
    // The point may as well be the label itself, where no state is that a run gets to.
    let harmless = [
        "p3 = try 1 x y # line 13",
        "p0 2 0",
        "p0 0 0",
        "p0 12 0",
        "p0 10 0",
        "p2 6 0 0",
        "p2 4 0 0",
        "p3 5 0 0",
        "p3 3 0 0",
        "p2 9 0 1",
        "p2 7 0 1",
        "p3 8 0 1",
        "p3 6 0 1",
        "p2 15 1 0",
        "p2 13 1 0",
        "p3 14 1 0",
        "p3 12 1 0",
    ];
    tight(CHOSEN, CHOSEN_NEVER, &harmless);
}

#[test]
fn what_holds_before_each_statement() {
    let program = load(ONCE);
    let ranked = read(&program.rsm, ONCE_PASSED).expect("it is well formed");
    let told = of_ranked(&program.rsm, &ranked, &Stop::default()).expect("nobody stops it");
    let at = |statement: &str| {
        let here = told.iter().find(|holds| program.sources.text(holds.span).starts_with(statement));
        here.map_or_else(String::new, |holds| holds.clauses.join(" & "))
    };
    assert_eq!([at("step()"), at("g := !g")], ["!done", "done"]);
}

#[test]
fn refusals_say_what_is_wrong() {
    let program = load(ONCE);
    for (old, new, message) in [
        ("p3 = main 3", "p3 = main 5", "`p3` is not of this program"),
        (
            "f1 = step done",
            "f1 = step",
            "Malformed(ReadError { line: 17, message: \"expected 0 values, found 1\" })",
        ),
        (
            "p0 5 0",
            "p0 5 2",
            "state 0 is in another function than its entry, or has values that its variables do not have",
        ),
        (
            "p0 = main 0 done",
            "p0 = main 0",
            "Malformed(ReadError { line: 11, message: \"expected 0 values, found 1\" })",
        ),
        (
            "claim repeat L",
            "claim nonterm",
            "`main 2 done=0` (line 5) is reached from entry 0, and is not in the set",
        ),
        (
            "p2+ 3 0",
            "p2 3 0",
            "`main 2 done=0` (line 5) is reached from entry 0, past a goal, and is not in the set",
        ),
        ("e f1 0\n", "e f1 1\n", "`step 0` (line 10) is entered with values that no entry of the set has"),
        (
            "p3+ 2 1\n",
            "",
            "`main 3 done=1` (line 6) is reached from entry 0, past a goal, and is not in the set",
        ),
        ("p4 1 0\n", "", "`step 0 done=0` (line 10) is reached from entry 1, and is not in the set"),
        (
            "p4 1 0",
            "p4 7 0",
            "`main 2 done=0` (line 5) with number 3 leads to `step 0 done=0` (line 10) with number 7, which is not smaller",
        ),
        (
            "p1 4 0",
            "p1 9 0",
            "`main 0 done=0` (line 4) with number 5 leads to `main 1 done=0` (line 5) with number 9, which is larger",
        ),
    ] {
        assert!(ONCE_PASSED.contains(old), "{old}");
        assert_eq!(verdict(&program, &ONCE_PASSED.replacen(old, new, 1)), message);
    }
}
