//! From text to tokens, one at a time.
//!
//! Contract: every byte of the text is part of a token, of white space, of a comment or of a reported error; nothing
//! is skipped silently. At the end of the text there is [`Token::End`], as often as asked for. Comments and the
//! places that a blank line precedes are collected for the printer.

use crate::ast::Comment;
use crate::names::{Names, Symbol, Word, word};
use base::{Diagnostic, FileId, Margin, Scan, Span, is_blank};

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

base::marks! {
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
    scan: Scan<'t>,
    /// `enum` was the last token, so that a brace is punctuation.
    is_behind_enum: bool,
    /// How many line ends there were since the last token or comment.
    n_line_ends: usize,
    /// There is no token or comment yet on the present line.
    is_line_start: bool,
    /// How many lines end before the present one, and where it begins.
    line: (usize, usize),
    /// The comments read so far.
    pub(crate) comments: Vec<Comment>,
    /// Where a token or comment follows a blank line.
    pub(crate) paragraphs: Vec<u32>,
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
            scan: Scan::new(text, file),
            is_behind_enum: false,
            n_line_ends: 0,
            is_line_start: true,
            line: (0, 0),
            comments: Vec::new(),
            paragraphs: Vec::new(),
        }
    }

    /// Reads what lies in a stretch of a text.
    pub(crate) fn within(text: &'t str, span: Span) -> Self {
        let end = (span.end as usize).min(text.len());
        let mut lexer = Self::new(&text[..end], span.file);
        lexer.scan.go_to(span.start as usize);
        lexer
    }

    /// What is wrong with the characters read so far.
    pub(crate) fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.scan.diagnostics
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self, names: &mut Names) -> (Token, Span) {
        loop {
            let (bytes, at) = (self.scan.rest(), self.scan.at());
            let Some(&first) = bytes.first() else { return (Token::End, self.scan.span(at)) };
            if is_blank(first) {
                if first == b'\n' {
                    self.n_line_ends += 1;
                    self.is_line_start = true;
                    self.line = (self.line.0 + 1, at + 1);
                }
                self.scan.go_to(at + 1);
                continue;
            }
            if self.n_line_ends > 1 {
                self.paragraphs.push(at as u32);
            }
            self.n_line_ends = 0;
            if bytes.starts_with(b"//") {
                let end = self.scan.end_of_run(at, |byte| byte != b'\n');
                self.comment(end);
            } else if bytes.starts_with(b"/*") {
                if let Some(end) = self.scan.end_of_comment() {
                    self.comment(end);
                }
            } else if begins_name(first) {
                return self.name(names);
            } else if first == b'{' {
                if let Some(token) = self.brace(names) {
                    return token;
                }
            } else if let Some((mark, length)) = mark(bytes) {
                return self.token(Token::Mark(mark), at + length);
            } else if first.is_ascii_digit() {
                let (number, end) = self.scan.number(continues_name);
                return self.token(Token::Number(number), end);
            } else {
                self.scan.stray(|byte| {
                    is_blank(byte) || continues_name(byte) || b"<>=!~&|^*+-?'()[]{},;:/".contains(&byte)
                });
                self.is_line_start = false;
            }
        }
    }

    /// The token that reaches from here to `end`.
    fn token(&mut self, token: Token, end: usize) -> (Token, Span) {
        self.is_line_start = false;
        self.is_behind_enum = token == Token::Word(Word::Enum);
        (token, self.scan.take(end))
    }

    /// Collects the comment that reaches from here to `end`.
    fn comment(&mut self, end: usize) {
        let text = self.scan.upto(end);
        let comment = Comment {
            span: self.scan.span(end),
            text: text.trim_end().into(),
            is_own_line: self.is_line_start,
            margin: self.margin(end),
        };
        self.comments.push(comment);
        if let Some(last) = text.rfind('\n') {
            self.line = (self.line.0 + text.matches('\n').count(), self.scan.at() + last + 1);
        }
        self.scan.go_to(end);
        self.is_line_start = false;
    }

    /// The column of the comment that reaches from here to `end`, if it ends a line that begins with something else.
    fn margin(&self, end: usize) -> Option<Margin> {
        let behind = self.scan.end_of_run(end, |byte| is_blank(byte) && byte != b'\n');
        let is_last = matches!(self.scan.text().as_bytes().get(behind), None | Some(b'\n'));
        let (line, start) = self.line;
        (is_last && !self.is_line_start).then(|| Margin::new(line, &self.scan.text()[start..self.scan.at()]))
    }

    fn name(&mut self, names: &mut Names) -> (Token, Span) {
        let end = self.scan.end_of_run(self.scan.at() + 1, continues_name);
        let symbol = names.intern(self.scan.upto(end));
        self.token(word(symbol).map_or(Token::Name(symbol), Token::Word), end)
    }

    /// A brace after `enum`, or a name in braces.
    fn brace(&mut self, names: &mut Names) -> Option<(Token, Span)> {
        if self.is_behind_enum {
            return Some(self.token(Token::Mark(Mark::OpenBrace), self.scan.at() + 1));
        }
        let end = self.scan.end_of_run(self.scan.at() + 1, |byte| !is_blank(byte) && byte != b'}');
        if self.scan.text().as_bytes().get(end) != Some(&b'}') {
            let found = if end == self.scan.text().len() { "the end of the file" } else { "white space" };
            let message = format!(
                "this name in braces is not closed: expected `}}`, found {found} \
                 (a block is `begin … end`, `then … fi` or `do … od`, and a list of values `enum {{ … }}`)"
            );
            self.scan.error(end, message);
            self.scan.go_to(end);
            return None;
        }
        if end == self.scan.at() + 1 {
            self.scan.error(end + 1, "expected a name between the braces");
        }
        let symbol = names.intern(self.scan.upto(end + 1));
        Some(self.token(Token::Name(symbol), end + 1))
    }
}
