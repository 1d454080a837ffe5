//! `getafix check` on concurrent programs: bounds, verdicts, traces, algorithms and engines.

use crate::harness::Sandbox;
use crate::harness::program::{check, command, prints, refuses};

/// The first line of stdout.
#[track_caller]
fn says(options: &[&str], program: &str, line: &str) {
    let outcome = check(options, program);
    assert_eq!(outcome.stdout.lines().next(), Some(line), "{options:?}: {}", outcome.stderr);
}

/// The driver with so many threads of each kind.
fn bluetooth(adders: &str, stoppers: &str) -> String {
    command(&["gen", "bluetooth", "--adders", adders, "--stoppers", stoppers], "").stdout
}

/// One thread waits for the other between two of its steps.
pub const HANDOVER: &str = "decl x;
init !x;
thread p
begin
  void main()
  begin
    assume(!x);
    L: if (x) then ERROR: skip; fi
  end
end
thread q[2]
begin
  void main() begin x := T; end
end
";

/// Two threads that are started at run time.
pub const STARTED: &str = "decl x, n: int<2>;
init !x & n = 0;
void f(p, m: int<2>)
begin
  decl l;
  x := p;
  if (l) then n := m; fi
end
void main()
begin
  decl a;
  a := T;
  start_thread f(a, 3);
  start_thread goto L;
  if (n = 3) then ERROR: skip; fi
  end_thread;
  L: skip;
end
";

const SEQUENTIAL: &str = "decl x; void main() begin x := T; assert(x); end";

#[test]
fn bluetooth_fails_within_as_many_switches_as_the_paper_says() {
    for (adders, stoppers, least) in
        [("1", "1", None), ("1", "2", Some(3)), ("2", "1", Some(4)), ("2", "2", Some(3))]
    {
        let program = bluetooth(adders, stoppers);
        for k in 0..=4 {
            let line = match least {
                Some(least) if least <= k => format!("REACHABLE within {least} context switches"),
                _ if k == 1 => "UNREACHABLE within 1 context switch".to_owned(),
                _ => format!("UNREACHABLE within {k} context switches"),
            };
            let outcome = check(&["-k", &k.to_string()], &program);
            let first = outcome.stdout.lines().next().unwrap_or_default();
            assert!(first.starts_with(&line), "{adders} {stoppers} {k}: {outcome:?}");
        }
    }
    says(&["-k", "6", "--trace", "none"], &bluetooth("*", "*"), "REACHABLE within 3 context switches");
}

#[test]
fn bluetooth_fails_within_as_many_rounds_as_the_order_needs() {
    for (adders, stoppers, least) in [("1", "2", 2), ("2", "1", 3), ("*", "*", 2)] {
        let program = bluetooth(adders, stoppers);
        let within = |rounds: i32| check(&["--rounds", &rounds.to_string()], &program);
        let outcome = within(least);
        let line = format!("REACHABLE within {least} rounds\n");
        assert!(outcome.code == 10 && outcome.stdout.starts_with(&line), "{adders} {stoppers}: {outcome:?}");
        assert!(outcome.stdout.contains("ERROR reached"), "{adders} {stoppers}: {outcome:?}");
        assert_eq!(within(least - 1).code, 0, "{adders} {stoppers}");
    }
}

