//! From text to tokens. Comments, line markers and pragmas are left out; what is no token of C is a diagnostic.
//!
//! A line that ends in a backslash goes on with the next one, in the middle of a word as well: such joints are taken out first, and the
//! places of tokens are those of the text as it was.

use crate::places::Places;
use crate::token::{Names, Placed, SIGNS, Token};
use crate::types::Integer;
use base::Diagnostic;
use std::borrow::Cow;

/// The tokens of a text, with an [`Token::End`] behind them.
pub(crate) fn lex(text: &str, names: &mut Names, places: &Places) -> Result<Vec<Placed>, Diagnostic> {
    let spliced = Spliced::new(text);
    let mut lexer = Lexer::new(&spliced.text, names);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let next = lexer.skip().and_then(|()| {
            let start = lexer.at;
            Ok((start, lexer.token()?))
        });
        let (start, token) = next.map_err(|Mistake { start, end, message }| {
            let (start, end) = (spliced.original(start), spliced.original(end));
            Diagnostic::error(places.span(text, start, end), message)
        })?;
        let end = if lexer.at > start { spliced.original(lexer.at - 1) + 1 } else { spliced.original(start) };
        tokens.push(Placed { token, start: spliced.original(start) as u32, end: end as u32 });
        if token == Token::End {
            return Ok(tokens);
        }
    }
}

/// The first words of the directives of a text, up to the first mistake in it.
pub(crate) fn directives(text: &str) -> Vec<String> {
    let spliced = Spliced::new(text);
    let mut names = Names::default();
    let mut lexer = Lexer::new(&spliced.text, &mut names);
    while lexer.skip().is_ok() && lexer.token().is_ok_and(|token| token != Token::End) {}
    lexer.directives
}

/// A text whose lines are joined where a backslash says so.
struct Spliced<'t> {
    text: Cow<'t, str>,
    /// From which byte of the joined text on how many bytes are missing.
    joints: Vec<(usize, usize)>,
}

impl<'t> Spliced<'t> {
    fn new(text: &'t str) -> Self {
        let mut joined = String::new();
        let mut joints = Vec::new();
        let mut from = 0;
        for (at, _) in text.match_indices('\\') {
            // Compilers do not mind white space between the backslash and the end of the line.
            let blank =
                text[at + 1..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            if text.as_bytes().get(at + 1 + blank) == Some(&b'\n') {
                joined.push_str(&text[from..at]);
                from = at + blank + 2;
                joints.push((joined.len(), from - joined.len()));
            }
        }
        if joints.is_empty() {
            return Self { text: Cow::Borrowed(text), joints };
        }
        joined.push_str(&text[from..]);
        Self { text: Cow::Owned(joined), joints }
    }

    /// Where a byte of the joined text is in the text.
    fn original(&self, at: usize) -> usize {
        let n = self.joints.partition_point(|(from, _)| *from <= at);
        at + n.checked_sub(1).map_or(0, |n| self.joints[n].1)
    }
}

/// What is wrong, and where in the joined text.
struct Mistake {
    start: usize,
    end: usize,
    message: String,
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    names: &'t mut Names,
    /// The first words of directives.
    directives: Vec<String>,
    is_line_start: bool,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str, names: &'t mut Names) -> Self {
        // Some editors put a byte order mark in front.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, bytes: text.as_bytes(), at, names, directives: Vec::new(), is_line_start: true }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&self, start: usize, message: impl Into<String>) -> Mistake {
        let mut end = self.at.max(start + 1).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Mistake { start, end, message: message.into() }
    }

