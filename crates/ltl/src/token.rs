//! The tokens of a formula, so far as the structure of the formula needs them.
//!
//! What a proposition is made of is left to `bp`; here it is enough to know where names, brackets and operators are.

use base::{Diagnostic, FileId, Span};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Implies,
    Iff,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// A name, a number or a reserved word.
    Word,
    /// An operator or punctuation of propositions.
    Other,
    End,
}

/// The tokens of a text with their places, the end last, or what is wrong with its characters.
pub(crate) fn tokens(text: &str, file: FileId) -> Result<Vec<(Token, Span)>, Vec<Diagnostic>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut errors, mut at) = (Vec::new(), Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (token, length) = match next(&bytes[at..]) {
            Some(found) => found,
            None => {
                let shown = text[at..].chars().next().map_or(' ', |character| character);
                let span = Span::new(file, at..at + shown.len_utf8());
                let shown = shown.escape_default();
                errors
                    .push(Diagnostic::error(span, format!("the character `{shown}` belongs to no formula")));
                at += span.end as usize - span.start as usize;
                continue;
            }
        };
        tokens.push((token, Span::new(file, at..at + length)));
        at += length;
    }
    tokens.push((Token::End, Span::new(file, bytes.len()..bytes.len())));
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}

fn next(bytes: &[u8]) -> Option<(Token, usize)> {
    let run = |keep: fn(u8) -> bool| bytes.iter().position(|byte| !keep(*byte)).unwrap_or(bytes.len());
    Some(match bytes {
        [b'<', b'=', b'>', ..] | [b'<', b'-', b'>', ..] => (Token::Iff, 3),
        [b'=', b'>', ..] | [b'-', b'>', ..] => (Token::Implies, 2),
        [b'&', b'&', ..] => (Token::And, 2),
        [b'|', b'|', ..] => (Token::Or, 2),
        [b'[', b']', ..] => (Token::Always, 2),
        [b'<', b'>', ..] => (Token::Eventually, 2),
        [b'!', b'=', ..] | [b'<', b'=', ..] | [b'>', b'=', ..] | [b'=', b'=', ..] => (Token::Other, 2),
        [b'(', ..] => (Token::Open, 1),
        [b')', ..] => (Token::Close, 1),
        [b'!' | b'~', ..] => (Token::Not, 1),
        [b'&', ..] => (Token::And, 1),
        [b'|', ..] => (Token::Or, 1),
        [b'{', rest @ ..] => {
            let end = rest.iter().position(|byte| *byte == b'}' || byte.is_ascii_whitespace())?;
            if rest[end] != b'}' {
                return None;
            }
            (Token::Word, end + 2)
        }
        [first, ..] if first.is_ascii_alphanumeric() || *first == b'_' => {
            (Token::Word, run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')))
        }
        [
            b'<' | b'>' | b'=' | b'^' | b'*' | b'+' | b'-' | b'?' | b':' | b',' | b'[' | b']' | b'\'' | b'.',
            ..,
        ] => (Token::Other, 1),
        _ => return None,
    })
}
