//! From text to tokens.
//!
//! Contract: every byte of the text is part of a token, of white space, of a comment or of a reported
//! error; nothing is skipped silently. The last token is always [`Token::End`].

use crate::syntax::{Names, Symbol};
use base::{Diagnostic, FileId, Span};

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
    Mark(&'static str),
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

/// Longest first, so that the first that fits is the right one.
const MARKS: [&str; 27] = [
    "<->", "<+>", "->", "<-", "<=", ">=", "!=", "~+", "~-", "..", "<", ">", "=", "!", "&", "|", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", ".", "+",
];

/// The tokens of `text` and what is wrong with its characters.
pub(crate) fn lex(text: &str, file: FileId, names: &mut Names) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, file, at: 0, names, tokens: Vec::new(), diagnostics: Vec::new() };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.push(Token::End, text.len());
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    names: &'t mut Names,
    tokens: Vec<(Token, Span)>,
    diagnostics: Vec<Diagnostic>,
}

fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit() || c == '\''
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The number of bytes from here on whose characters satisfy `keep`.
    fn run(&self, keep: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !keep(c)).unwrap_or(rest.len())
    }

    fn span(&self, end: usize) -> Span {
        Span::new(self.file, self.at..end)
    }

    /// Adds a token that reaches to `end` and goes on there.
    fn push(&mut self, token: Token, end: usize) {
        self.tokens.push((token, self.span(end)));
        self.at = end;
    }

    fn error(&mut self, end: usize, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(self.span(end), message));
    }

    /// Consumes one token, comment or stretch of white space.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_ascii_whitespace() || first == '\u{b}' {
            self.at += self.run(|c| c.is_ascii_whitespace() || c == '\u{b}');
        } else if rest.starts_with("//") {
            self.at += self.run(|c| c != '\n');
        } else if rest.starts_with("/*") {
            self.comment();
        } else if begins_name(first) {
            self.name();
        } else if first.is_ascii_digit() {
            self.number();
        } else if first == '"' {
            self.quoted();
        } else if first == '#' {
            self.directive();
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.push(Token::Mark(mark), self.at + mark.len());
        } else if first == '-' {
            self.push(Token::Mark("-"), self.at + 1);
        } else {
            self.stray();
        }
    }

    fn comment(&mut self) {
        match self.rest()[2..].find("*/") {
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

    fn name(&mut self) {
        let end = self.at + self.run(continues_name);
        let text = &self.text[self.at..end];
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
            _ => Token::Name(self.names.intern(text)),
        };
        self.push(token, end);
    }

    fn number(&mut self) {
        let digits = self.at + self.run(|c| c.is_ascii_digit());
        let end = self.at + self.run(continues_name);
        if end > digits {
            let text = &self.text[self.at..end];
            self.error(
                end,
                format!("expected a number or a name, found `{text}`: names do not begin with a digit"),
            );
            return self.push(Token::Number(0), end);
        }
        let value = self.text[self.at..digits].parse().unwrap_or_else(|_| {
            self.error(digits, format!("this number is larger than {}", u64::MAX));
            0
        });
        self.push(Token::Number(value), digits);
    }

    fn quoted(&mut self) {
        match self.rest()[1..].find('"') {
            Some(length) => self.push(Token::Text, self.at + length + 2),
            None => {
                let end = self.at + self.run(|c| c != '\n');
                self.error(end, "this text is not closed: expected `\"`, found the end of the file");
                self.push(Token::Text, end);
            }
        }
    }

    /// `#word`; after `#load` the next run of characters up to white space or `;` is a file name.
    fn directive(&mut self) {
        let end =
            self.at + 1 + self.rest()[1..].find(|c| !continues_name(c)).unwrap_or(self.rest().len() - 1);
        let is_load = &self.text[self.at..end] == "#load";
        self.push(Token::Directive, end);
        if !is_load {
            return;
        }
        self.blank();
        let length = self.run(|c| !c.is_ascii_whitespace() && c != ';');
        if length > 0 && !self.rest().starts_with('"') {
            self.push(Token::FileName, self.at + length);
        }
    }

    /// Skips white space and comments.
    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let is_space = rest.starts_with(|c: char| c.is_ascii_whitespace());
            if !is_space && !rest.starts_with("//") && !rest.starts_with("/*") {
                return;
            }
            self.step();
        }
    }

    /// A run of characters that belong nowhere is one error.
    fn stray(&mut self) {
        let belongs = |c: char| {
            c.is_ascii_whitespace() || continues_name(c) || "\"#<>=!~.&|()[]{},;:+-/".contains(c) && c != '~'
        };
        let end =
            self.at + self.run(|c| !belongs(c)).max(self.rest().chars().next().map_or(1, char::len_utf8));
        let shown: String = self.text[self.at..end].chars().take(20).flat_map(char::escape_default).collect();
        self.error(end, format!("the character `{shown}` belongs to no token"));
        self.at = end;
    }
}
