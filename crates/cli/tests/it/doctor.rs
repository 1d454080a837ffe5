//! `getafix doctor`: what is found, what is missing, and what then.

use std::path::Path;
use std::process::Command;
use testing::Folder;

/// What is said if the path has this folder only.
fn doctor(path: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_getafix"))
        .arg("doctor")
        .env_clear()
        .env("PATH", path)
        .output()
        .expect("it can be started");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    String::from_utf8(output.stdout).expect("it is a text")
}

/// What is said about one program.
fn about<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let start = format!("{name}: ");
    text.lines().skip_while(|line| !line.starts_with(&start)).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn what_is_missing_comes_with_a_way_to_install_it() {
    let folder = Folder::temporary();
    let text = doctor(folder.path());
    assert!(text.starts_with(concat!("getafix ", env!("CARGO_PKG_VERSION"), "\n")), "{text}");
    for name in ["z3", "cc", "browser"] {
        let lines = about(&text, name);
        assert_eq!(lines.first(), Some(&format!("{name}: not found").as_str()), "{text}");
        assert!(lines.iter().any(|line| line.starts_with("  without it: ")), "{text}");
        assert!(lines.iter().any(|line| line.starts_with("  to install it: ")), "{text}");
    }
}

#[test]
fn what_is_found_is_named_with_its_version() {
    let folder = Folder::temporary();
    folder.script("gcc", "#!/bin/sh\necho 'gcc (here) 12.2'\necho more\n");
    folder.script("chromium", "#!/bin/sh\nexit 1\n");
    folder.script("z3", "#!/bin/sh\necho 'Z3 version 4.8.12 - 64 bit'\n");
    let text = doctor(folder.path());
    let place = |name: &str| format!("  at {}", folder.path().join(name).display());
    assert_eq!(about(&text, "cc")[..2], ["cc: gcc (here) 12.2", &place("gcc")], "{text}");
    assert_eq!(about(&text, "browser")[..2], ["browser: found", &place("chromium")], "{text}");
    let z3 = about(&text, "z3")[0];
    assert!(z3.contains("4.8.12") && z3.contains("cannot be used: 4.11.2 or later is needed"), "{text}");
}

/// What is answered about an example where nothing else is installed.
fn alone(arguments: &[&str]) -> (String, String) {
    let nowhere = Folder::temporary();
    let output = Command::new(env!("CARGO_BIN_EXE_getafix"))
        .args(arguments)
        .current_dir(crate::harness::root())
        .env_clear()
        .env("PATH", nowhere.path())
        .env("HOME", nowhere.path())
        .output()
        .expect("it can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is a text");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn an_answer_that_lacks_a_solver_says_so_and_others_do_not() {
    let (answer, remarks) = alone(&["check", "examples/locked.c"]);
    let reason = "; nothing is proved without an SMT solver: `getafix doctor` says how one is installed\n";
    assert!(answer.starts_with("UNKNOWN: ") && answer.contains(reason), "{answer}");
    assert_eq!(remarks.lines().count(), 1, "{remarks}");
    assert!(remarks.starts_with("note: nothing is proved: there is no SMT solver"), "{remarks}");
    let (object, _) = alone(&["check", "examples/locked.c", "--json"]);
    assert!(object.contains("nothing is proved without an SMT solver"), "{object}");
    // What took all the time that there was lacks the solver, too.
    let (stopped, _) = alone(&["check", "examples/locked.c", "--timeout", "100ms"]);
    let said = "UNKNOWN: nothing is proved without an SMT solver: `getafix doctor` says how one is installed; timeout after";
    assert!(stopped.starts_with(said), "{stopped}");
    for decided in [&["check", "examples/change.c"][..], &["check", "examples/collatz.c", "--int", "math"]] {
        let (answer, remarks) = alone(decided);
        assert!(!answer.starts_with("UNKNOWN") && !remarks.contains("solver"), "{answer}{remarks}");
    }
}
