//! Formula files say what they ask: words of the verdict, labels, bounds, claims, reductions; and every mistake in saying so.

use crate::harness::formula::{check, says, shipped};
use crate::harness::{Sandbox, root, schema};
use serde_json::{Value, json};

/// A gate that may be left out, work that may be nested.
pub const GATE: &str = "\
decl open;
init !open;

void work()
begin
  W: skip;
  if (*) then
    work();
  fi
end

void main()
begin
  if (*) then
    G: open := T;
  fi;
  work();
  END: skip;
end
";

/// What runs reach, by summaries.
const REACH: &str = "
mu bool Reach(State u, State v)
    (Init(u) & u = v)
  | (exists State x. Reach(u, x) & ProgramInt(x, v))
  | (exists State w, State x. Reach(w, x) & IntoCall(x, u) & u = v)
  | (exists State x, State y, State z. Reach(u, x) & IntoCall(x, y) & Reach(y, z) & Exit(z) & Return(x, z, v));
";

/// What runs reach if a return may go to any call.
const FLAT: &str = "
mu bool Reach(State v)
    Init(v)
  | (exists State x. Reach(x) & ProgramInt(x, v))
  | (exists State x. Reach(x) & IntoCall(x, v))
  | (exists State x, State z. Reach(x) & Reach(z) & Exit(z) & Return(x, z, v));
";

/// Some target is reached.
const TO_TARGET: &str = "exists State u, State v. Reach(u, v) & Target(v);";

/// Two calls of one function: who forgets the caller takes the second for the first.
const TWICE: &str = "
decl open; init !open;
bool toggle() begin open := !open; return open; end
void main() begin
  decl first, second;
  first := toggle();
  second := toggle();
  assert(first != second);
  assert(!open);
end
";

/// The formula is refused: the message, the line and column, if there is a place, and that the message is the only one.
#[track_caller]
fn refused(formula: &str, options: &[&str], place: Option<(u32, u32)>, message: &str) {
    let outcome = check(GATE, formula, &[&["--target", "W"], options].concat());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    let first = outcome.stderr.lines().next().unwrap_or_default();
    assert_eq!(first, format!("error: {message}"), "{}", outcome.stderr);
    match place {
        Some((line, column)) => {
            let place = format!("--> f.mu:{line}:{column}\n");
            assert!(outcome.stderr.contains(&place), "{place} {}", outcome.stderr);
        }
        None => assert!(!outcome.stderr.contains("-->"), "{}", outcome.stderr),
    }
}

/// The object that `--json` prints, which follows the schema.
#[track_caller]
fn object(program: &str, formula: &str, options: &[&str], code: i32) -> Value {
    let outcome = check(program, formula, &[&["--json"], options].concat());
    assert_eq!(outcome.code, code, "{outcome:?}");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    schema::validate(&schema, &object).unwrap_or_else(|problem| panic!("{problem} in {object:#}"));
    object
}

#[test]
fn words_of_the_verdict_say_what_true_means() {
    // The query is true of the label W, false of a label behind `assume(F)`.
    let program = GATE.replace("END: skip;", "END: skip; assume(F); NEVER: skip;");
    for (words, yes, no) in
        [("reachable", (10, "REACHABLE"), (0, "UNREACHABLE")), ("violated", (10, "VIOLATED"), (0, "HOLDS"))]
    {
        let formula = format!("{REACH}#verdict {words} \"something\";\n{TO_TARGET}");
        let outcome = says(&program, &formula, &["-t", "W"], yes.0, &[yes.1, "something", "2 steps", ""]);
        assert!(outcome.stdout.contains("W reached"), "{outcome:?}");
        says(&program, &formula, &["-t", "NEVER"], no.0, &[no.1, "no run: something"]);
        assert_eq!(object(&program, &formula, &["-t", "NEVER"], no.0)["trace"], Value::Null);
        let object = object(&program, &formula, &["-t", "W"], yes.0);
        assert_eq!(object["verdict"], yes.1.to_lowercase());
        assert_eq!(object["about"], "something");
        assert_eq!(object["trace"]["n_steps"], 2);
        assert_eq!(object["targets"][0]["verdict"], yes.1.to_lowercase());
    }
    for (words, yes, no) in
        [("unreachable", (10, "REACHABLE"), (0, "UNREACHABLE")), ("holds", (10, "VIOLATED"), (0, "HOLDS"))]
    {
        let query = TO_TARGET.replace("exists", "!(exists").replace(';', ");");
        let formula = format!("{REACH}#verdict {words} \"something\";\n{query}");
        says(&program, &formula, &["-t", "W"], yes.0, &[yes.1, "something", "2 steps", ""]);
        says(&program, &formula, &["-t", "NEVER"], no.0, &[no.1, "no run: something"]);
    }
}

