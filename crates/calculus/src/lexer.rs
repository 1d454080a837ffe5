//! From text to tokens, one at a time.
//!
//! Contract: every byte of the text is part of a token, of white space, of a comment or of a reported
//! error; nothing is skipped silently. At the end of the text there is [`Token::End`], as often as asked for.
//! Reading a stretch again reports nothing again, so the parser may go back.

use crate::syntax::{Names, Symbol};
use base::{Diagnostic, FileId, Scan, Span, is_blank};

/// Names longer than this are refused: messages and reports repeat them.
const MAX_NAME: usize = 1000;

/// A token; what it says beyond its kind is found in the text at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// An identifier.
    Name(Symbol),
    /// A number.
    Number(u64),
    /// A quoted text, quotes included in the place.
    Text,
    /// `#word`
    Directive,
    /// The unquoted file name after `#load`.
    FileName,
    /// A word of the language.
    Word(Word),
    /// An operator or punctuation.
    Mark(Mark),
    /// The end of the file.
    End,
}

/// The reserved words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Bool,
    Enum,
    Class,
    Mu,
    Nu,
    Exists,
    Forall,
    If,
    Else,
    Case,
    Esac,
    Assume,
    Cofactor,
    True,
    False,
}

/// How they are written.
const WORDS: [(&str, Word); 16] = [
    ("bool", Word::Bool),
    ("enum", Word::Enum),
    ("class", Word::Class),
    ("mu", Word::Mu),
    ("nu", Word::Nu),
    ("exists", Word::Exists),
    ("forall", Word::Forall),
    ("if", Word::If),
    ("else", Word::Else),
    ("case", Word::Case),
    ("esac", Word::Esac),
    ("assume", Word::Assume),
    ("cofactor", Word::Cofactor),
    ("true", Word::True),
    ("false", Word::False),
    ("struct", Word::Class),
];

/// The reserved words of the language as they are written.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(text, _)| *text)
}

base::marks! {
    Iff "<->",
    Xor "<+>",
    Implies "->",
    ImpliedBy "<-",
    LessEqual "<=",
    GreaterEqual ">=",
    NotEqual "!=",
    Interleaved "~+",
    Separate "~-",
    Dots "..",
    Less "<",
    Greater ">",
    Equal "=",
    Not "!",
    And "&",
    Or "|",
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
    Plus "+",
    Minus "-",
}

/// The longest mark that the bytes begin with.
fn mark(bytes: &[u8]) -> Option<Mark> {
    Some(match *bytes {
        [b'<', b'-', b'>', ..] => Mark::Iff,
        [b'<', b'+', b'>', ..] => Mark::Xor,
        [b'-', b'>', ..] => Mark::Implies,
        [b'<', b'-', ..] => Mark::ImpliedBy,
        [b'<', b'=', ..] => Mark::LessEqual,
        [b'>', b'=', ..] => Mark::GreaterEqual,
        [b'!', b'=', ..] => Mark::NotEqual,
        [b'~', b'+', ..] => Mark::Interleaved,
        [b'~', b'-', ..] => Mark::Separate,
        [b'.', b'.', ..] => Mark::Dots,
        [b'<', ..] => Mark::Less,
        [b'>', ..] => Mark::Greater,
        [b'=', ..] => Mark::Equal,
        [b'!', ..] => Mark::Not,
        [b'&', ..] => Mark::And,
        [b'|', ..] => Mark::Or,
        [b'(', ..] => Mark::Open,
        [b')', ..] => Mark::Close,
        [b'[', ..] => Mark::OpenSquare,
        [b']', ..] => Mark::CloseSquare,
        [b'{', ..] => Mark::OpenBrace,
        [b'}', ..] => Mark::CloseBrace,
        [b',', ..] => Mark::Comma,
        [b';', ..] => Mark::Semicolon,
        [b':', ..] => Mark::Colon,
        [b'.', ..] => Mark::Dot,
        [b'+', ..] => Mark::Plus,
        [b'-', ..] => Mark::Minus,
        _ => return None,
    })
}

