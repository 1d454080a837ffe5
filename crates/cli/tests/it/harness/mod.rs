//! Runs the program: text in, text out.

pub mod formula;
pub mod program;
pub mod schema;

use std::ops::Deref;
use std::path::Path;
use testing::Folder;

pub use testing::Outcome;

/// A folder of its own for one test, in which the program is run.
pub struct Sandbox(Folder);

impl Sandbox {
    pub fn new() -> Self {
        Self(Folder::below(env!("CARGO_TARGET_TMPDIR")))
    }

    /// Runs the program there with a text on stdin.
    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> Outcome {
        run(self.path(), arguments, stdin)
    }

    /// Runs the program there.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        run(self.path(), arguments, "")
    }
}

impl Deref for Sandbox {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

/// Runs the program with a text on stdin.
pub fn run(directory: &Path, arguments: &[&str], stdin: &str) -> Outcome {
    testing::run(env!("CARGO_BIN_EXE_getafix"), directory, arguments, stdin)
}

/// Runs `getafix mu -` with options on a text.
pub fn mu(options: &[&str], text: &str) -> Outcome {
    let mut arguments = vec!["mu"];
    arguments.extend(options);
    arguments.push("-");
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), &arguments, text)
}

/// The answers of the solver, of the purely symbolic solver and of the twin are these lines.
#[track_caller]
pub fn check_everywhere(text: &str, expected: &str) {
    for options in [&[][..], &["--symbolic"], &["--twin"]] {
        check(options, text, expected);
    }
}

/// Evaluates a text; the whole of stdout is expected, and status 0.
#[track_caller]
pub fn check(options: &[&str], text: &str, expected: &str) {
    let outcome = mu(options, text);
    assert_eq!(outcome.stdout, expected, "with {options:?}\n{}", outcome.stderr);
    assert_eq!(outcome.code, 0, "with {options:?}\n{}", outcome.stderr);
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
