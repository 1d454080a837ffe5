//! Chores of the repository: `cargo xtask tidy` checks what the compiler and clippy do not.

#![forbid(unsafe_code)]

mod scan;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy(),
        _ => {
            eprintln!("usage: cargo xtask tidy\n\n  tidy  check the rules of the repository's style");
            ExitCode::from(2)
        }
    }
}

/// Checks the repository this program was built from.
fn tidy() -> ExitCode {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository");
    let files = match tidy::read(root) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let complaints = tidy::check(&files);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("tidy: {} complaints", complaints.len());
    ExitCode::FAILURE
}
