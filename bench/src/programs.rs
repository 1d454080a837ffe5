//! Measurements of the checker for Boolean programs: formulas against a checker written by hand, Spacer and others.
//!
//! Every cell of a table is a run in a process of its own: this program starts itself with `inside`, so that no run profits from
//! the memory of another, and the largest resident set is that of the run. Times are processor time.

mod arguments;
pub mod cell;
mod compare;
mod counts;
mod engine;
pub mod inside;
mod own;
mod phases;
mod suite;
mod traces;
mod views;

use crate::Scratch;
use arguments::Arguments;
use std::process::ExitCode;

/// A subcommand: what it does with its arguments.
type Subcommand = fn(&Arguments, &Scratch) -> Result<ExitCode, String>;

/// The subcommands by name.
const SUBCOMMANDS: [(&str, Subcommand); 7] = [
    ("programs", compare::run),
    ("phases", phases::run),
    ("traces", traces::run),
    ("counts", counts::run),
    ("own", own::run),
    ("views", views::times),
    ("instructions", views::instructions),
];

/// Runs a subcommand of this part, if the arguments name one.
pub fn execute(words: &[String]) -> Option<Result<ExitCode, String>> {
    let (name, rest) = words.split_first()?;
    let (_, run) = SUBCOMMANDS.iter().find(|known| known.0 == name)?;
    Some(arguments::parse(rest).and_then(|arguments| {
        let Some(arguments) = arguments else {
            println!("{}", arguments::HELP);
            return Ok(ExitCode::SUCCESS);
        };
        if arguments.emit {
            let programs = suite::programs(&arguments.programs, arguments.is_quick)?;
            programs.iter().for_each(|program| print!("{}", program.text));
            return Ok(ExitCode::SUCCESS);
        }
        let directory = Scratch::new().map_err(|error| format!("no temporary directory: {error}"))?;
        run(&arguments, &directory)
    }))
}
