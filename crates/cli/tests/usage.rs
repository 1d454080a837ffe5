//! What the user can get wrong, and what the program says about itself.

mod harness;

use harness::{Outcome, Sandbox, check, mu, run};
use std::path::Path;

#[track_caller]
fn rejected(outcome: &Outcome, message: &str) {
    assert_eq!(outcome.code, 2, "{outcome:?}");
    assert_eq!(outcome.stdout, "", "{outcome:?}");
    assert!(outcome.stderr.contains(message), "{outcome:?}");
}

#[test]
fn an_empty_file_prints_nothing() {
    for text in ["", "\n\n", "// nothing\n/* at all */"] {
        check(&[], text, "");
        check(&["--twin"], text, "");
    }
}

#[test]
fn unreadable_files_are_named() {
    let sandbox = Sandbox::new();
    sandbox.file("directory/inside.mu", "").file("binary.mu", b"true;\n\xff\xfe").file("nul.mu", b"true\0;");
    rejected(&sandbox.run(&["mu", "missing.mu"]), "error: `missing.mu` does not exist");
    rejected(&sandbox.run(&["mu", "directory"]), "error: `directory` is a directory");
    rejected(&sandbox.run(&["mu", "binary.mu"]), "`binary.mu` is not text: byte 0xff at position 6");
    rejected(&sandbox.run(&["mu", "nul.mu"]), "`nul.mu` is not text: byte 0x00 at position 4");
}

#[test]
fn a_missing_load_is_an_error_at_its_place() {
    let sandbox = Sandbox::new();
    sandbox.file("a.mu", "true;\n#load nowhere;\n");
    let outcome = sandbox.run(&["mu", "a.mu"]);
    rejected(&outcome, "nowhere");
    assert!(outcome.stderr.contains("a.mu:2:"), "{outcome:?}");
}

#[test]
fn loaded_files_are_looked_for_beside_the_loading_file() {
    let sandbox = Sandbox::new();
    sandbox.file("sub/a.mu", "#load b;\nP();\n").file("sub/b.mu", "bool P() true;\n");
    let outcome = sandbox.run(&["mu", "--twin", "sub/a.mu"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, "true\n"), "{}", outcome.stderr);
}

#[test]
fn wrong_usage_has_status_2() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for arguments in [
        &["--nonsense"][..],
        &[],
        &["mu"],
        &["mu", "--nonsense", "-"],
        &["mu", "--timeout", "soon", "-"],
        &["mu", "--memory", "2X", "-"],
        &["mu", "--param", "k", "-"],
        &["mu", "--show", "nothing", "-"],
        &["mu", "--twin", "--symbolic", "-"],
        &["nonsense"],
        &["check"],
        &["check", "--timeout", "soon", "-"],
        &["check", "-k", "-", "-"],
        &["check", "-k", "-1", "-"],
        &["check", "-k", "many", "-"],
        &["check", "-k", "65", "-"],
        &["check", "--rounds", "-1", "-"],
        &["check", "--rounds", "33", "-"],
        &["check", "--up-to", "1.5", "-"],
        &["check", "-k", "1", "--rounds", "1", "-"],
        &["check", "-k", "1", "--up-to", "1", "-"],
        &["sequentialize"],
        &["sequentialize", "-k", "1", "--scheme", "idle", "-"],
        &["validate", "-"],
        &["run", "--seed", "x", "-"],
        &["gen"],
        &["gen", "counter"],
        &["gen", "counter", "--n", "2", "--adders", "2"],
        &["gen", "bluetooth", "--adders", "0"],
        &["gen", "bluetooth", "--n", "0"],
        &["gen", "bluetooth", "--stoppers", "few"],
        &["translate"],
    ] {
        let outcome = run(here, arguments, "");
        assert_eq!(outcome.code, 2, "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert_ne!(outcome.stderr, "", "{arguments:?}");
    }
}

#[test]
fn all_errors_of_a_file_are_reported_at_once() {
    let outcome = mu(&[], "enum E { a, b };\nbool P(E x) x = c;\nbool Q(E x) P(x, x);\nR();\n");
    assert_eq!(outcome.code, 2);
    for place in ["<stdin>:2:", "<stdin>:3:", "<stdin>:4:"] {
        assert!(outcome.stderr.contains(place), "{place} in {}", outcome.stderr);
    }
}

#[test]
fn errors_are_not_coloured_off_a_terminal() {
    assert!(!mu(&[], "nonsense;").stderr.contains('\x1b'));
}

#[test]
fn the_program_describes_itself() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let says = |arguments: &[&str], word: &str| {
        let outcome = run(here, arguments, "");
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stdout.contains(word), "{arguments:?}: {}", outcome.stdout);
        outcome.stdout.lines().count()
    };
    says(&["--version"], concat!("getafix ", env!("CARGO_PKG_VERSION")));
    for command in ["check", "validate", "witness", "run", "translate", "sequentialize", "mu"] {
        let short = says(&[command, "-h"], "--timeout");
        let long = says(&[command, "--help"], "Exit status");
        let most = if command == "check" { 52 } else { 32 };
        assert!(short <= most && short < long, "`{command}`: -h has {short} lines, --help {long}");
        says(&["man"], &format!("getafix {command}"));
    }
    says(&["man"], ".TH getafix");
    for shell in ["bash", "zsh", "fish"] {
        says(&["completions", shell], "certificate");
    }
}
