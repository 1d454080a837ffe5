//! Answers that are known stand, whatever happens afterwards; and they are the same in every way they can be found.

use crate::harness::{Outcome, Sandbox, root, run};
use std::process::{Command, Stdio};

fn check(options: &[&str], program: &str) -> Outcome {
    run(root(), &[&["check"], options, &["-"]].concat(), program)
}

fn first_line(outcome: &Outcome) -> &str {
    outcome.stdout.lines().next().unwrap_or_default()
}

fn family(arguments: &[&str]) -> String {
    run(root(), &[&["gen"], arguments].concat(), "").stdout
}

/// `main` takes one of two branches, so no run reaches both labels.
const BRANCHES: &str = "void main() begin if (*) then A: skip; else B: skip; fi end";

/// True if two different places are reached.
const BOTH: &str = "
mu bool Reach(State u, State v)
    (Init(u) & u = v)
  | (exists State x. Reach(u, x) & ProgramInt(x, v));
exists State u, State v, State w. Reach(u, v) & Target(v) & Reach(u, w) & Target(w) & v.pc != w.pc;
";

/// True of nothing.
const NEVER: &str = "exists State v. Init(v) & Target(v) & v.pc != v.pc;";

#[test]
fn storing_everything_as_bits_does_not_change_the_least_bound() {
    for arguments in [
        &["peterson", "--reachable"][..],
        &["peterson"],
        &["dekker", "--reachable"],
        &["szymanski", "--n", "2", "--reachable"],
        &["lock_free_stack", "--n", "2", "--reachable"],
        &["readers_writers", "--n", "2", "--reachable"],
        &["bluetooth", "--n", "1"],
    ] {
        let program = family(arguments);
        for bound in [["-k", "3"], ["--rounds", "2"]] {
            let options = [&bound[..], &["--trace", "none"]].concat();
            let usual = check(&options, &program);
            let as_bits = check(&[&options[..], &["--no-explicit"]].concat(), &program);
            assert_eq!(usual.stdout, as_bits.stdout, "{arguments:?} {bound:?}");
            assert_ne!(usual.code, 5, "{arguments:?} {bound:?}: {usual:?}");
        }
    }
}

#[test]
fn a_formula_that_needs_several_targets_is_asked_with_all_of_them() {
    let sandbox = Sandbox::new();
    sandbox.file("both.mu", BOTH).file("p.bp", BRANCHES);
    let outcome = sandbox.run(&["check", "p.bp", "-t", "A", "-t", "B", "-a", "both.mu", "--trace", "none"]);
    assert_eq!((outcome.code, first_line(&outcome)), (10, "REACHABLE"), "{outcome:?}");
    assert!(!outcome.stdout.contains("unreachable"), "{outcome:?}");
    let outcome = sandbox.run(&["check", "p.bp", "-t", "A", "-a", "both.mu"]);
    assert_eq!((outcome.code, first_line(&outcome)), (0, "UNREACHABLE"), "{outcome:?}");
}

#[test]
fn a_certificate_that_contradicts_the_verdict_leaves_nothing_of_it() {
    let sandbox = Sandbox::new();
    sandbox.file("never.mu", NEVER).file("p.bp", BRANCHES);
    let outcome = sandbox.run(&["check", "p.bp", "-t", "A", "-a", "never.mu"]);
    assert_eq!((outcome.code, first_line(&outcome)), (0, "UNREACHABLE"), "{outcome:?}");
    let outcome = sandbox.run(&["check", "p.bp", "-t", "A", "-a", "never.mu", "--certificate", "proof"]);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    assert!(
        first_line(&outcome).starts_with("UNKNOWN: the formula says unreachable, but hybrid"),
        "{outcome:?}"
    );
}

#[test]
fn a_trace_that_takes_too_long_is_said_to_be_missing() {
    let program = family(&["counter", "--n", "40", "--reachable"]);
    let outcome = check(&["--timeout", "1.5", "--json"], &program);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    assert_eq!((&object["verdict"], &object["trace"]), (&"reachable".into(), &serde_json::Value::Null));
    assert_eq!(object["unfinished"][0]["what"], "trace");
    let reason = object["unfinished"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("timeout after 1.5s"), "{object}");
}

