//! What the scanners of languages share: a place in a text, runs of bytes, numbers, comments, characters that belong nowhere.
//!
//! Contract: places are in bytes and lie between two characters; a mistake is reported once, however often a stretch of the text is read.

use crate::{Diagnostic, FileId, Span};

/// So much of what is no token is shown.
const SHOWN: usize = 80;

/// Declares the operators and the punctuation of a language with their texts.
#[macro_export]
macro_rules! marks {
    ($($name:ident $text:literal,)+) => {
        /// The operators and the punctuation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Mark {
            $($name,)+
        }

        impl Mark {
            /// The mark as it is written, in the first of its spellings.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Mark::$name => $text,)+
                }
            }
        }
    };
}

/// A text that is read from the front.
pub struct Scan<'t> {
    text: &'t str,
    file: FileId,
    /// The next byte.
    at: usize,
    /// Mistakes that begin before this are reported already.
    reported: usize,
    /// What is wrong with the characters read so far.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t> Scan<'t> {
    /// A text from its beginning.
    pub fn new(text: &'t str, file: FileId) -> Self {
        Self { text, file, at: 0, reported: 0, diagnostics: Vec::new() }
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The text from here to `end`.
    pub fn upto(&self, end: usize) -> &'t str {
        &self.text[self.at..end]
    }

    /// Goes to a place.
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The stretch from here to `end`.
    pub fn span(&self, end: usize) -> Span {
        Span::new(self.file, self.at..end)
    }

    /// Reads up to `end`, and says which stretch that was.
    pub fn take(&mut self, end: usize) -> Span {
        let span = self.span(end);
        self.at = end;
        span
    }

    /// Where the run of bytes from `start` that satisfy `keep` ends.
    pub fn end_of_run(&self, start: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[start..];
        start + rest.iter().position(|byte| !keep(*byte)).unwrap_or(rest.len())
    }

    /// Reports a mistake in the stretch from here to `end`, unless that has been done.
    pub fn error(&mut self, end: usize, message: impl Into<String>) {
        if self.at >= self.reported {
            self.reported = self.at + 1;
            self.diagnostics.push(Diagnostic::error(self.span(end), message));
        }
    }

    /// Where the comment ends that begins here with `/*`; one that is not closed is a mistake, and reaches to the end of the text.
    pub fn end_of_comment(&mut self) -> Option<usize> {
        let length = self.text[self.at + 2..].find("*/");
        if length.is_none() {
            let message = "this comment is not closed: expected `*/`, found the end of the file";
            self.error(self.at + 2, message);
            self.at = self.text.len();
        }
        length.map(|length| self.at + length + 4)
    }

    /// The number that begins here, and where it ends. What could go on as a name is a mistake.
    pub fn number(&mut self, continues_name: impl Fn(u8) -> bool) -> (u64, usize) {
        let digits = self.end_of_run(self.at, |byte| byte.is_ascii_digit());
        let end = self.end_of_run(digits, continues_name);
        if end > digits {
            let found = cut(self.upto(end));
            let message =
                format!("expected a number or a name, found `{found}`: names do not begin with a digit");
            self.error(end, message);
            return (0, end);
        }
        let value = self.upto(digits).parse().unwrap_or_else(|_| {
            self.error(digits, format!("this number is larger than {}", u64::MAX));
            0
        });
        (value, digits)
    }

    /// Passes over a run of characters that belong nowhere, which is one mistake. What `belongs` holds for is ASCII, so that the run ends
    /// between two characters.
    pub fn stray(&mut self, belongs: impl Fn(u8) -> bool) {
        let end = self.end_of_run(self.at + 1, |byte| !(byte.is_ascii() && belongs(byte)));
        let shown: String = self.upto(end).chars().take(20).flat_map(char::escape_default).collect();
        self.error(end, format!("the character `{shown}` belongs to no token"));
        self.at = end;
    }
}

/// Whether a byte is white space.
pub fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0xb
}

/// A text as messages show it: cut if it is very long.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
