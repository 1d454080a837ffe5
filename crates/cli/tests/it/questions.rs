//! Questions other than what can be reached: infinite runs, monitors, formulas of linear temporal logic; and who answers them.

use crate::harness::program::{check, prints, refuses};
use crate::harness::{Outcome, Sandbox, root, run, schema};
use serde_json::{Value, json};

/// A loop with two ways through it, and a global that one of them changes.
const LOOP: &str = "decl x; init !x;
void main() begin
  while (T) do
    if (*) then A: x := !x; else B: skip; fi
  od
  END: skip;
end
";

/// A recursion that may end.
const POLL: &str = "decl full;
void again() begin
  AGAIN: full := *;
  if (!full) then again(); fi
end
void main() begin
  full := F;
  again();
end
";

/// Every run ends.
const ENDS: &str = "void main() begin L: skip; end";

/// A search without an end.
const GRID: &str = "decl x: int<32>, y: int<32>; init x = 0 & y = 0;
void main() begin
  while (x < 1000000) do
    if (*) then x := x + 1; else y := y + 1; fi
    if (x > 1000000) then L: skip; fi
  od
end
";

/// Runs a command in a directory that has a program and a monitor.
fn watched(program: &str, monitor: &str, options: &[&str]) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", program).file("m.mon", monitor);
    sandbox.run(&[&["check", "p.bp"], options].concat())
}

#[track_caller]
fn says(outcome: &Outcome, code: i32, stdout: &str) {
    assert_eq!(outcome.stdout, stdout, "{}", outcome.stderr);
    assert_eq!(outcome.code, code, "{}", outcome.stderr);
}

#[track_caller]
fn refused(outcome: &Outcome, stderr: &str) {
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    assert_eq!(outcome.stderr, stderr);
}

/// The object that a command prints follows the schema.
#[track_caller]
fn object(options: &[&str], program: &str) -> Value {
    let outcome = check(&[options, &["--json"]].concat(), program);
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    schema::validate(&schema, &object).unwrap_or_else(|problem| panic!("{problem} in {object:#}"));
    object
}

#[test]
fn an_infinite_run_is_told_as_a_way_and_a_cycle() {
    let expected = "INFINITE RUN
2 steps, then 3 steps for ever; each time one call more is open

step  line  statement    effect
   1     7  full := F    full = F
   2     8  again()      again()
   3     3    full := *  full = F  ┐ for ever
   4     4    if !full   T         │
   5     4    again()    again()   ┘
";
    for options in [&["--nonterm"][..], &["--repeat", "AGAIN"], &["--repeat", "again:AGAIN"]] {
        for engine in [&[][..], &["--engine", "explicit"], &["--engine", "portfolio"]] {
            prints(&[options, engine].concat(), POLL, 10, expected);
        }
    }
    let outcome = check(&["--nonterm", "--trace", "source"], POLL);
    assert!(outcome.stdout.contains("    3      ∞          | 3    AGAIN: full := *;\n"), "{outcome:?}");
}

#[test]
fn that_there_is_no_infinite_run_is_an_answer() {
    prints(&["--nonterm"], ENDS, 0, "NO INFINITE RUN\nno run goes on for ever\n");
    let expected = "NO INFINITE RUN\nno infinite run is at L again and again\n";
    prints(&["--repeat", "L"], ENDS, 0, expected);
}

#[test]
fn each_label_has_an_answer() {
    let expected = "INFINITE RUN\nA: infinite run\nEND: no infinite run\nB: infinite run\n";
    let options = ["--repeat", "A", "--repeat", "END", "--repeat", "B", "--trace", "none"];
    let outcome = prints(&options, LOOP, 10, expected);
    assert_eq!(outcome.stderr, "note: `END` is in dead code: no path of the program leads to it\n");
    for engine in ["symbolic", "twin", "compare", "explicit"] {
        prints(&[&options[..], &["--engine", engine]].concat(), LOOP, 10, expected);
    }
}

#[test]
fn a_formula_holds_or_is_violated_by_an_infinite_run() {
    let expected = "HOLDS\nevery infinite run satisfies it\n";
    prints(&["--ltl", "G (at(A) -> X (F (at(A) | at(B))))"], LOOP, 0, expected);
    let outcome = check(&["--ltl", "G (x -> F !x)"], LOOP);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "VIOLATED");
    assert_eq!(lines[1], "an infinite run violates G (x -> F !x)");
    assert!(lines[2].ends_with("; waiting for `!x` for ever"), "{}", lines[2]);
    assert!(lines[4].starts_with("step  line  monitor           statement"), "{}", lines[4]);
    let n_marked = lines.iter().filter(|line| line.ends_with("<- from here on")).count();
    assert_eq!(n_marked, 1, "{outcome:?}");
    let found = object(&["--ltl", "G (x -> F !x)"], LOOP);
    let words = [("s0", "watching"), ("s1", "waiting for `!x`")];
    let words = words.map(|(state, words)| json!({ "state": state, "words": words }));
    assert_eq!(found["trace"]["monitor"]["words"], json!(words));
}

