//! Measurements of the checker on programs with threads: the Bluetooth driver of the papers, in all sizes.
//!
//! Every run is a process of its own, as for sequential programs: this program starts itself with `inside-threads` and a question.
//! Time is processor time from the machine of the program to the report; reading the text is not counted. Every verdict and
//! every least bound is compared with what the text of the program states.

mod any_number;
mod arguments;
mod cell;
mod complete;
mod contexts;
pub mod engines;
mod every_schedule;
mod growth;
pub mod inside;
mod plot;
mod question;
mod savings;
mod sequentialized;

use crate::Scratch;
use cell::Bench;
use std::process::ExitCode;

/// A subcommand: what it measures and prints.
type Subcommand = fn(&mut Bench) -> Result<(), String>;

/// The subcommands by name, in the order in which `threads` runs them.
const SUBCOMMANDS: [(&str, Subcommand); 9] = [
    ("contexts", contexts::run),
    ("complete", complete::run),
    ("any-number", any_number::run),
    ("growth", growth::run),
    ("savings", savings::run),
    ("sequentialized", sequentialized::run),
    ("every-schedule", every_schedule::run),
    ("engines", engines::run),
    (PART, engines::forever::run),
];

/// A part of `engines` that can be asked for by itself.
const PART: &str = "forever";

/// Runs a subcommand of this part, or all of them, if the arguments say so.
pub fn execute(words: &[String]) -> Option<Result<ExitCode, String>> {
    let (name, rest) = words.split_first()?;
    let chosen = SUBCOMMANDS.iter().filter(|known| known.0 == name || name == "threads" && known.0 != PART);
    let chosen: Vec<Subcommand> = chosen.map(|known| known.1).collect();
    if chosen.is_empty() {
        return None;
    }
    Some(arguments::parse(rest).and_then(|arguments| {
        let Some(arguments) = arguments else {
            println!("{}", arguments::HELP);
            return Ok(ExitCode::SUCCESS);
        };
        let directory = Scratch::new().map_err(|error| format!("no temporary directory: {error}"))?;
        let mut bench = Bench::new(&arguments, &directory);
        for (n, run) in chosen.iter().enumerate() {
            if n > 0 {
                println!();
            }
            run(&mut bench)?;
        }
        let tally = &bench.tally;
        println!("\n{} of {} questions answered", tally.n_answered, tally.n_asked);
        for complaint in &tally.complaints {
            eprintln!("{complaint}");
        }
        Ok(ExitCode::from(u8::from(!tally.complaints.is_empty())))
    }))
}
