//! As much of Rust's surface as the rules need: code without comments and literals, and where functions end.
//!
//! Contract: [`code`] keeps every line in its place, so line numbers in its result are those of the file.

/// The text with comments and the insides of string and character literals replaced by blanks.
pub fn code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_end(&chars, at);
        if end > at {
            out.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// A function: its name, its first line and its last line, both from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// The name after `fn`.
    pub name: String,
    /// The line of `fn`.
    pub first: usize,
    /// The line of the closing brace.
    pub last: usize,
}

/// The functions with a body in what [`code`] returned.
pub fn functions(code: &str) -> Vec<Function> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let starts_word = at == 0 || !is_word(bytes[at - 1]);
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !starts_word || name.is_empty() {
            continue;
        }
        if let Some(end) = body_end(bytes, at) {
            let line = |offset: usize| code[..offset].matches('\n').count() + 1;
            found.push(Function { name, first: line(at), last: line(end) });
        }
    }
    found
}

/// The byte of the brace that closes the body of the function at `at`; none if it has no body.
fn body_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut brackets = 0;
    let mut braces = 0;
    for (offset, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets -= 1,
            b';' if brackets == 0 && braces == 0 => return None,
            b'{' => braces += 1,
            b'}' => {
                braces -= 1;
                if braces == 0 && brackets == 0 {
                    return Some(offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// One past the comment or literal that begins at `at`; `at` itself if none does.
fn literal_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    let after_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    match chars[at] {
        '/' if next == Some('/') => line_end(chars, at),
        '/' if next == Some('*') => block_end(chars, at),
        '"' => string_end(chars, at),
        'r' if !after_word || chars[at - 1] == 'b' || chars[at - 1] == 'c' => raw_end(chars, at),
        '\'' => character_end(chars, at),
        _ => at,
    }
}

fn line_end(chars: &[char], at: usize) -> usize {
    chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| at + n)
}

/// Block comments nest.
fn block_end(chars: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut end = at;
    while end + 1 < chars.len() {
        match (chars[end], chars[end + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                end += 1;
                continue;
            }
        }
        end += 2;
        if depth == 0 {
            return end;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while end < chars.len() && chars[end] != '"' {
        end += if chars[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(chars.len())
}

/// `r"…"`, `r#"…"#`; anything else that begins with `r` is no literal.
fn raw_end(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    let open = at + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return at;
    }
    let closes = |end: usize| {
        chars[end] == '"' && chars[end + 1..].iter().take_while(|&&c| c == '#').count() >= hashes
    };
    (open + 1..chars.len()).find(|&end| closes(end)).map_or(chars.len(), |end| end + 1 + hashes)
}

/// `'x'`, `'\n'`, `'\u{2026}'`; a lifetime is no literal.
fn character_end(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), Some(_)) => {
            let close = chars.iter().skip(at + 3).position(|&c| c == '\'');
            close.map_or(chars.len(), |n| at + 3 + n + 1)
        }
        (Some(c), Some('\'')) if *c != '\'' => at + 3,
        _ => at,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_lines_kept() {
        let text = "a /* x /* y */ \n */ b \"c\\\" d\" r#\"e\"f\"# 'g' '\\'' 'life h // i\nj";
        let code = code(text);
        assert_eq!(code.matches('\n').count(), text.matches('\n').count());
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(words, ["a", "b", "'life", "h", "j"]);
    }

    #[test]
    fn functions_end_at_their_brace() {
        let text = "fn a() {\n  if x { y }\n}\ntrait T { fn b(&self);\n fn c(x: [u8; 3]) -> u8\n {\n 0 } }";
        let names: Vec<(String, usize, usize)> =
            functions(&code(text)).into_iter().map(|f| (f.name, f.first, f.last)).collect();
        assert_eq!(names, [("a".to_owned(), 1, 3), ("c".to_owned(), 5, 7)]);
    }

    #[test]
    fn a_function_type_is_not_a_function() {
        assert_eq!(functions("struct S { clock: fn () -> u8 }"), []);
        assert_eq!(functions("let confn = 1;"), []);
    }
}