#[test]
fn a_formula_that_holds_says_if_some_runs_are_finite() {
    let says = |program: &str, words: &str| {
        let expected = format!("HOLDS\nevery infinite run satisfies it{words}\n");
        prints(&["--ltl", "G F !F"], program, 0, &expected);
    };
    says(ENDS, "; some runs end");
    says("void main() begin while (T) do skip; od end", "");
    says("void main() begin while (T) do assume(*); od end", "");
    says("void main() begin assume(F); end", "; some runs cannot go on");
    let blocks = "decl x; init !x; void main() begin if (*) then assume(x); fi skip; end";
    says(blocks, "; some runs end, and some cannot go on");
    says("decl x; init !x; void main() begin while (T) do assert(x); od end", "; some runs cannot go on");
    says("void main() begin while (T) do assert(*); od end", "; some runs cannot go on");
    let finite = |program: &str| object(&["--ltl", "G F !F"], program)["finite_runs"].clone();
    assert_eq!(finite(ENDS), json!({ "ends": true, "blocks": false }));
    let large = GRID.replace("while (x < 1000000)", "while (T)").replace("x > 1000000", "F");
    let outcome = check(&["--ltl", "G F !F", "--timeout", "60"], &large);
    let words = "; whether some runs end or cannot go on was not found out";
    assert_eq!(outcome.stdout, format!("HOLDS\nevery infinite run satisfies it{words}\n"), "{outcome:?}");
}