    /// White space, comments and lines that begin with `#`.
    fn skip(&mut self) -> Result<(), Mistake> {
        loop {
            match self.peek(0) {
                b'\n' => self.is_line_start = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b'#' if self.is_line_start => {
                    self.directive(1)?;
                    continue;
                }
                b'%' if self.is_line_start && self.peek(1) == b':' => {
                    self.directive(2)?;
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    self.line();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.comment()?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    /// A comment between `/*` and `*/`.
    fn comment(&mut self) -> Result<(), Mistake> {
        let Some(length) = self.text[self.at + 2..].find("*/") else {
            return Err(self.error(self.at, "this comment has no end"));
        };
        self.at += length + 4;
        Ok(())
    }

    /// The rest of the line.
    fn line(&mut self) {
        let length = self.text[self.at..].find('\n');
        self.at = length.map_or(self.text.len(), |length| self.at + length);
    }

    /// A directive, whose sign has so many bytes. A comment in it may go on on the next line.
    fn directive(&mut self, sign: usize) -> Result<(), Mistake> {
        self.at += sign;
        let rest = self.text[self.at..].trim_start_matches([' ', '\t']);
        self.directives.push(rest.chars().take_while(char::is_ascii_alphanumeric).collect());
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => self.comment()?,
                (b'/', b'/') => self.line(),
                // A quote that is not closed is no text; the line ends nevertheless.
                (quote @ (b'"' | b'\''), _) => {
                    let rest = &self.bytes[self.at + 1..];
                    let end = rest.iter().position(|byte| *byte == quote || *byte == b'\n');
                    let is_closed = end.is_some_and(|end| rest[end] == quote);
                    self.at += if is_closed { end.unwrap_or(0) + 2 } else { 1 };
                }
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result<Token, Mistake> {
        let start = self.at;
        self.is_line_start = false;
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
            let is_prefix = match self.peek(0) {
                b'"' => matches!(word, "L" | "u" | "U" | "u8"),
                b'\'' => matches!(word, "L" | "u" | "U"),
                _ => false,
            };
            if is_prefix {
                return self.quoted(start);
            }
            if let Some((at, strange)) =
                word.char_indices().find(|(_, c)| !c.is_ascii() && !c.is_alphanumeric())
            {
                self.at = start + at + strange.len_utf8();
                return Err(self.error(start + at, "this character has no meaning in C"));
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
                    "%:" => "#",
                    other => other,
                }))
            }
            None => Err(self.error(start, "this character has no meaning in C")),
        }
    }

    /// A number as the preprocessor understands it, then as C does.
    fn number(&mut self) -> Result<Token, Mistake> {
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
        let shown: String = word.chars().take(40).collect();
        let dots = if shown.len() < word.len() { "…" } else { "" };
        integer(word).or_else(|| float(word).then_some(Token::Float)).ok_or_else(|| {
            self.error(start, format!("`{shown}{dots}` is no number of C, or too large a one"))
        })
    }

    /// A character or a text in quotes; what stands before the quote says how wide its elements are.
    fn quoted(&mut self, start: usize) -> Result<Token, Mistake> {
        let ty = match &self.text[start..self.at] {
            "L" => Integer::INT,
            "u" => Integer::unsigned(16),
            "U" => Integer::unsigned(32),
            _ => Integer::PLAIN_CHAR,
        };
        let is_wide = ty != Integer::PLAIN_CHAR;
        let quote = self.peek(0);
        self.at += 1;
        let mut value = Characters { value: 0, count: 0, bits: ty.ty.bits, text: String::new() };
        loop {
            let rest = &self.text[self.at..];
            match rest.chars().next() {
                None | Some('\n') => return Err(self.error(start, "the quote is not closed on its line")),
                Some(c) if c == quote as char => break,
                Some('\\') => match self.escape(start)? {
                    Escape::Element(element) => value.push(element),
                    Escape::Character(c) => value.push_character(c, is_wide),
                },
                Some(c) => {
                    self.at += c.len_utf8();
                    value.push_character(c, is_wide);
                }
            }
        }
        self.at += 1;
        if quote == b'"' {
            return Ok(Token::Text((!is_wide).then(|| self.names.number(&value.text))));
        }
        match value.count {
            0 => Err(self.error(start, "there is no character between the quotes")),
            _ if is_wide => Ok(Token::Character(ty.ty.wrap(value.value.into()) as i64, ty)),
            1 => Ok(Token::Character(ty.ty.wrap(value.value.into()) as i64, Integer::INT)),
            _ => Ok(Token::Character(i64::from(value.value as i32), Integer::INT)),
        }
    }

    /// The value of an escape.
    fn escape(&mut self, start: usize) -> Result<Escape, Mistake> {
        self.at += 1;
        let byte = self.peek(0);
        let digits = |radix: u32, most: usize, from: usize| {
            let rest = &self.bytes[(self.at + from).min(self.bytes.len())..];
            let n = rest.iter().take(most).take_while(|byte| (**byte as char).is_digit(radix)).count();
            let digit = |value: u32, byte: &u8| {
                value.wrapping_mul(radix).wrapping_add((*byte as char).to_digit(radix).unwrap_or(0))
            };
            (rest[..n].iter().fold(0, digit), n + from)
        };
        let (value, length) = match byte {
            b'0'..=b'7' => digits(8, 3, 0),
            b'x' => digits(16, usize::MAX, 1),
            b'u' | b'U' => {
                let most = if byte == b'u' { 4 } else { 8 };
                let (value, length) = digits(16, most, 1);
                self.at += length;
                let character = char::from_u32(value).filter(|_| length == most + 1);
                let missing = || self.error(start, "this is no universal character name");
                return character.map(Escape::Character).ok_or_else(missing);
            }
            b'n' => (10, 1),
            b't' => (9, 1),
            b'r' => (13, 1),
            b'a' => (7, 1),
            b'b' => (8, 1),
            b'f' => (12, 1),
            b'v' => (11, 1),
            b'e' | b'E' => (27, 1),
            b'\'' | b'"' | b'\\' | b'?' | b'(' | b'{' | b'[' | b'%' => (u32::from(byte), 1),
            _ => return Err(self.error(start, "there is no such escape in C")),
        };
        if byte == b'x' && length == 1 {
            return Err(self.error(start, "`\\x` needs digits behind it"));
        }
        self.at += length;
        Ok(Escape::Element(value))
    }
}

/// What an escape stands for.
enum Escape {
    /// One element of the text.
    Element(u32),
    /// A character, which may take several.
    Character(char),
}

/// What has been read between quotes.
struct Characters {
    /// The last elements, as a number.
    value: u32,
    count: u32,
    /// Of an element.
    bits: u8,
    /// The elements that are bytes.
    text: String,
}

impl Characters {
    fn push(&mut self, element: u32) {
        self.value = match self.bits {
            8 => self.value << 8 | (element & 0xff),
            // Of wide characters the last one counts.
            _ => element,
        };
        self.count = self.count.saturating_add(1);
        self.text.push(char::from((element & 0xff) as u8));
    }

    fn push_character(&mut self, c: char, is_wide: bool) {
        if is_wide {
            return self.push(c.into());
        }
        let mut buffer = [0; 4];
        c.encode_utf8(&mut buffer).bytes().for_each(|byte| self.push(byte.into()));
    }
}

/// A number without a point.
fn integer(word: &str) -> Option<Token> {
    // `lL` is no suffix.
    if word.ends_with("lL") || word.ends_with("Ll") || word.contains("lLu") || word.contains("Llu") {
        return None;
    }
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
    if !lower.contains(['.', 'e']) {
        return false;
    }
    let end = lower.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | 'e' | '+' | '-'));
    let (number, suffix) = lower.split_at(end.unwrap_or(lower.len()));
    let is_suffix = matches!(
        suffix,
        "" | "f" | "l" | "i" | "j" | "fi" | "fj" | "li" | "lj" | "if" | "il" | "df" | "dd" | "dl" | "q" | "w"
    ) || matches!(suffix, "f16" | "f32" | "f64" | "f128" | "f32x" | "f64x");
    is_suffix && number.parse::<f64>().is_ok()
}
