//! The pieces of a text that a preprocessor looks at: names, numbers, quoted texts, signs, blanks and the ends of lines.

use std::ops::Range;
use std::rc::Rc;

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Name,
    Number,
    Quoted,
    Sign,
    /// Blanks, comments, and lines that go on behind a backslash.
    Space,
    /// The end of a line.
    Line,
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    /// Where it is in the text that was given.
    pub(super) span: Range<usize>,
    /// How many lines end in it.
    pub(super) n_lines: usize,
    /// The macros that it comes from.
    pub(super) hidden: Rc<Vec<Rc<str>>>,
}

impl Piece {
    pub(super) fn new(kind: Kind, text: &str) -> Self {
        Self { kind, text: text.into(), span: 0..0, n_lines: 0, hidden: Rc::default() }
    }

    /// The piece on one line.
    pub(super) fn flat(&self) -> Self {
        match self.kind {
            Kind::Space | Kind::Line => Self { hidden: self.hidden.clone(), ..Self::new(Kind::Space, " ") },
            _ => self.clone(),
        }
    }

    /// Writes it, with the lines that end in it.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(&self.text);
        if self.kind != Kind::Line {
            out.extend(std::iter::repeat_n('\n', self.n_lines));
        }
    }
}

/// The pieces of a text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let (kind, end) = piece(text, at);
        at = end;
        let written = &text[start..end];
        let n_lines = written.matches('\n').count();
        let shown = match kind {
            // A comment is a blank.
            Kind::Space if n_lines > 0 || written.starts_with('/') => " ",
            _ => written,
        };
        found.push(Piece { n_lines, span: start..end, ..Piece::new(kind, shown) });
    }
    found
}

/// What begins at a byte, and where it ends.
fn piece(text: &str, at: usize) -> (Kind, usize) {
    let rest = &text[at..];
    let bytes = rest.as_bytes();
    let first = bytes[0];
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    let line = |length: usize| (Kind::Space, at + length);
    match first {
        b'\n' => (Kind::Line, at + 1),
        b'\\' if rest[1..].starts_with('\n') => line(2),
        b'\\' if rest[1..].starts_with("\r\n") => line(3),
        b'/' if rest.starts_with("//") => line(end_of_line(rest)),
        b'/' if rest.starts_with("/*") => line(rest[2..].find("*/").map_or(rest.len(), |end| end + 4)),
        b' ' | b'\t' | b'\r' | 11 | 12 => {
            line(bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 11 | 12)).count())
        }
        b'"' | b'\'' => (Kind::Quoted, at + end_of_quoted(bytes)),
        b'0'..=b'9' => (Kind::Number, at + end_of_number(bytes)),
        b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => (Kind::Number, at + end_of_number(bytes)),
        _ if is_word(&&first) => (Kind::Name, at + bytes.iter().take_while(is_word).count()),
        _ => {
            let signs =
                ["...", "<<=", ">>=", "##", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++", "--"];
            let sign = signs.iter().find(|sign| rest.starts_with(**sign));
            (Kind::Sign, at + sign.map_or(1, |sign| sign.len()))
        }
    }
}

/// Where a line ends that does not go on behind a backslash.
fn end_of_line(rest: &str) -> usize {
    let mut from = 0;
    while let Some(end) = rest[from..].find('\n') {
        let before = rest[..from + end].trim_end_matches('\r');
        if !before.ends_with('\\') {
            return from + end;
        }
        from += end + 1;
    }
    rest.len()
}

/// Where a quoted text ends, or its line.
fn end_of_quoted(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' && at + 1 < bytes.len() { 2 } else { 1 };
    }
    // A quote that is not closed is a sign by itself, so that nothing is cut within a letter.
    if at < bytes.len() && bytes[at] == bytes[0] { at + 1 } else { 1 }
}

/// Where a number ends, with its letters and the sign of its exponent.
fn end_of_number(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let is_exponent =
            at > 0 && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P') && !bytes.starts_with(b"0x");
        let goes_on = bytes[at].is_ascii_alphanumeric()
            || matches!(bytes[at], b'_' | b'.')
            || is_exponent && matches!(bytes[at], b'+' | b'-');
        if !goes_on {
            break;
        }
        at += 1;
    }
    at
}