#[test]
fn words_about_infinite_runs_say_what_true_means() {
    let ends = "void main() begin skip; end";
    let loops = "void main() begin while (T) do skip; od end";
    let forever = "nu bool Forever(State s) exists State v. ProgramInt(s, v) & Forever(v);\n";
    for (words, query) in [
        ("#verdict infinite run \"it goes on\";", "exists State u. Init(u) & Forever(u);"),
        ("#verdict no infinite run \"it goes on\";", "!(exists State u. Init(u) & Forever(u));"),
    ] {
        let formula = format!("{forever}{words}\n{query}");
        let found = ["INFINITE RUN", "it goes on", "2 steps, then 2 steps for ever", ""];
        says(loops, &formula, &[], 10, &found);
        says(ends, &formula, &[], 0, &["NO INFINITE RUN", "no run: it goes on"]);
        let object = object(loops, &formula, &[], 10);
        assert_eq!(object["verdict"], "infinite run");
        assert_eq!(object["trace"]["cycle"]["growth"], 0);
        assert_eq!(object["targets"], json!([]));
    }
    // A finite run is no infinite one, whatever the file says.
    let formula = format!("{REACH}#verdict infinite run;\nexists State u, State v. Reach(u, v) & Target(v);");
    says(
        GATE,
        &formula,
        &["-t", "W"],
        5,
        &["UNKNOWN: the formula says infinite run, but its derivation is no run of the program: it ends"],
    );
}

#[test]
fn without_words_the_formula_tells() {
    let reachable = format!("{REACH}{TO_TARGET}");
    says(GATE, &reachable, &["-t", "W"], 10, &["REACHABLE", "2 steps"]);
    let infinite =
        "nu bool F(State s) exists State v. ProgramInt(s, v) & F(v); exists State u. Init(u) & F(u);";
    says("void main() begin while (T) do skip; od end", infinite, &[], 10, &["INFINITE RUN"]);
    let moves = "forall State u. Init(u) -> (exists State v. ProgramInt(u, v));";
    says(GATE, moves, &[], 0, &["the query is true"]);
    says(GATE, "forall State u. Init(u) -> Exit(u);", &[], 10, &["the query is false"]);
    says(GATE, "exists State u. Init(u) & Exit(u);", &[], 10, &["the query is false"]);
}

/// Only its author knows whether it is good that a label is reached.
#[test]
fn without_words_nobody_says_that_a_label_is_good() {
    let formula = |query: &str| format!("#label A = \"work:W\";{REACH}{query}");
    let reached = formula("exists State u, State v. Reach(u, v) & A(v);");
    says(GATE, &reached, &[], 0, &["the query is true", "2 steps", ""]);
    let never = formula("!(exists State u, State v. Reach(u, v) & A(v));");
    says(GATE, &never, &[], 10, &["the query is false", "2 steps", ""]);
    assert_eq!(object(GATE, &reached, &[], 0)["verdict"], "the query is true");
    assert_eq!(object(GATE, &never, &[], 10)["verdict"], "the query is false");
    let told = format!("#verdict violated;\n{reached}");
    says(GATE, &told, &[], 10, &["VIOLATED", "2 steps"]);
    let asked = outcome_of_threads(&reached);
    assert!(asked.contains("the query is "), "{asked}");
}

/// The first line about a program with threads.
fn outcome_of_threads(formula: &str) -> String {
    let program = "thread p begin void work() begin W: skip; end void main() begin work(); end end";
    let formula = formula.replace("(u, v) & A(v)", "(u, v)").replace("#label A = \"work:W\";", "");
    let formula = formula.replace("Init(u)", "(exists Thread t. Start(t, u))");
    let outcome = check(program, &format!("#param k = 1; {formula}"), &["-k", "1"]);
    outcome.stdout + &outcome.stderr
}

/// What holds because of a run is shown with it, and its opposite without.
#[test]
fn a_run_is_shown_with_the_answer_that_has_one() {
    let formula = format!("{REACH}#verdict holds \"it is reached\";\n{TO_TARGET}");
    says(GATE, &formula, &["-t", "W"], 0, &["HOLDS", "it is reached", "2 steps", ""]);
    let program = GATE.replace("END: skip;", "assume(F); END: skip;");
    let outcome = says(&program, &formula, &["-t", "END"], 10, &["VIOLATED", "no run: it is reached"]);
    assert_eq!(outcome.stdout.lines().count(), 2, "{outcome:?}");
    assert_eq!(outcome.stderr, "note: there is no trace: the answer does not rest on a run\n");
    let outcome = says(GATE, "#verdict violated \"always\"; true;", &[], 10, &["VIOLATED", "always"]);
    assert_eq!(outcome.stderr, "note: there is no trace: the answer does not rest on a run\n");
    says(
        GATE,
        "#verdict reachable; true;",
        &[],
        5,
        &[
            "UNKNOWN: the formula says reachable, but its derivation is no run of the program: it has none in it",
        ],
    );
}

