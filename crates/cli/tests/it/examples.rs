//! The shipped examples print what their comments say, on the solver and on the twin; the first formula prints what the
//! README shows.
//!
//! Lines that begin with `//>` are the expected output. Derivations, plans, sizes and certificates are the solver's
//! own affair: they are compared for the default way to evaluate, and left out on both sides for the others.

use crate::harness::{root, run};
use testing::expected::announced;

/// Lines that the twin does not print, and that may differ if sorts are stored otherwise.
fn is_detail(line: &str) -> bool {
    ["#explain", "#plan", "#size", "#certify"].iter().any(|directive| line.starts_with(directive))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a file of the repository is readable")
}

/// The names of the examples with this ending, at least four.
fn names(ending: &str) -> Vec<String> {
    let names = testing::expected::names(&root().join("examples"), ending);
    assert!(names.len() >= 4, "{names:?}");
    names
}

/// A line `// expect(BOUND): verdict`; without a bound the verdict holds for every one.
fn expectation(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("// expect")?;
    let (bound, answer) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once("): ")?,
        None => ("-k 3", rest.strip_prefix(": ")?),
    };
    Some((bound, answer.split([',', ' ']).next()?))
}

#[test]
fn concurrent_programs_have_the_answers_they_say() {
    let mut n_programs = 0;
    for name in names(".bp") {
        let path = format!("examples/{name}");
        let text = read(&path);
        let expectations: Vec<(&str, &str)> = text.lines().filter_map(expectation).collect();
        n_programs += usize::from(!expectations.is_empty());
        for (bound, verdict) in expectations {
            let bound: Vec<&str> = bound.split(' ').collect();
            for options in [&["--trace", "none"][..], &["--engine", "compare", "--trace", "none"]] {
                let outcome = run(root(), &[&["check", &path], &bound[..], options].concat(), "");
                let first = outcome.stdout.split(' ').next().unwrap_or_default().to_lowercase();
                assert_eq!((first.as_str(), outcome.stderr.as_str()), (verdict, ""), "{name} {bound:?}");
                assert_eq!(outcome.code, if verdict == "reachable" { 10 } else { 0 }, "{name} {bound:?}");
            }
        }
    }
    assert!(n_programs >= 2, "{n_programs} concurrent examples");
}

#[test]
fn programs_print_what_they_say() {
    for name in names(".bp") {
        let path = format!("examples/{name}");
        let text = read(&path);
        if text.lines().any(|line| expectation(line).is_some()) {
            continue;
        }
        let outcome = run(root(), &["check", &path], "");
        assert_eq!(
            outcome.stdout.lines().collect::<Vec<_>>(),
            announced(&text),
            "{name}: {}",
            outcome.stderr
        );
        for algorithm in ["summary", "entry_forward", "entry_forward_split", "exit_backward"] {
            let other = run(root(), &["check", "--algorithm", algorithm, &path], "");
            assert_eq!(other.code, outcome.code, "{name} {algorithm}: {other:?}");
        }
        let compared = run(root(), &["check", "--engine", "compare", &path], "");
        assert_eq!((compared.code, compared.stderr.as_str()), (outcome.code, ""), "{name}");
    }
}

#[test]
fn examples_print_what_they_say() {
    for name in names(".mu") {
        let path = format!("examples/{name}");
        let text = read(&path);
        for option in ["--quiet", "--symbolic", "--twin"] {
            let outcome = run(root(), &["mu", option, &path], "");
            assert_eq!(outcome.code, 0, "{name} {option}: {outcome:?}");
            let compared = |line: &&str| option == "--quiet" || !is_detail(line);
            let printed: Vec<&str> = outcome.stdout.lines().filter(compared).collect();
            let expected: Vec<&str> = announced(&text).into_iter().filter(compared).collect();
            assert_eq!(printed, expected, "{name} {option}: {}", outcome.stderr);
        }
    }
}

/// Programs in C say in `// expect` comments what comes out.
#[test]
fn programs_in_c_have_the_answers_they_say() {
    for name in ["change.c", "collatz.c", "list.c"] {
        let path = format!("examples/{name}");
        let text = read(&path);
        let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("a verdict");
        let outcome = run(root(), &["check", &path, "--trace", "none"], "");
        let first = outcome.stdout.lines().next().unwrap_or_default().to_lowercase();
        assert_eq!((first.as_str(), outcome.stderr.as_str()), (expected, ""), "{name}");
        assert_eq!(outcome.code, if expected == "reachable" { 10 } else { 0 }, "{name}");
    }
}

/// The first two blocks of text in the README are the first example, without its comments, and its output.
#[test]
fn the_readme_shows_the_first_example() {
    let readme = read("README.md");
    let blocks: Vec<&str> =
        readme.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)).collect();
    let example = read("examples/reach.mu");
    let code = |line: &str| line.split("//").next().unwrap_or("").trim_end().to_owned();
    let lines: Vec<String> = example.lines().map(code).filter(|line| !line.is_empty()).collect();
    let shown: Vec<&str> = blocks[0].lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(shown, lines);
    assert_eq!(blocks[1].lines().collect::<Vec<_>>(), announced(&example));
}
