//! `getafix check` on infinite runs of threads: verdicts under each scheduler, how a run is told, what is refused and how.

use crate::harness::Sandbox;
use crate::harness::program::{check, prints, refuses};

/// A lock for two threads, without an order.
const LOCK: &str = "decl lock;
init !lock;
thread p[2]
begin
  decl inside;
  init !inside;
  void main()
  begin
    while (T) do
      TRY: atomic begin assume(!lock); lock := T; end
      inside := T;
      CS: inside := F;
      lock := F;
    od
  end
end
";

const SERVED: &str = "G (at(p[0]:TRY) -> F at(p[0]:CS))";

/// A thread that is started at run time and counts for ever.
const STARTED: &str = "decl x;
init !x;
void f() begin while (T) do COUNT: x := !x; od end
void main() begin start_thread f(); MAIN: skip; end
";

/// Asks, and gives the first two lines and the status.
fn answer(options: &[&str], program: &str) -> (String, i32) {
    let found = check(options, program);
    (found.stdout.lines().take(2).collect::<Vec<&str>>().join("\n"), found.code)
}

#[test]
fn each_scheduler_has_its_answer() {
    let forgotten = "the schedule never lets p[0] run, though it could again and again; with `--scheduler strong` the formula holds";
    let any = answer(&["--ltl", SERVED], LOCK);
    assert_eq!(any, (format!("VIOLATED\n{forgotten}"), 10));
    let weak = answer(&["--ltl", SERVED, "--scheduler", "weak"], LOCK);
    assert_eq!(weak, (format!("VIOLATED by a weakly fair schedule\n{forgotten}"), 10));
    let holds = "HOLDS for every strongly fair schedule\nevery infinite run satisfies it\n";
    prints(&["--ltl", SERVED, "--scheduler", "strong"], LOCK, 0, holds);
}

#[test]
fn all_engines_that_can_be_asked_agree() {
    for options in [
        &["--nonterm"][..],
        &["--repeat", "CS", "--repeat", "p[1].main:TRY"],
        &["--ltl", SERVED, "--scheduler", "weak"],
        &["--ltl", SERVED, "--scheduler", "strong"],
        &["--ltl", "G !(p[0].inside & p[1].inside)"],
        &["--ltl", "G (at(p:CS) -> X !p[0].inside)"],
    ] {
        let [mut own, mut compared] = [options.to_vec(), options.to_vec()];
        own.extend(["--trace", "none"]);
        compared.extend(["--trace", "none", "--engine", "compare"]);
        let (own, compared) = (check(&own, LOCK), check(&compared, LOCK));
        assert_eq!((&own.stdout, own.code), (&compared.stdout, compared.code), "{options:?}: {compared:?}");
        assert!(!compared.stdout.contains("not compared"), "{compared:?}");
    }
}

#[test]
fn a_run_says_what_becomes_of_each_thread() {
    let found = check(&["--ltl", SERVED], LOCK);
    let end = "-- for ever\np[0]: never runs, though it could again and again: main, line 10\np[1]: runs again and again\n";
    assert!(found.stdout.ends_with(end), "{found:?}");
    assert!(found.stdout.contains("┐ for ever"), "{found:?}");
}

#[test]
fn a_run_says_what_the_formula_waits_for() {
    let found = check(&["--ltl", SERVED], LOCK);
    let told = "; waiting for `at(p[0]:CS)` for ever\n";
    assert!(found.stdout.contains(told) && found.stdout.contains("<- from here on"), "{found:?}");
    let found = check(&["--ltl", SERVED, "--json"], LOCK);
    let object: serde_json::Value = serde_json::from_str(&found.stdout).expect("the answer is JSON");
    let monitor = &object["trace"]["monitor"];
    assert_eq!(
        (&monitor["start"], &monitor["target"]),
        (&"watching".into(), &"waiting for `at(p[0]:CS)`".into())
    );
}

