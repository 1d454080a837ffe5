//! One line for those who gave a file to no command: it names the right one.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use getafix::usage::command_for;
use std::path::Path;

/// What to say if a file stands where a command is wanted.
pub fn advice(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let path = Path::new(word);
    match command_for(path) {
        Some(sentence) => Some(sentence),
        None if path.is_file() || word == "-" => {
            Some(format!("`{word}` is no command; `getafix check {word}` checks a program"))
        }
        None => None,
    }
}
