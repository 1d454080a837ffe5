//! The rules of the repository's style that a program can check.
//!
//! Input: the text files of the repository. Output: one complaint per breach, `path:line: what is wrong`.

use crate::scan;
use std::fmt;
use std::io;
use std::path::Path;

/// The longest function, in lines.
const FUNCTION: usize = 80;

/// The longest file, in lines, tests not counted.
const FILE: usize = 800;

/// Directories that hold nothing of ours.
const SKIPPED: [&str; 3] = ["target", ".git", "node_modules"];

/// Marks of unfinished or disabled code.
const UNFINISHED: [&str; 4] = ["todo!", "unimplemented!", "dbg!", "#[ignore"];

/// Places on one person's machine. Spelled in halves, so that this file obeys its own rule.
const MACHINE: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/t", "mp/")];

/// A text file of the repository.
pub struct File {
    /// Its path from the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A breach of a rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Complaint {
    path: String,
    line: usize,
    message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// The text files below a directory, sorted by path.
pub fn read(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    walk(root, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn walk(directory: &Path, prefix: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        // In a worktree `.git` is a file.
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), &path, files)?;
        } else if kind.is_file() {
            // What is not text is not ours to judge.
            if let Ok(text) = String::from_utf8(std::fs::read(entry.path())?) {
                files.push(File { path, text });
            }
        }
    }
    Ok(())
}

/// All complaints about the files.
pub fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files {
        let mut complain = |line: usize, message: String| {
            complaints.push(Complaint { path: file.path.clone(), line, message });
        };
        machine_paths(file, &mut complain);
        if file.path.ends_with(".rs") {
            rust(file, &mut complain);
        }
        if let Some(folder) = file.path.strip_suffix("Cargo.toml") {
            untested(folder, file, files, &mut complain);
        }
        if file.path.starts_with("algorithms/") && file.path.ends_with(".mu") {
            opening_comment(file, &mut complain);
        }
    }
    complaints
}

/// The rules for Rust files.
fn rust(file: &File, complain: &mut impl FnMut(usize, String)) {
    let code = scan::code(&file.text);
    let is_test = file.path.contains("/tests/") || file.path.ends_with("/tests.rs");
    if is_test_program(&file.path) {
        complain(
            1,
            "a crate has one program of tests, `tests/it/main.rs`; this is a module of it".to_owned(),
        );
    }
    if file.path.contains("/src/") && !file.text.starts_with("//!") {
        complain(1, "a module opens with its contract: a `//!` comment".to_owned());
    }
    for function in scan::functions(&code) {
        let lines = function.last - function.first + 1;
        if lines > FUNCTION {
            complain(
                function.first,
                format!("function `{}` has {lines} lines; at most {FUNCTION}", function.name),
            );
        }
    }
    let lines = code.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
    if lines > FILE && !is_test {
        complain(FILE + 1, format!("the file has {lines} lines without tests; at most {FILE}"));
    }
    if is_crate_root(&file.path) && !code.contains("#![forbid(unsafe_code)]") {
        complain(1, "the crate root lacks `#![forbid(unsafe_code)]`".to_owned());
    }
    for (number, line) in (1..).zip(code.lines()) {
        for mark in UNFINISHED {
            if line.contains(mark) {
                complain(number, format!("`{mark}` is not for the repository"));
            }
        }
    }
}

/// Whether cargo makes a program of tests of this file, beside the one of its crate.
fn is_test_program(path: &str) -> bool {
    let Some((_, below)) = path.split_once("/tests/") else { return false };
    let is_in_crate = path.starts_with("crates/") && !path.contains("/src/");
    let is_program = !below.contains('/') || (below.ends_with("/main.rs") && below.matches('/').count() == 1);
    is_in_crate && is_program && below != "it/main.rs"
}

/// No test is left out: a crate that says it has none in `src` has none.
fn untested(folder: &str, manifest: &File, files: &[File], complain: &mut impl FnMut(usize, String)) {
    let source = format!("{folder}src/");
    let mut sources =
        files.iter().filter(|file| file.path.starts_with(&source) && file.path.ends_with(".rs"));
    for (number, line) in (1..).zip(manifest.text.lines()) {
        let tested = match line {
            "test = false" => sources.find(|file| scan::code(&file.text).contains("#[cfg(test)]")),
            "doctest = false" => sources.find(|file| has_example(&file.text)),
            _ => None,
        };
        if let Some(tested) = tested {
            complain(number, format!("`{line}`, and {} has tests", tested.path));
        }
    }
}

/// Whether comments hold an example that the compiler would run: a block of code that is not said to be something else.
fn has_example(text: &str) -> bool {
    let comments = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or(line.strip_prefix("//!"))
    });
    let fences = comments.filter_map(|line| line.trim().strip_prefix("```"));
    fences.step_by(2).any(|kind| matches!(kind, "" | "rust" | "no_run" | "should_panic"))
}

/// `lib.rs` and `main.rs` directly below `src`; the decision diagrams may use `unsafe`, and what a browser calls has names that are not mangled.
fn is_crate_root(path: &str) -> bool {
    let is_root = path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs");
    is_root && !path.starts_with("crates/dd/") && !path.starts_with("crates/web/")
}

/// No paths of one person's machine; tests may use the usual directory for temporary files.
fn machine_paths(file: &File, complain: &mut impl FnMut(usize, String)) {
    let mut in_test = file.path.contains("/tests/");
    for (number, line) in (1..).zip(file.text.lines()) {
        in_test |= line.starts_with("#[cfg(test)]");
        for place in MACHINE {
            let temporary = place == MACHINE[3];
            // `docs/home/` and `${X}/home/` are not absolute.
            let absolute = line.match_indices(place).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '}' | ')' | '/'))
            });
            if absolute && !(temporary && in_test) {
                complain(number, format!("`{place}` is a path of one machine"));
            }
        }
    }
}