/// Who counts to two in a variable of a function.
const COUNTS: &str = "decl x;
init !x;
thread p[2]
begin
  void turn() begin decl often; often := F; AGAIN: x := !x; often := !often; if (often) then goto AGAIN; fi end
  void main() begin while (T) do turn(); od end
end
";

#[test]
fn formulas_read_locals_of_functions() {
    let often = "G F p[0].turn.often";
    let weak = ["--ltl", often, "--scheduler", "weak", "--engine", "compare"];
    prints(&weak, COUNTS, 0, "HOLDS for every weakly fair schedule\nevery infinite run satisfies it\n");
    // While somebody is in another function, a condition over locals is false.
    for formula in ["F G p[0].turn.often", "F G !p[0].turn.often", "G (p[0].turn.often | !p[0].turn.often)"] {
        let found = check(&["--ltl", formula, "--trace", "none", "--engine", "compare"], COUNTS);
        let violated = if formula.starts_with('G') { "HOLDS" } else { "VIOLATED" };
        assert!(found.stdout.starts_with(violated), "{formula}: {found:?}");
    }
    let hint = "thread `p` has no private variable `often`; `turn` has one of its own: write `p.turn.often`";
    refuses(&["--ltl", "G F p[0].often"], COUNTS, &[hint]);
    refuses(&["--ltl", "G F p.turn.often"], COUNTS, &["name one, such as `p[0].turn.often`"]);
}

#[test]
fn a_run_of_threads_as_json_follows_the_schema() {
    let text = std::fs::read_to_string(crate::harness::root().join("docs/output.schema.json"));
    let schema = serde_json::from_str(&text.expect("the schema is in docs")).expect("the schema is JSON");
    for options in
        [&["--ltl", SERVED, "--json"][..], &["--ltl", "G F at(CS)", "--json"], &["--deadlock", "--json"]]
    {
        let found = check(options, LOCK);
        let object: serde_json::Value = serde_json::from_str(&found.stdout).expect("the answer is JSON");
        assert_eq!(crate::harness::schema::validate(&schema, &object), Ok(()), "{object}");
    }
    let found = check(&["--ltl", SERVED, "--json"], LOCK);
    let object: serde_json::Value = serde_json::from_str(&found.stdout).expect("the answer is JSON");
    let for_ever = &object["trace"]["threads"][0]["for_ever"];
    assert_eq!(
        (&for_ever["runs"], &for_ever["can_run"], &for_ever["cannot_run"]),
        (&false.into(), &true.into(), &true.into())
    );
    assert_eq!(object["verdict"], "violated");
}

#[test]
fn monitors_watch_all_threads() {
    let sandbox = Sandbox::new();
    let twice = "monitor twice
begin
  initial state free:
    on at(p:CS) goto held;
    on !at(p:CS) goto free;
  state held:
    on p[0].inside & p[1].inside goto broken;
    on !(p[0].inside & p[1].inside) goto held;
  target state broken:
    on T goto broken;
end
";
    let again = "monitor again
begin
  initial state out:
    on p[0].inside goto in_;
    on !p[0].inside goto out;
  target state in_:
    on p[0].inside goto in_;
    on !p[0].inside goto out;
end
";
    sandbox.file("lock.bp", LOCK).file("twice.mon", twice).file("again.mon", again);
    let never = sandbox.run(&["check", "lock.bp", "--monitor", "twice.mon"]);
    assert_eq!(never.stdout, "UNREACHABLE for every schedule\nno run takes twice to a target state\n");
    let reached = sandbox.run(&["check", "lock.bp", "--monitor", "again.mon"]);
    assert_eq!((reached.stdout.lines().next(), reached.code), (Some("REACHABLE"), 10), "{reached:?}");
    let fair =
        ["check", "lock.bp", "--monitor", "again.mon", "--fair", "--scheduler", "strong", "--trace", "none"];
    let fair = sandbox.run(&fair);
    assert_eq!((fair.stdout.as_str(), fair.code), ("INFINITE RUN by a strongly fair schedule\n", 10));
}

