//! `getafix gen`: a program of a family.

use crate::args::GenerateOptions;
use crate::status::Status;
use crate::watch::Job;

/// Prints the program.
pub fn run(options: &GenerateOptions, job: &Job) -> Status {
    let wanted = generate::Options {
        seed: options.seed,
        fixed: options.fixed,
        reachable: options.reachable,
        globals: options.globals,
    };
    match generate::family(&options.family, options.n, &wanted) {
        Ok(text) => {
            job.console.print(&text);
            Status::Evaluated
        }
        Err(error) => {
            job.console.error(&error.to_string());
            Status::Rejected
        }
    }
}
