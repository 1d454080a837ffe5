//! The command line: makes questions of options, has them answered, writes the answers.
//!
//! - In: arguments, files and stdin, signals, the time, the memory that is left.
//! - Out: the answer on stdout, the same in every run; progress and diagnostics on stderr; files that were asked for; the exit status: 0 evaluated or unreachable, 10 reachable, 2 rejected, 5 unknown.
//! - Never: decide what is answered: the library `getafix` does.

#![forbid(unsafe_code)]

mod args;
mod manual;
mod terminal;
mod units;

mod console;
mod files;
mod memory;
mod network;
mod progress;
mod watch;

mod algorithms;
mod doctor;
mod editor;
mod families;
mod format;
mod pages;
mod several;
mod tasks;
mod usage;

use args::{Cli, Command, RunOptions};
use clap::{CommandFactory, Parser};
use getafix::{Output, Question, Status};
use std::io::Write;
use std::path::PathBuf;
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
    if let Command::Lsp { .. } = cli.command {
        return editor::serve();
    }
    let status = obey(cli.command);
    // A worker that is left behind may have solvers at work.
    smt::end_all();
    ExitCode::from(status.code())
}

fn obey(command: Command) -> Status {
    match command {
        Command::Check(options) => several::check(*options),
        Command::Validate(options) => pages::validate(options),
        Command::Witness(options) => answer(&options.run.clone(), options.into()),
        Command::Run(options) => {
            let run = RunOptions { json: options.json, ..options.limits.clone().into() };
            answer(&run, options.into())
        }
        Command::Fmt(options) => format::run(&options),
        Command::Algorithms(options) => algorithms::run(&options),
        Command::Translate(options) => answer(&options.limits.clone().into(), options.into()),
        Command::Abstract(options) => {
            let (run, file) = (options.limits.clone().into(), options.output.clone());
            answer_into(file, &run, options.into())
        }
        Command::Sequentialize(options) => answer(&options.limits.clone().into(), options.into()),
        Command::Gen(options) => families::run(&options),
        Command::Mu(options) => answer(&options.run.clone(), options.into()),
        Command::Doctor => doctor::run(),
        Command::Completions { shell } => completions(shell),
        Command::Lsp { .. } => Status::Evaluated,
        Command::Man => {
            console::stdout(&manual::page());
            Status::Evaluated
        }
    }
}

/// Asks, and prints the answer.
fn answer(options: &RunOptions, question: Question) -> Status {
    let RunOptions { json, stats, .. } = *options;
    let output = Output { text: !json, json, sarif: false, html: false, stats };
    let (console, reply) = watch::ask(options, output, question);
    console.finish(&reply);
    reply.status
}

/// The same, and a text that is the answer goes into a file, if one is named.
fn answer_into(file: Option<PathBuf>, options: &RunOptions, question: Question) -> Status {
    let Some(file) = file else { return answer(options, question) };
    let options = RunOptions { stdout: args::Stdout::Nothing, ..options.clone() };
    let output = Output { text: true, json: false, sarif: false, html: false, stats: false };
    let (console, mut reply) = watch::ask(&options, output, question);
    if reply.status == Status::Evaluated {
        let text = std::mem::take(&mut reply.text);
        several::write_file(&file, &text, &console, &mut reply);
    }
    reply.status
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
