//! Every program of `tests/programs` gives the answers that its first lines say, by the formula, by the explicit engine and by the twin.

use crate::harness::{Outcome, run};
use std::path::{Path, PathBuf};

/// One line `// expect…`.
struct Expectation {
    options: Vec<String>,
    answer: Answer,
}

enum Answer {
    /// Within a bound, if one is named.
    Reachable(Option<String>),
    Unreachable,
    /// The first line of an answer about infinite runs.
    Infinite(&'static str),
    Concurrent,
    /// At a line and column, if they are given, with a message that contains a text.
    Error(Option<String>, String),
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn expectations(text: &str) -> Vec<Expectation> {
    text.lines().filter_map(|line| expectation(line.strip_prefix("// expect")?)).collect()
}

fn expectation(line: &str) -> Option<Expectation> {
    let (options, answer) = match line.strip_prefix('(') {
        Some(rest) => rest.split_once("): ")?,
        None => ("", line.strip_prefix(": ")?),
    };
    let options = options.split_whitespace().map(str::to_owned).collect();
    let word = answer.split([',', ' ']).next()?;
    let answer = match word {
        "reachable" => {
            let within = answer.strip_prefix("reachable within ");
            Answer::Reachable(within.map(|rest| rest.split(',').next().unwrap_or(rest).to_owned()))
        }
        "unreachable" => Answer::Unreachable,
        "infinite" => Answer::Infinite("INFINITE RUN"),
        "no" => Answer::Infinite("NO INFINITE RUN"),
        "violated" => Answer::Infinite("VIOLATED"),
        "holds" => Answer::Infinite("HOLDS"),
        "concurrent" => Answer::Concurrent,
        "error" => {
            let rest = answer.strip_prefix("error")?.trim();
            let (place, message) = rest.split_once(' ').unwrap_or((rest, ""));
            Answer::Error((!place.is_empty()).then(|| place.to_owned()), message.to_owned())
        }
        _ => panic!("`{line}` is no expectation"),
    };
    Some(Expectation { options, answer })
}

/// The places of the errors, in the order in which they are reported, with their messages.
fn errors(outcome: &Outcome, file: &str) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    let mut message = None;
    for line in outcome.stderr.lines() {
        if let Some(text) = line.strip_prefix("error: ") {
            message = Some(text.to_owned());
        } else if let (Some(place), Some(text)) = (line.trim_start().strip_prefix("--> "), message.take()) {
            let place = place.strip_prefix(file).and_then(|rest| rest.strip_prefix(':'));
            errors.push((place.unwrap_or_default().to_owned(), text));
        }
    }
    errors
}

fn check(file: &str, expectation: &Expectation, engine: &str) -> Outcome {
    let mut arguments = vec!["check", file, "--engine", engine];
    arguments.extend(expectation.options.iter().map(String::as_str));
    run(&directory(), &arguments, "")
}

/// The engines that can answer: the others than the symbolic one know no formula, do not try any number of threads in rounds, and
/// may do without a bound.
fn engines(text: &str, expectation: &Expectation) -> &'static [&'static str] {
    let has = |option: &str| expectation.options.iter().any(|given| given == option);
    let is_bounded = ["-k", "--rounds", "--up-to"].into_iter().any(has);
    match &expectation.answer {
        Answer::Infinite(_) => &["symbolic", "explicit", "twin", "portfolio"],
        _ if has("--algorithm") || (has("--rounds") && text.contains("[*]")) => &["symbolic"],
        Answer::Concurrent => &["symbolic"],
        _ if is_bounded => &["symbolic", "twin", "explicit"],
        _ => &["symbolic", "twin", "explicit"],
    }
}

fn judge(file: &str, text: &str, expectation: &Expectation, next_error: &mut usize) {
    for engine in engines(text, expectation) {
        let outcome = check(file, expectation, engine);
        let first = outcome.stdout.lines().next().unwrap_or_default();
        let (verdict, within) = first.split_once(" within ").unwrap_or((first, ""));
        let context = format!("{file} {:?} {engine}: {outcome:?}", expectation.options);
        match &expectation.answer {
            Answer::Reachable(least) => {
                assert_eq!((outcome.code, verdict), (10, "REACHABLE"), "{context}");
                assert!(least.as_ref().is_none_or(|least| least == within), "{context}");
                assert!(outcome.stdout.lines().count() >= 4, "a trace follows: {context}");
            }
            Answer::Unreachable => assert_eq!((outcome.code, verdict), (0, "UNREACHABLE"), "{context}"),
            Answer::Infinite(expected) => {
                let code = if matches!(*expected, "INFINITE RUN" | "VIOLATED") { 10 } else { 0 };
                assert_eq!((outcome.code, first), (code, *expected), "{context}");
                let is_shown = outcome.stdout.contains("for ever") || code == 0 || *engine == "twin";
                assert!(is_shown, "a run follows: {context}");
            }
            Answer::Concurrent => {
                assert_eq!((outcome.code, first), (2, ""), "{context}");
                assert!(outcome.stderr.contains("this program is concurrent"), "{context}");
            }
            Answer::Error(place, message) => {
                assert_eq!((outcome.code, first), (2, ""), "{context}");
                assert!(outcome.stderr.starts_with("error: "), "{context}");
                let Some(place) = place else { return };
                let errors = errors(&outcome, file);
                let found =
                    errors.get(*next_error).unwrap_or_else(|| panic!("error {next_error} of {context}"));
                assert_eq!(&found.0, place, "{context}");
                assert!(found.1.contains(message.as_str()), "`{message}` in {context}");
                // Errors do not depend on the engine.
                *next_error += 1;
                return;
            }
        }
    }
}

/// Runs a share of the files, so that the shares can run side by side.
fn judge_share(share: usize, n_shares: usize) {
    let mut names: Vec<String> = std::fs::read_dir(directory())
        .expect("the programs are there")
        .map(|entry| entry.expect("a readable directory").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".bp"))
        .collect();
    names.sort();
    assert!(names.len() > 200, "{} programs", names.len());
    for name in names.iter().skip(share).step_by(n_shares) {
        let text = std::fs::read_to_string(directory().join(name)).expect("a program is readable");
        let expectations = expectations(&text);
        assert!(!expectations.is_empty(), "{name} expects nothing");
        let mut next_error = 0;
        for expectation in &expectations {
            judge(name, &text, expectation, &mut next_error);
        }
    }
}

#[test]
fn programs_have_the_answers_they_say_first_half() {
    judge_share(0, 2);
}

#[test]
fn programs_have_the_answers_they_say_second_half() {
    judge_share(1, 2);
}
