//! Words of formulas.

use base::{Diagnostic, Sources, Span};

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Name(String),
    Number(i128),
    Sign(&'static str),
    End,
}

/// A word and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) span: Span,
}

/// Longer ones first.
const SIGNS: [&str; 30] = [
    "&&", "||", "==", "!=", "<<", ">>", "<=", ">=", "=", "<", ">", "&", "|", "^", "~", "!", "+", "-", "*",
    "/", "%", "(", ")", "?", ":", ",", ";", "{", "}", "@",
];

/// All words of a part of a file, and the end.
pub(super) fn tokens(sources: &Sources, span: Span) -> Result<Vec<Token>, Diagnostic> {
    let text = sources.text(span);
    let start = span.start as usize;
    let place = |from: usize, to: usize| Span::new(span.file, start + from..start + to);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '#' || rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let number = number(&rest[..end]).map_err(|what| {
                Diagnostic::error(place(at, at + end), format!("`{}` is {what}", &rest[..end]))
            })?;
            tokens.push(Token { word: Word::Number(number), span: place(at, at + end) });
            at += end;
        } else if is_name_start(c) {
            let end = name_end(rest);
            tokens.push(Token { word: Word::Name(rest[..end].to_owned()), span: place(at, at + end) });
            at += end;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token { word: Word::Sign(sign), span: place(at, at + sign.len()) });
            at += sign.len();
        } else {
            return Err(Diagnostic::error(
                place(at, at + c.len_utf8()),
                format!("`{c}` is not part of a formula"),
            ));
        }
    }
    tokens.push(Token { word: Word::End, span: place(text.len(), text.len()) });
    Ok(tokens)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

/// A name may have dots inside, as that of a static variable of a function has, and end in `#` and a number. What a cell of memory holds is named by the cell, `a[a$k]`.
fn name_end(text: &str) -> usize {
    let is_inside = |c: char| is_name_start(c) || c.is_alphanumeric();
    let mut end = 0;
    loop {
        end += text[end..].find(|c: char| !is_inside(c)).unwrap_or(text.len() - end);
        match text[end..].strip_prefix('.') {
            Some(more) if more.starts_with(is_inside) => end += 1,
            _ => break,
        }
    }
    if let Some(inside) = text[end..].strip_prefix('[').filter(|inside| inside.starts_with(is_name_start)) {
        let index = name_end(inside);
        if inside[index..].starts_with(']') {
            end += index + 2;
            end += text[end..].find(|c: char| !is_inside(c)).unwrap_or(text.len() - end);
        }
    }
    let Some(number) = text[end..].strip_prefix('#') else { return end };
    let n_digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    if n_digits == 0 { end } else { end + 1 + n_digits }
}

fn number(text: &str) -> Result<i128, &'static str> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err("no number");
    }
    i128::from_str_radix(digits, radix).map_err(|_| "too large")
}
