//! Chores of the repository: `cargo xtask tidy` checks what the compiler and clippy do not, `cargo xtask test` runs the tests, with an SMT
//! solver that it fetches if there is none, `cargo xtask answers` asks a binary about all programs, `cargo xtask web` makes the playground, `cargo xtask dist` all packages,
//! `cargo xtask book` a book of the documents.

#![forbid(unsafe_code)]

mod answers;
mod book;
mod dist;
mod scan;
mod solver;
mod tidy;
mod web;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy(root),
        ["answers", binary] => answers::run(root, Path::new(binary)),
        ["web"] => web::run(root, web::Build::Small),
        ["web", "quick"] => web::run(root, web::Build::Quick),
        ["book"] => book::run(root),
        ["book", "pictures", binary] => book::pictures(root, Path::new(binary)),
        ["dist", ref parts @ ..] => dist::run(root, parts),
        ["test", ref arguments @ ..] => solver::test(root, arguments),
        _ => {
            eprintln!(
                "usage: cargo xtask tidy\n       cargo xtask test [ARGUMENTS]\n       cargo xtask answers BINARY\n       cargo xtask web [quick]\n       cargo xtask dist [PART...]\n       cargo xtask book [pictures BINARY]\n\n  \
                 tidy     check the rules of the repository's style\n  \
                 test     cargo test --workspace, with an SMT solver, which is fetched if there is none\n  \
                 answers  what a binary of getafix answers to all programs of the repository, to be compared with another's\n  \
                 web      the playground: a folder for any web host, and one file that works from disk; quick: built soon, for tests\n  \
                 dist     the packages, in target/dist, each one tried: binary, deb, wheel, vsix, web, crates\n  \
                 book     the documents as a book, in target/book, built by mdbook; or the pictures in it, with a binary of getafix"
            );
            ExitCode::from(2)
        }
    }
}

/// Checks the repository this program was built from.
fn tidy(root: &Path) -> ExitCode {
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
