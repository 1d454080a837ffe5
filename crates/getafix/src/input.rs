//! Texts: bytes that are text, and how messages name them.

use crate::status::Status;
use base::Diagnostic;
use std::path::Path;

/// The input was rejected, and the record knows why.
pub(crate) struct Rejected;

impl From<Rejected> for Status {
    fn from(_: Rejected) -> Self {
        Self::Rejected
    }
}

/// UTF-8 without NUL, or the first byte that is something else.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, String> {
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

/// A file as messages call it; `-` is stdin.
pub fn shown(file: &Path) -> String {
    if file.as_os_str() == "-" { "<stdin>".to_owned() } else { file.to_string_lossy().into_owned() }
}

/// A sentence about what is wrong with a file.
pub(crate) fn problem(file: &Path, problem: &str) -> String {
    match file.as_os_str() == "-" {
        true => format!("stdin {problem}"),
        false => format!("`{}` {problem}", file.display()),
    }
}

/// What is wrong if stdin is among the files more than once.
pub const READ_TWICE: &str = "`-` is given twice, but stdin can be read once only";

/// Stdin is among the files more than once.
pub fn is_read_twice(files: &[&Path]) -> bool {
    files.iter().filter(|file| file.as_os_str() == "-").count() > 1
}

/// By place, so that the reader can go through the file once; messages without a place come first.
pub(crate) fn in_order(diagnostics: &mut [Diagnostic]) {
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
