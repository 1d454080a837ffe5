//! One line for those who gave a file to the wrong command, or to none: it names the right one.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

/// What kind of text a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A Boolean program.
    Program,
    /// A file of the calculus.
    Formula,
    /// A program in C.
    C,
    /// A task about a program in C.
    Task,
    /// A monitor.
    Monitor,
    /// A model in Promela.
    Promela,
}

/// What kind of text a file is.
pub fn kind(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()? {
        "bp" => Some(Kind::Program),
        "mu" => Some(Kind::Formula),
        "c" | "h" | "i" => Some(Kind::C),
        "yml" | "yaml" => Some(Kind::Task),
        "mon" => Some(Kind::Monitor),
        "pml" | "prom" | "promela" => Some(Kind::Promela),
        _ => None,
    }
}

/// What to say if a file stands where a command is wanted.
pub fn advice(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let path = Path::new(word);
    match kind(path) {
        Some(kind) => Some(sentence(path, kind)),
        None if path.is_file() || word == "-" => {
            Some(format!("`{word}` is no command; `getafix check {word}` checks a program"))
        }
        None => None,
    }
}

/// What to say if something is no Boolean program, and its name tells why.
pub fn no_program(path: &Path) -> Option<String> {
    kind(path).filter(|kind| *kind != Kind::Program).map(|kind| sentence(path, kind))
}

/// What to say if something is no file of the calculus, and its name tells why.
pub fn no_formula(path: &Path) -> Option<String> {
    kind(path).filter(|kind| *kind != Kind::Formula).map(|kind| sentence(path, kind))
}

fn sentence(path: &Path, kind: Kind) -> String {
    let name = path.display();
    match kind {
        Kind::Program => format!("`{name}` is a Boolean program: `getafix check {name}` checks it"),
        Kind::Formula => format!("`{name}` is a file of the calculus: `getafix mu {name}` evaluates it"),
        Kind::C => format!("`{name}` is a program in C: `getafix check {name}` checks it"),
        Kind::Task => {
            format!("`{name}` is a task about a program in C: `getafix check {name}` checks it")
        }
        Kind::Monitor => {
            format!("`{name}` is a monitor: `getafix check PROGRAM --monitor {name}` asks about it")
        }
        Kind::Promela => {
            format!(
                "`{name}` is a model in Promela, the language of Spin, which cannot be read; docs/language.md \
                 says what a Boolean program is"
            )
        }
    }
}
