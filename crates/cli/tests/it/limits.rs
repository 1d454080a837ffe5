//! Running out of time, of memory, of patience: always an answer, never a guess.

use crate::harness::{Outcome, mu, root, run};

/// A run of the counter whose fixed point takes 2^width rounds.
fn count(width: u32, options: &[&str]) -> Outcome {
    let width = format!("n={width}");
    let arguments = [&["mu", "--param", &width], options, &["examples/counter.mu"]].concat();
    run(root(), &arguments, "")
}

#[track_caller]
fn unknown(outcome: &Outcome, reason: &str) {
    assert_eq!(outcome.code, 5, "{outcome:?}");
    let first = outcome.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with(&format!("unknown: {reason}")), "{outcome:?}");
}

#[test]
fn a_time_limit_ends_the_solver_with_how_far_it_came() {
    let outcome = count(60, &["--timeout", "0.3"]);
    unknown(&outcome, "timeout after 0.3s (in `");
    for word in ["round", " key", "nodes"] {
        assert!(outcome.stdout.contains(word), "{outcome:?}");
    }
}

#[test]
fn a_time_limit_ends_the_twin() {
    unknown(&count(11, &["--twin", "--timeout", "200ms"]), "timeout after 0.2s");
}

#[test]
fn a_memory_limit_ends_the_run() {
    unknown(&count(60, &["--memory", "1K", "--timeout", "60s"]), "out of memory");
    unknown(&count(11, &["--twin", "--memory", "1K", "--timeout", "60s"]), "out of memory");
}

#[test]
fn a_stopped_run_is_one_json_object() {
    let outcome = count(60, &["--json", "--timeout", "0.2"]);
    assert_eq!(outcome.code, 5, "{outcome:?}");
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    assert_eq!(object["verdict"], "unknown");
    assert!(object["reason"].as_str().is_some_and(|reason| reason.starts_with("timeout")), "{object}");
}

#[test]
fn limits_that_are_not_reached_change_nothing() {
    let outcome = count(4, &["--timeout", "1h", "--memory", "100G"]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (0, "true\ntrue\n#ons Reach 16\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn two_runs_print_the_same_bytes() {
    let text = std::fs::read_to_string(root().join("examples/mutex.mu")).expect("the example is there");
    let text =
        format!("{text}\n#print statistics; #size Reachable; #plan Reachable; #certify Reachable; #timer;");
    for options in
        [&[][..], &["--symbolic"], &["--json"], &["--show", "order"], &["--show", "plan"], &["--twin"]]
    {
        let (first, second) = (mu(options, &text), mu(options, &text));
        assert_eq!(first.code, 0, "{options:?}: {first:?}");
        assert_eq!(first.stdout, second.stdout, "{options:?}");
    }
}

/// A multiplication whose diagrams grow beyond any limit.
fn multiply(options: &[&str]) -> Outcome {
    let program = "void main() begin decl a: int<64>, b: int<64>; assume(a < 2147483648 & b < 2147483648 & a * b = 2305843009213693951); ERROR: skip; end";
    run(root(), &[&["check"], options, &["-"]].concat(), program)
}

#[test]
fn limits_end_a_check_with_unknown() {
    for (options, reason) in [
        (&["--timeout", "0.3"][..], "UNKNOWN: timeout after 0.3s"),
        (&["--memory", "1M", "--timeout", "60s"], "UNKNOWN: out of memory"),
        (&["--engine", "twin", "--timeout", "0.3"], "UNKNOWN: "),
    ] {
        let outcome = multiply(options);
        assert_eq!(outcome.code, 5, "{options:?}: {outcome:?}");
        assert!(outcome.stdout.starts_with(reason), "{options:?}: {outcome:?}");
        assert_eq!(outcome.stdout.lines().count(), 1, "{options:?}: {outcome:?}");
    }
    let outcome = multiply(&["--timeout", "0.3", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    assert_eq!(object["verdict"], "unknown");
    assert!(object["reason"].as_str().is_some_and(|reason| reason.starts_with("timeout")), "{object}");
}

#[test]
fn a_verdict_that_is_known_survives_the_end_of_time() {
    // The counter is at its end after 2^40 steps, and the states on the way are all different.
    let program = run(root(), &["gen", "counter", "--n", "40", "--reachable"], "").stdout;
    let outcome = run(root(), &["check", "--timeout", "1.5", "-"], &program);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    assert!(outcome.stdout.starts_with("REACHABLE\nthere is no trace: timeout after 1.5s"), "{outcome:?}");
}

#[test]
fn a_run_without_end_can_be_stopped() {
    let program = "void main() begin while (T) do skip; od end";
    let outcome = run(root(), &["run", "--steps", "9999999999", "--timeout", "0.2", "-"], program);
    assert_eq!(outcome.code, 5, "{}", outcome.stderr);
    assert!(outcome.stdout.lines().last().is_some_and(|line| line.starts_with("UNKNOWN: timeout")));
}

#[test]
fn a_translation_that_is_not_finished_leaves_nothing_on_stdout() {
    let program = run(root(), &["gen", "multiplier", "--n", "64"], "").stdout;
    for dialect in [&["--mucke"][..], &[]] {
        let arguments = [&["translate", "--memory", "1M", "--timeout", "60s"], dialect, &["-"]].concat();
        let outcome = run(root(), &arguments, &program);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (5, ""), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("unknown: out of memory"), "{}", outcome.stderr);
    }
}

#[test]
fn two_checks_print_the_same_bytes() {
    for options in
        [&[][..], &["--json"], &["--trace", "source"], &["--show", "relations"], &["--show", "order"]]
    {
        let arguments = [&["check", "examples/lock.bp"], options].concat();
        let (first, second) = (run(root(), &arguments, ""), run(root(), &arguments, ""));
        assert_ne!(first.stdout, "", "{options:?}: {first:?}");
        assert_eq!(first.stdout, second.stdout, "{options:?}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn an_interrupt_ends_the_run_with_unknown() {
        for options in [&["--param", "n=60"][..], &["--param", "n=11", "--twin"]] {
            // The first line tells that the run has begun.
            let text = format!(
                "#print \"go\";\n{}",
                std::fs::read_to_string(root().join("examples/counter.mu")).expect("the example is there")
            );
            let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
                "interrupt-{}-{}.mu",
                std::process::id(),
                options.len()
            ));
            std::fs::write(&path, text).expect("a fresh file");
            let mut child = Command::new(env!("CARGO_BIN_EXE_getafix"))
                .arg("mu")
                .args(options)
                .arg(&path)
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
            let mut line = String::new();
            stdout.read_line(&mut line).expect("the run prints its first line");
            let id = child.id().to_string();
            let killed = Command::new("sh").args(["-c", "kill -INT \"$0\"", &id]).status().expect("a shell");
            assert!(killed.success());
            line.clear();
            stdout.read_line(&mut line).expect("the run prints its last line");
            assert!(line.starts_with("unknown: interrupted"), "{line}");
            assert_eq!(child.wait().expect("the run ends").code(), Some(5));
            let _ = std::fs::remove_file(path);
        }
    }

    #[test]
    fn a_reader_that_leaves_is_no_error() {
        let script = "yes 'true;' | head -20000 | \"$0\" mu --twin - | head -1";
        let output =
            Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_getafix")]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "true\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
