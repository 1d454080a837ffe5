//! From text to tokens, one at a time.
//!
//! Contract: every byte of the text is part of a token, of white space, of a comment or of a reported
//! error; nothing is skipped silently. At the end of the text there is [`Token::End`], as often as asked for.
//! Reading a stretch again reports nothing again, so the parser may go back.

use crate::syntax::{Names, Symbol};
use base::{Diagnostic, FileId, Span};

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

/// Declares the marks with their texts.
macro_rules! marks {
    ($($name:ident $text:literal,)+) => {
        /// The operators and the punctuation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Mark {
            $($name,)+
        }

        impl Mark {
            /// The mark as it is written.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Mark::$name => $text,)+
                }
            }
        }
    };
}

marks! {
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
    text: &'t str,
    file: FileId,
    /// The next byte.
    at: usize,
    /// Whether the tokens of a `#load` are being read.
    is_loading: bool,
    /// Whether the next token may be the name of a file.
    expects_file: bool,
    /// Errors that begin before this are reported already.
    reported: usize,
    /// What is wrong with the characters read so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0xb
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || byte == b'\'' || byte == b'#'
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str, file: FileId) -> Self {
        Self {
            text,
            file,
            at: 0,
            is_loading: false,
            expects_file: false,
            reported: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Goes to the beginning of a token that was read before and is no file name.
    pub(crate) fn go_to(&mut self, token: Span) {
        self.at = token.start as usize;
        (self.is_loading, self.expects_file) = (false, false);
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self, names: &mut Names) -> (Token, Span) {
        loop {
            let bytes = &self.text.as_bytes()[self.at..];
            let Some(&first) = bytes.first() else { return self.token(Token::End, self.at) };
            if is_blank(first) {
                self.at += 1;
            } else if bytes.starts_with(b"//") {
                self.at = self.end_of_run(self.at, |byte| byte != b'\n');
            } else if bytes.starts_with(b"/*") {
                self.comment();
            } else if let Some(token) = self.file_name() {
                return token;
            } else if begins_name(first) {
                return self.name(names);
            } else if bytes.starts_with(b"...") {
                return self.token(Token::Mark(Mark::Dots), self.at + 3);
            } else if let Some(mark) = mark(bytes) {
                self.is_loading &= mark != Mark::Semicolon;
                self.expects_file = self.is_loading && mark == Mark::Comma;
                return self.token(Token::Mark(mark), self.at + mark.text().len());
            } else if first.is_ascii_digit() {
                return self.number();
            } else if first == b'"' {
                return self.quoted();
            } else if first == b'#' {
                return self.directive();
            } else {
                self.stray();
            }
        }
    }

    /// Where the run of bytes that satisfy `keep` ends, which is between two characters.
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
        (token, span)
    }

    fn error(&mut self, end: usize, message: impl Into<String>) {
        if self.at >= self.reported {
            self.reported = self.at + 1;
            self.diagnostics.push(Diagnostic::error(self.span(end), message));
        }
    }

    fn comment(&mut self) {
        match self.text[self.at + 2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                self.error(
                    self.at + 2,
                    "this comment is not closed: expected `*/`, found the end of the file",
                );
                self.at = self.text.len();
            }
        }
    }

    /// After `#load`, and after a comma behind it, the next run of characters up to white space, `,` or `;` is a file
    /// name, unless it is quoted.
    fn file_name(&mut self) -> Option<(Token, Span)> {
        if !std::mem::take(&mut self.expects_file) || self.text.as_bytes()[self.at] == b'"' {
            return None;
        }
        let end = self.end_of_run(self.at, |byte| !byte.is_ascii_whitespace() && !b",;".contains(&byte));
        (end > self.at).then(|| self.token(Token::FileName, end))
    }

    fn name(&mut self, names: &mut Names) -> (Token, Span) {
        let end = self.end_of_run(self.at + 1, continues_name);
        let mut text = &self.text[self.at..end];
        if text.len() > MAX_NAME {
            self.error(end, format!("this name is longer than {MAX_NAME} characters"));
            text = &text[..MAX_NAME];
        }
        let token = match text {
            "bool" => Token::Word(Word::Bool),
            "enum" => Token::Word(Word::Enum),
            "class" | "struct" => Token::Word(Word::Class),
            "mu" => Token::Word(Word::Mu),
            "nu" => Token::Word(Word::Nu),
            "exists" => Token::Word(Word::Exists),
            "forall" => Token::Word(Word::Forall),
            "if" => Token::Word(Word::If),
            "else" => Token::Word(Word::Else),
            "case" => Token::Word(Word::Case),
            "esac" => Token::Word(Word::Esac),
            "assume" => Token::Word(Word::Assume),
            "cofactor" => Token::Word(Word::Cofactor),
            "true" => Token::Word(Word::True),
            "false" => Token::Word(Word::False),
            _ => Token::Name(names.intern(text)),
        };
        self.token(token, end)
    }

    fn number(&mut self) -> (Token, Span) {
        let digits = self.end_of_run(self.at, |byte| byte.is_ascii_digit());
        let end = self.end_of_run(digits, continues_name);
        if end > digits {
            let text: String = self.text[self.at..end].chars().take(MAX_NAME).collect();
            self.error(
                end,
                format!("expected a number or a name, found `{text}`: names do not begin with a digit"),
            );
            return self.token(Token::Number(0), end);
        }
        let value = self.text[self.at..digits].parse().unwrap_or_else(|_| {
            self.error(digits, format!("this number is larger than {}", u64::MAX));
            0
        });
        self.token(Token::Number(value), digits)
    }

    fn quoted(&mut self) -> (Token, Span) {
        if let Some(length) = self.text[self.at + 1..].find('"') {
            return self.token(Token::Text, self.at + length + 2);
        }
        let end = self.end_of_run(self.at, |byte| byte != b'\n');
        self.error(end, "this text is not closed: expected `\"`, found the end of the file");
        self.token(Token::Text, end)
    }

    fn directive(&mut self) -> (Token, Span) {
        let end = self.end_of_run(self.at + 1, continues_name);
        self.is_loading = &self.text[self.at..end] == "#load";
        self.expects_file = self.is_loading;
        self.token(Token::Directive, end)
    }

    /// A run of characters that belong nowhere is one error.
    fn stray(&mut self) {
        let belongs =
            |byte: u8| is_blank(byte) || continues_name(byte) || b"\"#<>=!.&|()[]{},;:+-/".contains(&byte);
        // What belongs is ASCII, so a run ends between two characters.
        let end = self.end_of_run(self.at + 1, |byte| !belongs(byte));
        let shown: String = self.text[self.at..end].chars().take(20).flat_map(char::escape_default).collect();
        self.error(end, format!("the character `{shown}` belongs to no token"));
        self.at = end;
    }
}
