//! `getafix algorithms`: the formula files that come with the program.

use crate::args::AlgorithmsOptions;
use crate::check::default_algorithm;
use crate::status::Status;
use crate::watch::Job;
use checker::{ALGORITHMS, Bound, DEFAULT, Programs};

/// The names of all algorithms.
pub fn names() -> String {
    ALGORITHMS.map(|algorithm| algorithm.name).join(", ")
}

/// The names of the algorithms for some programs, to choose from.
pub fn names_for(programs: Programs) -> String {
    let fits = |algorithm: &&checker::Algorithm| algorithm.programs == programs;
    let names: Vec<&str> = ALGORITHMS.iter().filter(fits).map(|algorithm| algorithm.name).collect();
    names.join(" or ")
}

/// When an algorithm is used without being named.
fn default_for(name: &str) -> &'static str {
    match name {
        DEFAULT => " (default)",
        name if name == default_algorithm(Bound::Switches(0), false) => " (default with -k)",
        name if name == default_algorithm(Bound::Rounds(0), false) => " (default with --rounds)",
        name if name == default_algorithm(Bound::Rounds(0), true) => " (default with --rounds and `[*]`)",
        _ => "",
    }
}

/// Lists the algorithms, or prints one.
pub fn run(options: &AlgorithmsOptions, job: &Job) -> Status {
    let Some(name) = &options.print else {
        let width = ALGORITHMS.iter().map(|algorithm| algorithm.name.len()).max().unwrap_or(0);
        for algorithm in ALGORITHMS {
            let default = default_for(algorithm.name);
            job.console.print(&format!("{:width$}  {}{default}\n", algorithm.name, algorithm.about()));
        }
        return Status::Evaluated;
    };
    let text = checker::algorithm(name).map(|algorithm| algorithm.text).or_else(|| checker::part(name));
    match text {
        Some(text) => {
            job.console.print(text);
            Status::Evaluated
        }
        None => {
            job.console.error(&format!("there is no algorithm `{name}`; there are {}", names()));
            Status::Rejected
        }
    }
}