#[test]
fn words_of_the_verdict_are_six() {
    const WORDS: &str =
        "`reachable`, `unreachable`, `violated`, `holds`, `infinite run` or `no infinite run`";
    let with = |note: &str| format!("{note}\n{REACH}{TO_TARGET}");
    refused(&with("#verdict maybe;"), &[], Some((1, 10)), &format!("expected {WORDS}, found `maybe`"));
    refused(&with("#verdict;"), &[], Some((1, 9)), &format!("expected {WORDS}, found the end of `#verdict`"));
    refused(&with("#verdict infinite;"), &[], Some((1, 18)), "expected `run`, found the end of `#verdict`");
    refused(&with("#verdict no run;"), &[], Some((1, 13)), "expected `infinite`, found `run`");
    refused(&with("#verdict holds \"a\" \"b\";"), &[], Some((1, 20)), "expected `;`, found `b`");
    refused(&with("#verdict holds; #verdict violated;"), &[], Some((1, 17)), "the verdict is said twice");
    refused(&with("#exact 3;"), &[], Some((1, 8)), "expected `;`, found `3`");
}

#[test]
fn a_bound_is_a_number_of_the_query() {
    let with = |within: &str| format!("#verdict reachable within {within};\n{REACH}{TO_TARGET}");
    let no_variable = "`i` is no variable that the last query begins with";
    refused(&with("i \"calls\""), &[], Some((1, 27)), no_variable);
    let no_number = "`u` is no number: a bound is a variable of a range such as `0..k`";
    refused(&with("u \"calls\""), &[], Some((1, 27)), no_number);
    let no_unit = "expected a text, as in `\"calls\"`, found the end of `#verdict`";
    refused(&with("u"), &[], Some((1, 27)), no_number);
    let numbered = "enum N { 0..3 }; #verdict reachable within i; exists N i, State v. i = 2 & Target(v);";
    refused(numbered, &[], Some((1, 45)), no_unit);
}

#[test]
fn a_bound_names_the_least_number() {
    let depth = shipped("depth");
    says(GATE, &depth, &["-t", "main:END"], 10, &["REACHABLE within 1 nested call", "5 steps"]);
    says(GATE, &depth, &["-t", "main:G"], 10, &["REACHABLE within 0 nested calls", "1 step"]);
    let deep =
        "void f(a: int<3>) begin if (a > 0) then f(a - 1); else L: skip; fi end void main() begin f(5); end";
    says(deep, &depth, &["-t", "L", "--trace", "none"], 10, &["REACHABLE within 6 nested calls"]);
    says(deep, &depth, &["-t", "L", "--param", "d=3"], 0, &["UNREACHABLE within 3 nested calls"]);
    says(deep, &depth, &["-t", "L", "--param", "d=1"], 0, &["UNREACHABLE within 1 nested call"]);
    let two = [
        "REACHABLE within 0 nested calls",
        "W: reachable within 1 nested call",
        "G: reachable within 0 nested calls",
    ];
    says(GATE, &depth, &["-t", "W", "-t", "G", "--trace", "none"], 10, &two);
    let found = object(deep, &depth, &["-t", "L"], 10);
    assert_eq!(found["bound"], json!({ "kind": "nested calls", "number": 8 }));
    assert_eq!((&found["least"], &found["targets"][0]["least"]), (&json!(6), &json!(6)));
    let not_found = object(deep, &depth, &["-t", "L", "--param", "d=3"], 0);
    assert_eq!((&not_found["bound"]["number"], &not_found["least"]), (&json!(3), &Value::Null));
}

#[test]
fn labels_are_places_of_the_program() {
    let formula = |declared: &str| {
        format!("{declared}\n{REACH}#verdict reachable;\nexists State u, State v. Reach(u, v) & A(v);")
    };
    for (declared, options) in [
        ("#label A = \"work:W\";", &[][..]),
        ("#label A;", &["--label", "A=work:W"]),
        ("#label A = \"main:END\";", &["--label", "A=W"]),
        ("#label B = \"main:END\", A = \"W\";", &[]),
    ] {
        let outcome = says(GATE, &formula(declared), options, 10, &["REACHABLE", "2 steps"]);
        assert_eq!(outcome.stderr, "", "{declared}");
        // Nothing is reduced away that a label needs.
        says(
            GATE,
            &formula(declared),
            &[options, &["--without", "all"]].concat(),
            10,
            &["REACHABLE", "2 steps"],
        );
    }
    let both = format!(
        "#label A, B;\n{REACH}#verdict violated \"both\";\n
         (exists State u, State v. Reach(u, v) & A(v)) & (exists State u, State v. Reach(u, v) & B(v));"
    );
    says(GATE, &both, &["--label", "A=W", "--label", "B=END"], 10, &["VIOLATED", "both"]);
    let never = GATE.replace("END: skip;", "assume(F); END: skip;");
    says(&never, &both, &["--label", "A=W", "--label", "B=END"], 0, &["HOLDS", "no run: both"]);
}

