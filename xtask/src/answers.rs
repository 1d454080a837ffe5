//! `cargo xtask answers BINARY`: what a binary answers to every program of the repository, for comparing two of them.
//!
//! Contract: one line for each question, a JSON object with the arguments, the status, stdout and stderr; the order and the bytes depend on
//! the repository and the binary alone. Figures are left out, since they may change while answers do not. Nothing is judged here: `diff` does that.

use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Where programs are, by the ends of their names.
const FOLDERS: [(&str, &str); 6] = [
    ("examples", "bp"),
    ("examples", "c"),
    ("examples", "mu"),
    ("crates/cli/tests/programs", "bp"),
    ("crates/cli/tests/corpus", "mu"),
    ("crates/cli/tests/corpus", "c"),
];

/// What each Boolean program is asked beside the questions that its first lines name.
const QUESTIONS: [&[&str]; 7] = [
    &[],
    &["--trace", "source"],
    &["--shortest"],
    &["--engine", "explicit"],
    &["-k", "2"],
    &["--nonterm"],
    &["--certificate", "-"],
];

/// What each program in C is asked.
const QUESTIONS_OF_C: [&[&str]; 3] = [&[], &["--int", "wrap"], &["--nonterm"]];

/// Whoever needs longer than this is not compared: what is known by then depends on the machine.
const LIMIT: [&str; 2] = ["--timeout", "60"];

/// Asks a binary everything, and writes the answers to stdout.
pub fn run(root: &Path, binary: &Path) -> ExitCode {
    let binary = match binary.canonicalize() {
        Ok(binary) => binary,
        Err(error) => {
            eprintln!("error: {}: {error}", binary.display());
            return ExitCode::from(2);
        }
    };
    let mut out = io::stdout().lock();
    for arguments in questions(root) {
        let line = ask(root, &binary, &arguments).map(|answer| answer.to_string());
        let written = line.and_then(|line| writeln!(out, "{line}"));
        if let Err(error) = written {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The arguments of every question, in a fixed order.
fn questions(root: &Path) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for (folder, end) in FOLDERS {
        for path in files(&root.join(folder), end) {
            let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let text = fs::read_to_string(&path).unwrap_or_default();
            let mut ask = |command: &str, options: &[String]| {
                let start = [command, &shown, "--json"].into_iter().chain(LIMIT).map(str::to_owned);
                all.push(start.chain(options.iter().cloned()).collect());
            };
            let owned = |options: &&[&str]| options.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
            match end {
                "bp" => {
                    QUESTIONS
                        .iter()
                        .map(owned)
                        .chain(expected(&text))
                        .for_each(|options| ask("check", &options));
                }
                "c" => QUESTIONS_OF_C.iter().map(owned).for_each(|options| ask("check", &options)),
                _ => ask("mu", &[]),
            }
        }
    }
    all
}

/// The options in `// expect(OPTIONS): …`.
fn expected(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.lines().filter_map(|line| {
        let (options, _) = line.strip_prefix("// expect(")?.split_once("): ")?;
        Some(options.split_whitespace().map(str::to_owned).collect())
    })
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == end)).collect();
    files.sort();
    files
}

fn ask(root: &Path, binary: &Path, arguments: &[String]) -> io::Result<Value> {
    let mut command = Command::new(binary);
    let output = command.args(arguments).current_dir(root).stdin(Stdio::null()).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let answer = match serde_json::from_str::<Value>(&stdout) {
        Ok(mut object) => {
            if let Some(object) = object.as_object_mut() {
                object.remove("stats");
                object.remove("search");
            }
            object
        }
        Err(_) => json!(stdout),
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stderr: Vec<&str> = stderr.lines().filter(|line| !is_timed(line)).collect();
    Ok(json!({ "arguments": arguments, "status": output.status.code(), "answer": answer, "stderr": stderr }))
}

/// A line with a time in it: `#timer 0.012s`, or a row of `--stats`.
fn is_timed(line: &str) -> bool {
    let is_time = |word: &str| word.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok());
    line.split_whitespace().any(is_time)
}