#[test]
fn a_fixed_driver_does_not_fail() {
    let fixed = command(&["gen", "bluetooth", "--fixed"], "").stdout;
    let outcome = prints(
        &["-k", "3"],
        &fixed,
        0,
        "UNREACHABLE within 3 context switches\nno run within 3 context switches reaches ERROR\n",
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn a_trace_tells_who_runs_and_what_is_shared() {
    let expected = "REACHABLE within 2 context switches
3 steps, 2 context switches

step  line  statement   effect
-- context 1: p (shared: x = F)
   1     7  assume(!x)
-- context 2: q[0] (shared: x = F)
   2    13  x := T      x = T
-- context 3: p (shared: x = T)
   3     8  if x        T
         8  skip        ERROR reached
-- at the end
p: main, line 8
q[0]: main, line 13
not started: q[1]
";
    for engine in ["symbolic", "explicit", "twin", "compare"] {
        prints(&["-k", "4", "--engine", engine], HANDOVER, 10, expected);
    }
}

#[test]
fn a_trace_shows_stacks_values_at_the_start_and_calls_that_repeat() {
    let program = "decl go;
init !go;
thread p
begin
  decl own;
  void set(v)
  begin
    decl l;
    go := v;
    assume(l);
  end
  void main()
  begin
    decl q;
    set(F);
    set(F);
    assume(own & q);
    set(T);
    if (!go) then ERROR: skip; fi
  end
end
thread q
begin
  void main() begin assume(go); go := F; end
end
";
    let expected = "REACHABLE within 2 context switches
13 steps, 2 context switches

step  line  statement         effect
-- context 1: p (shared: go = F)
            (initially)       own = T, q = T
   1    15  set(F)            set(v = F), l = T
   2     9    go := v         go = F
   3    10    assume(l)
   4    11    end             back in main
   5    16  set(F)            set(v = F), l = T
   8          … as steps 2–4  back in main
   9    17  assume(own & q)
  10    18  set(T)            set(v = T), l = T
  11     9    go := v         go = T
  12    10    assume(l)
  13    11    end             back in main
-- context 2: q (shared: go = T)
  14    24  assume(go)
  15    24  go := F           go = F
-- context 3: p (shared: go = F)
";
    let outcome = check(&["-k", "2"], program);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let shown: Vec<&str> = outcome.stdout.lines().skip(2).take(16).collect();
    let expected: Vec<&str> = expected.lines().skip(2).take(16).collect();
    assert_eq!(shown, expected, "{}", outcome.stdout);
    let end: Vec<&str> = outcome.stdout.lines().skip_while(|line| *line != "-- at the end").collect();
    assert_eq!(end, ["-- at the end", "p: main, line 19 (q = T)", "q: main, line 24"]);
}

#[test]
fn a_trace_counts_the_copies_that_it_needs() {
    let outcome = check(&["-k", "4"], &bluetooth("*", "*"));
    let second = outcome.stdout.lines().nth(1).unwrap_or_default();
    assert!(second.ends_with("3 context switches, 1 copy of adder, 2 of stopper"), "{outcome:?}");
    assert!(!outcome.stdout.contains("not started"), "{outcome:?}");
}

#[test]
fn a_trace_says_what_a_thread_was_started_with() {
    let expected = "REACHABLE within 2 context switches
7 steps, 2 context switches

step  line  statement             effect
-- context 1: main (shared: x = F, n = 0)
   1    12  a := T                a = T
   2    13  start_thread f(a, 3)  starts thread1
   3    14  start_thread goto L   starts thread2
-- context 2: thread1, started with f (shared: x = F, n = 0)
            (initially)           p = T, m = 3, l = T
   4     6  x := p                x = T
   5     7  if l                  T
   6     7  n := m                n = 3
-- context 3: main (shared: x = T, n = 3)
   7    15  if n = 3              T
        15  skip                  ERROR reached
-- at the end
main: main, line 15 (a = T)
thread1: f, line 8 (p = T, m = 3, l = T)
";
    prints(&["-k", "2"], STARTED, 10, expected);
}

#[test]
fn a_label_at_the_first_statement_is_reached_when_the_thread_is_started() {
    let program = "void f()\nbegin\n  ERROR: skip;\nend\nvoid main()\nbegin\n  start_thread f();\nend\n";
    let expected = "REACHABLE within 0 context switches
1 step, 0 context switches

step  line  statement         effect
-- context 1: main
   1     7  start_thread f()  starts thread1
         3  skip              ERROR reached by the thread that was started
-- at the end
main: main, line 8
";
    prints(&["-k", "1"], program, 10, expected);
    for (bound, thread) in [("0", "started by main"), ("1", "thread1")] {
        let outcome = check(&["-k", bound, "--trace", "json"], program);
        assert!(outcome.stdout.contains(&format!("\"thread\": \"{thread}\"")), "{outcome:?}");
    }
}

#[test]
fn what_starts_and_ends_a_thread_beside_the_text_is_no_step() {
    let program = "void main() begin\nstart_thread f();\nA: skip;\nend void f() begin L: skip; end";
    let expected = "REACHABLE within 0 context switches
1 step, 0 context switches

step  line  statement         effect
-- context 1: main
   1     2  start_thread f()  starts thread1
         3  skip              A reached
-- at the end
main: main, line 3
";
    prints(&["-k", "1", "-t", "A"], program, 10, expected);
    let program = "decl x; init !x; void main() begin
start_thread f(T);
assume(x);
A: skip;
end
void f(p) begin
L: atomic begin set(p);
return; end
end
void set(q) begin
x := q;
end";
    let expected = "REACHABLE within 2 context switches
7 steps, 2 context switches

step  line  statement          effect
-- context 1: main (shared: x = F)
   1     2  start_thread f(T)  starts thread1
-- context 2: thread1, started with f (shared: x = F)
            (initially)        p = T
   2     7  atomic begin
   3     7  set(p)             set(q = T)
   4    11    x := q           x = T
   5    12    end              back in f
   6     8  return             the thread ends
-- context 3: main (shared: x = T)
   7     3  assume(x)
         4  skip               A reached
-- at the end
main: main, line 4
thread1: ended
";
    prints(&["-k", "2", "-t", "A"], program, 10, expected);
    let outcome = check(&["-k", "2", "-t", "A", "--trace", "source"], program);
    assert!(outcome.stdout.contains("    7      1          |  3  assume(x);\n"), "{outcome:?}");
}

#[test]
fn calls_that_start_threads_repeat_by_the_numbers_that_are_shown() {
    let program = "void main() begin make();\nmake();\nA: skip; end
        void make() begin start_thread f(); end void f() begin L: skip; end";
    let outcome = check(&["-k", "0", "-t", "A"], program);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[1], "6 steps, 0 context switches", "{outcome:?}");
    assert_eq!(lines[9], "   6          … as steps 2–3    back in main", "{outcome:?}");
}

#[test]
fn a_run_as_json_has_the_steps_of_the_text_only() {
    let outcome = check(&["-k", "2", "--json"], STARTED);
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let trace = &object["trace"];
    let steps = trace["steps"].as_array().expect("a list");
    assert_eq!((trace["n_steps"].as_u64(), steps.len()), (Some(7), 7), "{trace:#}");
    let functions: Vec<&str> = steps.iter().filter_map(|step| step["function"].as_str()).collect();
    assert_eq!(functions, ["main", "main", "main", "f", "f", "f", "main"]);
    assert!(steps.iter().all(|step| step["depth"] == 0), "{trace:#}");
    let locals = &trace["threads"][1]["locals"];
    let local =
        |name: &str, value: &str| serde_json::json!({ "name": name, "value": value, "function": "f" });
    assert_eq!(*locals, serde_json::json!([local("p", "T"), local("m", "3"), local("l", "T")]));
    assert_eq!(trace["threads"][1]["started_with"], "f");
}

#[test]
fn a_trace_may_be_the_program_with_marks() {
    let outcome = check(&["-k", "2", "--trace", "source"], HANDOVER);
    for line in [
        "    1      1          |  7      assume(!x);",
        "    3      1  reached |  8      L: if (x) then ERROR: skip; fi",
        "    2      1          | 13    void main() begin x := T; end",
    ] {
        assert!(outcome.stdout.lines().any(|shown| shown == line), "{line} in {}", outcome.stdout);
    }
}

#[test]
fn variables_that_are_not_in_the_text_are_not_shown() {
    let atomic = "decl x; init !x; thread p begin void main() begin atomic_begin; x := T; atomic_end; end end
        thread q begin decl y; init y = x; void main() begin if (x & !y) then ERROR: skip; fi end end";
    for (program, bound) in [(STARTED, "2"), (atomic, "1")] {
        for form in ["text", "json"] {
            let outcome = check(&["-k", bound, "--trace", form], program);
            assert_eq!(outcome.code, 10, "{outcome:?}");
            assert!(!outcome.stdout.contains('$'), "{}", outcome.stdout);
        }
    }
}

#[test]
fn several_targets_have_bounds_of_their_own() {
    let program =
        HANDOVER.replace("void main() begin x := T; end", "void main() begin x := T; assert(x); end");
    let outcome = check(&["-k", "3", "-t", "L", "-t", "ERROR", "-t", "assert", "--trace", "none"], &program);
    let expected = "REACHABLE within 0 context switches
L: reachable within 0 context switches
ERROR: reachable within 2 context switches
assert: unreachable
";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (10, expected), "{}", outcome.stderr);
}

#[test]
fn what_holds_for_every_bound_is_said() {
    let peterson = command(&["gen", "peterson"], "").stdout;
    let line = "UNREACHABLE within 5 context switches, and for every bound: all states were looked at";
    prints(&["-k", "5"], &peterson, 0, &format!("{line}\nno run reaches ERROR\n"));
    let line = "UNREACHABLE within 5 rounds, and for every bound: all states were looked at";
    says(&["--rounds", "5"], &peterson, line);
    let broken = command(&["gen", "peterson", "--reachable"], "").stdout;
    says(&["-k", "1"], &broken, "UNREACHABLE within 1 context switch");
    says(&["-k", "2"], &broken, "REACHABLE within 2 context switches");
}

#[test]
fn recursion_does_not_hide_what_holds_for_every_bound() {
    let program = "decl x; init !x;
thread a begin
  void main() begin f(); end
  void f() begin decl l; if (*) then f(); else x := T; fi; l := x; assume(l); end
end
thread b begin void main() begin decl l; l := x; assume(l & !l); ERROR: skip; end end";
    let line = "UNREACHABLE within 2 context switches, \
                and for every bound: not even under any values that others may leave";
    // A view without the variable that recursion sets is searched to its end; the formulas do without one.
    says(&["-k", "2", "--without", "localise"], program, line);
    let line = "UNREACHABLE within 2 context switches, and for every bound: all states were looked at";
    says(&["-k", "2"], program, line);
}

#[test]
fn threads_that_are_not_started_within_the_bound_may_be_within_another() {
    let program = "void f() begin skip; ERROR: skip; end void main() begin start_thread f(); end";
    let outcome = prints(
        &["-k", "0"],
        program,
        0,
        "UNREACHABLE within 0 context switches\nno run within 0 context switches reaches ERROR\n",
    );
    assert_eq!(outcome.stderr, "");
    says(&["-k", "1"], program, "REACHABLE within 1 context switch");
}

#[test]
fn a_target_that_no_path_leads_to_is_noted() {
    let program = HANDOVER.replace("assume(!x);", "assume(!x); return;");
    let outcome = check(&["-k", "1"], &program);
    assert!(outcome.stderr.contains("note: `ERROR` is in dead code"), "{outcome:?}");
}

#[test]
fn any_number_of_threads_needs_no_bound() {
    let fixed = command(&["gen", "bluetooth", "--adders", "*", "--stoppers", "*", "--fixed"], "").stdout;
    let safe = check(&[], &fixed);
    assert_eq!(
        safe.stdout,
        "UNREACHABLE for every schedule of any number of threads\nno run reaches ERROR\n"
    );
    let least = check(&["--trace", "none"], &bluetooth("*", "1"));
    assert_eq!((least.stdout.as_str(), least.code), ("REACHABLE within 4 context switches\n", 10));
    let within = check(&["--engine", "explicit", "-k", "2"], &fixed);
    let line = "UNREACHABLE within 2 context switches, and for every bound: all states were looked at\n";
    assert!(within.stdout.starts_with(line), "{within:?}");
    let rounds = check(&["--engine", "explicit", "--rounds", "2"], &fixed);
    let line = "UNREACHABLE within 2 rounds, and for every bound: all states were looked at\n";
    assert!(rounds.stdout.starts_with(line), "{rounds:?}");
    let rounds = check(&["--engine", "explicit", "--rounds", "2"], &bluetooth("*", "1"));
    assert_eq!(rounds.code, 5, "{rounds:?}");
}

#[test]
fn threads_that_are_started_need_no_bound() {
    let text = |inside: &str| {
        format!(
            "decl lock, in; init !lock & !in;
             void worker() begin
               atomic begin {inside} lock := T; end
               if (in) then ERROR: skip; fi
               in := T; in := F; lock := F;
             end
             void main() begin while (*) do start_thread worker(); od end"
        )
    };
    let safe = check(&[], &text("assume(!lock);"));
    assert_eq!(safe.stdout, "UNREACHABLE for every schedule\nno run reaches ERROR\n");
    let bad = check(&[], &text(""));
    assert!(bad.stdout.starts_with("REACHABLE within 2 context switches\n"), "{bad:?}");
    assert!(bad.stdout.contains("thread2, started with worker"), "{bad:?}");
    let within = check(&["-k", "3", "--engine", "explicit"], &text("assume(!lock);"));
    let line = "UNREACHABLE within 3 context switches, and for every bound: all states were looked at\n";
    assert!(within.stdout.starts_with(line), "{within:?}");
    let slots =
        check(&["-k", "3", "--engine", "explicit", "--without", "native-start"], &text("assume(!lock);"));
    assert!(slots.stdout.starts_with("UNREACHABLE within 3 context switches\n"), "{slots:?}");
    assert_eq!(check(&["--engine", "compare", "-k", "2"], &text("")).code, 10);
    assert_eq!(check(&["--engine", "compare"], &text("")).code, 10);
}

#[test]
fn the_formulas_need_a_bound() {
    let words = ["it has threads", "<stdin>:3:1", "`-k 4`", "`--rounds 2`"];
    refuses(&["--engine", "symbolic"], HANDOVER, &words);
    refuses(&["--algorithm", "rounds"], HANDOVER, &words);
    for options in [["--engine", "symbolic"], ["--engine", "twin"], ["--without", "native-start"]] {
        refuses(&options, STARTED, &["it starts a thread here", "<stdin>:13:3", "pass `-k 4` for"]);
    }
    refuses(&["--rounds", "2"], STARTED, &["started at run time", "`-k 4` instead of `--rounds`"]);
    let labelled = "void f() begin end void main() begin ASYNC_1: f(); assert(T); end";
    let words = ["with `--async-labels` this call starts a thread", "1:38"];
    refuses(&["--async-labels", "--engine", "symbolic"], labelled, &words);
    assert_eq!(check(&[], labelled).code, 0);
}

#[test]
fn without_a_bound_every_schedule_counts() {
    for engine in [&[][..], &["--engine", "explicit"], &["--engine", "twin"], &["--engine", "compare"]] {
        let ask = |program: &str| check(&[&["--trace", "none"], engine].concat(), program);
        let peterson = command(&["gen", "peterson"], "").stdout;
        let safe = ask(&peterson);
        let expected = "UNREACHABLE for every schedule\nno run reaches ERROR\n";
        assert_eq!((safe.code, safe.stdout.as_str()), (0, expected), "{engine:?}, {safe:?}");
        let broken = command(&["gen", "peterson", "--reachable"], "").stdout;
        let reached = ask(&broken);
        let expected = "REACHABLE within 2 context switches\n";
        assert_eq!((reached.code, reached.stdout.as_str()), (10, expected), "{engine:?}, {reached:?}");
    }
    let fixed = command(&["gen", "bluetooth", "--adders", "4", "--stoppers", "4", "--fixed"], "").stdout;
    prints(&[], &fixed, 0, "UNREACHABLE for every schedule\nno run reaches ERROR\n");
    let line = "UNREACHABLE within 9 rounds, and for every bound: all states were looked at";
    says(&["--rounds", "9", "--engine", "explicit"], &command(&["gen", "peterson"], "").stdout, line);
}

#[test]
fn where_stacks_grow_the_explicit_engine_says_how_far_it_is_safe() {
    // The first to be left in a stack of any height; nobody can tell what deeper ones would do.
    let program = "decl x; init !x;
thread a begin void main() begin f(); end void f() begin if (*) then x := !x; f(); x := !x; fi end end
thread b begin void main() begin decl l; l := x; assume(l & !l); ERROR: skip; end end";
    let outcome = check(&["--engine", "explicit"], program);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    let line = "UNKNOWN: stacks of recursive functions become higher than the explicit engine looks at";
    assert!(outcome.stdout.starts_with(line), "{outcome:?}");
    assert!(outcome.stderr.contains("`-k 4` asks the formulas"), "{outcome:?}");
    assert_eq!(check(&["-k", "4"], program).code, 0);
    // The formulas know a reason for every schedule.
    says(&[], program, "UNREACHABLE for every schedule");
}

#[test]
fn bad_bounds_say_what_is_allowed() {
    for number in ["-1", "many", "1.5", ""] {
        refuses(&["-k", number], HANDOVER, &["expected a number of context switches from 0 to 64"]);
        refuses(&["--rounds", number], HANDOVER, &["expected a number of rounds from 0 to 32"]);
    }
    refuses(&["-k", "65"], HANDOVER, &["at most 64 context switches", "copies of all shared variables"]);
    refuses(&["--rounds", "99999999999999999999"], HANDOVER, &["at most 32 rounds"]);
    refuses(&["-k", "1", "--rounds", "1"], HANDOVER, &["cannot be used with"]);
    refuses(&["-k", "1", "--param", "k=2"], HANDOVER, &["`k` is the bound"]);
    let crowd = HANDOVER.replace("q[2]", "q[4000000000]");
    refuses(&["-k", "1"], &crowd, &["4000000001 threads", "at most 1000", "`[*]`"]);
}

#[test]
fn a_bound_does_not_matter_to_a_sequential_program() {
    for bound in [["-k", "3"], ["--rounds", "2"], ["--up-to", "1"]] {
        let outcome = prints(&bound, SEQUENTIAL, 0, "UNREACHABLE\nno assertion can fail\n");
        assert_eq!(outcome.stderr, "note: the program is sequential, so the bound does not matter\n");
    }
}

#[test]
fn an_algorithm_must_go_with_the_program_and_the_bound() {
    let any = bluetooth("*", "1");
    refuses(&["-k", "3", "-a", "rounds"], HANDOVER, &["`rounds` counts rounds", "use bounded_contexts"]);
    refuses(
        &["--rounds", "3", "-a", "bounded_contexts"],
        HANDOVER,
        &["counts context switches", "use rounds"],
    );
    refuses(
        &["-k", "3", "-a", "hybrid"],
        HANDOVER,
        &["`hybrid` is for sequential programs", "use bounded_contexts"],
    );
    refuses(&["-k", "3", "-a", "bounded_contexts"], SEQUENTIAL, &["this one is sequential", "use hybrid or"]);
    refuses(&["-a", "rounds"], SEQUENTIAL, &["`rounds` is for concurrent programs"]);
    let words = ["`adder[*]` stands for any number", "use linear_interfaces_lazy or linear_interfaces_eager"];
    refuses(&["--rounds", "2", "-a", "rounds"], &any, &words);
    let outcome = check(&["--rounds", "2", "-a", "linear_interfaces_lazy"], HANDOVER);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    assert!(outcome.stderr.contains("any order that is the same in all of them"), "{outcome:?}");
}

#[test]
fn every_way_to_ask_gives_the_same_verdict() {
    for options in [
        &["--no-explicit"][..],
        &["--without", "symmetry"],
        &["--without", "visibility"],
        &["--without", "early-stop,order"],
        &["--without", "all"],
        &["-a", "bounded_contexts"],
        &["--up-to", "3"],
    ] {
        let bound: &[&str] = if options[0] == "--up-to" { &[] } else { &["-k", "3"] };
        let options = [bound, options].concat();
        says(&options, HANDOVER, "REACHABLE within 2 context switches");
        let safe = HANDOVER.replace("x := T", "x := F");
        let outcome = check(&options, &safe);
        assert!(
            outcome.stdout.starts_with("UNREACHABLE within 3 context switches"),
            "{options:?}: {outcome:?}"
        );
    }
}

#[test]
fn a_formula_of_the_user_may_load_the_parts_that_come_with_the_program() {
    let sandbox = Sandbox::new();
    for (name, bound) in [("bounded_contexts", "-k"), ("rounds", "--rounds")] {
        let own = command(&["algorithms", "--print", name], "").stdout;
        sandbox.file("own.mu", own).file("a.bp", HANDOVER.replace("x := T", "x := F"));
        let outcome = sandbox.run(&["check", "a.bp", bound, "2", "-a", "own.mu"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{name}: {outcome:?}");
    }
    sandbox.file("a.bp", HANDOVER);
    for (name, bound, line) in [
        ("bounded_contexts", "-k", "REACHABLE within 2 context switches\n3 steps"),
        ("rounds", "--rounds", "REACHABLE within 2 rounds\n3 steps"),
    ] {
        sandbox.file("own.mu", command(&["algorithms", "--print", name], "").stdout);
        let outcome = sandbox.run(&["check", "a.bp", bound, "2", "-a", "own.mu"]);
        assert!(outcome.stdout.starts_with(line), "{outcome:?}");
    }
    // A part beside the file comes before the one that comes with the program.
    let loading = command(&["algorithms", "--print", "rounds"], "").stdout;
    sandbox.file("own.mu", loading).file("turns.mu", "nonsense;\n");
    let outcome = sandbox.run(&["check", "a.bp", "--rounds", "2", "-a", "own.mu"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("turns.mu:1"), "{outcome:?}");
    let shipped = sandbox.run(&["check", "a.bp", "--rounds", "2"]);
    assert_eq!(shipped.code, 10, "{shipped:?}");
    assert!(command(&["algorithms", "--print", "turns.mu"], "").stdout.contains("mu bool Run("));
}

#[test]
fn a_formula_that_is_wrong_is_not_believed() {
    let sandbox = Sandbox::new();
    let safe = HANDOVER.replace("x := T", "x := F");
    sandbox
        .file("anything.mu", "#param k = 1;\nexists Thread t, State u. Target(t, u);\n")
        .file("a.bp", safe);
    for trace in ["text", "none"] {
        let outcome = sandbox.run(&["check", "a.bp", "-k", "2", "-a", "anything.mu", "--trace", trace]);
        assert_eq!(outcome.code, 5, "{outcome:?}");
        assert!(outcome.stdout.starts_with("UNKNOWN: the formula says reachable, but"), "{outcome:?}");
    }
}

#[test]
fn what_is_for_sequential_programs_is_refused_by_name() {
    let words = ["--search", "is for sequential programs", "this program is concurrent"];
    refuses(&["-k", "2", "--search", "bfs"], HANDOVER, &words);
    let sandbox = Sandbox::new();
    sandbox.file("a.bp", HANDOVER);
    for arguments in [&["run", "a.bp"][..], &["translate", "a.bp", "--chc"]] {
        let outcome = sandbox.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}: {outcome:?}");
        for word in
            ["it has threads", "a.bp:3:1", arguments[0], "is for sequential programs", "sequentialize"]
        {
            assert!(outcome.stderr.contains(word), "{word} in {outcome:?}");
        }
    }
}

#[test]
fn targets_name_threads_and_copies() {
    refuses(&["-k", "1", "-t", "q[2].main:L"], HANDOVER, &["a copy that thread `q` does not have"]);
    refuses(&["-k", "1", "-t", "r.main:L"], HANDOVER, &["names no thread", "`p`, `q`"]);
    refuses(&["-k", "1", "-t", "nowhere"], HANDOVER, &["there is no label `nowhere`"]);
    says(&["-k", "1", "-t", "p.main:L"], HANDOVER, "REACHABLE within 0 context switches");
    refuses(&["-k", "1", "-t", "q.main:L"], HANDOVER, &["there is no label `q.main:L`", "`p.main:L`"]);
    refuses(&["-k", "1", "-t", "q[+0].main:L"], HANDOVER, &["names no thread"]);
}

#[test]
fn engines_are_compared() {
    for (options, program) in [
        (["-k", "2"], HANDOVER),
        (["-k", "1"], HANDOVER),
        (["--rounds", "1"], HANDOVER),
        (["-k", "1"], STARTED),
        (["-k", "2"], STARTED),
    ] {
        let expected = check(&[&options[..], &["--trace", "none"]].concat(), program);
        let outcome = check(&[&options[..], &["--trace", "none", "--engine", "compare"]].concat(), program);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (expected.code, ""), "{options:?}");
    }
    let outcome = check(&["--rounds", "2", "--engine", "compare", "--trace", "none"], &bluetooth("*", "1"));
    assert!(outcome.stdout.contains("\nnot compared: the twin cannot try any number"), "{outcome:?}");
    let outcome = check(&["--rounds", "2", "--engine", "twin"], &bluetooth("*", "1"));
    assert!(outcome.code == 5 && outcome.stdout.starts_with("UNKNOWN: the twin cannot"), "{outcome:?}");
}

#[test]
fn a_sequential_program_asks_the_same() {
    for scheme in ["eager", "lazy"] {
        for (bound, code) in
            [(["-k", "1"], 0), (["-k", "2"], 10), (["--rounds", "1"], 0), (["--rounds", "2"], 10)]
        {
            let arguments = [&["sequentialize", "--scheme", scheme], &bound[..], &["-"]].concat();
            let text = command(&arguments, HANDOVER);
            assert_eq!((text.code, text.stderr.as_str()), (0, ""), "{arguments:?}");
            assert_eq!(check(&["-t", "ERROR"], &text.stdout).code, code, "{arguments:?}");
        }
        let text = command(&["sequentialize", "-k", "2", "--scheme", scheme, "-"], STARTED);
        assert_eq!(check(&["--trace", "none"], &text.stdout).code, 10, "{scheme}");
        let text = command(&["sequentialize", "-k", "0", "--scheme", scheme, "-t", "L", "-"], HANDOVER);
        assert_eq!(check(&["--trace", "none"], &text.stdout).code, 10, "{scheme}");
    }
}

#[test]
fn a_sequential_program_needs_a_bound_and_known_threads() {
    let refuses = |options: &[&str], program: &str, word: &str| {
        let outcome = command(&[&["sequentialize"], options, &["-"]].concat(), program);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{options:?}: {outcome:?}");
        assert!(outcome.stderr.contains(word), "{word} in {outcome:?}");
    };
    refuses(&[], HANDOVER, "`-k 4`");
    refuses(&["--rounds", "2"], STARTED, "`-k 4` instead");
    refuses(&["--rounds", "2"], &bluetooth("*", "1"), "`adder[N]`");
    refuses(&["-k", "1", "-t", "nowhere"], HANDOVER, "there is no label");
    refuses(&["-k", "-1"], HANDOVER, "from 0 to 64");
    let outcome = command(&["sequentialize", "-k", "1", "-"], SEQUENTIAL);
    assert!(outcome.code == 0 && outcome.stderr.contains("is sequential already"), "{outcome:?}");
}

#[test]
fn limits_end_a_check_with_unknown() {
    let program = bluetooth("2", "2").replace("stopped := T;", "stopped := T; assume(F); NEVER: skip;");
    for (options, reason) in [
        (
            &["--timeout", "0.3", "--engine", "symbolic", "--without", "every-bound"][..],
            "UNKNOWN: timeout after 0.3s (in `",
        ),
        (
            &["--memory", "1M", "--timeout", "60s", "--engine", "symbolic", "--without", "every-bound"],
            "UNKNOWN: out of memory",
        ),
        (&["--engine", "twin", "--timeout", "0"], "UNKNOWN: timeout"),
    ] {
        let outcome = check(&[&["-k", "12", "-t", "NEVER"], options].concat(), &program);
        assert_eq!(outcome.code, 5, "{options:?}: {outcome:?}");
        assert!(outcome.stdout.starts_with(reason), "{options:?}: {outcome:?}");
        assert_eq!(outcome.stdout.lines().count(), 1, "{options:?}: {outcome:?}");
    }
    // What smaller bounds have shown is kept.
    let options =
        ["-k", "64", "-t", "NEVER", "--memory", "40M", "--engine", "symbolic", "--without", "every-bound"];
    let outcome = check(&options, &program);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    assert!(outcome.stdout.contains("; unreachable within "), "{outcome:?}");
}

#[test]
fn two_runs_print_the_same_bytes() {
    let program = bluetooth("2", "*");
    for options in
        [&["-k", "3"][..], &["-k", "3", "--json"], &["-k", "3", "--trace", "source"], &["--rounds", "1"]]
    {
        let (first, second) = (check(options, &program), check(options, &program));
        assert_ne!(first.stdout, "", "{options:?}: {first:?}");
        assert_eq!(first.stdout, second.stdout, "{options:?}");
    }
}

#[test]
fn families_have_numbers_of_threads() {
    let printed = |arguments: &[&str]| command(&[&["gen"], arguments].concat(), "").stdout;
    assert!(printed(&["bluetooth", "--adders", "3", "--stoppers", "*"]).contains("thread adder[3]"));
    assert!(printed(&["bluetooth", "--adders", "3", "--stoppers", "*"]).contains("thread stopper[*]"));
    assert_eq!(printed(&["bluetooth"]), printed(&["bluetooth", "--n", "2"]));
    assert_eq!(
        printed(&["bluetooth", "--n", "3", "--adders", "1"]),
        printed(&["bluetooth", "--adders", "1", "--stoppers", "3"])
    );
    assert!(printed(&["readers_writers", "--readers", "4", "--writers", "1"]).contains("reader[4]"));
    for family in ["peterson", "dekker"] {
        assert_ne!(printed(&[family]), printed(&[family, "--reachable"]), "{family}");
    }
    for family in ["szymanski", "lock_free_stack"] {
        assert!(printed(&[family, "-n", "3", "--reachable"]).starts_with("// "), "{family}");
    }
}

#[test]
fn deep_nesting_and_deep_stacks_are_bounded_by_memory_only() {
    let depth = 10_000;
    let nested = format!(
        "decl x; thread p[2] begin void main() begin {} ERROR: skip; {} end end",
        "if (x) then ".repeat(depth),
        "fi; ".repeat(depth)
    );
    let outcome = check(&["-k", "1"], &nested);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let recursive = "decl n: int<6>; init n = 0;
        thread p begin void f() begin n := n + 1; if (n != 63) then f(); fi ERROR: skip; end void main() begin f(); end end";
    let outcome = check(&["-k", "0"], recursive);
    assert!(outcome.stdout.contains(" > … 56 more … > "), "{}", outcome.stdout);
}
