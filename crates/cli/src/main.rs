//! The command line: reads files, asks the engines, writes answers.
//!
//! Contract: stdout is the answer and the same in every run; stderr is progress and diagnostics. Exit status 0 evaluated,
//! 2 rejected, 5 unknown. The engines do no input, no output and own no clock; all of that is here.

#![forbid(unsafe_code)]

mod answer;
mod args;
mod console;
mod engine;
mod input;
mod json;
mod lines;
mod mu;
mod progress;
mod render;
mod status;
mod timer;
mod units;
mod watch;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use status::Status;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    report_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return ExitCode::from(answer_usage(&error).code());
        }
    };
    let status = match cli.command {
        Command::Mu(options) => {
            let run = options.run.clone();
            watch::run(&run, move |job| mu::run(&options, job))
        }
        Command::Completions { shell } => completions(shell),
        Command::Man => manual(),
    };
    ExitCode::from(status.code())
}

/// Help and version go to stdout, mistakes to stderr.
fn answer_usage(error: &clap::Error) -> Status {
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

/// One page for the whole program: the commands, then the options of `mu`.
fn manual() -> Status {
    let mut root = Cli::command();
    root.build();
    let mu = root.find_subcommand("mu").expect("`mu` is in the table of commands").clone();
    let mut commands = ".SH COMMANDS\n".to_owned();
    for command in root.get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        commands.push_str(&format!(".TP\n\\fBgetafix {}\\fR\n{about}\n", command.get_name()));
    }
    let (root, mu) = (clap_mangen::Man::new(root), clap_mangen::Man::new(mu));
    let mut page = Vec::new();
    let parts = [
        root.render_title(&mut page),
        root.render_name_section(&mut page),
        mu.render_synopsis_section(&mut page),
        root.render_description_section(&mut page),
        page.write_all(commands.as_bytes()),
        mu.render_options_section(&mut page),
        root.render_extra_section(&mut page),
        root.render_version_section(&mut page),
    ];
    assert!(parts.iter().all(Result::is_ok), "writing to memory succeeds");
    console::stdout(&page);
    Status::Evaluated
}
