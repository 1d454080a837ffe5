//! Whoever leaves leaves no solver behind.
#![cfg(unix)]

use base::Stop;
use smt::{Answer, Horn, Manner, Pipe, Query, Solver};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Tells the program of the tests that it was started for one of them alone.
const ALONE: &str = "GETAFIX_ALONE";

/// What is ended are all solvers of the process, for ever, also those of other tests: so this one gets a process of its own.
#[test]
fn all_solvers_end_and_no_more_are_started() {
    if std::env::var_os(ALONE).is_some() {
        return end_all();
    }
    let program = std::env::current_exe().expect("the program of the tests");
    let name = "ended::all_solvers_end_and_no_more_are_started";
    let output = Command::new(program).args(["--exact", name]).env(ALONE, "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn end_all() {
    let folder = std::env::temp_dir().join(format!("getafix-ended-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (solver, pid) = (folder.join("solver"), folder.join("pid"));
    let script = format!("#!/bin/sh\necho $$ > {0}.new; mv {0}.new {0}\nexec sleep 1000\n", pid.display());
    std::fs::write(&solver, script).expect("a file for the test");
    std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).expect("it can be started");
    let mut horn = Horn::start(&solver, "", Manner::default());
    while !pid.exists() {
        std::thread::yield_now();
    }
    let number = std::fs::read_to_string(&pid).expect("the script was started");
    let process = Path::new("/proc").join(number.trim());
    assert!(horn.poll().is_none() && process.exists());
    smt::end_all();
    assert!(!process.exists());
    let answers = Pipe::new(&solver, Stop::default()).check(&Query::default(), &[Vec::new()]);
    assert!(matches!(answers[..], [Answer::Unknown(_)]), "{answers:?}");
    let _ = std::fs::remove_dir_all(&folder);
}
