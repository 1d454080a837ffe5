//! `getafix algorithms`: the formula files that come with the program.

use crate::args::AlgorithmsOptions;
use crate::status::Status;
use crate::watch::Job;
use checker::{ALGORITHMS, DEFAULT};

/// The names of all algorithms.
pub fn names() -> String {
    ALGORITHMS.map(|algorithm| algorithm.name).join(", ")
}

/// Lists the algorithms, or prints one.
pub fn run(options: &AlgorithmsOptions, job: &Job) -> Status {
    let Some(name) = &options.print else {
        let width = ALGORITHMS.iter().map(|algorithm| algorithm.name.len()).max().unwrap_or(0);
        for algorithm in ALGORITHMS {
            let default = if algorithm.name == DEFAULT { " (default)" } else { "" };
            job.console.print(&format!("{:width$}  {}{default}\n", algorithm.name, algorithm.about()));
        }
        return Status::Evaluated;
    };
    match checker::algorithm(name) {
        Some(algorithm) => {
            job.console.print(algorithm.text);
            Status::Evaluated
        }
        None => {
            job.console.error(&format!("there is no algorithm `{name}`; there are {}", names()));
            Status::Rejected
        }
    }
}