#[test]
fn mistakes_in_labels_have_places() {
    let with = |label: &str| format!("{label}\n{REACH}{TO_TARGET}");
    refused(&with("#label A;"), &[], Some((1, 8)), "which label is `A`? The file leaves it open");
    let nearest = "there is no label `work:X`; the nearest are `work:W`, `main:G`, `main:END`";
    refused(&with("#label A = \"work:X\";"), &[], Some((1, 12)), nearest);
    let given = format!("`--label A=work:X`: {nearest}");
    refused(&with("#label A = \"work:W\";"), &["--label", "A=work:X"], None, &given);
    refused(
        &with("#label A = W;"),
        &[],
        Some((1, 12)),
        "expected a label in quotes, as in `\"f:L\"`, found `W`",
    );
    refused(&with("#label A \"W\";"), &[], Some((1, 10)), "expected `=`, found `W`");
    refused(&with("#label ;"), &[], Some((1, 1)), "expected the name of a relation");
    let twice = "#label A = \"W\", A = \"G\";";
    refused(&with(twice), &[], Some((1, 17)), "`A` is a label already");
    let word = "`Exit` is a word of the program already; choose another name";
    refused(&with("#label Exit = \"W\";"), &[], Some((1, 8)), word);
    let relation = "`Reach` is a label and a relation; choose another name for one of them";
    refused(&with("#label Reach = \"W\";"), &[], Some((1, 8)), relation);
    let condition = relation.replace("a label", "a condition");
    refused(&with("#where Reach = \"open\";"), &[], Some((1, 8)), &condition);
    let undeclared = "the formula has no `#label B`; its labels are: `A`";
    refused(&with("#label A = \"W\";"), &["--label", "B=W"], None, undeclared);
    refused(&with(""), &["--label", "B=W"], None, "the formula has no `#label B`; its labels are: none");
}

#[test]
fn reductions_may_be_left_out_by_name() {
    let with = |note: &str| format!("{note}\n{REACH}{TO_TARGET}");
    for note in ["#without straight-lines;", "#without straight-lines, cone;", "#without all;"] {
        says(GATE, &with(note), &["-t", "W"], 10, &["REACHABLE", "2 steps"]);
    }
    let all = "there are dead-code, jump-chains, straight-lines, live-variables, cone, and `all`";
    refused(
        &with("#without cone, straight-line;"),
        &[],
        Some((1, 16)),
        &format!("`straight-line` is no reduction; {all}"),
    );
    refused(
        &with("#without;"),
        &[],
        Some((1, 9)),
        "expected the name of a reduction, found the end of `#without`",
    );
}

/// "All paths" by a least fixed point sees that a run blocks, with and without reductions.
#[test]
fn a_question_about_all_paths_sees_runs_that_block() {
    let program = "decl x; init !x; void main() begin if (*) then assume(x); fi END: skip; end";
    let formula = "
mu bool Always(State s)
    Target(s)
  | ((exists State v. ProgramInt(s, v)) & (forall State v. ProgramInt(s, v) -> Always(v)));
#verdict holds;
forall State u. Init(u) -> Always(u);";
    for without in ["all", "straight-lines", "jump-chains", "cone", "live-variables"] {
        let outcome =
            says(program, formula, &["-t", "END", "--without", without], 10, &["VIOLATED", "1 step"]);
        assert!(outcome.stdout.contains("if *       T, chosen"), "{outcome:?}");
    }
    let whole = says(program, formula, &["-t", "END"], 10, &["VIOLATED", "1 step"]);
    assert_eq!(whole.stdout, check(program, formula, &["-t", "END", "--without", "all"]).stdout);
}

