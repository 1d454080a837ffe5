//! Formula files, each a file beside a program.

use super::{Outcome, Sandbox, root};

/// Checks a program with a formula; both are files.
pub fn check(program: &str, formula: &str, options: &[&str]) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", program).file("f.mu", formula);
    sandbox.run(&[&["check", "p.bp", "--algorithm", "f.mu"], options].concat())
}

/// The status and the first lines of stdout.
#[track_caller]
pub fn says(program: &str, formula: &str, options: &[&str], code: i32, lines: &[&str]) -> Outcome {
    let outcome = check(program, formula, options);
    let printed: Vec<&str> = outcome.stdout.lines().take(lines.len()).collect();
    assert_eq!((outcome.code, &printed[..]), (code, lines), "{formula}\n{outcome:?}");
    outcome
}

/// A text of an algorithm that comes with the program.
pub fn shipped(name: &str) -> String {
    let path = root().join("algorithms").join(format!("{name}.mu"));
    std::fs::read_to_string(path).expect("an algorithm")
}

/// The text of an example.
pub fn example(name: &str) -> String {
    std::fs::read_to_string(root().join("examples").join(name)).expect("an example")
}
