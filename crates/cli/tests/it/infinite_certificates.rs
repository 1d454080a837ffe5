//! Certificates about infinite runs, from the command line: written, accepted, refused.

use crate::harness::{Outcome, Sandbox, root, schema};
use serde_json::Value;

/// Who waits for the lock gets it, if the schedule is strongly fair.
const LOCK: &str = "decl lock; init !lock;
thread p[2] begin void main() begin
  while (T) do
    TRY: atomic begin assume(!lock); lock := T; end
    CS: skip;
    lock := F;
  od
end end
";

const SERVED: &str = "G (at(p[0]:TRY) -> F at(p[0]:CS))";

/// A recursion that ends, and a loop that does not.
const RECURSION: &str = "decl x;
bool f(n: int<2>) begin decl y; A: skip; if (n = 0) then return x; fi y := f(n - 1); return y; end
void main() begin x := *; x := f(3); while (T) do B: skip; od end
";

const MONITOR: &str = "monitor again // not this monitor
begin
  initial state idle: on call(f) goto seen; on !call(f) goto idle;
  target state seen: on call(f) goto seen; on !call(f) goto idle;
end
";

/// Writes a certificate with these options, and checks it.
fn certified(program: &str, options: &[&str]) -> (Sandbox, Outcome, Outcome) {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", program).file("m.mon", MONITOR);
    let checked = sandbox.run(&[&["check", "p.bp", "--certificate", "c"], options].concat());
    let validated = sandbox.run(&["validate", "p.bp", "c"]);
    (sandbox, checked, validated)
}

#[track_caller]
fn proves(program: &str, options: &[&str], expected: &str) {
    let (_, checked, validated) = certified(program, options);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert_eq!((validated.code, validated.stdout.as_str()), (0, expected), "{}", validated.stderr);
}

#[test]
fn what_is_proved_is_said() {
    proves(RECURSION, &["--repeat", "A"], "ACCEPTED\nno infinite run is at A again and again\n");
    let fair = ["--monitor", "m.mon", "--fair"];
    proves(RECURSION, &fair, "ACCEPTED\nno infinite run is in target states of again again and again\n");
    proves(
        RECURSION,
        &["--ltl", "F G at(B) | G F at(B)"],
        "ACCEPTED\nevery infinite run satisfies F G at(B) | G F at(B)\n",
    );
    let ends = "void main() begin decl x; x := *; while (x) do x := F; od end";
    proves(ends, &["--nonterm"], "ACCEPTED\nno run goes on for ever\n");
    let strong = ["--ltl", SERVED, "--scheduler", "strong"];
    proves(
        LOCK,
        &strong,
        &format!("ACCEPTED\nevery infinite run satisfies {SERVED}, under every strongly fair schedule\n"),
    );
    let ended = "decl x; thread p begin void main() begin x := T; L: skip; end end
                 thread q begin void main() begin assume(x); M: skip; end end";
    proves(ended, &["--nonterm"], "ACCEPTED\nno run goes on for ever, under every schedule\n");
    proves(
        ended,
        &["--repeat", "L", "--repeat", "M"],
        "ACCEPTED\nno infinite run is at L again and again, under every schedule\nno infinite run is at M again and again, under every schedule\n",
    );
}

#[test]
fn the_object_names_what_is_proved() {
    let (sandbox, ..) = certified(LOCK, &["--ltl", SERVED, "--scheduler", "strong"]);
    let outcome = sandbox.run(&["validate", "p.bp", "c", "--json"]);
    let answer: Value = serde_json::from_str(&outcome.stdout).expect("an object");
    let text =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    schema::validate(&schema, &answer).unwrap_or_else(|problem| panic!("{problem} in {answer:#}"));
    assert_eq!(answer["verdict"], "accepted");
    assert_eq!(
        (&answer["targets"][0]["target"], &answer["targets"][0]["verdict"]),
        (&SERVED.into(), &"holds".into())
    );
}

