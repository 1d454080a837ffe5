//! `--json`: one object, whatever happens.

use crate::harness::{Sandbox, mu, root, run, schema};
use serde_json::{Value, json};
use std::path::Path;

#[track_caller]
fn object(options: &[&str], text: &str, code: i32) -> Value {
    let outcome = mu(&[&["--json"], options].concat(), text);
    assert_eq!(outcome.code, code, "{outcome:?}");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    follows_the_schema(&object);
    object
}

/// The object is one that `docs/output.schema.json` describes.
#[track_caller]
fn follows_the_schema(object: &Value) {
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    if let Err(problem) = schema::validate(&schema, object) {
        panic!("{problem} in {object:#}");
    }
}

/// The object that `check` or `validate` prints.
#[track_caller]
fn program_object(arguments: &[&str], program: &str, code: i32) -> Value {
    let outcome = run(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, program);
    assert_eq!(outcome.code, code, "{arguments:?}: {outcome:?}");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    follows_the_schema(&object);
    object
}

#[test]
fn answers_carry_their_place_and_value() {
    for options in [&[][..], &["--twin"]] {
        let text =
            "enum E { a, b };\nbool P(E x) x = a;\nP(b);\n#ons P;\n#wit exists E x. P(x);\n#print \"hi\";\n";
        let object = object(options, text, 0);
        assert_eq!(object["verdict"], "evaluated");
        assert_eq!(object["reason"], Value::Null);
        let at =
            |line: u32, directive: &str| json!({ "directive": directive, "file": "<stdin>", "line": line });
        let with = |mut entry: Value, key: &str, value: Value| {
            entry[key] = value;
            entry
        };
        let expected = json!([
            with(at(3, "query"), "value", json!(false)),
            with(with(at(4, "ons"), "relation", json!("P")), "value", json!(1)),
            with(at(5, "wit"), "valuation", json!([{ "name": "x", "value": "a" }])),
            with(at(6, "print"), "text", json!("hi")),
        ]);
        assert_eq!(object["answers"], expected);
    }
}

#[test]
fn an_empty_file_is_an_object_without_answers() {
    assert_eq!(object(&[], "", 0)["answers"], json!([]));
}

#[test]
fn errors_are_part_of_the_object() {
    let object = object(&[], "true;\nmissing();\n", 2);
    assert_eq!(object["verdict"], "error");
    assert_eq!(object["diagnostics"][0]["severity"], "error");
    assert_eq!(object["diagnostics"][0]["place"]["line"], 2);
}

#[test]
fn unknown_has_a_reason() {
    let object = object(&["--twin"], "mu bool Liar(bool x) !Liar(x); exists bool x. Liar(x);", 5);
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["reason"], object["answers"][0]["unknown"]);
    assert!(object["reason"].as_str().is_some_and(|reason| reason.contains("Liar")), "{object}");
}

#[test]
fn times_appear_only_when_asked_for() {
    let text = "mu bool R(bool x) x | R(x); R(1); #explain R(1); #certify R; #plan R;";
    let plain = object(&[], text, 0);
    assert_eq!(plain["stats"]["relations"][0]["relation"], "R");
    assert_eq!(plain["stats"]["relations"][0].get("seconds"), None);
    assert!(object(&["--stats"], text, 0)["stats"]["relations"][0]["seconds"].is_number());
}

/// What clauses have cost is counted, so that two runs say the same.
#[test]
fn clauses_have_their_lines_and_their_work() {
    let text = "enum Node { 0..7 };\n#explicit Node;\nbool Edge(Node a, Node b)\n    a = 0 & b = 1 | a = 1 & b = 2 | a = 2 & b = 3;\n\
        mu bool Path(Node a, Node b)\n    Edge(a, b)\n  | (exists Node m. Path(a, m) & Edge(m, b));\nPath(0, 3);\n";
    let stats = |options: &[&str]| object(options, text, 0)["stats"].clone();
    assert_eq!(stats(&[]).get("clauses"), None, "only where figures are asked for");
    for options in [&["--stats"][..], &["--stats", "--symbolic"]] {
        let clauses = stats(options)["clauses"].clone();
        assert_eq!(clauses, stats(options)["clauses"], "the same again");
        let of_path: Vec<&Value> = clauses
            .as_array()
            .expect("a list")
            .iter()
            .filter(|clause| clause["relation"] == "Path")
            .collect();
        let step = of_path.iter().find(|clause| clause["line"] == 7).expect("the clause of line 7");
        assert_eq!(step["text"], "exists Node m. Path(a, m) & Edge(m, b)", "{clauses}");
        assert!(
            step["runs"].as_u64() >= Some(2) && step["work"].as_u64() >= step["runs"].as_u64(),
            "{clauses}"
        );
    }
    let work: u64 = stats(&["--stats", "--symbolic"])["clauses"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|clause| clause["work"].as_u64())
        .sum();
    assert!(work > 0);
}

