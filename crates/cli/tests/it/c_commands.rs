//! Programs in C: `run`, `translate`, `--show`, `--json`, properties and tasks, options, and what is refused.

use crate::harness::{Outcome, Sandbox, root, schema};
use serde_json::{Value, json};

/// What a command prints about a program, whose name comes behind the command.
fn run(arguments: &[&str], program: &str) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program);
    sandbox.run(&[&arguments[..1], &["p.c"], &arguments[1..]].concat())
}

#[track_caller]
fn prints(arguments: &[&str], program: &str, code: i32, expected: &str) -> Outcome {
    let outcome = run(arguments, program);
    assert_eq!(outcome.stdout, expected, "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
    outcome
}

/// Refused, with this on stderr.
#[track_caller]
fn refuses(arguments: &[&str], program: &str, stderr: &str) {
    let outcome = run(arguments, program);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.trim_end(), stderr.trim_end(), "{arguments:?}");
}

const MAX: &str = "int nondet(void);
int max(int a, int b) {
  if (a < b)
    return b;
  return a;
}
int main(void) {
  int x = max(nondet(), nondet());
  if (x > 8)
    ERROR: return 1;
  return 0;
}
";

#[test]
fn a_run_is_printed_step_by_step() {
    let expected = "step  line  statement                        effect
   1     8  nondet()                         nondet() = 3
   2     8  nondet()                         nondet() = -1
   3     8  x = max(nondet(), nondet())      max(a = 3, b = -1)
   4     3    if a < b                       F
   5     5    return a                       back in main: x = 3
   6     9  if x > 8                         F
   7    11  return 0
ended: main has returned
";
    let outcome = prints(&["run", "--inputs", "3,-1"], MAX, 0, expected);
    assert_eq!(outcome.stderr, "note: the same run: --inputs=3,-1\n");
}

#[test]
fn a_run_ends_for_a_reason() {
    let end = |arguments: &[&str], program: &str| {
        let outcome = run(&[&["run"], arguments].concat(), program);
        let last = outcome.stdout.lines().last().unwrap_or_default().to_owned();
        (outcome.code, last, outcome.stderr)
    };
    let with = |code: i32, last: &str, stderr: &str| (code, last.to_owned(), stderr.to_owned());
    assert_eq!(
        end(&["--inputs=9,2"], MAX),
        with(10, "ended: ERROR is reached", "note: the same run: --inputs=9,2\n")
    );
    let unused = "note: inputs that were not used: 1\nnote: the same run: --inputs=0,2\n";
    assert_eq!(end(&["--inputs=0,2,7"], MAX), with(0, "ended: main has returned", unused));
    let steps = end(&["--inputs=0,2", "--steps", "4"], MAX);
    assert_eq!((steps.0, steps.1.as_str()), (0, "ended: there were as many steps as allowed"));
    let program = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }";
    assert_eq!(end(&[], program), with(10, "ended: an assertion fails", ""));
    let program = "void exit(int); int main(void) { exit(1); }";
    assert_eq!(end(&[], program), with(0, "ended: the program ends itself", ""));
    let program = "double d; int main(void) { if (d > 1) return 1; }";
    assert_eq!(end(&[], program), with(5, "ended: how it goes on depends on a floating-point number", ""));
    let program = "int a[3]; int main(void) { int i = 3; if (a[i]) return 1; }";
    assert_eq!(end(&[], program).0, 10);
    let program = "int main(void) { int y = 0; return 1 / y; }";
    assert_eq!(end(&[], program), with(10, "ended: division by zero", ""));
    let program = "int main(void) { int y = 2147483647; y++; return y < 0; }";
    assert_eq!(end(&["--int", "checked"], program), with(10, "ended: a result that does not fit int32", ""));
    assert_eq!(end(&["--int", "wrap"], program), with(0, "ended: main has returned", ""));
    let program = "unsigned char nondet_uchar(void); int main(void) { return nondet_uchar(); }";
    let refused = end(&["--inputs", "256"], program);
    assert_eq!((refused.0, refused.2.as_str()), (2, "error: the input 256 does not fit its type, uint8\n"));
    // Without inputs a seed decides.
    assert_eq!(end(&["--seed", "4"], MAX), end(&["--seed", "4"], MAX));
}

