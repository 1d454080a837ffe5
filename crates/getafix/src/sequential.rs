//! `getafix sequentialize`: a sequential program that asks the same as a concurrent one within a bound.

use crate::answer::Subject;
use crate::check::{self, thread_options};
use crate::job::Job;
use crate::options::{SchemeName, SequentializeOptions};
use crate::program;
use crate::status::Status;
use bp::Concurrency;
use checker::Bound;
use rsm::ThreadGoal;
use sequentialize::{Scheme, sequentialize};

/// Prints the sequential program.
pub fn run(options: &SequentializeOptions, job: &Job) -> Status {
    job.record.begin(Subject::text());
    print(options, job).unwrap_or_else(|status| status)
}

fn print(options: &SequentializeOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    let program = program::load(&options.file, job)?;
    let concurrency = program.concurrency(options.bound.async_labels);
    if concurrency == Concurrency::Sequential {
        job.record.note("the program is sequential already: it has one thread, `main`");
    }
    let bound = check::bound(&options.bound, concurrency).map_err(|problem| problem.report(&program, job))?;
    let threads = program.threads(thread_options(&options.bound), job)?;
    check::few_threads(&threads).map_err(rejected)?;
    let targets = program::thread_targets(&threads, &options.targets, job)?;
    let goals: Vec<ThreadGoal> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
    let bound = match bound {
        Bound::Switches(number) => sequentialize::Bound::Switches(number),
        Bound::Rounds(number) => sequentialize::Bound::Rounds(number),
        Bound::Every => unreachable!("a bound that is found has a number"),
    };
    let scheme = match options.scheme {
        SchemeName::Eager => Scheme::Eager,
        SchemeName::Lazy => Scheme::Lazy,
    };
    let text = sequentialize(&threads, &goals, bound, scheme).map_err(|error| rejected(error.to_string()))?;
    job.record.print(&text);
    Ok(Status::Evaluated)
}