/// A call that returns, and one in which the assertion fails.
const PROGRAM: &str = "decl g;
bool f(a) begin
  g := a;
  return !a;
end
void h() begin assert(!g); end
void main() begin
  decl x;
  g := F;
  x := f(T);
  h();
end
";

#[test]
fn a_reachable_target_comes_with_a_trace() {
    for engine in ["symbolic", "twin", "compare"] {
        let object = program_object(&["check", "--json", "--engine", engine, "-"], PROGRAM, 10);
        assert_eq!(object["verdict"], "reachable");
        assert_eq!(
            object["targets"],
            json!([{ "target": "assert", "verdict": "reachable", "reason": null }])
        );
        let trace = &object["trace"];
        assert_eq!(trace["n_steps"], 5, "{trace:#}");
        assert_eq!(trace["goal"]["kind"], "assert");
        assert_eq!(trace["goal"]["line"], 6);
        let global = |value: &str| json!([{ "name": "g", "value": value, "function": null }]);
        assert_eq!(trace["steps"][0]["changes"], global("F"));
        let arguments = json!([{ "name": "a", "value": "T", "function": "f" }]);
        assert_eq!(trace["steps"][1]["arguments"], arguments, "{trace:#}");
        let back = &trace["steps"][3];
        let changes = json!([{ "name": "x", "value": "F", "function": "main" }]);
        assert_eq!(
            (&back["kind"], &back["function"], &back["caller"]),
            (&json!("return"), &json!("f"), &json!("main"))
        );
        assert_eq!(back["changes"], changes, "whose variable it is");
        assert_eq!(trace["steps"][4]["statement"], "h()");
        assert_eq!(trace["globals_at_end"], global("T"));
        let stack = &trace["threads"][0]["stack"];
        assert_eq!((&stack[0]["function"], &stack[1]["line"]), (&json!("main"), &json!(6)), "{stack:#}");
    }
    assert_eq!(
        program_object(&["check", "--json", "--trace", "none", "-"], PROGRAM, 10)["trace"],
        Value::Null
    );
}

#[test]
fn a_trace_in_json_makes_stdout_one_document() {
    for (program, verdict) in [(PROGRAM, "reachable"), ("void main() begin assert(T); end", "unreachable")] {
        let status = if verdict == "reachable" { 10 } else { 0 };
        let object = program_object(&["check", "--trace", "json", "-"], program, status);
        assert_eq!(object, program_object(&["check", "--json", "-"], program, status));
        assert_eq!(object["verdict"], verdict);
    }
    let object = program_object(&["check", "--trace", "json", "-k", "3", "-"], THREADS, 10);
    assert_eq!(object["trace"]["n_steps"], 3);
}

#[test]
fn a_goal_has_the_values_with_which_it_is_reached() {
    let program = "decl g, unused;\ninit !g;\nvoid main() begin f(T); end\nvoid f(p) begin decl x: int<2>; x := 3; g := p; ERROR: g := F; end";
    let object = program_object(&["check", "--json", "-"], program, 10);
    let trace = &object["trace"];
    assert_eq!(
        trace["globals_at_end"][0],
        json!({ "name": "g", "value": "T", "function": null }),
        "{trace:#}"
    );
    let local = |name: &str, value: &str| json!({ "name": name, "value": value, "function": "f" });
    let top = &trace["threads"][0]["stack"][1];
    assert_eq!(top["locals"], json!([local("p", "T"), local("x", "3")]), "{trace:#}");
}

#[test]
fn several_files_are_several_lines() {
    let sandbox = Sandbox::new();
    sandbox
        .file("bad.bp", PROGRAM)
        .file("good.bp", "void main() begin assert(T); end")
        .file("wrong.bp", "void");
    let outcome = sandbox.run(&["check", "--json", "good.bp", "bad.bp", "wrong.bp"]);
    assert_eq!(outcome.code, 2, "{outcome:?}");
    let objects: Vec<Value> = outcome
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object on each line"))
        .collect();
    let found: Vec<_> = objects.iter().map(|object| (&object["file"], &object["verdict"])).collect();
    let expected = [("good.bp", "unreachable"), ("bad.bp", "reachable"), ("wrong.bp", "error")];
    assert_eq!(found.len(), expected.len());
    for ((file, verdict), expected) in found.into_iter().zip(expected) {
        assert_eq!((file.as_str(), verdict.as_str()), (Some(expected.0), Some(expected.1)));
    }
    objects.iter().for_each(follows_the_schema);
}