#[test]
fn a_comparison_that_takes_too_long_is_said_to_be_missing() {
    // The formula is quick, the twin looks at 2^30 states.
    let program = "decl a: int<30>; void main() begin a := 0; while (*) do a := a + 1; od ERROR: skip; end";
    let outcome = check(&["--timeout", "1.5", "--engine", "compare", "--trace", "none"], program);
    assert_eq!((outcome.code, first_line(&outcome)), (10, "REACHABLE"), "{outcome:?}");
    assert!(outcome.stdout.contains("\nnot compared: "), "{outcome:?}");
}

#[test]
fn the_status_is_the_verdict_also_if_the_reader_leaves() {
    for (file, options, code) in [
        ("examples/lock.bp", &[][..], 10),
        ("examples/lock.bp", &["--json"], 10),
        ("examples/safe_lock.bp", &[], 0),
        ("examples/lock.bp", &["--memory", "1K"], 5),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_getafix"))
            .current_dir(root())
            .args(["check", file])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("the program ends").code(), Some(code), "{file} {options:?}");
    }
}

#[test]
fn a_bound_that_is_much_too_large_costs_little() {
    // Within 64 switches there are 65 copies of everything, but a few show that no bound matters.
    let outcome = run(root(), &["check", "examples/peterson.bp", "-k", "64", "--timeout", "60"], "");
    let line = "UNREACHABLE within 64 context switches, and for every bound: all states were looked at";
    assert_eq!((outcome.code, first_line(&outcome)), (0, line), "{outcome:?}");
    // Without enumeration it is the work with few copies that shows it.
    let program = "decl x; init !x;
        thread p[*] begin void main() begin decl l; l := F; if (x) then x := l; fi if (l) then ERROR: skip; fi end end
        thread q[*] begin void main() begin x := T; end end";
    let outcome = check(&["-k", "64", "--timeout", "60"], program);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let program = "decl n: int<2>; init n = 0;
        thread p[*] begin void main() begin n := n + 1; if (n = 3) then ERROR: skip; fi end end";
    let outcome = check(&["-k", "64", "--timeout", "60", "--trace", "none"], program);
    assert_eq!(first_line(&outcome), "REACHABLE within 2 context switches", "{outcome:?}");
}

#[test]
fn what_is_said_of_every_bound_does_not_delay_the_answer() {
    let program = "decl a: int<10>, b: int<10>, c: int<10>;
        init a = 0 & b = 0 & c = 0;
        thread p begin void main() begin while (*) do a := a + b; b := b + c; od end end
        thread q begin void main() begin
          while (*) do c := a + 1; a := c; od
          if (a = 77 & b = 3 & c = 12) then ERROR: skip; fi
        end end";
    let with = check(&["-k", "0", "--stats"], program);
    assert_eq!((with.code, first_line(&with)), (0, "UNREACHABLE within 0 context switches"), "{with:?}");
    let without = check(&["-k", "0", "--without", "every-bound"], program);
    assert_eq!((without.code, &without.stdout), (0, &with.stdout), "{without:?}");
    let peterson = run(root(), &["check", "examples/peterson.bp", "-k", "3", "--without", "every-bound"], "");
    assert_eq!(first_line(&peterson), "UNREACHABLE within 3 context switches", "{peterson:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_ends_in_unknown() {
    let product = "void main() begin decl a: int<64>, b: int<64>; assume(a < 2147483648 & b < 2147483648 & a * b = 2305843009213693951); ERROR: skip; end";
    let relation = "enum D { 0..199 }; class T { D a, b, c; }; bool R(T t) t.a <= t.b | t.b <= t.c; #ons R;";
    for (arguments, text) in [
        (&["check", "--memory", "20G", "-"][..], product),
        (&["check", "-", "--timeout", "60"], product),
        (&["mu", "--twin", "--memory", "20G", "-"], relation),
    ] {
        let script = "ulimit -v 400000; exec \"$0\" \"$@\"";
        let mut child = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_getafix")])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        std::io::Write::write_all(&mut stdin, text.as_bytes()).expect("the program reads");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {output:?}");
        assert!(stdout.to_lowercase().contains("unknown: out of memory"), "{arguments:?}: {output:?}");
    }
}
