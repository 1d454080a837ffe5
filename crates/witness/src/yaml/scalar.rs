//! Scalars of YAML: plain, quoted, and blocks of lines; and keys.

use super::{Node, NodeKind, Parsed, Reader};
use base::{Diagnostic, Span};

impl Reader<'_> {
    /// Whether a key comes next, on this line.
    pub(super) fn is_key(&self) -> bool {
        let line = self.rest().split('\n').next().unwrap_or("");
        let rest = match line.chars().next() {
            None | Some('[' | '{' | '#' | '|' | '>' | '-') => {
                return plain_key(line).is_some() && line.starts_with('-');
            }
            Some(quote @ ('"' | '\'')) => match closing(line, quote) {
                Some(end) => line[end..].trim_start_matches([' ', '\t']),
                None => return false,
            },
            Some(_) => return plain_key(line).is_some(),
        };
        rest.strip_prefix(':')
            .is_some_and(|rest| rest.trim_end_matches('\r').is_empty() || rest.starts_with([' ', '\t']))
    }

    /// A key and its colon.
    pub(super) fn key(&mut self) -> Parsed<(String, Span)> {
        let start = self.at;
        let key = match self.peek() {
            Some('"' | '\'') => {
                let node = self.quoted()?;
                let NodeKind::Scalar(key) = node.kind else { return Err(self.error("expected a key")) };
                self.skip_spaces();
                (key, node.span)
            }
            _ => {
                let line = self.rest().split('\n').next().unwrap_or("");
                let Some(key) = plain_key(line) else { return Err(self.error("expected `key: value`")) };
                self.at += key.len();
                let key = key.trim_end();
                (key.to_owned(), Span::new(self.file, start..start + key.len()))
            }
        };
        self.at += 1;
        Ok(key)
    }

    /// A text in quotes, perhaps on several lines.
    pub(super) fn quoted(&mut self) -> Parsed<Node> {
        let start = self.at;
        let quote = if self.rest().starts_with('"') { '"' } else { '\'' };
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                let span = Span::new(self.file, start..start + 1);
                return Err(Box::new(Diagnostic::error(span, "this quotation mark is never closed")));
            };
            self.at += c.len_utf8();
            match c {
                c if c == quote && quote == '\'' && self.peek() == Some('\'') => {
                    self.at += 1;
                    out.push('\'');
                }
                c if c == quote => break,
                '\\' if quote == '"' => self.escape(&mut out)?,
                '\n' => self.fold(&mut out),
                c => out.push(c),
            }
        }
        // The place is that of the text alone, if it is there word for word.
        let inside = start + 1..self.at - 1;
        let place = if self.text[inside.clone()] == out && !out.is_empty() { inside } else { start..self.at };
        Ok(Node { kind: NodeKind::Scalar(out), span: Span::new(self.file, place) })
    }

    /// What stands behind a backslash.
    fn escape(&mut self, out: &mut String) -> Parsed<()> {
        let Some(c) = self.peek() else { return Ok(()) };
        let digits = match c {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = self.rest().get(1..=digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            let Some(c) = code.and_then(char::from_u32) else {
                return Err(self.error("this is no number of a character"));
            };
            out.push(c);
            self.at += 1 + digits;
            return Ok(());
        }
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            '\n' => self.skip_spaces(),
            '\\' | '"' | '/' | ' ' => out.push(c),
            _ => {
                self.at -= c.len_utf8() + 1;
                return Err(self.error(format!("`\\{c}` means nothing in quotes; a backslash is `\\\\`")));
            }
        }
        Ok(())
    }

    /// The end of a line inside of a text is a space, and an empty line the end of a line.
    fn fold(&mut self, out: &mut String) {
        out.truncate(out.trim_end_matches([' ', '\t', '\r']).len());
        let mut n_ends = 1;
        loop {
            self.skip_spaces();
            match self.peek() {
                Some('\r') => self.at += 1,
                Some('\n') => {
                    self.at += 1;
                    n_ends += 1;
                }
                _ => break,
            }
        }
        match n_ends {
            1 => out.push(' '),
            n => (1..n).for_each(|_| out.push('\n')),
        }
    }

    /// Lines behind `|`, as they are, or behind `>`, joined.
    pub(super) fn block_scalar(&mut self, least: usize) -> Parsed<Node> {
        let start = self.at;
        let is_literal = self.rest().starts_with('|');
        let header = self.rest().split('\n').next().unwrap_or("");
        let (keeps, strips) = (header.contains('+'), header.contains('-'));
        let signs = header[1..].split('#').next().unwrap_or("").trim();
        if !signs.chars().all(|c| matches!(c, '+' | '-')) {
            return Err(self.error("expected the end of the line behind `|` or `>`"));
        }
        self.skip_line();
        let mut lines: Vec<&str> = Vec::new();
        let mut indent = None;
        let mut end = self.at;
        while !self.is_at_end() {
            let line = self.rest().split('\n').next().unwrap_or("").trim_end_matches('\r');
            let width = line.len() - line.trim_start_matches(' ').len();
            if !line.trim().is_empty() {
                let wanted = *indent.get_or_insert(width.max(least));
                if width < wanted {
                    break;
                }
                end = self.at + line.len();
            }
            lines.push(line.get(indent.unwrap_or(width).min(line.len())..).unwrap_or(""));
            self.skip_line();
        }
        let mut text = if is_literal { lines.join("\n") } else { folded(&lines) };
        if !keeps {
            text.truncate(text.trim_end_matches(['\n', ' ']).len());
            if !strips && !text.is_empty() {
                text.push('\n');
            }
        }
        Ok(Node { kind: NodeKind::Scalar(text), span: Span::new(self.file, start..end.max(start + 1)) })
    }

    /// A text without quotes, perhaps on several lines.
    pub(super) fn plain(&mut self, least: usize) -> Parsed<Node> {
        let start = self.at;
        let mut out = String::new();
        let mut end;
        loop {
            let line = self.rest().split('\n').next().unwrap_or("");
            let line = line.find(" #").map_or(line, |at| &line[..at]);
            let part = line.trim_end();
            if let Some(at) = part.find(": ") {
                self.at += at;
                return Err(self.error("a text with `: ` in it is put in quotes"));
            }
            out.push_str(part);
            end = self.at + part.len();
            self.skip_line();
            let after = self.at;
            self.skip()?;
            let goes_on = !self.is_at_end()
                && self.column() >= least.max(1)
                && !self.is_dash()
                && !self.is_key()
                && !self.rest().starts_with('#');
            if !goes_on {
                self.at = end.min(after);
                break;
            }
            out.push(' ');
        }
        let span = Span::new(self.file, start..end);
        Ok(Node { kind: plain_kind(out), span })
    }

    /// A text without quotes inside of brackets.
    pub(super) fn plain_in_flow(&mut self) -> Parsed<Node> {
        let start = self.at;
        let rest = self.rest();
        let mut length = rest.len();
        for (at, c) in rest.char_indices() {
            let next = rest[at + c.len_utf8()..].chars().next();
            let is_colon =
                c == ':' && next.is_none_or(|next| next.is_whitespace() || matches!(next, ',' | ']' | '}'));
            let is_comment = c == '#' && rest[..at].ends_with(char::is_whitespace);
            if matches!(c, ',' | '[' | ']' | '{' | '}' | '\n') || is_colon || is_comment {
                length = at;
                break;
            }
        }
        let word = rest[..length].trim_end();
        if word.is_empty() {
            return Err(self.error("expected a value"));
        }
        self.at += word.len();
        Ok(Node { kind: plain_kind(word.to_owned()), span: Span::new(self.file, start..self.at) })
    }
}

/// A plain scalar; some words mean nothing.
fn plain_kind(text: String) -> NodeKind {
    match &text[..] {
        "" | "~" | "null" => NodeKind::Null,
        _ => NodeKind::Scalar(text),
    }
}

/// The part of a line before the colon behind a key.
fn plain_key(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let at = line.match_indices(':').map(|(at, _)| at).find(|&at| {
        let rest = &line[at + 1..];
        rest.is_empty() || rest.starts_with([' ', '\t'])
    })?;
    let key = &line[..at];
    (at > 0 && !key.contains(" #") && !key.starts_with("- ")).then_some(key)
}

/// Where a quoted text on this line ends, behind its closing mark.
fn closing(line: &str, quote: char) -> Option<usize> {
    let mut chars = line.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => _ = chars.next(),
            c if c == quote && quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                _ = chars.next();
            }
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn folded(lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        match line.trim() {
            "" => out.push('\n'),
            line if out.is_empty() || out.ends_with('\n') => out.push_str(line),
            line => {
                out.push(' ');
                out.push_str(line);
            }
        }
    }
    out
}