/// Two threads and a switch between them.
const THREADS: &str = "decl x;
init !x;
thread p begin void main() begin x := T; end end
thread q[2] begin
  decl y;
  bool get(a) begin return x & a; end
  void main() begin
    y := get(T);
    assert(!y);
  end
end
";

#[test]
fn an_answer_about_threads_has_its_bound() {
    let object = program_object(&["check", "--json", "-k", "3", "-"], THREADS, 10);
    assert_eq!(object["bound"], json!({ "kind": "switches", "number": 3 }));
    assert_eq!((&object["least"], &object["every_bound"]), (&json!(1), &Value::Null));
    assert_eq!(object["targets"][0]["least"], 1);
    let safe = THREADS.replace("x := T", "x := F");
    let object = program_object(&["check", "--json", "-k", "5", "-"], &safe, 0);
    assert_eq!((&object["least"], &object["trace"]), (&Value::Null, &Value::Null));
    assert_eq!(object["every_bound"]["reason"], "all_states", "{object:#}");
    let object = program_object(&["check", "--json", "--rounds", "1", "-"], &safe, 0);
    assert_eq!(object["bound"]["kind"], "rounds");
    let object = program_object(&["check", "--json", "-"], THREADS, 10);
    assert_eq!(object["bound"], json!({ "kind": "switches", "number": null }), "every bound");
    assert_eq!((&object["least"], &object["engine"]), (&json!(1), &json!("explicit")));
    let object = program_object(&["check", "--json", "-k", "2", "-"], PROGRAM, 10);
    assert_eq!(object.get("bound"), None, "a sequential answer has none");
}

#[test]
fn a_run_of_threads_is_a_list_of_steps() {
    for engine in ["symbolic", "twin"] {
        let object = program_object(&["check", "--json", "-k", "1", "--engine", engine, "-"], THREADS, 10);
        let trace = &object["trace"];
        assert_eq!((&trace["n_steps"], &trace["n_switches"]), (&json!(3), &json!(1)), "{trace:#}");
        assert_eq!(trace["globals"], json!([{ "name": "x", "value": "F", "function": null }]));
        assert_eq!(trace["not_started"], json!(["q[1]"]));
        let step = &trace["steps"][1];
        for (key, value) in
            [("thread", json!("q")), ("copy", json!(0)), ("context", json!(2)), ("depth", json!(0))]
        {
            assert_eq!(step[key], value, "{step:#}");
        }
        assert_eq!(step["statement"], "y := get(T)");
        assert_eq!(step["arguments"], json!([{ "name": "a", "value": "T", "function": "get" }]));
        assert_eq!(trace["steps"][2]["function"], "get");
        assert_eq!(trace["steps"][2]["changes"], json!([{ "name": "y", "value": "T", "function": null }]));
        assert_eq!(trace["goal"]["thread"], "q");
        assert_eq!(trace["threads"][1]["stack"][0]["line"], 9, "{trace:#}");
    }
}

#[test]
fn an_unreachable_target_has_no_trace() {
    let program = "void main() begin L: assert(T); end";
    let object = program_object(&["check", "--json", "-"], program, 0);
    assert_eq!(object["verdict"], "unreachable");
    assert_eq!((&object["trace"], &object["reason"]), (&Value::Null, &Value::Null));
    let object = program_object(&["check", "--json", "-t", "L", "-t", "assert", "-"], program, 10);
    assert_eq!(object["targets"][0]["verdict"], "reachable");
    assert_eq!(object["targets"][1]["verdict"], "unreachable");
}

#[test]
fn what_is_wrong_with_a_program_is_part_of_the_object() {
    let object = program_object(&["check", "--json", "-"], "void main() begin\n  x := T;\nend", 2);
    assert_eq!(object["verdict"], "error");
    assert_eq!(object["diagnostics"][0]["place"], json!({ "file": "<stdin>", "line": 2, "column": 3 }));
    let object = program_object(&["check", "--json", "-t", "L", "-"], PROGRAM, 2);
    assert_eq!(object["diagnostics"][0]["place"], Value::Null);
}

#[test]
fn an_unknown_verdict_has_a_reason() {
    let sandbox = Sandbox::new();
    sandbox.file("any.mu", "exists State u. Target(u);\n");
    sandbox.file("a.bp", "decl x; void main() begin x := T; assume(!x); assert(F); end");
    let outcome = sandbox.run(&["check", "a.bp", "-a", "any.mu", "--json"]);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    follows_the_schema(&object);
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["reason"], object["targets"][0]["reason"]);
}

