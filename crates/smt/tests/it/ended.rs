//! Whoever leaves leaves no solver behind.
#![cfg(unix)]

use base::Stop;
use smt::{Answer, Horn, Manner, Pipe, Query, Solver};
use std::path::Path;
use testing::Folder;

/// What is ended are all solvers of the process, for ever, also those of other tests: so this one gets a process of its own.
#[test]
fn all_solvers_end_and_no_more_are_started() {
    testing::alone("ended::all_solvers_end_and_no_more_are_started", || {
        let folder = Folder::temporary();
        let pid = folder.path().join("pid");
        let script =
            format!("#!/bin/sh\necho $$ > {0}.new; mv {0}.new {0}\nexec sleep 1000\n", pid.display());
        let solver = folder.script("solver", &script);
        let mut horn = Horn::start(&solver, "", Manner::default());
        while !pid.exists() {
            std::thread::yield_now();
        }
        let number = folder.read("pid");
        let process = Path::new("/proc").join(number.trim());
        assert!(horn.poll().is_none() && process.exists());
        smt::end_all();
        assert!(!process.exists());
        let answers = Pipe::new(&solver, Stop::default()).check(&Query::default(), &[Vec::new()]);
        assert!(matches!(answers[..], [Answer::Unknown(_)]), "{answers:?}");
    });
}
