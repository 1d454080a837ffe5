//! Whoever ends leaves nothing behind: no solver, no limit that others may exceed, no answer that was known.
#![cfg(target_os = "linux")]

use crate::harness::{Outcome, Sandbox, root, run};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What takes longer is taken to be missing. It is long, since machines that run tests are busy.
const LONG: Duration = Duration::from_secs(120);

/// Waits for something that is bound to happen.
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "{what}: not in {LONG:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A solver that greets as z3 does, and when it is asked something notes its process and one that it has started, and never answers.
const DEAF: &str = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    '(get-info :name)') echo '(:name "Z3")';;
    '(get-info :version)') echo '(:version "4.12.0")';;
    '(echo'*) t=${line#*\"}; echo "${t%\"*}";;
    '(check-sat'*) sleep 1000 & echo $$ $! > pids.new; mv pids.new pids; wait;;
  esac
done
"#;

/// The same; when it is asked something, a process that it starts takes 600 MB.
const LARGE: &str = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    '(get-info :name)') echo '(:name "Z3")';;
    '(get-info :version)') echo '(:version "4.12.0")';;
    '(echo'*) t=${line#*\"}; echo "${t%\"*}";;
    '(check-sat'*) (head -c 600000000 /dev/zero; sleep 1000) | tail -c 1000000000 | wc -c;;
  esac
done
"#;

/// Runs do not decide it, and it depends on what is not represented.
const FLOATS: &str = "extern int nondet(void); extern void reach_error(void);
int main(void) {
  int x = nondet(), y = nondet(); double d = x;
  if (x > 0 && y > 0 && d > x + y) reach_error();
  return 0;
}
";

fn sandbox(solver: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", FLOATS).script("solver", solver);
    sandbox
}

/// The process is there, and has not ended.
fn is_running(process: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process).join("stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !"ZX".contains(state))
}

/// Starts the program in a process group of its own, as a shell does.
fn start(directory: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_getafix"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("the program starts")
}

/// Sends a signal to a process, or with a minus before its number to its group.
fn send(signal: &str, to: &str) {
    let sent =
        Command::new("sh").args(["-c", "kill -s \"$0\" -- \"$1\"", signal, to]).status().expect("a shell");
    assert!(sent.success());
}

fn ended(child: Child) -> Outcome {
    child.wait_with_output().expect("the program ends").into()
}

