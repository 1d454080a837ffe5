//! Commands that take several files: each is a run of its own, and the strongest status is that of all.
//!
//! Contract: one file is answered as if there were no others to think of. With several, each answer has the name of its file
//! before it, and in JSON each object is one line. Limits are those of the whole command.

use crate::args::{CheckOptions, RunOptions, Stdout, TraceForm};
use crate::check;
use crate::console::Console;
use crate::status::Status;
use crate::watch;
use std::path::{Path, PathBuf};

/// Checks every file.
pub fn check(mut options: CheckOptions) -> Status {
    // A trace in JSON would be half a document beside a verdict in words.
    options.run.json |= options.trace == TraceForm::Json;
    let written = [
        ("--certificate", &options.certificate),
        ("--witness", &options.proof.witness),
        ("--sarif", &options.sarif),
    ];
    let written: Vec<(&str, &Path)> =
        written.iter().filter_map(|(option, path)| Some((*option, path.as_deref()?))).collect();
    let on_stdout: Vec<&str> =
        written.iter().filter(|(_, path)| path.as_os_str() == "-").map(|(option, _)| *option).collect();
    let is_on_stdout = !on_stdout.is_empty();
    // SARIF is about any number of programs.
    let about_one = written.iter().map(|(option, _)| *option).find(|option| *option != "--sarif");
    let problem = match (about_one, options.files.len()) {
        _ if is_read_twice(&options.files) => Some(READ_TWICE.to_owned()),
        _ if is_monitor_on_stdin(&options) => {
            Some("`--monitor -` reads stdin once, so the program is one file with a name".to_owned())
        }
        (_, 2..) if on_stdout.contains(&"--sarif") => {
            Some("`--sarif -` would mix with the answers of several programs; name a file".to_owned())
        }
        (Some(option), 2..) => Some(format!("`{option}` names one file, so it goes with one program")),
        _ => match &on_stdout[..] {
            [option] if options.run.json => Some(format!(
                "`{option} -` and `--json` both need stdout; name a file for the {}",
                option.trim_start_matches('-')
            )),
            [one, other, ..] => {
                Some(format!("`{one} -` and `{other} -` both need stdout; name a file for one of them"))
            }
            _ => None,
        },
    };
    if let Some(problem) = problem {
        return rejected(&options.run, &problem);
    }
    let files = options.files.clone();
    let mut status = Status::Evaluated;
    for (n, file) in files.iter().enumerate() {
        let mut one = options.clone();
        one.file.clone_from(file);
        one.run.stdout = match files.len() {
            1 if is_on_stdout => Stdout::File,
            1 => Stdout::Answer,
            _ => Stdout::Answers { file: shown(file), is_first: n == 0 },
        };
        status = status.max(watch::run(&one.run.clone(), move |job| check::run(&one, job)));
    }
    status
}

/// The monitor is on stdin, and so is the program, or there are several programs for it.
fn is_monitor_on_stdin(options: &CheckOptions) -> bool {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let is_one = options.files.len() == 1 && !options.files.iter().any(is_stdin);
    options.question.monitor.as_ref().is_some_and(is_stdin) && !is_one
}

/// A file as messages call it.
pub fn shown(file: &Path) -> String {
    if file.as_os_str() == "-" { "<stdin>".to_owned() } else { file.to_string_lossy().into_owned() }
}

/// What is wrong if stdin is among the files more than once.
pub const READ_TWICE: &str = "`-` is given twice, but stdin can be read once only";

/// Stdin is among the files more than once.
pub fn is_read_twice(files: &[PathBuf]) -> bool {
    files.iter().filter(|file| file.as_os_str() == "-").count() > 1
}

fn rejected(options: &RunOptions, message: &str) -> Status {
    let console = Console::new(options);
    console.error(message);
    console.finish(Status::Rejected);
    Status::Rejected
}