#[test]
fn horn_clauses_ask_about_the_targets() {
    let program = "void reach_error(void); int nondet(void);
int main(void) { int x = nondet(); if (x > 3) reach_error(); }";
    let outcome = run(&["translate", "--chc"], program);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!((outcome.code, lines[2], lines[lines.len() - 1]), (0, "(set-logic HORN)", "(check-sat)"));
    assert!(outcome.stdout.contains("false"), "{}", outcome.stdout);
    let checked = run(
        &["translate", "--chc", "--int", "checked"],
        "int nondet(void); int main(void) { int x = nondet(); x++; }",
    );
    assert!(checked.code == 0 && checked.stdout.contains("2147483647"), "{checked:?}");
    refuses(
        &["translate"],
        program,
        "error: programs in C are translated to Horn clauses only: pass `--chc`",
    );
    refuses(
        &["translate", "--mucke"],
        program,
        "error: `--mucke` is about Boolean programs, and `p.c` is in C",
    );
}

#[test]
fn the_integer_program_is_shown() {
    let program = "int f(int x) { while (x > 0) x -= 2; return x; }\nint main(void) { return f(7); }\n";
    let expected = "function f(x: int32) -> $ret
  local $ret: int32
  entry 0, exit 3
  0 -[assume x > 0]-> 1
  0 -[assume x <= 0]-> 2
  1 -[x := x - 2]-> 0
  2 -[$ret := x]-> 3

function main() -> $ret, main
  local $ret: int32
  entry 0, exit 1
  0 -[$ret := f(7)]-> 1
";
    prints(&["check", "--show", "cfg"], program, 0, expected);
    let outcome = run(&["check", "--show", "dot"], program);
    assert!(outcome.code == 0 && outcome.stdout.starts_with("digraph cfg {\n"), "{outcome:?}");
    let outcome = run(&["check", "--show", "cfg", "--json"], program);
    let object = object(&outcome);
    assert_eq!(
        (&object["answers"][0]["directive"], &object["answers"][0]["text"]),
        (&json!("cfg"), &json!(expected))
    );
}

/// The object on stdout, which is one that the schema describes.
#[track_caller]
fn object(outcome: &Outcome) -> Value {
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    if let Err(problem) = schema::validate(&schema, &object) {
        panic!("{problem} in {object:#}");
    }
    object
}

#[test]
fn json_follows_the_schema() {
    let object_of = |options: &[&str], program: &str, code: i32| {
        let outcome = run(&[&["check", "--json"], options].concat(), program);
        assert_eq!(outcome.code, code, "{outcome:?}");
        object(&outcome)
    };
    let reachable = object_of(&[], MAX, 10);
    assert_eq!(
        (&reachable["verdict"], &reachable["integers"]["about"]),
        (&json!("reachable"), &json!("both"))
    );
    assert_eq!(reachable["trace"]["inputs"], json!(["0", "9"]));
    assert_eq!(reachable["trace"]["goal"]["kind"], "label");
    assert_eq!(reachable["trace"]["steps"][2]["callee"], "max");
    let program = "void reach_error(void); int main(void) { int i = 0; while (i < 900) i++; reach_error(); }";
    let long = object_of(&["--stats"], program, 10);
    assert_eq!(long["trace"]["steps"][400]["kind"], "omitted");
    assert_eq!((&long["stats"]["runs"], &long["stats"]["steps"]), (&json!(1), &json!(1802)));
    let program = "int main(void) { int x = 2147483647; x = x + 1; if (x > 0) { ERROR: ; } }";
    let only = object_of(&[], program, 10);
    assert_eq!(
        (&only["integers"]["about"], &only["integers"]["undefined"]["line"]),
        (&json!("mathematical"), &json!(1))
    );
    let overflow = object_of(&["--target", "overflow"], program, 10);
    assert_eq!(overflow["trace"]["goal"]["kind"], "overflow");
    let unknown = object_of(&[], "double d; int main(void) { if (d > 1) { ERROR: ; } }", 5);
    assert_eq!((&unknown["verdict"], &unknown["integers"]), (&json!("unknown"), &Value::Null));
    let error = object_of(&[], "int main(void) { return 1 }", 2);
    assert_eq!(error["diagnostics"][0]["place"]["column"], 27);
}

