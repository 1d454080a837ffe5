//! Getafix as a library: a question goes in, an answer comes out.
//!
//! ```
//! let reply = getafix::check("decl x; void main() begin x := *; assert(x); end");
//! assert_eq!(reply.verdict(), "reachable");
//! println!("{}", reply.text); // the verdict and a run that fails
//! ```
//!
//! - In: a [`Request`], which has texts, a question and limits as plain data.
//! - Out: a [`Reply`], which has verdict, run, certificate, figures and remarks, and says itself as text, as JSON and in SARIF.
//! - Never: touch a file, a clock or a process that whoever asks has not handed over by [`Events`].
//!
//! It is one door for everything: Boolean programs, with and without threads, files of formulas, and programs in C; and for every
//! question that the command line has, which does no more than make requests and print replies.

#![forbid(unsafe_code)]

mod algorithms;
mod answer;
mod early;
mod events;
mod foreign;
mod input;
mod job;
mod json;
mod large_stack;
mod lines;
pub mod options;
mod outside;
mod preprocess;
mod record;
mod render;
mod reply;
mod request;
mod status;
pub mod usage;

mod c;
mod check;
mod execute;
mod format;
mod formula;
mod mu;
mod program;
mod sequential;
mod told;
mod translate;
mod validate;

pub use algorithms::{names as algorithm_names, names_for as algorithm_names_for};
pub use c::task_files;
pub use check::reductions;
pub use events::Events;
pub use input::{READ_TWICE, is_read_twice, shown};
pub use outside::{Outside, Sealed, System, clock};
pub use preprocess::PROGRAMS as PREPROCESSORS;
pub use record::{Listener, Record, Said};
pub use reply::{Reply, sarif_document};
pub use request::{Language, Limits, Output, Question, Request, Source};
pub use status::Status;

pub use ::c::DataModel;
pub use base::{Gauge, Stop, StopReason};

use job::{Job, Texts};
use std::sync::Arc;

/// Can a run of this Boolean program reach an error: a failing assertion, or a label `ERROR`?
pub fn check(program: &str) -> Reply {
    answer(&Request::check("program.bp", program), &mut Events::sealed())
}

/// Answers a question, on a stack of its own that is as large as the system grants.
///
/// It gives up when the time is over, when decision diagrams and tables take more than the memory that is granted, and when somebody asks it to by
/// [`Events::stop`]; what it has by then is the answer, and otherwise that is unknown, with the reason.
pub fn answer(request: &Request, events: &mut Events) -> Reply {
    let job = job(request, events);
    match large_stack::run(request.limits.timeout, &job.stop, || status(request, &job)) {
        Some(status) => job.record.finish(status),
        None => {
            job.record.error("cannot start a thread: the system grants no memory for its stack");
            job.record.finish(Status::Rejected)
        }
    }
}

/// Answers a question on the stack of the thread that asks, which watches the time itself. What calls itself deeper than the stack is large ends the process.
pub fn answer_here(request: &Request, events: &mut Events) -> Reply {
    here(request, events, status)
}

/// What [`answer_here`] answers about Boolean programs and files of formulas. Whoever calls nothing else need not load what reads and executes C.
pub fn answer_programs_here(request: &Request, events: &mut Events) -> Reply {
    here(request, events, |request, job| match &request.question {
        Question::Check(options) if !check::is_in_c(options) => check::run_program(options, job),
        Question::Format(options) => format::run(options, job),
        Question::Evaluate(options) => mu::run(options, job),
        _ => not_in_this_part(job),
    })
}

/// What [`answer_here`] answers to `check` about programs in C. Whoever calls nothing else need not load what reads Boolean programs.
pub fn answer_c_here(request: &Request, events: &mut Events) -> Reply {
    here(request, events, |request, job| match &request.question {
        Question::Check(options) if check::is_in_c(options) => check::run_c(options, job),
        _ => not_in_this_part(job),
    })
}

fn here(request: &Request, events: &mut Events, status: impl Fn(&Request, &Job) -> Status) -> Reply {
    let job = job(request, events);
    let status = status(request, &job);
    job.record.finish(status)
}

fn not_in_this_part(job: &Job) -> Status {
    job.record.error("this part of getafix does not answer that");
    Status::Rejected
}

fn job(request: &Request, events: &mut Events) -> Job {
    let record = events.record.get_or_insert_with(|| Arc::new(Record::new(request.output, Box::new(|_| {}))));
    let outside = events.outside.clone();
    Job {
        texts: Arc::new(Texts { sources: request.sources.clone(), outside: outside.clone() }),
        outside,
        stop: events.stop.clone(),
        gauge: events.gauge.clone(),
        record: record.clone(),
        limits: request.limits,
        output: request.output,
    }
}

fn status(request: &Request, job: &Job) -> Status {
    match &request.question {
        Question::Check(options) => check::run(options, job),
        Question::Format(options) => format::run(options, job),
        Question::Evaluate(options) => mu::run(options, job),
        Question::Validate(options) => validate::run(options, job),
        Question::Witness(options) => c::witness::check::run(options, job),
        Question::Run(options) => execute::run(options, job),
        Question::Translate(options) => translate::run(options, job),
        Question::Abstract(options) => c::abstraction::run(options, job),
        Question::Sequentialize(options) => sequential::run(options, job),
    }
}