/// The processes of a solver that is at work.
fn at_work(sandbox: &Sandbox) -> Vec<String> {
    wait_until("the solver is asked", || sandbox.names().contains(&"pids".to_owned()));
    sandbox.read("pids").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn solvers_end_however_the_program_ends() {
    for (signal, group) in [("KILL", ""), ("KILL", "-"), ("TERM", ""), ("INT", "-")] {
        let sandbox = sandbox(DEAF);
        let child = start(sandbox.path(), &["check", "p.c", "--solver", "./solver"]);
        let processes = at_work(&sandbox);
        assert!(processes.len() == 2 && processes.iter().all(|process| is_running(process)), "{processes:?}");
        send(signal, &format!("{group}{}", child.id()));
        ended(child);
        wait_until("the solver ends", || !processes.iter().any(|process| is_running(process)));
    }
}

#[test]
fn an_interrupt_says_what_had_been_found_to_be_in_the_way() {
    let in_the_way = "how a run goes on depends on a floating-point number (line 4); interrupted";
    for options in [&[][..], &["--json"], &["--timeout", "1000"]] {
        let sandbox = sandbox(DEAF);
        let child = start(sandbox.path(), &[&["check", "p.c", "--solver", "./solver"], options].concat());
        at_work(&sandbox);
        send("INT", &format!("-{}", child.id()));
        let outcome = ended(child);
        assert_eq!(outcome.code, 5, "{outcome:?}");
        assert!(outcome.stdout.contains(in_the_way), "{outcome:?}");
        assert!(options.contains(&"--json") || outcome.stdout.starts_with("UNKNOWN: how"), "{outcome:?}");
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn a_limit_of_time_says_what_had_been_found_to_be_in_the_way() {
    let sandbox = sandbox(DEAF);
    let arguments = ["check", "p.c", "--solver", "./solver", "--timeout", "20"];
    let outcome = sandbox.run(&arguments);
    let in_the_way = "UNKNOWN: how a run goes on depends on a floating-point number (line 4)";
    assert!(outcome.code == 5 && outcome.stdout.starts_with(in_the_way), "{outcome:?}");
    assert!(outcome.stdout.contains("; timeout after 20s"), "{outcome:?}");
}

#[test]
fn time_is_not_spent_where_it_does_not_help() {
    let sandbox = sandbox(DEAF);
    // Nobody waits for an hour: without a solver there are only runs, and they all depend on what is not represented.
    let outcome = run_without_solver(&sandbox, &["check", "p.c", "--timeout", "1h"]);
    let line = "UNKNOWN: how a run goes on depends on a floating-point number (line 4); nothing is proved without an SMT solver: `getafix doctor` says how one is installed\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (5, line), "{outcome:?}");
}

fn run_without_solver(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_getafix"))
        .args(arguments)
        .current_dir(sandbox.path())
        .env("PATH", "")
        .env_remove("GETAFIX_SOLVER")
        .output()
        .expect("the program starts");
    output.into()
}

#[test]
fn the_limit_of_memory_is_for_all_processes_together() {
    let sandbox = sandbox(LARGE);
    let outcome =
        sandbox.run(&["check", "p.c", "--solver", "./solver", "--memory", "300M", "--timeout", "1000"]);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    let first = outcome.stdout.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("UNKNOWN: how a run goes on") && first.contains("out of memory, limit 300"),
        "{outcome:?}"
    );
}

/// Waits until the program listens to signals, which it does before its second thread begins.
fn listens(child: &Child) {
    let threads = format!("/proc/{}/task", child.id());
    wait_until("a second thread", || std::fs::read_dir(&threads).map_or(0, Iterator::count) > 1);
}

#[test]
fn an_interrupt_ends_a_check_with_unknown_and_what_is_known() {
    let sandbox = Sandbox::new();
    let stack = run(root(), &["gen", "lock_free_stack", "-n", "6"], "").stdout;
    let product = "void main() begin decl a: int<64>, b: int<64>; assume(a < 2147483648 & b < 2147483648 & a * b = 2305843009213693951); ERROR: skip; end";
    sandbox.file("product.bp", product).file("stack.bp", stack);
    for (arguments, known) in [
        (&["check", "product.bp"][..], ""),
        (&["check", "product.bp", "--nonterm", "--engine", "symbolic"], ""),
        (&["check", "stack.bp", "-k", "40"], "; unreachable within "),
        (&["check", "stack.bp"], "; unreachable within "),
        (&["check", "stack.bp", "-k", "40", "--json"], "; unreachable within "),
    ] {
        let child = start(sandbox.path(), arguments);
        listens(&child);
        // Some bound is known soon, when, nobody says; the last one is out of reach of any machine.
        std::thread::sleep(Duration::from_secs(if known.is_empty() { 0 } else { 4 }));
        send("INT", &format!("-{}", child.id()));
        let outcome = ended(child);
        assert_eq!(outcome.code, 5, "{arguments:?}: {outcome:?}");
        assert!(outcome.stdout.contains("interrupted"), "{arguments:?}: {outcome:?}");
        assert!(outcome.stdout.contains(known), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stderr, "", "{arguments:?}");
    }
}

/// The most memory that a run took, in kilobytes, as far as somebody has looked.
fn peak(mut child: Child) -> (u64, Outcome) {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("the program is ours").is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        most = most.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    (most, ended(child))
}

#[test]
fn first_values_are_not_all_written_down_before_anybody_looks_at_the_memory() {
    let sandbox = Sandbox::new();
    let program = "decl a: int<10>, b: int<10>;
        thread p begin void main() begin a := a + b; end end
        thread q begin void main() begin b := b + 1; if (a = 5 & b = 7) then ERROR: skip; fi end end";
    sandbox.file("p.bp", program);
    for options in [&["-k", "2"][..], &[], &["--rounds", "2"]] {
        let arguments = [&["check", "p.bp", "--engine", "explicit", "--memory", "40M"], options].concat();
        let (most, outcome) = peak(start(sandbox.path(), &arguments));
        assert!(outcome.code == 5 && outcome.stdout.contains("out of memory"), "{options:?}: {outcome:?}");
        assert!(most > 1000 && most < 80_000, "{options:?}: {most} KB, {outcome:?}");
    }
}
