//! YAML, as far as witnesses need it: mappings and lists by indentation or in brackets, plain, quoted and block scalars, comments.
//!
//! Anchors, aliases, tags and complex keys are refused, with their places. No text makes it panic, and nesting is limited.

mod scalar;

use base::{Diagnostic, FileId, Sources, Span};

/// A part of a document.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it is.
    pub span: Span,
}

/// What a part of a document is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Nothing.
    Null,
    /// A word or a text, as it is read.
    Scalar(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in order; each key occurs once.
    Mapping(Vec<(String, Span, Node)>),
}

/// Deeper nesting is refused.
const DEEPEST: usize = 60;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads a file that holds one document.
pub fn read(sources: &Sources, file: FileId) -> Result<Node, Diagnostic> {
    let mut reader = Reader { text: &sources.file(file).text, at: 0, file, depth: 0 };
    reader.document().map_err(|error| *error)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Parsed<Node> {
        self.skip()?;
        while self.column() == 0 && self.rest().starts_with('%') {
            self.skip_line();
            self.skip()?;
        }
        if self.column() == 0 && self.is_marker("---") {
            self.at += 3;
            self.skip()?;
        }
        if self.is_at_end() {
            return Ok(Node { kind: NodeKind::Null, span: self.here(0) });
        }
        let node = self.block(0)?;
        self.skip()?;
        if self.column() == 0 && self.is_marker("...") {
            self.at += 3;
            self.skip()?;
        }
        if !self.is_at_end() {
            return Err(
                self.error("expected the end of the document, or a line that is indented as one above it")
            );
        }
        Ok(node)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn is_marker(&self, marker: &str) -> bool {
        self.rest()
            .strip_prefix(marker)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    /// How far to the right the next character is.
    fn column(&self) -> usize {
        self.at - self.line_start()
    }

    fn here(&self, length: usize) -> Span {
        let mut end = (self.at + length).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(self.file, self.at..end)
    }

    fn error(&self, message: impl Into<String>) -> Box<Diagnostic> {
        let word = self.rest().split(char::is_whitespace).next().map_or(0, str::len);
        Box::new(Diagnostic::error(self.here(word), message))
    }

    fn skip_line(&mut self) {
        self.at = self.rest().find('\n').map_or(self.text.len(), |n| self.at + n + 1);
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    /// White space, line ends and comments. Lines are indented by spaces.
    fn skip(&mut self) -> Parsed<()> {
        loop {
            self.skip_spaces();
            match self.peek() {
                Some('\n') => self.at += 1,
                Some('\r') if self.rest().starts_with("\r\n") => self.at += 2,
                Some('#') if self.is_comment() => self.skip_line(),
                None => return Ok(()),
                Some(_) => {
                    let indentation = &self.text[self.line_start()..self.at];
                    if indentation.trim().is_empty() && indentation.contains('\t') {
                        return Err(self.error("lines are indented by spaces, not by tabs"));
                    }
                    return Ok(());
                }
            }
        }
    }

    /// A `#` begins a comment at the beginning of a line and behind white space.
    fn is_comment(&self) -> bool {
        self.text[..self.at].chars().next_back().is_none_or(char::is_whitespace)
    }

    /// Whether nothing more comes on this line.
    fn is_line_end(&self) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r']);
        let is_comment = trimmed.starts_with('#') && (trimmed.len() < rest.len() || self.is_comment());
        trimmed.is_empty() || trimmed.starts_with('\n') || is_comment
    }

    fn is_dash(&self) -> bool {
        self.rest()
            .strip_prefix('-')
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            && !(self.column() == 0 && self.is_marker("---"))
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.error("this is nested too deeply"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// What is indented by at least so much; the next character is its first.
    fn block(&mut self, least: usize) -> Parsed<Node> {
        self.nested(|reader| {
            let column = reader.column();
            if column < least {
                return Err(reader.error("expected something that is indented more"));
            }
            reader.refuse_extensions()?;
            if reader.is_dash() {
                reader.list(column)
            } else if reader.is_key() {
                reader.mapping(column)
            } else {
                reader.value(column)
            }
        })
    }

    fn refuse_extensions(&self) -> Parsed<()> {
        match self.peek() {
            Some('&' | '*') => Err(self.error("anchors and aliases are not supported")),
            Some('!') => Err(self.error("tags are not supported")),
            Some('?') if self.rest()[1..].starts_with(char::is_whitespace) => {
                Err(self.error("complex keys are not supported"))
            }
            Some('@' | '`' | '%') => Err(self.error("no value begins with this character")),
            _ => Ok(()),
        }
    }

    /// A list whose dashes are in one column.
    fn list(&mut self, column: usize) -> Parsed<Node> {
        let start = self.at;
        let mut items = Vec::new();
        let mut end = self.at;
        while !self.is_at_end() && self.column() == column && self.is_dash() {
            self.at += 1;
            let dash = self.at;
            self.skip()?;
            let item = if self.is_at_end() || self.column() <= column {
                Node { kind: NodeKind::Null, span: Span::new(self.file, dash - 1..dash) }
            } else {
                self.block(column + 1)?
            };
            end = item.span.end as usize;
            items.push(item);
            self.skip()?;
        }
        self.expect_outer(column, "`-`")?;
        Ok(Node { kind: NodeKind::List(items), span: Span::new(self.file, start..end) })
    }

    /// What follows is indented less than this block.
    fn expect_outer(&self, column: usize, expected: &str) -> Parsed<()> {
        if self.is_at_end() || self.column() < column || (self.column() == column && self.is_marker("...")) {
            return Ok(());
        }
        // A list may stand in the column of the key that it belongs to; then the next key is in it, too.
        if expected == "`-`" && self.column() == column && self.is_key() {
            return Ok(());
        }
        Err(self.error(format!("expected {expected} in column {}, or less indentation", column + 1)))
    }

    /// Keys in one column.
    fn mapping(&mut self, column: usize) -> Parsed<Node> {
        let start = self.at;
        let mut entries: Vec<(String, Span, Node)> = Vec::new();
        let mut end = self.at;
        while !self.is_at_end() && self.column() == column && self.is_key() {
            self.refuse_extensions()?;
            let (key, span) = self.key()?;
            if entries.iter().any(|(other, ..)| *other == key) {
                return Err(Box::new(Diagnostic::error(span, format!("the key `{key}` is there twice"))));
            }
            let value = if self.is_line_end() { self.below(column)? } else { self.beside(column)? };
            end = (value.span.end as usize).max(span.end as usize);
            entries.push((key, span, value));
            self.skip()?;
        }
        self.expect_outer(column, "`key: value`")?;
        Ok(Node { kind: NodeKind::Mapping(entries), span: Span::new(self.file, start..end) })
    }

    /// The value of a key, on the lines below it.
    fn below(&mut self, column: usize) -> Parsed<Node> {
        let nothing = Node { kind: NodeKind::Null, span: self.here(0) };
        self.skip()?;
        if self.is_at_end() {
            return Ok(nothing);
        }
        match self.column() {
            found if found > column => self.block(column + 1),
            found if found == column && self.is_dash() => self.nested(|reader| reader.list(column)),
            _ => Ok(nothing),
        }
    }

    /// The value of a key, beside it.
    fn beside(&mut self, column: usize) -> Parsed<Node> {
        self.skip_spaces();
        self.refuse_extensions()?;
        if self.is_dash() {
            return Err(self.error("a list begins on a line of its own, or is in brackets"));
        }
        self.value(column + 1)
    }

    /// A scalar, or something in brackets; further lines are indented by at least so much.
    fn value(&mut self, least: usize) -> Parsed<Node> {
        match self.peek() {
            Some('[' | '{') => self.flow(),
            Some('"' | '\'') => self.quoted(),
            Some('|' | '>') => self.block_scalar(least),
            _ => self.plain(least),
        }
    }

    /// Something in brackets, or inside of brackets.
    fn flow(&mut self) -> Parsed<Node> {
        self.nested(|reader| {
            reader.refuse_extensions()?;
            match reader.peek() {
                Some('[') => reader.flow_list(),
                Some('{') => reader.flow_mapping(),
                Some('"' | '\'') => reader.quoted(),
                _ => reader.plain_in_flow(),
            }
        })
    }

    fn flow_list(&mut self) -> Parsed<Node> {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                Some(']') => break self.at += 1,
                Some(',') if !items.is_empty() => self.at += 1,
                None => return Err(self.error("expected `]`, found the end of the file")),
                Some(_) if self.is_after_item(start) => return Err(self.error("expected `,` or `]`")),
                Some(_) => items.push(self.flow()?),
            }
        }
        Ok(Node { kind: NodeKind::List(items), span: Span::new(self.file, start..self.at) })
    }

    fn flow_mapping(&mut self) -> Parsed<Node> {
        let start = self.at;
        self.at += 1;
        let mut entries: Vec<(String, Span, Node)> = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                Some('}') => break self.at += 1,
                Some(',') if !entries.is_empty() => self.at += 1,
                None => return Err(self.error("expected `}`, found the end of the file")),
                Some(_) if self.is_after_item(start) => return Err(self.error("expected `,` or `}`")),
                Some(_) => {
                    let key = self.flow()?;
                    let NodeKind::Scalar(name) = key.kind else {
                        return Err(Box::new(Diagnostic::error(key.span, "expected a word as key")));
                    };
                    self.skip()?;
                    if self.peek() != Some(':') {
                        return Err(self.error(format!("expected `:` behind the key `{name}`")));
                    }
                    self.at += 1;
                    self.skip()?;
                    let value = match self.peek() {
                        Some(',' | '}') => Node { kind: NodeKind::Null, span: self.here(0) },
                        _ => self.flow()?,
                    };
                    entries.push((name, key.span, value));
                }
            }
        }
        Ok(Node { kind: NodeKind::Mapping(entries), span: Span::new(self.file, start..self.at) })
    }

    /// Whether the last thing before this point is a value, so that a comma has to come.
    fn is_after_item(&self, start: usize) -> bool {
        let before = self.text[start..self.at].trim_end();
        // A comment may stand in between; it ends with its line.
        let last = before.lines().rev().map(|line| line.split(" #").next().unwrap_or("").trim());
        let last = last.clone().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
        !(before.len() <= 1 || last.ends_with([',', '[', '{', ':']))
    }
}