/// Reads a text from the front.
pub(crate) struct Lexer<'t> {
    scan: Scan<'t>,
    /// Whether the tokens of a `#load` are being read.
    is_loading: bool,
    /// Whether the next token may be the name of a file.
    expects_file: bool,
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || byte == b'\'' || byte == b'#'
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str, file: FileId) -> Self {
        Self { scan: Scan::new(text, file), is_loading: false, expects_file: false }
    }

    /// What is wrong with the characters read so far.
    pub(crate) fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.scan.diagnostics
    }

    /// Goes to the beginning of a token that was read before and is no file name.
    pub(crate) fn go_to(&mut self, token: Span) {
        self.scan.go_to(token.start as usize);
        (self.is_loading, self.expects_file) = (false, false);
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self, names: &mut Names) -> (Token, Span) {
        loop {
            let (bytes, at) = (self.scan.rest(), self.scan.at());
            let Some(&first) = bytes.first() else { return self.token(Token::End, at) };
            if is_blank(first) {
                self.scan.go_to(at + 1);
            } else if bytes.starts_with(b"//") {
                let end = self.scan.end_of_run(at, |byte| byte != b'\n');
                self.scan.go_to(end);
            } else if bytes.starts_with(b"/*") {
                if let Some(end) = self.scan.end_of_comment() {
                    self.scan.go_to(end);
                }
            } else if let Some(token) = self.file_name() {
                return token;
            } else if begins_name(first) {
                return self.name(names);
            } else if bytes.starts_with(b"...") {
                return self.token(Token::Mark(Mark::Dots), at + 3);
            } else if let Some(mark) = mark(bytes) {
                self.is_loading &= mark != Mark::Semicolon;
                self.expects_file = self.is_loading && mark == Mark::Comma;
                return self.token(Token::Mark(mark), at + mark.text().len());
            } else if first.is_ascii_digit() {
                let (number, end) = self.scan.number(continues_name);
                return self.token(Token::Number(number), end);
            } else if first == b'"' {
                return self.quoted();
            } else if first == b'#' {
                return self.directive();
            } else {
                self.scan.stray(|byte| {
                    is_blank(byte) || continues_name(byte) || b"\"#<>=!.&|()[]{},;:+-/".contains(&byte)
                });
            }
        }
    }

    /// The token that reaches from here to `end`.
    fn token(&mut self, token: Token, end: usize) -> (Token, Span) {
        (token, self.scan.take(end))
    }

    /// After `#load`, and after a comma behind it, the next run of characters up to white space, `,` or `;` is a file
    /// name, unless it is quoted.
    fn file_name(&mut self) -> Option<(Token, Span)> {
        if !std::mem::take(&mut self.expects_file) || self.scan.rest()[0] == b'"' {
            return None;
        }
        let at = self.scan.at();
        let end = self.scan.end_of_run(at, |byte| !byte.is_ascii_whitespace() && !b",;".contains(&byte));
        (end > at).then(|| self.token(Token::FileName, end))
    }

    fn name(&mut self, names: &mut Names) -> (Token, Span) {
        let end = self.scan.end_of_run(self.scan.at() + 1, continues_name);
        let mut text = self.scan.upto(end);
        if text.len() > MAX_NAME {
            self.scan.error(end, format!("this name is longer than {MAX_NAME} characters"));
            text = &text[..MAX_NAME];
        }
        let word = WORDS.iter().find(|(word, _)| *word == text);
        let token = word.map_or_else(|| Token::Name(names.intern(text)), |(_, word)| Token::Word(*word));
        self.token(token, end)
    }

    fn quoted(&mut self) -> (Token, Span) {
        let at = self.scan.at();
        if let Some(length) = self.scan.text()[at + 1..].find('"') {
            return self.token(Token::Text, at + length + 2);
        }
        let end = self.scan.end_of_run(at, |byte| byte != b'\n');
        self.scan.error(end, "this text is not closed: expected `\"`, found the end of the file");
        self.token(Token::Text, end)
    }

    fn directive(&mut self) -> (Token, Span) {
        let end = self.scan.end_of_run(self.scan.at() + 1, continues_name);
        self.is_loading = self.scan.upto(end) == "#load";
        self.expects_file = self.is_loading;
        self.token(Token::Directive, end)
    }
}