/// A formula file says what it computes before it does.
fn opening_comment(file: &File, complain: &mut impl FnMut(usize, String)) {
    let start = file.text.trim_start();
    if !start.starts_with("//") && !start.starts_with("/*") {
        complain(1, "a formula file opens with a comment that says what it computes".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_one(path: &str, text: &str, expected: &[&str]) {
        let files = [File { path: path.to_owned(), text: text.to_owned() }];
        let found: Vec<String> = check(&files).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_tidy_file_passes() {
        check_one("crates/a/src/lib.rs", "//! A.\n\n#![forbid(unsafe_code)]\n", &[]);
        check_one("crates/a/src/b.rs", "//! B.\nfn b() { \"todo!\"; } // dbg!\n", &[]);
    }

    #[test]
    fn a_second_program_of_tests_is_found() {
        let complaint = ": a crate has one program of tests, `tests/it/main.rs`; this is a module of it";
        for path in ["crates/a/tests/b.rs", "crates/a/tests/b/main.rs"] {
            check_one(path, "fn b() {}\n", &[&format!("{path}:1{complaint}")]);
        }
        for path in ["crates/a/tests/it/main.rs", "crates/a/tests/it/b.rs", "crates/a/src/b/tests/c.rs"] {
            check_one(path, "//! A.\nfn b() {}\n", &[]);
        }
    }

    #[test]
    fn tests_that_nobody_runs_are_found() {
        let found = |manifest: &str, text: &str| {
            let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
            let files = [file("crates/a/Cargo.toml", manifest), file("crates/a/src/b.rs", text)];
            check(&files).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let none: [&str; 0] = [];
        let (unit, example) =
            ("//! B.\n#[cfg(test)]\nmod tests {}\n", "//! B.\n//! ```\n//! b();\n//! ```\n");
        assert_eq!(found("[lib]\n", unit), none);
        let complaint = "crates/a/Cargo.toml:2: `test = false`, and crates/a/src/b.rs has tests";
        assert_eq!(found("[lib]\ntest = false\n", unit), [complaint]);
        assert_eq!(found("[lib]\ntest = false\n", example), none);
        let complaint = "crates/a/Cargo.toml:2: `doctest = false`, and crates/a/src/b.rs has tests";
        assert_eq!(found("[lib]\ndoctest = false\n", example), [complaint]);
        assert_eq!(found("[lib]\ndoctest = false\n", &example.replacen("```", "```text", 1)), none);
    }

    #[test]
    fn a_module_without_contract_is_found() {
        let message = "crates/a/src/b.rs:1: a module opens with its contract: a `//!` comment";
        check_one("crates/a/src/b.rs", "fn b() {}\n", &[message]);
        check_one("crates/a/tests/it/b.rs", "fn b() {}\n", &[]);
    }

    #[test]
    fn only_the_diagrams_and_the_boundary_may_be_unsafe() {
        let message = "crates/a/src/lib.rs:1: the crate root lacks `#![forbid(unsafe_code)]`";
        check_one("crates/a/src/lib.rs", "//! A.\n", &[message]);
        check_one("crates/a/src/lib.rs", "//! A. #![forbid(unsafe_code)]\n", &[message]);
        check_one("crates/dd/src/lib.rs", "//! A.\n", &[]);
    }

    #[test]
    fn long_functions_and_files_are_found() {
        let long = format!("//! B.\nfn b() {{\n{}}}\n", "x;\n".repeat(79));
        check_one(
            "crates/a/src/b.rs",
            &long,
            &["crates/a/src/b.rs:2: function `b` has 81 lines; at most 80"],
        );
        let short = format!("//! B.\nfn b() {{\n{}}}\n", "x;\n".repeat(78));
        check_one("crates/a/src/b.rs", &short, &[]);
        let lines = "//! B.\n".repeat(801);
        let message = "crates/a/src/b.rs:801: the file has 801 lines without tests; at most 800";
        check_one("crates/a/src/b.rs", &lines, &[message]);
        let tests = format!("//! B.\n#[cfg(test)]\n{}", "//\n".repeat(801));
        check_one("crates/a/src/b.rs", &tests, &[]);
    }

    #[test]
    fn unfinished_code_is_found() {
        let text = "//! B.\nfn b() { todo!() }\n#[ignore = \"slow\"]\nfn c() { dbg!(1); }\n";
        let expected = [
            "crates/a/src/b.rs:2: `todo!` is not for the repository",
            "crates/a/src/b.rs:3: `#[ignore` is not for the repository",
            "crates/a/src/b.rs:4: `dbg!` is not for the repository",
        ];
        check_one("crates/a/src/b.rs", text, &expected);
    }

    #[test]
    fn formula_files_open_with_a_comment() {
        let message = "algorithms/a.mu:1: a formula file opens with a comment that says what it computes";
        check_one("algorithms/a.mu", "mu bool R() R();\n", &[message]);
        check_one("algorithms/a.mu", "\n// R.\n", &[]);
    }

    #[test]
    fn machine_paths_are_found_in_every_text() {
        let text = format!("see {}me/x and docs{0}me/y\n", "/ho");
        check_one("README.md", &text, &[&format!("README.md:1: `{}me/` is a path of one machine", "/ho")]);
        check_one("crates/a/tests/it/b.rs", concat!("\"/t", "mp/x\""), &[]);
    }

    #[test]
    fn this_repository_is_tidy_about_itself() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let complaints = check(&read(own).expect("the sources of this program are readable"));
        assert_eq!(complaints, []);
    }
}
