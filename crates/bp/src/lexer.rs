//! From text to tokens, one at a time.
//!
//! Contract: every byte of the text is part of a token, of white space, of a comment or of a reported error; nothing
//! is skipped silently. At the end of the text there is [`Token::End`], as often as asked for. Comments and the
//! places that a blank line precedes are collected for the printer.

use crate::ast::Comment;
use crate::names::{Names, Symbol, Word, cut, word};
use base::{Diagnostic, FileId, Margin, Span};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// An identifier; one in braces includes them.
    Name(Symbol),
    /// A number.
    Number(u64),
    /// A reserved word.
    Word(Word),
    /// An operator or punctuation.
    Mark(Mark),
    /// The end of the file.
    End,
}

/// Declares the marks with their texts; a longer mark stands before its beginnings.
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

marks! {
    Iff "<=>",
    Implies "=>",
    LessEqual "<=",
    GreaterEqual ">=",
    NotEqual "!=",
    Equal "=",
    Becomes ":=",
    Less "<",
    Greater ">",
    Not "!",
    And "&",
    Or "|",
    Xor "^",
    Star "*",
    Plus "+",
    Minus "-",
    Question "?",
    Quote "'",
    Open "(",
    Close ")",
    OpenSquare "[",
    CloseSquare "]",
    OpenBrace "{",
    CloseBrace "}",
    Comma ",",
    Semicolon ";",
    Colon ":",
    Dot ".",
}

/// The longest mark that the bytes begin with, and its length.
fn mark(bytes: &[u8]) -> Option<(Mark, usize)> {
    Some(match *bytes {
        [b'<', b'=', b'>', ..] => (Mark::Iff, 3),
        [b'=', b'>', ..] => (Mark::Implies, 2),
        [b'<', b'=', ..] => (Mark::LessEqual, 2),
        [b'>', b'=', ..] => (Mark::GreaterEqual, 2),
        [b'!', b'=', ..] => (Mark::NotEqual, 2),
        [b'=', b'=', ..] => (Mark::Equal, 2),
        [b':', b'=', ..] => (Mark::Becomes, 2),
        [b'&', b'&', ..] => (Mark::And, 2),
        [b'|', b'|', ..] => (Mark::Or, 2),
        [b'<', ..] => (Mark::Less, 1),
        [b'>', ..] => (Mark::Greater, 1),
        [b'=', ..] => (Mark::Equal, 1),
        [b'!' | b'~', ..] => (Mark::Not, 1),
        [b'&', ..] => (Mark::And, 1),
        [b'|', ..] => (Mark::Or, 1),
        [b'^', ..] => (Mark::Xor, 1),
        [b'*', ..] => (Mark::Star, 1),
        [b'+', ..] => (Mark::Plus, 1),
        [b'-', ..] => (Mark::Minus, 1),
        [b'?', ..] => (Mark::Question, 1),
        [b'\'', ..] => (Mark::Quote, 1),
        [b'(', ..] => (Mark::Open, 1),
        [b')', ..] => (Mark::Close, 1),
        [b'[', ..] => (Mark::OpenSquare, 1),
        [b']', ..] => (Mark::CloseSquare, 1),
        [b'}', ..] => (Mark::CloseBrace, 1),
        [b',', ..] => (Mark::Comma, 1),
        [b';', ..] => (Mark::Semicolon, 1),
        [b':', ..] => (Mark::Colon, 1),
        [b'.', ..] => (Mark::Dot, 1),
        _ => return None,
    })
}