#[test]
fn figures_are_shown_on_demand() {
    let program =
        "void reach_error(void); int main(void) { int i = 0; while (i < 9) i++; if (i < 9) reach_error(); }";
    let outcome = run(&["check", "--stats"], program);
    assert!(outcome.stderr.starts_with("1 run, 22 steps, "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(" million steps per second\n"), "{}", outcome.stderr);
}

const LOOP: &str = "void reach_error(void);
int main(void) {
  int i = 0;
  while (i < 9) {
    i++;
    if (i == 6)
      i = 4;
  }
  return 0;
}
";

/// A property in a file of its own.
fn with_property(property: &str, program: &str, options: &[&str]) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", program).file("p.prp", format!("CHECK( init(main()), LTL({property}) )\n"));
    sandbox.run(&[&["check", "p.c", "--property", "p.prp"], options].concat())
}

#[test]
fn a_property_is_the_question() {
    let outcome = with_property("F end", LOOP, &[]);
    assert_eq!(outcome.code, 10);
    assert!(outcome.stdout.starts_with("INFINITE RUN\nwith the integers of C: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("┐ for ever\n"), "{}", outcome.stdout);
    assert_eq!(object(&with_property("F end", LOOP, &["--json"]))["verdict"], "infinite run");
    assert_eq!(run(&["check", "--nonterm"], LOOP).stdout, outcome.stdout);
    let both = with_property("F end", LOOP, &["--nonterm"]);
    assert_eq!(
        (both.code, both.stderr.as_str()),
        (2, "error: `--nonterm` and `--property` both say what is asked\n")
    );
    refuses(
        &["check", "--ltl", "G at(L)"],
        LOOP,
        "error: `--ltl` is about Boolean programs, and `p.c` is in C",
    );
    let ends = "int main(void) { int i = 0; while (i < 9) i++; return i; }";
    let outcome = with_property("F end", ends, &[]);
    let expected = "NO INFINITE RUN\nwith the integers of C: no result overflows in any run\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected));
    // The call is not there, or there are others that do not matter.
    let outcome = with_property("G ! call(reach_error())", ends, &[]);
    let expected = "UNREACHABLE\nno run reaches reach_error\nthere is no such place in the program\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected));
    let other = "void bad(void); int main(void) { ERROR: bad(); }";
    assert_eq!(with_property("G ! call(bad())", other, &[]).code, 10);
    assert_eq!(with_property("G ! call(good())", other, &[]).code, 0);
    let overflows = "int main(void) { int i = 1; while (i > 0) i = 2 * i; }";
    assert_eq!(with_property("G ! overflow", overflows, &[]).code, 10);
    assert_eq!(with_property("G ! overflow", ends, &[]).code, 0);
    let refused = with_property("G valid-free", ends, &[]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.starts_with("error: this property is not supported\n  --> p.prp:1:1\n"),
        "{refused:?}"
    );
    let both = with_property("F end", LOOP, &["--target", "reach_error"]);
    assert_eq!(
        (both.code, both.stderr.as_str()),
        (2, "error: `--target` and `--property` both say what to reach\n")
    );
}

#[test]
fn a_task_names_program_property_and_data_model() {
    let sandbox = Sandbox::new();
    let task = |verdict: &str, model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: ../memory.prp\n    expected_verdict: true\n  - property_file: ../call.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    let program = "void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); }\n";
    sandbox
        .file("memory.prp", "CHECK( init(main()), LTL(G valid-free) )\n")
        .file("call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .file("end.prp", "CHECK( init(main()), LTL(F end) )\n")
        .file("tasks/p.c", program)
        .file("tasks/wide.yml", task("false", "LP64"))
        .file("tasks/narrow.yml", task("false", "ILP32"))
        .file("tasks/none.yml", "input_files: nowhere.c\n")
        .file("tasks/bad.yml", "input_files\n");
    let note = "note: of 2 properties of the task the answer is about `../call.prp`; `--property` asks for another one\n";
    let wide = sandbox.run(&["check", "tasks/wide.yml", "--trace", "none"]);
    assert_eq!((wide.code, wide.stderr.as_str()), (10, note));
    let narrow = sandbox.run(&["check", "tasks/narrow.yml"]);
    let unexpected = format!("{note}note: the task expects that the property is violated\n");
    assert_eq!((narrow.code, narrow.stderr), (0, unexpected));
    let end = sandbox.run(&["check", "tasks/wide.yml", "--property", "end.prp"]);
    assert_eq!((end.code, end.stdout.lines().next(), end.stderr.as_str()), (0, Some("NO INFINITE RUN"), ""));
    let none = sandbox.run(&["check", "tasks/none.yml"]);
    assert_eq!((none.code, none.stderr.as_str()), (2, "error: `tasks/nowhere.c` does not exist\n"));
    let bad = sandbox.run(&["check", "tasks/bad.yml"]);
    assert!(bad.code == 2 && bad.stderr.contains("--> tasks/bad.yml:1:1"), "{bad:?}");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let check = |program: &str, stderr: &str| refuses(&["check"], program, stderr);
    check(
        "int main(void) {\n  int x = 1\n  return x;\n}\n",
        "error: expected `;`, found `return`\n  --> p.c:3:3\n 3 |   return x;\n   |   ^^^^^^",
    );
    // Behind directives, too, places are those of the file.
    check(
        "#include <limits.h>\n#define ONE 1\nint main(void) {\n  int x = ONE\n  return x;\n}\n",
        "error: expected `;`, found `return`\n  --> p.c:5:3\n 5 |   return x;\n   |   ^^^^^^",
    );
    check(
        "int f(a) int b; { return a; }\nint main(void) { return f(1); }\n",
        "error: this is no parameter of the function\n  --> p.c:1:14\n 1 | int f(a) int b; { return a; }\n   |              ^",
    );
    check(
        "int f(void) { return 1; }\n",
        "error: there is no function `main`, in which runs start\n  --> p.c:1:1\n 1 | int f(void) { return 1; }\n   | ^",
    );
    check("", "error: there is no function `main`, in which runs start\n  --> p.c:1:1\n 1 | \n   | ^");
    let outcome = run(&["check"], "#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
    assert!(
        outcome.stderr.starts_with("error: `cc -E p.c` fails; it says\np.c:1:10: "),
        "{}",
        outcome.stderr
    );
    let outcome =
        run(&["check", "--no-cpp"], "#include \"nowhere.h\"\nint main(void) { ERROR: return 0; }\n");
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let outcome = run(&["check"], "int main(void) { int i = 1; ERROR: return i++ + i; }\n");
    assert!(outcome.stderr.starts_with("warning: C leaves open in which order"), "{}", outcome.stderr);
}

#[test]
fn comments_may_have_any_encoding() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", b"/* caf\xe9 */ int main(void) { ERROR: return 0; }\n");
    assert_eq!(sandbox.run(&["check", "p.c"]).code, 10);
}

#[test]
fn options_of_boolean_programs_are_refused_by_name() {
    for (options, name) in [
        (&["-a", "summary"][..], "--algorithm"),
        (&["-k", "2"], "-k"),
        (&["--rounds", "2"], "--rounds"),
        (&["--engine", "twin"], "--engine"),
        (&["--shortest"], "--shortest"),
        (&["--without", "cone"], "--without"),
        (&["--show", "rsm"], "--show rsm"),
    ] {
        let stderr = format!("error: `{name}` is about Boolean programs, and `p.c` is in C");
        refuses(&[&["check"], options].concat(), MAX, &stderr);
    }
    refuses(
        &["run", "--choices", "T"],
        MAX,
        "error: `--choices` is about Boolean programs; `--inputs` says what a program in C reads",
    );
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", "void main() begin ERROR: skip; end");
    for (arguments, name) in [
        (&["check", "p.bp", "--int", "wrap"][..], "--int"),
        (&["check", "p.bp", "--seed", "1"], "--seed"),
        (&["check", "p.bp", "--show", "cfg"], "--show cfg"),
        (&["run", "p.bp", "--inputs", "1"], "--inputs"),
        (&["translate", "p.bp", "--no-cpp"], "--no-cpp"),
    ] {
        let outcome = sandbox.run(arguments);
        let stderr = format!(
            "error: `{name}` is about programs in C, which are files `.c`, `.i` or `.yml`, or read with `--language c`\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, stderr), "{arguments:?}");
    }
}

#[test]
fn other_commands_say_what_reads_c() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", MAX);
    for arguments in [&["fmt", "p.c"][..], &["sequentialize", "p.c", "-k", "1"], &["mu", "p.c"], &["p.c"]] {
        let outcome = sandbox.run(arguments);
        let stderr = "error: `p.c` is a program in C: `getafix check p.c` checks it\n";
        assert_eq!((outcome.code, outcome.stderr.as_str()), (2, stderr), "{arguments:?}");
    }
}

/// A program that comes from stdin.
#[test]
fn a_program_in_c_may_come_from_stdin() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run_with(&["check", "-", "--language", "c"], MAX);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let named = run(&["check"], MAX);
    assert_eq!(outcome.stdout, named.stdout);
    let outcome = sandbox.run_with(&["run", "-", "--language", "c", "--inputs", "3,-1"], MAX);
    assert_eq!((outcome.code, outcome.stdout), (0, run(&["run", "--inputs", "3,-1"], MAX).stdout));
    let outcome = sandbox.run_with(&["translate", "--chc", "--language", "c", "-"], MAX);
    assert_eq!((outcome.code, outcome.stdout), (0, run(&["translate", "--chc"], MAX).stdout));
    let outcome = sandbox.run_with(&["check", "-", "--language", "c", "--json"], MAX);
    assert_eq!(outcome.stdout, run(&["check", "--json"], MAX).stdout);
    // Places are named, also behind the preprocessor.
    let broken = "#define ONE 1\nint main(void) {\n  return ONE +;\n}\n";
    let outcome = sandbox.run_with(&["check", "-", "--language", "c"], broken);
    let expected = "error: expected an expression, found `;`\n  --> <stdin>:3:15\n 3 |   return ONE +;\n   |               ^\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, expected));
}

#[test]
fn the_language_is_said_where_the_name_does_not_say_it() {
    let sandbox = Sandbox::new();
    let read_as = "error: this is a program in C, not a Boolean program: `--language c` reads it as such\n";
    let outcome = sandbox.run_with(&["check", "-"], MAX);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with(read_as), "{}", outcome.stderr);
    let outcome = sandbox.run_with(&["check", "-", "--int", "wrap"], MAX);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("or read with `--language c`"), "{}", outcome.stderr);
    // A mistake in a Boolean program is shown as one.
    let outcome = sandbox.run_with(&["check", "-"], "void main() begin skip od end");
    assert!(outcome.stderr.starts_with("error: `od` without `while`"), "{}", outcome.stderr);
    sandbox.file("program.txt", MAX);
    let outcome = sandbox.run(&["check", "program.txt", "--language", "c"]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    sandbox.file("program.c", "void main() begin ERROR: skip; end");
    let outcome = sandbox.run(&["check", "program.c", "--language", "bp"]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let outcome = sandbox.run_with(&["check", "-", "--language", "c", "--property", "-"], MAX);
    let twice = "error: `-` is given twice, but stdin can be read once only\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, twice));
    let outcome = sandbox.run_with(&["witness", "-", "-", "--language", "c"], MAX);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, twice));
}

#[test]
fn a_trace_shows_statements_with_all_their_brackets() {
    let program = "#define UP(x) ((x) + 1)
int main(void) {
  int (a) = 3;
  int b = (a % 2);
  int c = {(a)};
  if ((b))
    c = UP(c), b = UP(b);
  while ((c < UP(b))) { c = UP(c); }
  return (c);
}
";
    let expected = "step  line  statement            effect
   1     3  (a) = 3              a = 3
   2     4  b = (a % 2)          b = 1
   3     5  c = {(a)}            c = 3
   4     6  if b                 T
   5     7  c = UP(c)            c = 4
   6     7  b = UP(b)            b = 2
   7     8  while c < UP(b)      F
   8     9  return (c)
ended: main has returned
";
    prints(&["run"], program, 0, expected);
}