#[test]
fn stages_of_a_program_are_answers() {
    for stage in ["ast", "rsm", "dot", "reduced", "relations", "formula", "plan", "order"] {
        let object = program_object(&["check", "--json", "--show", stage, "-"], PROGRAM, 0);
        assert_eq!(object["answers"][0]["directive"], stage);
        assert!(object["answers"][0]["text"].as_str().is_some_and(|text| !text.is_empty()), "{object}");
    }
}

#[test]
fn a_certificate_is_accepted_or_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("a.bp", "decl x; void main() begin x := T; assert(x); end");
    sandbox.file("b.bp", "decl x; void main() begin x := *; assert(x); end");
    sandbox.run(&["check", "a.bp", "--certificate", "proof"]);
    for (program, code, verdict) in [("a.bp", 0, "accepted"), ("b.bp", 10, "refused")] {
        let outcome = sandbox.run(&["validate", program, "proof", "--json"]);
        assert_eq!(outcome.code, code, "{outcome:?}");
        let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
        follows_the_schema(&object);
        assert_eq!(object["verdict"], verdict);
        assert_eq!(object["reason"].is_null(), code == 0);
    }
}

#[test]
fn a_run_is_an_object() {
    let program = "decl g; void main() begin decl x; x := f(*); if (x) then g := T; fi assert(!g); end bool f(y) begin return y; end";
    let object = program_object(&["run", "--json", "--choices", "F,F,T", "-"], program, 10);
    assert_eq!(object["verdict"], "violated");
    let run = &object["run"];
    assert_eq!(run["globals"], json!([{ "name": "g", "value": "F", "function": null }]));
    assert_eq!(run["locals"], json!([{ "name": "x", "value": "F", "function": "main" }]));
    let kinds: Vec<&Value> =
        run["steps"].as_array().expect("steps").iter().map(|step| &step["kind"]).collect();
    assert_eq!(kinds, ["call", "return", "test", "assign"]);
    assert_eq!(run["steps"][3]["changes"], json!([{ "name": "g", "value": "T", "function": null }]));
    assert_eq!((&run["n_steps"], &run["n_unused"]), (&json!(4), &json!(0)));
    assert_eq!(
        run["ended"],
        json!({ "kind": "assertion", "why": "an assertion fails", "line": 1, "statement": "assert(!g)" })
    );
    // The choices repeat the run.
    let choices: Vec<&str> =
        run["choices"].as_array().expect("choices").iter().filter_map(Value::as_str).collect();
    let again = program_object(&["run", "--json", "--choices", &choices.join(","), "-"], program, 10);
    assert_eq!(again, object);
    let all = program_object(&["run", "--json", "--choices", "F,F,F,T,T", "-"], program, 0);
    assert_eq!((&all["verdict"], &all["run"]["ended"]["kind"]), (&json!("evaluated"), &json!("returned")));
    assert_eq!(all["run"]["n_unused"], 2);
}

#[test]
fn a_run_ends_in_many_ways() {
    for (program, arguments, kind) in [
        ("void main() begin assume(F); end", &[][..], "blocked"),
        ("void main() begin while (T) do skip; od end", &["--steps", "7"], "step limit"),
        ("decl g; init g & !g; void main() begin end", &[], "never started"),
    ] {
        let object = program_object(&[&["run", "--json"], arguments, &["-"]].concat(), program, 0);
        assert_eq!(object["run"]["ended"]["kind"], kind, "{object:#}");
    }
    let wrong = program_object(&["run", "--json", "-"], "void main() begin x := T; end", 2);
    assert_eq!((&wrong["verdict"], wrong.get("run")), (&json!("error"), None));
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "extern int nondet(void);\nint main(void) { int n = nondet(); double d = 0; if (n == 3) reach_error(); if (n > 5) abort(); if (d > 1) return 1; return 0; }\n");
    for (inputs, kind, verdict, code) in
        [("3", "target", "violated", 10), ("6,1", "exit", "evaluated", 0), ("1", "unknown", "unknown", 5)]
    {
        let outcome = sandbox.run(&["run", "--json", "--inputs", inputs, "a.c"]);
        let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
        follows_the_schema(&object);
        let found = (object["run"]["ended"]["kind"].as_str(), object["verdict"].as_str(), outcome.code);
        assert_eq!(found, (Some(kind), Some(verdict), code), "{object:#}");
        assert_eq!(object["run"]["inputs"][0], inputs[..1], "{object:#}");
        assert_eq!(object["reason"].is_null(), code != 5, "{object:#}");
    }
}