#[test]
fn a_claim_to_be_exact_is_checked_where_a_run_is_looked_for() {
    let query = "exists State v. Reach(v) & Target(v);";
    let lies = format!("{FLAT}\n#exact;\n{query}");
    let outcome = check(TWICE, &lies, &[]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    let message = "error: the formula says that it is exact, but what it found is no run of the program\n  --> f.mu:8:1\n";
    assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
    says(TWICE, &lies, &["--trace", "none"], 10, &["REACHABLE"]);
    assert_eq!(object(TWICE, &lies, &[], 2)["verdict"], "error");
    let unclaimed = format!("{FLAT}{query}");
    let unknown = "UNKNOWN: the formula says reachable, but its derivation is no run of the program: the derivation returns to another call";
    says(TWICE, &unclaimed, &[], 5, &[unknown]);
    says(TWICE, &unclaimed, &["--trace", "none"], 5, &[unknown]);
}

#[test]
fn notes_of_a_loaded_file_are_about_its_own_query() {
    let sandbox = Sandbox::new();
    sandbox
        .file("p.bp", GATE)
        .file("part.mu", format!("#verdict violated; #exact; #label A = \"W\";\n{REACH}{TO_TARGET}"));
    sandbox.file("f.mu", "#load \"part.mu\";\nexists State u, State v. Reach(u, v) & A(v) & Target(v);");
    let outcome = sandbox.run(&["check", "p.bp", "-a", "f.mu", "-t", "W", "--trace", "none"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (10, "REACHABLE\n"), "{outcome:?}");
}

#[test]
fn other_questions_have_no_certificate_and_no_shortest_run() {
    let dominators = shipped("dominators");
    let gate = ["-t", "END", "--label", "Gate=W"];
    let outcome = check(GATE, &dominators, &[&gate[..], &["--certificate", "c"]].concat());
    let expected = "HOLDS\nno run: the target without Gate on the way\nthere is no certificate: \
                    a certificate proves that targets are unreachable, and that is not what this formula asks\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected), "{outcome:?}");
    let found = object(GATE, &dominators, &[&gate[..], &["--certificate", "c"]].concat(), 0);
    assert_eq!(found["unfinished"][0]["what"], "certificate");
    let gate = ["-t", "END", "--label", "Gate=G", "--shortest"];
    let outcome = says(GATE, &dominators, &gate, 10, &["VIOLATED", "the target without Gate on the way"]);
    assert!(
        outcome.stderr.contains("the trace may not be the shortest of those that are meant"),
        "{outcome:?}"
    );
    assert!(outcome.stdout.contains("END reached"), "{outcome:?}");
}

#[test]
fn other_engines_do_not_answer_formulas() {
    let after = shipped("after");
    let options = ["-t", "W", "--label", "First=G", "--engine"];
    for (engine, message) in [
        ("twin", "`--algorithm` is about the solver, but `--engine twin` does without it"),
        ("explicit", "`--algorithm` is about the solver, but `--engine explicit` does without it"),
        ("portfolio", "`--algorithm` is about the solver; pass `--engine symbolic`"),
    ] {
        let outcome = check(GATE, &after, &[&options[..], &[engine]].concat());
        assert_eq!((outcome.code, outcome.stderr), (2, format!("error: {message}\n")));
    }
    for (name, options, first) in [
        ("after", &["-t", "W", "--label", "First=G"][..], "REACHABLE"),
        ("all_paths", &["-t", "END"], "VIOLATED"),
        ("depth", &["-t", "END"], "REACHABLE within 1 nested call"),
        ("non_termination", &[], "INFINITE RUN"),
    ] {
        let outcome = says(GATE, &shipped(name), &[options, &["--engine", "compare"]].concat(), 10, &[first]);
        let note = "note: not compared: the formula asks something else than the others answer\n";
        assert_eq!(outcome.stderr, note, "{name}");
    }
    // Whoever asks what the others are asked, too, is compared with them.
    let formula = format!("{REACH}#verdict reachable;\n{TO_TARGET}");
    let outcome = says(GATE, &formula, &["-t", "W", "--engine", "compare"], 10, &["REACHABLE"]);
    assert_eq!(outcome.stderr, "");
    let wrong = format!("{REACH}#verdict unreachable;\n{TO_TARGET}");
    says(
        GATE,
        &wrong,
        &["-t", "W", "--engine", "compare"],
        5,
        &["UNKNOWN: the formula says unreachable about `W`, the twin says reachable"],
    );
}

#[test]
fn several_targets_are_asked_for_one_by_one() {
    let after = shipped("after");
    let lines = ["REACHABLE", "the target after First", "W: reachable", "G: unreachable"];
    says(GATE, &after, &["-t", "W", "-t", "G", "--label", "First=W", "--trace", "none"], 10, &lines);
    let lines = ["VIOLATED", "the target without Gate on the way", "W: holds", "G: violated"];
    let program = GATE.replace("  work();\n  END", "  M: work();\n  END");
    let options = ["-t", "W", "-t", "G", "--label", "Gate=M", "--trace", "none"];
    says(&program, &shipped("dominators"), &options, 10, &lines);
}

/// A query that needs two targets at once is true of both together, and of none alone.
#[test]
fn a_query_may_need_several_targets() {
    let formula = format!(
        "{REACH}exists State u, State v, State a, State b.
           Reach(u, v) & Target(v) & Reach(a, b) & Target(b) & v.mod != b.mod;"
    );
    let together = ["REACHABLE", "W: unknown", "END: unknown"];
    let outcome = check(GATE, &formula, &["-t", "W", "-t", "END", "--trace", "none"]);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let printed: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(printed[0], together[0]);
    // One of them is what the run leads to.
    assert_eq!(printed[1..].iter().filter(|line| line.ends_with(": reachable")).count(), 1, "{outcome:?}");
    assert_eq!(printed[1..].iter().filter(|line| line.ends_with(": unknown")).count(), 1, "{outcome:?}");
    says(GATE, &formula, &["-t", "W"], 0, &["UNREACHABLE", "no run reaches W"]);
}

#[test]
fn stages_know_labels() {
    let after = shipped("after");
    let options = ["-t", "W", "--label", "First=G", "--show"];
    for (stage, part) in [
        ("relations", "// v is at the label G\nbool First(State v)\n"),
        ("formula", "#label First;"),
        ("plan", "Late clause 1"),
        ("order", "v.G.g0:0.0"),
        ("labels", "First = main:G, point 1."),
        ("reduced", "    edge 1 to 2\n  1 {}\n    edge 2 to 2\n"),
    ] {
        let outcome = check(GATE, &after, &[&options[..], &[stage]].concat());
        assert_eq!(outcome.code, 0, "{stage}: {outcome:?}");
        assert!(outcome.stdout.contains(part), "{stage}: {}", outcome.stdout);
    }
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", GATE).file("f.mu", &after);
    let translated = sandbox.run(&["translate", "p.bp", "-a", "f.mu", "-t", "W", "--label", "First=G"]);
    sandbox.file("q.mu", &translated.stdout);
    let evaluated = sandbox.run(&["mu", "q.mu"]);
    assert_eq!((evaluated.code, evaluated.stdout.as_str()), (0, "true\n"), "{evaluated:?}");
}

/// Asked for a certificate, the default algorithm does not know the parameters and labels of the formula.
#[test]
fn parameters_are_those_of_the_formula() {
    let program = "void main() begin assert(T); end";
    let formula = format!(
        "#param d = 3;\nenum D {{ 0..d }};\n{REACH}exists D i, State u, State v. Reach(u, v) & Target(v);"
    );
    let outcome = check(program, &formula, &["--param", "d=2", "--certificate", "c"]);
    let expected = "UNREACHABLE\nno assertion can fail\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected), "{outcome:?}");
}

/// A formula that misses a run is found out by whoever makes its certificate.
#[test]
fn a_certificate_that_contradicts_leaves_nothing_standing() {
    let formula = "exists State u. Init(u) & Target(u);";
    let unknown =
        "UNKNOWN: the formula says unreachable, but hybrid.mu, asked for a certificate, says reachable";
    says(GATE, formula, &["-t", "W", "--certificate", "c"], 5, &[unknown]);
    says(GATE, formula, &["-t", "W"], 0, &["UNREACHABLE", "no run reaches W"]);
}

/// What a file asks beside its verdict is answered behind it.
#[test]
fn earlier_queries_and_directives_are_answered() {
    let formula = format!(
        "{REACH}exists State u. Init(u);\n#print \"numbers\";\nenum N {{ 0..3 }};\nbool P(N n) n != 2;\n#ons P;\nfalse;\n{TO_TARGET}\n#wit exists bool b. b;\n#explain true;\n"
    );
    let beside = "true\nnumbers\n#ons P 3\nfalse\n#wit b = true\n#explain holds, no tuple is needed\n";
    let program = GATE.replace("END: skip;", "assume(F); END: skip;");
    let outcome = check(&program, &formula, &["-t", "END"]);
    assert_eq!(outcome.stdout, format!("UNREACHABLE\nno run reaches END\n{beside}"), "{outcome:?}");
    let outcome = check(&program, &formula, &["-t", "W", "--trace", "none"]);
    assert_eq!(outcome.stdout, format!("REACHABLE\n{beside}"), "{outcome:?}");
    let outcome = check(&program, &formula, &["-t", "W", "-t", "END"]);
    assert!(outcome.stdout.ends_with(&format!("(finally)  open = F\n{beside}")), "{outcome:?}");
    let object = object(&program, &formula, &["-t", "W"], 10);
    assert_eq!(object["verdict"], "reachable");
    assert_eq!(object["answers"].as_array().map(Vec::len), Some(6));
    assert_eq!(object["answers"][2]["relation"], "P");
    let outcome =
        check(&program, &format!("{REACH}#dump Reach;\n{TO_TARGET}"), &["-t", "W", "--trace", "none"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (10, "REACHABLE\n"), "{outcome:?}");
    assert!(outcome.stderr.starts_with("warning: `#dump` is answered by `getafix mu` only\n"), "{outcome:?}");
}

/// The bits of states are bits. Anything else may be a key, and a flag of one's own.
#[test]
fn bits_are_no_keys() {
    let message = "`bool` cannot be explicit in a formula about programs: states consist of bits";
    refused(&format!("#explicit bool;\n{REACH}{TO_TARGET}"), &[], Some((1, 11)), message);
    refused(&format!("#explicit Module, bool;\n{REACH}{TO_TARGET}"), &[], Some((1, 19)), message);
    for types in ["Module, PrCount", "State"] {
        says(
            GATE,
            &format!("#explicit {types};\n{REACH}{TO_TARGET}"),
            &["-t", "W"],
            10,
            &["REACHABLE", "2 steps"],
        );
    }
    let flag = "enum Flag { no, yes };\n#explicit Flag;\n#label A;\n
        mu bool Way(Flag f, State u, State v)
            (Init(u) & u = v & f = no)
          | (exists State x, Flag g. Way(g, u, x) & ProgramInt(x, v) & (f = g | (f = yes & A(v))));
        exists State u, State v. Way(yes, u, v) & Target(v);";
    let outcome = check(&GATE.replace("  work();\n  END", "  END"), flag, &["-t", "END", "--label", "A=G"]);
    assert!(outcome.code == 10 && outcome.stdout.contains("open := T"), "{outcome:?}");
}

#[test]
fn labels_are_shown_with_their_points_and_lines() {
    let program = GATE.replace("END: skip;", "END: skip; return; DEAD: skip; return;");
    let formula = format!("#label A = \"work:W\", B = \"DEAD\", C;\n{REACH}{TO_TARGET}");
    let outcome = check(&program, &formula, &["-t", "W", "--label", "C=END", "--show", "labels"]);
    let lines: Vec<&str> = outcome.stdout.lines().filter(|line| line.contains(", ")).collect();
    assert_eq!(lines.len(), 3, "{outcome:?}");
    assert!(lines[0].starts_with("A = work:W, point 0.") && lines[0].ends_with(", line 6"), "{outcome:?}");
    assert_eq!(lines[1], "B = DEAD, in dead code");
    assert!(lines[2].starts_with("C = main:END, point 1.") && lines[2].ends_with(", line 18"), "{outcome:?}");
}

/// Where variables are, and their numbers if the formula speaks of them.
#[test]
fn variables_are_shown_with_their_bits() {
    let program = "decl g : int<2>, unused; void main() begin decl x; x := *; g := x ? g + 1 : g; if (g = 2) then L: skip; fi end";
    let outcome = check(program, &format!("{REACH}{TO_TARGET}"), &["-t", "L", "--show", "labels"]);
    let expected = "g = G.g1, G.g0\nunused = not looked at\nmain.x = L.l0\n";
    assert_eq!(outcome.stdout, expected, "{outcome:?}");
    let text = std::fs::read_to_string(root().join("algorithms/uninitialised.mu")).expect("it is there");
    let outcome = check(program, &text, &["--show", "labels"]);
    assert!(outcome.stdout.contains("main.x = Variable 2, L.l0\n"), "{outcome:?}");
}

/// Conditions on variables: what they say of states, and what is wrong with them.
#[test]
fn conditions_name_variables() {
    let program = "decl open; init open; void main() begin decl n : int<2>; n := 0;
        while (*) do n := n + 1; open := !open; od end";
    let ask = |conditions: &str| {
        let formula = format!(
            "#where {conditions};
             mu bool Seen(State v) Init(v) | (exists State x. Seen(x) & ProgramInt(x, v));
             #verdict reachable \"a full one that is shut\";
             exists State v. Seen(v) & Full(v);"
        );
        check(program, &formula, &[])
    };
    let outcome = ask("Full = \"main: n >= 2 & !open\"");
    assert_eq!(outcome.code, 10, "{outcome:?}");
    assert!(outcome.stdout.starts_with("REACHABLE\na full one that is shut\n6 steps\n"), "{outcome:?}");
    let outcome = ask("Full = \"main: n > 1 & n < 2\"");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (0, "UNREACHABLE\nno run: a full one that is shut\n")
    );
    for (conditions, message) in [
        ("Full = \"main: m > 1\"", "`m` is not declared"),
        ("Full = \"nain: n > 1\"", "there is no function `nain`"),
        ("Full = \"n > 1\"", "`n` is not declared"),
        ("Full = \"open & *\"", "a condition about a state has no `*`"),
        ("Full = \"open &\"", "the condition is not complete"),
        ("Full", "expected a name and a condition"),
        ("Full = \"open\", Full = \"open\"", "`Full` is a condition already"),
        ("Entry = \"open\", Full = \"open\"", "`Entry` is a word of the program already"),
    ] {
        let outcome = ask(conditions);
        assert_eq!(outcome.code, 2, "{conditions}: {outcome:?}");
        assert!(
            outcome.stderr.contains(message) && outcome.stderr.contains("#where"),
            "{conditions}: {outcome:?}"
        );
    }
}

/// A translation has the parameters that it was asked for with.
#[test]
fn a_translation_has_the_parameters_that_were_given() {
    let sandbox = Sandbox::new();
    let deep =
        "void f(a: int<3>) begin if (a > 0) then f(a - 1); else L: skip; fi end void main() begin f(5); end";
    sandbox.file("p.bp", deep);
    for (d, truth) in [("6", "true\n"), ("5", "false\n")] {
        let translated =
            sandbox.run(&["translate", "p.bp", "-t", "L", "-a", "depth", "--param", &format!("d={d}")]);
        sandbox.file("q.mu", &translated.stdout);
        let evaluated = sandbox.run(&["mu", "q.mu"]);
        assert_eq!((evaluated.code, evaluated.stdout.as_str()), (0, truth), "{d}: {evaluated:?}");
    }
}

/// Formula files have a canonical form, with their comments.
#[test]
fn formula_files_are_formatted() {
    let sandbox = Sandbox::new();
    sandbox.file("a.mu", "// a: why\n\n\nbool   P( )true ;  // so\nP( ) ;\n").file("b.mu", "true\nfalse;\n");
    let canonical = "// a: why\n\nbool P() true;     // so\nP();\n";
    let printed = sandbox.run(&["fmt", "a.mu"]);
    assert_eq!((printed.code, printed.stdout.as_str()), (0, canonical), "{printed:?}");
    assert_eq!(sandbox.run(&["fmt", "--check", "a.mu"]).code, 10);
    assert_eq!(sandbox.run(&["fmt", "--write", "a.mu"]).code, 0);
    assert_eq!(sandbox.read("a.mu"), canonical);
    assert_eq!(sandbox.run(&["fmt", "--check", "a.mu"]).code, 0);
    let wrong = sandbox.run(&["fmt", "b.mu"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("b.mu:2:1"), "{wrong:?}");
}

/// Where the `enforce` of main forbids every state there is no run to begin with, and where it forbids some, no run begins there.
#[test]
fn a_run_starts_where_main_may_be() {
    let program = |enforced: &str| {
        format!("decl x; void main() begin decl y; enforce {enforced}; L: skip; END: x := x; end")
    };
    let none = "forall State u. !Init(u);";
    let blocked = "exists State u. Init(u) & (forall State v. !ProgramInt(u, v));";
    for without in ["cone", "straight-lines", "all"] {
        let options = ["--without", without];
        says(&program("x & y & !x"), none, &options, 0, &["the query is true"]);
        says(&program("x & y"), none, &options, 10, &["the query is false"]);
        says(&program("x & y"), &format!("#verdict violated; {blocked}"), &options, 0, &["HOLDS"]);
        for enforced in ["x & y", "x & y & !x", "x", "y"] {
            let options = [&["-t", "END"], &options[..]].concat();
            says(&program(enforced), &shipped("all_paths"), &options, 0, &["HOLDS"]);
        }
    }
}

/// An answer that rests on no run shows its derivation, with names, lines and values of the program.
#[test]
fn an_answer_without_a_run_has_a_derivation() {
    let program = "decl g;\nvoid main() begin\n  decl t;\n  g := T;\n  g := t;\nend\n";
    let formula = "mu bool Live(State v, Variable a)
            (exists State w. Reads(v, w, a))
          | (exists State w. (ProgramInt(v, w) | Across(v, w)) & Live(w, a) & !Writes(v, w, a));
        #verdict holds;
        exists State v, Variable a. Live(v, a) & Owns(v.mod, a) & Entry(v);";
    let outcome = check(program, formula, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[..2], ["HOLDS", "because"], "{outcome:?}");
    assert!(lines[2].starts_with("  Live(main, line 4: g = F; main.t), since ProgramInt("), "{outcome:?}");
    let last = lines.last().expect("there are lines");
    assert!(last.contains("since Reads(main, line 5: ") && last.ends_with("; main.t)"), "{outcome:?}");
    assert_eq!(check(program, formula, &["--trace", "none"]).stdout, "HOLDS\n");
    let object = check(program, formula, &["--json"]).stdout;
    assert!(object.contains("\"derivation\": ["), "{object}");
}