/// Reads a text from the front.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    /// The next byte.
    at: usize,
    /// `enum` was the last token, so that a brace is punctuation.
    is_behind_enum: bool,
    /// How many line ends there were since the last token or comment.
    n_line_ends: usize,
    /// There is no token or comment yet on the present line.
    is_line_start: bool,
    /// How many lines end before the present one, and where it begins.
    line: (usize, usize),
    /// What is wrong with the characters read so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The comments read so far.
    pub(crate) comments: Vec<Comment>,
    /// Where a token or comment follows a blank line.
    pub(crate) paragraphs: Vec<u32>,
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0xb
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str, file: FileId) -> Self {
        Self {
            text,
            file,
            at: 0,
            is_behind_enum: false,
            n_line_ends: 0,
            is_line_start: true,
            line: (0, 0),
            diagnostics: Vec::new(),
            comments: Vec::new(),
            paragraphs: Vec::new(),
        }
    }

    /// Reads what lies in a stretch of a text.
    pub(crate) fn within(text: &'t str, span: Span) -> Self {
        let end = (span.end as usize).min(text.len());
        Self { at: span.start as usize, ..Self::new(&text[..end], span.file) }
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self, names: &mut Names) -> (Token, Span) {
        loop {
            let bytes = &self.text.as_bytes()[self.at..];
            let Some(&first) = bytes.first() else { return (Token::End, self.span(self.at)) };
            if is_blank(first) {
                if first == b'\n' {
                    self.n_line_ends += 1;
                    self.is_line_start = true;
                    self.line = (self.line.0 + 1, self.at + 1);
                }
                self.at += 1;
                continue;
            }
            if self.n_line_ends > 1 {
                self.paragraphs.push(self.at as u32);
            }
            self.n_line_ends = 0;
            if bytes.starts_with(b"//") {
                let end = self.end_of_run(self.at, |byte| byte != b'\n');
                self.comment(end);
            } else if bytes.starts_with(b"/*") {
                self.block_comment();
            } else if begins_name(first) {
                return self.name(names);
            } else if first == b'{' {
                if let Some(token) = self.brace(names) {
                    return token;
                }
            } else if let Some((mark, length)) = mark(bytes) {
                return self.token(Token::Mark(mark), self.at + length);
            } else if first.is_ascii_digit() {
                return self.number();
            } else {
                self.stray();
            }
        }
    }

    /// Where the run of bytes that satisfy `keep` ends.
    fn end_of_run(&self, start: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[start..];
        start + rest.iter().position(|byte| !keep(*byte)).unwrap_or(rest.len())
    }

    fn span(&self, end: usize) -> Span {
        Span::new(self.file, self.at..end)
    }

    /// The token that reaches from here to `end`.
    fn token(&mut self, token: Token, end: usize) -> (Token, Span) {
        let span = self.span(end);
        self.at = end;
        self.is_line_start = false;
        self.is_behind_enum = token == Token::Word(Word::Enum);
        (token, span)
    }

    fn error(&mut self, end: usize, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(self.span(end), message));
    }

    /// Collects the comment that reaches from here to `end`.
    fn comment(&mut self, end: usize) {
        let text = &self.text[self.at..end];
        let comment = Comment {
            span: self.span(end),
            text: text.trim_end().into(),
            is_own_line: self.is_line_start,
            margin: self.margin(end),
        };
        self.comments.push(comment);
        if let Some(last) = text.rfind('\n') {
            self.line = (self.line.0 + text.matches('\n').count(), self.at + last + 1);
        }
        self.at = end;
        self.is_line_start = false;
    }

    /// The column of the comment that reaches from here to `end`, if it ends a line that begins with something else.
    fn margin(&self, end: usize) -> Option<Margin> {
        let behind = self.end_of_run(end, |byte| is_blank(byte) && byte != b'\n');
        let is_last = matches!(self.text.as_bytes().get(behind), None | Some(b'\n'));
        let (line, start) = self.line;
        (is_last && !self.is_line_start).then(|| Margin::new(line, &self.text[start..self.at]))
    }

    fn block_comment(&mut self) {
        match self.text[self.at + 2..].find("*/") {
            Some(length) => self.comment(self.at + length + 4),
            None => {
                let message = "this comment is not closed: expected `*/`, found the end of the file";
                self.error(self.at + 2, message);
                self.at = self.text.len();
            }
        }
    }

    fn name(&mut self, names: &mut Names) -> (Token, Span) {
        let end = self.end_of_run(self.at + 1, continues_name);
        let symbol = names.intern(&self.text[self.at..end]);
        self.token(word(symbol).map_or(Token::Name(symbol), Token::Word), end)
    }

    /// A brace after `enum`, or a name in braces.
    fn brace(&mut self, names: &mut Names) -> Option<(Token, Span)> {
        if self.is_behind_enum {
            return Some(self.token(Token::Mark(Mark::OpenBrace), self.at + 1));
        }
        let end = self.end_of_run(self.at + 1, |byte| !is_blank(byte) && byte != b'}');
        if self.text.as_bytes().get(end) != Some(&b'}') {
            let found = if end == self.text.len() { "the end of the file" } else { "white space" };
            let message = format!(
                "this name in braces is not closed: expected `}}`, found {found} \
                 (a block is `begin … end`, `then … fi` or `do … od`, and a list of values `enum {{ … }}`)"
            );
            self.error(end, message);
            self.at = end;
            return None;
        }
        if end == self.at + 1 {
            self.error(end + 1, "expected a name between the braces");
        }
        let symbol = names.intern(&self.text[self.at..=end]);
        Some(self.token(Token::Name(symbol), end + 1))
    }

    fn number(&mut self) -> (Token, Span) {
        let digits = self.end_of_run(self.at, |byte| byte.is_ascii_digit());
        let end = self.end_of_run(digits, continues_name);
        if end > digits {
            let found = cut(&self.text[self.at..end]);
            self.error(
                end,
                format!("expected a number or a name, found `{found}`: names do not begin with a digit"),
            );
            return self.token(Token::Number(0), end);
        }
        let value = self.text[self.at..digits].parse().unwrap_or_else(|_| {
            self.error(digits, format!("this number is larger than {}", u64::MAX));
            0
        });
        self.token(Token::Number(value), digits)
    }

    /// A run of characters that belong nowhere is one error.
    fn stray(&mut self) {
        let rest = &self.text[self.at..];
        let belongs = |byte: u8| {
            byte.is_ascii()
                && (is_blank(byte) || continues_name(byte) || b"<>=!~&|^*+-?'()[]{},;:/".contains(&byte))
        };
        // What belongs is ASCII, so that a run ends between two characters.
        let length = rest.bytes().skip(1).position(belongs).map_or(rest.len(), |n| n + 1);
        let shown: String = rest[..length].chars().take(20).flat_map(char::escape_default).collect();
        self.error(self.at + length, format!("the character `{shown}` belongs to no token"));
        self.at += length;
        self.is_line_start = false;
    }
}
