//! From text to tokens. Comments, line markers and pragmas are left out; what is no token of C is a diagnostic.

use crate::places::Places;
use crate::token::{Names, Placed, SIGNS, Token};
use base::Diagnostic;

/// The tokens of a text, with an [`Token::End`] behind them.
pub(crate) fn lex(text: &str, names: &mut Names, places: &Places) -> Result<Vec<Placed>, Diagnostic> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, names, places };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        lexer.skip()?;
        let start = lexer.at;
        let token = lexer.token()?;
        tokens.push(Placed { token, start: start as u32, end: lexer.at as u32 });
        if token == Token::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    names: &'t mut Names,
    places: &'t Places,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        let mut end = self.at.max(start + 1).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Diagnostic::error(self.places.span(self.text, start, end), message)
    }

    /// White space, comments and lines that begin with `#`.
    fn skip(&mut self) -> Result<(), Diagnostic> {
        let mut is_line_start = self.at == 0;
        loop {
            match self.peek(0) {
                b'\n' => is_line_start = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b'\\' if self.peek(1) == b'\n' || (self.peek(1) == b'\r' && self.peek(2) == b'\n') => {}
                b'#' if is_line_start => {
                    self.line();
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    self.line();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    let Some(length) = self.text[self.at + 2..].find("*/") else {
                        return Err(self.error(self.at, "this comment has no end"));
                    };
                    self.at += length + 4;
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    /// The rest of the line, and those that continue it.
    fn line(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += if self.bytes[self.at] == b'\\' && self.at + 1 < self.bytes.len() { 2 } else { 1 };
        }
    }

    fn token(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        if start >= self.bytes.len() {
            return Ok(Token::End);
        }
        let byte = self.peek(0);
        if byte.is_ascii_digit() || (byte == b'.' && self.peek(1).is_ascii_digit()) {
            return self.number();
        }
        if byte == b'\'' || byte == b'"' {
            return self.quoted(start);
        }
        if is_name(byte) {
            while is_name(self.peek(0)) && self.at < self.bytes.len() {
                self.at += 1;
            }
            let word = &self.text[start..self.at];
            if matches!(self.peek(0), b'\'' | b'"') && matches!(word, "L" | "u" | "U" | "u8") {
                return self.quoted(start);
            }
            return Ok(Token::Name(self.names.number(word)));
        }
        match SIGNS.iter().find(|sign| self.text[start..].starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(match *sign {
                    "<:" => "[",
                    ":>" => "]",
                    "<%" => "{",
                    "%>" => "}",
                    other => other,
                }))
            }
            None => Err(self.error(start, "this character has no meaning in C")),
        }
    }

    /// A number as the preprocessor understands it, then as C does.
    fn number(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        while is_name(self.peek(0)) || self.peek(0) == b'.' {
            let is_exponent = match self.peek(0) | 0x20 {
                b'e' => !self.text[start..].starts_with("0x") && !self.text[start..].starts_with("0X"),
                b'p' => true,
                _ => false,
            };
            self.at += if is_exponent && matches!(self.peek(1), b'+' | b'-') { 2 } else { 1 };
        }
        let word = &self.text[start..self.at];
        integer(word)
            .or_else(|| float(word).then_some(Token::Float))
            .ok_or_else(|| self.error(start, format!("`{word}` is no number of C, or too large a one")))
    }

    /// A character or a text in quotes.
    fn quoted(&mut self, start: usize) -> Result<Token, Diagnostic> {
        let quote = self.peek(0);
        self.at += 1;
        let mut value: i64 = 0;
        let mut count = 0;
        loop {
            match self.peek(0) {
                0 | b'\n' if self.at >= self.bytes.len() || self.peek(0) == b'\n' => {
                    return Err(self.error(start, "the quote is not closed on its line"));
                }
                byte if byte == quote => break,
                b'\\' => {
                    value = value.wrapping_mul(256).wrapping_add(self.escape());
                    count += 1;
                }
                byte => {
                    value = value.wrapping_mul(256).wrapping_add(i64::from(byte as i8));
                    count += 1;
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        if quote == b'"' {
            return Ok(Token::Text);
        }
        if count == 0 {
            return Err(self.error(start, "there is no character between the quotes"));
        }
        Ok(Token::Character(i64::from(value as i32)))
    }

    /// The value of an escape.
    fn escape(&mut self) -> i64 {
        self.at += 1;
        let byte = self.peek(0);
        let digits = |radix: u32, most: usize, from: usize| {
            let rest = &self.bytes[(self.at + from).min(self.bytes.len())..];
            let n = rest.iter().take(most).take_while(|byte| (**byte as char).is_digit(radix)).count();
            let digit = |value: i64, byte: &u8| {
                value.wrapping_mul(i64::from(radix)) + i64::from((*byte as char).to_digit(radix).unwrap_or(0))
            };
            (rest[..n].iter().fold(0, digit), n + from)
        };
        let (value, length) = match byte {
            b'0'..=b'7' => digits(8, 3, 0),
            b'x' => digits(16, 16, 1),
            b'u' => digits(16, 4, 1),
            b'U' => digits(16, 8, 1),
            b'n' => (10, 1),
            b't' => (9, 1),
            b'r' => (13, 1),
            b'a' => (7, 1),
            b'b' => (8, 1),
            b'f' => (12, 1),
            b'v' => (11, 1),
            b'e' => (27, 1),
            other => (i64::from(other), usize::from(self.at < self.bytes.len() && other != b'\n')),
        };
        self.at += length;
        i64::from(value as u8 as i8)
    }
}

/// A number without a point.
fn integer(word: &str) -> Option<Token> {
    let lower = word.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', ..] => (&lower[..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (is_unsigned, n_long) = match &digits[end..] {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    let value = u64::from_str_radix(&digits[..end], radix).ok()?;
    Some(Token::Integer { value, is_decimal: radix == 10, is_unsigned, n_long })
}

/// Whether it is a number with a point or an exponent.
fn float(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return hex.contains('p') && hex.starts_with(|c: char| c.is_ascii_hexdigit() || c == '.');
    }
    let number = lower.trim_end_matches(['f', 'l', 'i', 'j', 'd', 'q', 'w']);
    let number = number.split_once('f').map_or(number, |(number, _)| number);
    number.parse::<f64>().is_ok()
}
