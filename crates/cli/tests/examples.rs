//! The shipped examples print what their comments say, on the solver and on the twin.
//!
//! Lines that begin with `//>` are the expected output. Derivations, plans, sizes and certificates are shown by the
//! solver only, and their details may change; they are left out on both sides.

mod harness;

use harness::{root, run};

/// Lines whose details are the solver's own affair.
fn is_detail(line: &str) -> bool {
    ["#explain", "#plan", "#size", "#certify"].iter().any(|directive| line.starts_with(directive))
}

#[test]
fn examples_print_what_they_say() {
    let directory = root().join("examples");
    let mut names: Vec<String> = std::fs::read_dir(&directory)
        .expect("the examples are there")
        .map(|entry| entry.expect("a readable directory").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".mu"))
        .collect();
    names.sort();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let text = std::fs::read_to_string(directory.join(&name)).expect("an example is readable");
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("//> "))
            .filter(|line| !is_detail(line))
            .collect();
        for option in ["--quiet", "--symbolic", "--twin"] {
            let outcome = run(&directory, &["mu", option, &name], "");
            assert_eq!(outcome.code, 0, "{name} {option}: {outcome:?}");
            let printed: Vec<&str> = outcome.stdout.lines().filter(|line| !is_detail(line)).collect();
            assert_eq!(printed, expected, "{name} {option}: {}", outcome.stderr);
        }
    }
}