#[test]
fn a_monitor_is_shown_beside_the_steps() {
    let here =
        |options: &[&str]| run(root(), &[&["check", "examples/lock.bp", "--monitor"], options].concat(), "");
    let outcome = here(&["examples/double_lock.mon"]);
    let expected = "REACHABLE
11 steps; double_lock reaches broken

step  line  monitor  statement               effect
            free     (initially)             locked = F
   1    35  free     while *                 T, chosen
   2    36  held     acquire()               acquire()
   3    12  held       if locked             F
   4    15  held       locked := T           locked = T
   5    16  held       end                   back in main
   6    37  held     work(*)                 work(urgent = T)
   7    27  held       failed := *           failed = T
   8    28  held       if !failed | !urgent  F
   9    31  held       end                   back in main
  10    35  held     while *                 T, chosen
  11    36  broken   acquire()               acquire()
            broken   (finally)               locked = T
";
    says(&outcome, 10, expected);
    let outcome = here(&["examples/double_lock.mon", "--trace", "source"]);
    assert!(
        outcome.stdout.contains("    1      2  free, held            | 35    while (*) do\n"),
        "{outcome:?}"
    );
    assert!(outcome.stdout.ends_with("finally: locked = T\ndouble_lock reaches broken\n"), "{outcome:?}");
    let outcome = here(&["examples/never_released.mon", "--fair", "--engine", "explicit"]);
    assert!(outcome.stdout.starts_with("INFINITE RUN\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("never_released is in waits again and again\n"), "{outcome:?}");
    let safe = |monitor: &str, options: &[&str]| {
        run(root(), &[&["check", "examples/safe_lock.bp", "--monitor", monitor], options].concat(), "")
    };
    let outcome = safe("examples/double_lock.mon", &[]);
    says(&outcome, 0, "UNREACHABLE\nno run takes double_lock to a target state\n");
    let outcome = safe("examples/never_released.mon", &["--fair"]);
    let expected = "NO INFINITE RUN\nno infinite run is in target states of never_released again and again\n";
    says(&outcome, 0, expected);
}

#[test]
fn a_target_state_inside_a_call_that_is_not_told_again_is_named() {
    let program = "void f() begin L: skip; end void main() begin f(); M: f(); goto M; end";
    let monitor = "monitor m begin initial state a: on at(L) goto b; on !at(L) goto a;
        target state b: on T goto a; end";
    let outcome = watched(program, monitor, &["--monitor", "m.mon", "--fair"]);
    assert!(outcome.stdout.contains("for ever; m is in b again and again\n"), "{outcome:?}");
}

#[test]
fn every_engine_watches_the_same_product() {
    let monitor =
        "monitor m begin initial state a: on x goto b; on !x goto a; target state b: on T goto b; end";
    for engine in ["symbolic", "explicit", "twin", "compare", "portfolio"] {
        let outcome = watched(LOOP, monitor, &["--monitor", "m.mon", "--engine", engine]);
        assert!(outcome.stdout.starts_with("REACHABLE\n"), "{engine}: {outcome:?}");
        assert!(outcome.stdout.contains("m reaches b\n"), "{engine}: {outcome:?}");
        let blocked = monitor.replace("on !x goto a", "on x goto a");
        let outcome = watched(LOOP, &blocked, &["--monitor", "m.mon", "--engine", engine]);
        assert!(outcome.stdout.starts_with("UNREACHABLE\n"), "a monitor may block: {engine}: {outcome:?}");
    }
}

#[test]
fn the_monitor_of_a_formula_can_be_shown() {
    let expected = "monitor ltl
begin
  initial state s0:
    on T goto s0;
    on at(A) & !at(B) goto s1;
  target state s1:
    on !at(B) goto s1;
end
";
    let formula = ["--ltl", "G (at(A) -> F at(B))"];
    prints(&[&formula[..], &["--show", "monitor"]].concat(), LOOP, 0, expected);
    let outcome = check(&[&formula[..], &["--show", "monitor-dot"]].concat(), LOOP);
    assert!(outcome.stdout.starts_with("digraph \"ltl\" {\n"), "{outcome:?}");
    // What is printed is a monitor that asks the same.
    let outcome = watched(LOOP, expected, &["--monitor", "m.mon", "--fair", "--trace", "none"]);
    says(&outcome, 10, "INFINITE RUN\n");
    let outcome = watched(
        LOOP,
        "// A comment.\nmonitor m begin initial target state a: end",
        &["--monitor", "m.mon", "--show", "monitor"],
    );
    says(&outcome, 0, "// A comment.\nmonitor m begin initial target state a: end");
    let outcome = watched(LOOP, expected, &["--monitor", "m.mon", "--show", "rsm"]);
    assert!(outcome.stdout.contains("$monitor"), "the machine is that of both: {outcome:?}");
    refuses(&["--show", "monitor"], LOOP, &["there is no monitor to show"]);
}

#[test]
fn objects_say_it_too() {
    let found = object(&["--repeat", "A", "--repeat", "END"], LOOP);
    assert_eq!(found["verdict"], json!("infinite run"));
    assert_eq!((&found["engine"], &found["trace"]["monitor"]), (&json!("explicit"), &json!(null)));
    assert_eq!(found["targets"][1]["verdict"], json!("no infinite run"));
    assert!(found["trace"]["cycle"]["first"].is_number() && found["search"]["states"].is_number());
    assert_eq!(object(&["--nonterm"], ENDS)["verdict"], json!("no infinite run"));
    let found = object(&["--ltl", "G !x"], LOOP);
    assert_eq!((&found["verdict"], &found["targets"][0]["target"]), (&json!("violated"), &json!("G !x")));
    let monitor = &found["trace"]["monitor"];
    assert_eq!((&monitor["name"], &monitor["start"]), (&json!("ltl"), &json!("s0")));
    let steps = found["trace"]["steps"].as_array().expect("a list");
    assert!(steps.iter().all(|step| step["monitor"].is_string()), "{found:#}");
    assert!(steps.iter().any(|step| step["monitor"] == monitor["target"]), "{found:#}");
    assert_eq!(object(&["--ltl", "F F | T"], LOOP)["verdict"], json!("holds"));
    assert_eq!(object(&["--nonterm", "--memory", "40M"], GRID)["verdict"], json!("unknown"));
}

#[test]
fn mistakes_in_formulas_have_a_place() {
    let broken = |formula: &str, stderr: &str| refused(&check(&["--ltl", formula], LOOP), stderr);
    broken(
        "G (at(A) -> ",
        "error: expected a formula, found the end of the formula\n  --> --ltl:1:13\n 1 | G (at(A) -> \n   |             ^\n",
    );
    broken("G at(C)", "error: there is no label `C`\n  --> --ltl:1:6\n 1 | G at(C)\n   |      ^\n");
    broken("G (y | x)", "error: `y` is not declared\n  --> --ltl:1:4\n 1 | G (y | x)\n   |    ^\n");
    let outcome = check(&["--ltl", "G (n = 300)"], "decl n: int<8>; void main() begin n := 0; end");
    refused(
        &outcome,
        "error: the number 300 does not fit: `int<8>` goes from 0 to 255\n  --> --ltl:1:8\n 1 | G (n = 300)\n   |        ^^^\n",
    );
}

#[test]
fn mistakes_in_monitors_have_a_place() {
    let broken = |monitor: &str, stderr: &str| {
        refused(&watched(LOOP, monitor, &["--monitor", "m.mon"]), stderr);
    };
    broken(
        "monitor m begin target state a: end",
        "error: the monitor has no `initial` state\n  --> m.mon:1:9\n 1 | monitor m begin target state a: end\n   |         ^\n",
    );
    broken(
        "monitor m begin initial state a: end",
        "error: the monitor has no `target` state\n  --> m.mon:1:9\n 1 | monitor m begin initial state a: end\n   |         ^\n",
    );
    broken(
        "monitor m\nbegin initial state a: on T goto a;\ntarget state b: on T goto b; end",
        "error: the target state `b` cannot be reached: no way leads to it from an initial state\n  --> m.mon:3:14\n 3 | target state b: on T goto b; end\n   |              ^\n",
    );
    broken(
        "monitor m begin initial target state a: on at(Q) goto a; end",
        "error: there is no label `Q`\n  --> m.mon:1:47\n 1 | monitor m begin initial target state a: on at(Q) goto a; end\n   |                                               ^\n",
    );
    let one = "monitor m begin initial target state a: target state b: end";
    let outcome = watched(LOOP, one, &["--monitor", "m.mon", "--trace", "none"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (10, "REACHABLE\n"), "{outcome:?}");
    assert!(outcome.stderr.starts_with("warning: the target state `b` cannot be reached"), "{outcome:?}");
    refuses(&["--monitor", "nowhere.mon"], LOOP, &["error: `nowhere.mon` does not exist"]);
    refuses(&["--monitor", "-"], LOOP, &["`--monitor -` reads stdin once"]);
}

#[test]
fn questions_about_infinite_runs_of_threads_are_about_every_schedule() {
    for option in [&["--nonterm"][..], &["--repeat", "L"], &["--ltl", "G T"], &["--monitor", "m.mon"]] {
        let outcome = run(root(), &[&["check", "examples/bluetooth.bp", "-k", "2"], option].concat(), "");
        let message = format!("error: `{}` is about every schedule: it goes with no bound\n", option[0]);
        refused(&outcome, &message);
    }
    let outcome = run(root(), &["check", "examples/bluetooth.bp", "-k", "2", "--engine", "portfolio"], "");
    assert!(outcome.code == 0 && outcome.stderr.contains("that of the explicit engine"), "{outcome:?}");
}

#[test]
fn options_that_do_not_go_together_are_errors() {
    refuses(&["--repeat", "A", "--nonterm"], LOOP, &["cannot be used with '--nonterm'"]);
    refuses(&["--nonterm", "-t", "A"], LOOP, &["cannot be used with"]);
    refuses(&["--fair"], LOOP, &["--monitor"]);
    refuses(&["--repeat", "assert"], LOOP, &["where an assertion fails, a run ends"]);
    refuses(&["--repeat", "C"], LOOP, &["there is no label `C`; the nearest are `A`, `B`, `END`"]);
    refuses(&["--nonterm", "--shortest"], LOOP, &["infinite runs have no length"]);
    refuses(
        &["--ltl", "G T", "--certificate", "c", "--engine", "symbolic"],
        LOOP,
        &["certificates about infinite runs are those of the explicit engine"],
    );
    refuses(
        &["-t", "A", "--search", "bfs", "--engine", "symbolic"],
        LOOP,
        &["`--search` is about the explicit engine"],
    );
    refuses(&["-t", "A", "--search", "widen", "--shortest"], LOOP, &["`--shortest` needs `--search bfs`"]);
    refuses(
        &["-t", "A", "--engine", "explicit", "--algorithm", "summary"],
        LOOP,
        &["`--algorithm` is about the solver"],
    );
    refuses(
        &["-t", "A", "--engine", "portfolio", "--certificate", "c"],
        LOOP,
        &["`--certificate` is about the solver"],
    );
}

#[test]
fn the_explicit_engine_answers_like_the_others() {
    let steps = |options: &[&str]| {
        let outcome = check(&[&["-t", "END"], options].concat(), &LOOP.replace("while (T)", "while (!x)"));
        assert!(outcome.stdout.starts_with("REACHABLE\n"), "{outcome:?}");
        outcome.stdout.lines().nth(1).and_then(|line| line.split(' ').next()?.parse::<u32>().ok())
    };
    let shortest = steps(&["--shortest"]);
    assert_eq!(steps(&["--search", "bfs"]), shortest);
    assert_eq!(steps(&["--engine", "explicit", "--shortest"]), shortest);
    assert_eq!(steps(&["--engine", "twin"]), shortest);
    assert!(steps(&["--search", "dfs"]) >= shortest && steps(&["--search", "widen"]) >= shortest);
    let expected = "UNREACHABLE\nno run reaches END\n";
    prints(&["-t", "END", "--engine", "explicit"], LOOP, 0, expected);
    let outcome = check(&["-t", "A", "-t", "END", "--engine", "explicit", "--trace", "none"], LOOP);
    assert_eq!(outcome.stdout, "REACHABLE\nA: reachable\nEND: unreachable\n");
}

#[test]
fn a_search_that_outgrows_its_memory_says_how_far_it_came() {
    for (order, is_told) in [("dfs", false), ("bfs", true), ("widen", false)] {
        let outcome = check(&["-t", "L", "--search", order, "--memory", "40M"], GRID);
        assert_eq!(outcome.code, 5, "{outcome:?}");
        let rest =
            outcome.stdout.strip_prefix("UNKNOWN: out of memory, limit 40.0 MB (").expect(&outcome.stdout);
        let states: u64 = rest.split(' ').next().and_then(|n| n.parse().ok()).expect("a number of states");
        assert!(states > 100_000 && rest.contains(" states, 1 entry, "), "{rest}");
        assert_eq!(rest.contains("all runs of fewer than "), is_told, "{rest}");
    }
    let outcome = check(&["--nonterm", "--engine", "explicit", "--memory", "40M"], GRID);
    assert!(outcome.code == 5 && outcome.stdout.contains(" states, 1 entry, "), "{outcome:?}");
    let outcome = check(&["--nonterm", "--memory", "40M"], GRID);
    let expected = "UNKNOWN: out of memory, limit 40.0 MB (explicit: ";
    assert!(outcome.code == 5 && outcome.stdout.starts_with(expected), "{outcome:?}");
    for words in [" states, 1 entry, ", "; symbolic: "] {
        assert!(outcome.stdout.contains(words), "`{words}` in {outcome:?}");
    }
    let outcome = check(&["-t", "L", "--engine", "explicit", "--timeout", "0.2"], GRID);
    assert!(outcome.stdout.starts_with("UNKNOWN: timeout after 0.2s (") || outcome.code == 0, "{outcome:?}");
}

#[test]
fn figures_of_a_search_are_told() {
    let outcome = check(&["-t", "END", "--engine", "explicit", "--stats"], LOOP);
    for words in [" states, 1 entry, ", " states/s, ", " bytes/state"] {
        assert!(outcome.stderr.contains(words), "`{words}` in {outcome:?}");
    }
    let object = object(&["-t", "END", "--engine", "explicit"], LOOP);
    assert!(object["search"]["states"].as_u64() > Some(3) && object["search"].get("seconds").is_none());
}

#[test]
fn wide_integers_cost_nothing_that_is_not_looked_at() {
    let quicksort = |n: u32| {
        let program = generate::family("quicksort", n, &generate::Options::default()).expect("a family");
        let states = |options: &[&str]| {
            let object = object(&[options, &["--engine", "explicit"]].concat(), &program);
            assert_ne!(object["verdict"], json!("unknown"), "{options:?}");
            object["search"]["states"].as_u64().expect("a number")
        };
        (states(&[]), states(&["--nonterm"]))
    };
    let (small, large) = (quicksort(4), quicksort(32));
    assert_eq!(small, large);
    assert!(large.0 < 50 && large.1 < 100, "{large:?}");
}

#[test]
fn a_portfolio_names_who_answers_and_two_runs_are_the_same() {
    let shallow = check(&["-t", "A", "--engine", "portfolio"], LOOP);
    assert_eq!(shallow.stderr, "note: the answer is that of the explicit engine\n");
    // Too many states to look at one by one, and easy for diagrams.
    let counter = generate::family("counter", 18, &generate::Options::default()).expect("a family");
    let first = check(&["--engine", "portfolio", "--trace", "none"], &counter);
    assert_eq!(first.stderr, "note: the answer is that of the symbolic engine\n", "{first:?}");
    let second = check(&["--engine", "portfolio", "--trace", "none"], &counter);
    assert_eq!((first.stdout, first.stderr, first.code), (second.stdout, second.stderr, second.code));
}
