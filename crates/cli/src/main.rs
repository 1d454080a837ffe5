//! The command line: reads files, asks the engines, writes answers.
//!
//! Contract: stdout is the answer and the same in every run; stderr is progress and diagnostics. Exit status 0 evaluated or
//! unreachable, 10 reachable, 2 rejected, 5 unknown. The engines do no input, no output and own no clock; all of
//! that is here.

#![forbid(unsafe_code)]

mod args;
mod manual;
mod status;
mod terminal;
mod units;

mod console;
mod early;
mod memory;
mod progress;
mod watch;

mod answer;
mod input;
mod json;
mod render;

mod engine;
mod lines;
mod mu;
mod timer;

mod algorithms;
mod foreign;
mod several;
mod usage;

mod c;
mod check;
mod execute;
mod families;
mod format;
mod formula;
mod program;
mod sequential;
mod told;
mod translate;
mod validate;

use args::{Cli, Command, RunOptions};
use clap::{CommandFactory, Parser};
use status::Status;
use std::io::Write;
use std::process::ExitCode;

/// A refused allocation ends in `unknown`, see `watch`.
#[global_allocator]
static MEMORY: dd::memory::Memory = dd::memory::Memory;

fn main() -> ExitCode {
    report_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return ExitCode::from(answer_usage(&error).code());
        }
    };
    let status = obey(cli.command);
    // A worker that is left behind may have solvers at work.
    smt::end_all();
    ExitCode::from(status.code())
}

fn obey(command: Command) -> Status {
    let no_limits = RunOptions::default();
    match command {
        Command::Check(options) => several::check(*options),
        Command::Validate(options) => {
            watch::run(&options.run.clone(), move |job| validate::run(&options, job))
        }
        Command::Witness(options) => {
            watch::run(&options.run.clone(), move |job| c::witness::check::run(&options, job))
        }
        Command::Run(options) => {
            let limits = RunOptions { json: options.json, ..options.limits.clone().into() };
            watch::run(&limits, move |job| execute::run(&options, job))
        }
        Command::Fmt(options) => watch::run(&no_limits, move |job| format::run(&options, job)),
        Command::Algorithms(options) => watch::run(&no_limits, move |job| algorithms::run(&options, job)),
        Command::Translate(options) => {
            watch::run(&options.limits.clone().into(), move |job| translate::run(&options, job))
        }
        Command::Abstract(options) => {
            watch::run(&options.limits.clone().into(), move |job| c::abstraction::run(&options, job))
        }
        Command::Sequentialize(options) => {
            watch::run(&options.limits.clone().into(), move |job| sequential::run(&options, job))
        }
        Command::Gen(options) => watch::run(&no_limits, move |job| families::run(&options, job)),
        Command::Mu(options) => watch::run(&options.run.clone(), move |job| mu::run(&options, job)),
        Command::Completions { shell } => completions(shell),
        Command::Man => {
            console::stdout(&manual::page());
            Status::Evaluated
        }
    }
}

/// Help and version go to stdout, mistakes to stderr.
fn answer_usage(error: &clap::Error) -> Status {
    if let Some(advice) = usage::advice(error) {
        let _ = writeln!(std::io::stderr(), "error: {advice}");
        return Status::Rejected;
    }
    if error.use_stderr() {
        let _ = error.print();
        return Status::Rejected;
    }
    console::stdout(error.render().to_string().as_bytes());
    Status::Evaluated
}

/// A panic is a bug of ours, and says so.
fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "\nerror: this is a bug in getafix, please report it with the input");
        let _ = writeln!(stderr, "note: version {}, {info}", env!("CARGO_PKG_VERSION"));
        std::process::exit(Status::Bug.code().into());
    }));
}

fn completions(shell: clap_complete::Shell) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "getafix", &mut script);
    console::stdout(&script);
    Status::Evaluated
}
