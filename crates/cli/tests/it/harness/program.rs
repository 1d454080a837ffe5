//! Commands about one program, which stands on stdin.

use super::{Outcome, run};
use std::path::Path;

/// Runs a command with a program on stdin.
pub fn command(arguments: &[&str], program: &str) -> Outcome {
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, program)
}

/// Checks a program given on stdin.
pub fn check(options: &[&str], program: &str) -> Outcome {
    command(&[&["check"], options, &["-"]].concat(), program)
}

/// The status and the whole of stdout are these.
#[track_caller]
pub fn prints(options: &[&str], program: &str, code: i32, expected: &str) -> Outcome {
    let outcome = check(options, program);
    assert_eq!(outcome.stdout, expected, "{options:?}: {}", outcome.stderr);
    assert_eq!(outcome.code, code, "{options:?}: {}", outcome.stderr);
    outcome
}

/// Refused, with these words on stderr.
#[track_caller]
pub fn refuses(options: &[&str], program: &str, words: &[&str]) {
    let outcome = check(options, program);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{options:?}: {}", outcome.stderr);
    for word in words {
        assert!(outcome.stderr.contains(word), "`{word}` in {}", outcome.stderr);
    }
}