#[track_caller]
fn refuses_text(sandbox: &Sandbox, program: &str, text: &str, expected: &str) {
    sandbox.file("changed", text);
    let outcome = sandbox.run(&["validate", program, "changed"]);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    assert!(outcome.stdout.starts_with("REFUSED: ") && outcome.stdout.contains(expected), "{outcome:?}");
}

#[test]
fn what_proves_nothing_is_refused_with_the_reason() {
    let (sandbox, ..) = certified(LOCK, &["--ltl", SERVED, "--scheduler", "strong"]);
    let text = sandbox.read("c");
    let weak = text.replace("scheduler strong", "scheduler weak");
    refuses_text(&sandbox, "p.bp", &weak, "cannot move, and class");
    let any = text.replace("scheduler strong", "scheduler any");
    refuses_text(&sandbox, "p.bp", &any, "under `any` that is allowed");
    let first = text.lines().find(|line| line.starts_with("c ")).expect("a configuration");
    refuses_text(&sandbox, "p.bp", &text.replacen(&format!("{first}\n"), "", 1), "which is not in the set");
    let claim = text.lines().find(|line| line.starts_with("claim")).expect("a claim");
    refuses_text(&sandbox, "p.bp", &text.replace(claim, "claim nonterm"), "");
    sandbox.file("q.bp", LOCK.replace("lock := F;", "skip;"));
    refuses_text(&sandbox, "q.bp", &text, "");
    sandbox.file("s.bp", RECURSION);
    refuses_text(&sandbox, "s.bp", &text, "it is about threads, and the program is sequential");
}

#[test]
fn numbers_of_sequential_programs_are_checked() {
    let (sandbox, ..) = certified(RECURSION, &["--repeat", "A"]);
    let text = sandbox.read("c");
    let same = text.lines().map(|line| match line.split_once(' ') {
        // A state: its point, its number, its values.
        Some((point, rest)) if point.starts_with('p') && !rest.starts_with('=') => {
            let values = rest.split_once(' ').map_or("", |(_, values)| values);
            format!("{point} 0 {values}\n")
        }
        _ => format!("{line}\n"),
    });
    refuses_text(&sandbox, "p.bp", &same.collect::<String>(), "which is not smaller");
    refuses_text(&sandbox, "p.bp", &text.replace("claim repeat A", "claim repeat B"), "");
    refuses_text(&sandbox, "p.bp", &text.replace("claim repeat A", "claim nonterm"), "");
    refuses_text(&sandbox, "p.bp", &text.replace("claim repeat A", "claim repeat NONE"), "no label `NONE`");
    sandbox.file("q.bp", LOCK);
    refuses_text(&sandbox, "q.bp", &text, "it is about a sequential program, and this one has threads");
    sandbox.file("broken", text.replace("claim repeat A", "claim"));
    let outcome = sandbox.run(&["validate", "p.bp", "broken"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("broken:2: expected `nonterm`"), "{outcome:?}");
}

/// Where threads start depends on a shared variable: that it has no values in a certificate must not hide runs.
#[test]
fn what_threads_start_with_is_not_left_open() {
    let endless = "decl s;
thread p begin decl own; init own = s; void main() begin while (own) do skip; od end end
";
    let (sandbox, checked, validated) =
        certified(&endless.replace("decl s;", "decl s; init !s;"), &["--nonterm"]);
    assert_eq!((checked.code, validated.code), (0, 0), "{checked:?} {validated:?}");
    let text = sandbox.read("c");
    sandbox.file("q.bp", endless);
    assert_eq!(sandbox.run(&["check", "q.bp", "--nonterm", "--trace", "none"]).code, 10);
    refuses_text(&sandbox, "q.bp", &text, "");
    // The value at the start is one of a variable of its own.
    let open = text.replace("shared s $start.s", "shared").replace("s0 = 0 0", "s0 =");
    assert_ne!(open, text);
    refuses_text(&sandbox, "q.bp", &open, "which has none");
}
