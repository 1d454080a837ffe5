//! The corpus: one small file per clause of the calculus, each with its answer, on every engine.
//!
//! Comment lines of a file say what a run of it must do:
//!
//! | line | meaning |
//! |---|---|
//! | `//> text` | the next line of stdout; `...` in it stands for anything, and alone for any number of lines |
//! | `//! exit 5` | the exit status, if it is not 0 |
//! | `//! stderr: text` | occurs on stderr; without such lines stderr is empty |
//! | `//! options: …` | options of the command line |
//! | `//! solver only` | the twin cannot do this |
//! | `//! writes R.dot` | the solver leaves this file behind |
//!
//! Every file is also run a second time, which must print the same bytes, and its canonical text must give the same
//! answers.

use crate::harness::{Outcome, Sandbox, root};
use std::fmt::Write;
use std::path::PathBuf;
use testing::expected::{line_matches, lines_match, names};

/// One file, and what its comments demand.
#[derive(Default)]
struct Case {
    name: String,
    text: String,
    stdout: Vec<String>,
    stderr: Vec<String>,
    options: Vec<String>,
    writes: Vec<String>,
    code: i32,
    solver_only: bool,
}

impl Case {
    fn parse(name: String, text: String) -> Self {
        let mut case = Case { name, ..Case::default() };
        for line in text.lines() {
            if let Some(expected) = line.strip_prefix("//>") {
                case.stdout.push(expected.strip_prefix(' ').unwrap_or(expected).to_owned());
            }
            let Some(demand) = line.strip_prefix("//! ") else { continue };
            match demand.split_once(' ').unwrap_or((demand, "")) {
                ("exit", code) => case.code = code.parse().expect("a number after `exit`"),
                ("stderr:", fragment) => case.stderr.push(fragment.to_owned()),
                ("options:", options) => case.options = options.split(' ').map(str::to_owned).collect(),
                ("writes", file) => case.writes.push(file.to_owned()),
                ("solver", "only") => case.solver_only = true,
                _ => panic!("{}: nobody understands `//! {demand}`", case.name),
            }
        }
        case.text = text;
        case
    }

    /// Runs a text under the name of the file.
    fn run(&self, sandbox: &Sandbox, text: &str, options: &[&str]) -> Outcome {
        sandbox.file(&self.name, text);
        let mut arguments = vec!["mu"];
        arguments.extend(options);
        arguments.extend(self.options.iter().map(String::as_str));
        arguments.push(&self.name);
        sandbox.run(&arguments)
    }

    /// What is wrong with the outcome of a run.
    fn judge(&self, outcome: &Outcome) -> Option<String> {
        let printed: Vec<&str> = outcome.stdout.lines().collect();
        let expected: Vec<&str> = self.stdout.iter().map(String::as_str).collect();
        if outcome.code != self.code {
            return Some(format!("exit status {}, expected {}", outcome.code, self.code));
        }
        if !lines_match(&expected, &printed) {
            return Some(format!("expected\n{}", expected.join("\n")));
        }
        if self.stderr.is_empty() && !outcome.stderr.is_empty() {
            return Some("expected nothing on stderr".to_owned());
        }
        let missing = self.stderr.iter().find(|fragment| !outcome.stderr.contains(fragment.as_str()));
        missing.map(|fragment| format!("expected on stderr: {fragment}"))
    }

    /// Runs the file in all ways and describes every failure.
    fn check(&self) -> String {
        let mut failures = String::new();
        let mut fail = |how: &str, problem: &str, outcome: &Outcome| {
            let Outcome { code, stdout, stderr } = outcome;
            let _ = writeln!(
                failures,
                "== {} ({how}): {problem}\n-- stdout, status {code}\n{stdout}-- stderr\n{stderr}",
                self.name
            );
        };
        for (how, options) in [("solver", &[][..]), ("symbolic", &["--symbolic"]), ("twin", &["--twin"])] {
            if how == "twin" && self.solver_only {
                continue;
            }
            let sandbox = furnished();
            let outcome = self.run(&sandbox, &self.text, options);
            if let Some(problem) = self.judge(&outcome) {
                fail(how, &problem, &outcome);
            }
            if how == "solver" && self.writes.iter().any(|name| sandbox.read(name).is_empty()) {
                fail(how, "a file it writes is empty", &outcome);
            }
            if how == "solver" {
                let again = self.run(&furnished(), &self.text, options);
                if again.stdout != outcome.stdout {
                    fail(how, "the second run differs", &again);
                }
            }
        }
        let shown = self.run(&furnished(), &self.text, &["--show", "formula"]);
        if shown.code == 2 && self.code == 2 {
            return failures;
        }
        let again = self.run(&furnished(), &shown.stdout, &["--show", "formula"]);
        if shown.code != 0 || again.stdout != shown.stdout {
            fail("canonical text", "it is not its own canonical text", &shown);
        }
        let outcome = self.run(&furnished(), &shown.stdout, &[]);
        let places = |fragment: &String| fragment.contains(".mu:");
        let moved =
            Case { stderr: Vec::new(), code: self.code, stdout: self.stdout.clone(), ..Case::default() };
        let quiet = Outcome { stderr: String::new(), code: outcome.code, stdout: outcome.stdout.clone() };
        let missing = self.stderr.iter().find(|f| !places(f) && !outcome.stderr.contains(f.as_str()));
        if let Some(problem) = moved.judge(&quiet).or_else(|| missing.cloned()) {
            fail("canonical text", &problem, &outcome);
        }
        failures
    }
}

fn corpus() -> PathBuf {
    root().join("crates/cli/tests/corpus")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(corpus().join(name)).expect("a readable file")
}

/// A directory with the files that others load, and the diagrams they undump.
fn furnished() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["loaded", "loaded/deeper"] {
        for name in names(&corpus().join(folder), ".mu") {
            let path = format!("{folder}/{name}");
            sandbox.file(&path, read(&path));
        }
    }
    for name in names(&corpus().join("diagrams"), ".txt") {
        sandbox.file(&name.replace(".txt", ".dddmp"), read(&format!("diagrams/{name}")));
    }
    sandbox
}

#[test]
fn every_file_does_what_it_says() {
    let names = names(&corpus(), ".mu");
    assert!(names.len() > 50, "{names:?}");
    let failures: Vec<String> = names
        .into_iter()
        .map(|name| Case::parse(name.clone(), read(&name)).check())
        .filter(|failures| !failures.is_empty())
        .collect();
    assert!(failures.is_empty(), "{} files fail\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn dots_in_an_expected_line_stand_for_anything() {
    assert!(
        line_matches("a ... c", "a b c") && line_matches("a...", "a") && line_matches("a...b...c", "aXbYc")
    );
    assert!(!line_matches("a...c", "a b") && !line_matches("a", "ab"));
    assert!(lines_match(&["a", "...", "b"], &["a", "x", "y", "b"]) && lines_match(&["..."], &[]));
    assert!(!lines_match(&["a", "..."], &["b"]) && !lines_match(&[], &["a"]));
}
