//! Files: from a path to a checked system, with every mistake on the way reported.

use crate::args::MuOptions;
use crate::usage;
use crate::watch::Job;
use base::{Diagnostic, Severity, Sources};
use calculus::system::System;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// A file that was accepted.
pub struct Input {
    /// The texts, for places.
    pub sources: Sources,
    /// The equations and the questions.
    pub system: System,
    /// The text in canonical form.
    pub canonical: String,
}

/// The input was rejected, and the console knows why.
pub struct Rejected;

/// Reads, parses and checks a file and all it loads.
pub fn load(options: &MuOptions, job: &Job) -> Result<Input, Rejected> {
    let (name, text) = main_text(&options.file).map_err(|message| {
        job.console.error(&message);
        Rejected
    })?;
    let mut sources = Sources::default();
    let mut read = |path: &str| read_text(path.as_ref());
    let (file, mut diagnostics) = calculus::load(&mut sources, &name, &text, &mut read);
    let system = match calculus::check(&file, &options.params) {
        Ok((system, warnings)) => {
            diagnostics.extend(warnings);
            Some(system)
        }
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    };
    in_order(&mut diagnostics);
    let is_rejected = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if let Some(advice) = usage::no_formula(&options.file).filter(|_| is_rejected) {
        job.console.error(&advice);
        return Err(Rejected);
    }
    job.console.diagnose_all(&sources, &diagnostics);
    match system {
        Some(system) if !is_rejected => {
            let canonical = if options.show.is_some() { calculus::print(&file) } else { String::new() };
            Ok(Input { sources, system, canonical })
        }
        _ => Err(Rejected),
    }
}

/// The text of a file, or what is wrong with it: `does not exist`.
pub fn read_text(path: &Path) -> Result<String, String> {
    read_bytes(path).and_then(decode)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "does not exist".to_owned(),
        ErrorKind::IsADirectory => "is a directory".to_owned(),
        ErrorKind::PermissionDenied => "may not be read: permission denied".to_owned(),
        _ => format!("cannot be read: {error}"),
    })
}

/// The name and the text of the file on the command line; `-` is stdin.
pub fn main_text(path: &Path) -> Result<(String, String), String> {
    if path.as_os_str() != "-" {
        let name = path.to_string_lossy().into_owned();
        let text = read_text(path).map_err(|problem| format!("`{name}` {problem}"))?;
        return Ok((name, text));
    }
    let text = decode(stdin_bytes()?).map_err(|problem| format!("stdin {problem}"))?;
    Ok(("<stdin>".to_owned(), text))
}

/// The name of a program in C and what is in it; `-` is stdin.
pub fn c_bytes(path: &Path) -> Result<(String, Vec<u8>), String> {
    if path.as_os_str() == "-" {
        return Ok(("<stdin>".to_owned(), stdin_bytes()?));
    }
    let name = path.to_string_lossy().into_owned();
    let bytes = read_bytes(path).map_err(|problem| format!("`{name}` {problem}"))?;
    Ok((name, bytes))
}

fn stdin_bytes() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| format!("stdin cannot be read: {error}"))?;
    Ok(bytes)
}

/// UTF-8 without NUL, or the first byte that is something else.
fn decode(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() > u32::MAX as usize {
        return Err(format!("is too large: {} bytes, of at most {}", bytes.len(), u32::MAX));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("is not text: byte 0x{:02x} at position {at} is not UTF-8", error.as_bytes()[at])
    })?;
    match text.find('\0') {
        Some(at) => Err(format!("is not text: byte 0x00 at position {at}")),
        // Some editors put a byte order mark in front.
        None => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
    }
}

/// By place, so that the reader can go through the file once; messages without a place come first.
fn in_order(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.file, span.start)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_input_is_named_by_its_first_bad_byte() {
        assert_eq!(decode(b"ok".to_vec()), Ok("ok".to_owned()));
        assert_eq!(decode("\u{feff}ok".into()), Ok("ok".to_owned()));
        assert_eq!(
            decode(b"ab\xff".to_vec()),
            Err("is not text: byte 0xff at position 2 is not UTF-8".to_owned())
        );
        assert_eq!(decode(b"a\0b".to_vec()), Err("is not text: byte 0x00 at position 1".to_owned()));
        assert_eq!(
            decode(b"a\xe2".to_vec()),
            Err("is not text: byte 0xe2 at position 1 is not UTF-8".to_owned())
        );
    }
}