#[test]
fn runs_that_stop_are_told_beside_holds() {
    let once = "decl a, b;
init !a & !b;
thread p begin void main() begin while (*) do assume(!a); L: skip; od end end
thread q begin void main() begin a := T; end end
";
    let holds = "HOLDS for every schedule\nevery infinite run satisfies it; but some runs end in a deadlock, and some end\n";
    prints(&["--ltl", "G F at(L) | F G a"], once, 0, holds);
}

#[test]
fn threads_that_are_started_take_part() {
    let (first, code) = answer(&["--ltl", "G F at(COUNT)", "--scheduler", "weak"], STARTED);
    assert_eq!((first.lines().next(), code), (Some("HOLDS for every weakly fair schedule"), 0));
    let (first, code) = answer(&["--ltl", "F G x"], STARTED);
    assert_eq!((first.lines().next(), code), (Some("VIOLATED"), 10));
    let endless = STARTED.replace("start_thread f();", "while (T) do start_thread f(); od");
    let (first, code) = answer(&["--ltl", "G !at(MAIN)"], &endless);
    assert!(first.starts_with("UNKNOWN: more threads may be started"), "{first}");
    assert_eq!(code, 5);
}

#[test]
fn mistakes_are_named() {
    refuses(&["--ltl", "G at(q:CS)"], LOCK, &["there is no thread or function `q`"]);
    refuses(&["--ltl", "G at(p:CZ)"], LOCK, &["there is no label `CZ` in `p`; did you mean `CS`?"]);
    refuses(
        &["--ltl", "G at(p[2]:CS)"],
        LOCK,
        &["thread `p` has 2 copies, counted from 0: there is no `p[2]`"],
    );
    refuses(&["--ltl", "G p.inside"], LOCK, &["`p` has several copies: name one, such as `p[0].inside`"]);
    refuses(&["--ltl", "G p[0].insid"], LOCK, &["no private variable `insid`; did you mean `inside`?"]);
    refuses(&["--ltl", "G lok"], LOCK, &["`lok` is not declared"]);
    refuses(&["--ltl", "G call(p)"], LOCK, &["`p` is a thread: name a function of it"]);
    refuses(&["--ltl", "G p[x].inside"], LOCK, &["the number of a copy"]);
    refuses(&["--nonterm", "-k", "3"], LOCK, &["`--nonterm` is about every schedule"]);
    refuses(&["--scheduler", "weak"], LOCK, &["`--scheduler` is about infinite runs"]);
    refuses(&["--deadlock", "--scheduler", "weak"], LOCK, &["`--scheduler` is about infinite runs"]);
    refuses(&["--nonterm", "--engine", "symbolic"], LOCK, &["by the explicit engine"]);
    refuses(&["--repeat", "assert"], LOCK, &["where an assertion fails, a run ends"]);
}

#[test]
fn any_number_of_threads() {
    let lock = LOCK.replace("p[2]", "p[*]");
    let served = |scheduler| answer(&["--ltl", SERVED, "--scheduler", scheduler, "--trace", "none"], &lock);
    assert_eq!(served("any").1, 10);
    assert_eq!(served("weak").1, 10);
    let (text, status) = served("strong");
    assert_eq!(status, 0, "{text}");
    assert!(text.starts_with("HOLDS for every strongly fair schedule of any number of threads\n"), "{text}");
    let (text, status) = answer(&["--ltl", SERVED, "--scheduler", "weak"], &lock);
    assert_eq!(status, 10, "{text}");
    assert!(text.ends_with("with `--scheduler strong` the formula holds"), "{text}");
    // Each of them ends, and there are finitely many.
    let ends = "decl x; init !x; thread p[*] begin void main() begin x := T; L: x := F; end end";
    let (text, status) = answer(&["--nonterm"], ends);
    assert_eq!(status, 0, "{text}");
    // A run of a few is shown.
    let shown = check(&["--nonterm"], &lock);
    assert_eq!(shown.code, 10, "{shown:?}");
    assert!(shown.stdout.contains("-- for ever\np[0]: runs again and again\n"), "{shown:?}");
}
