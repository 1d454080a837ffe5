//! A text that the editor has open.

use crate::message::Refused;
use crate::uri;
use base::{Position, Span, Utf16};
use serde_json::{Value, json};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A longer text is not looked at while somebody waits.
pub const MAX_TEXT: usize = 16 << 20;

/// What a text is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// A Boolean program.
    Program,
    /// A file of the calculus.
    Formula,
    /// A monitor.
    Monitor,
    /// A program in C.
    C,
}

impl Language {
    /// By what the editor says, or by the name.
    pub fn of(id: &str, uri: &str) -> Option<Self> {
        let by_id = match id {
            "bp" | "getafix-bp" | "boolean-program" => Some(Language::Program),
            "mu" | "getafix-mu" => Some(Language::Formula),
            "mon" | "getafix-mon" => Some(Language::Monitor),
            "c" => Some(Language::C),
            _ => None,
        };
        let extension = uri.rsplit(['/', '.']).next().unwrap_or("");
        by_id.or(match extension {
            "bp" => Some(Language::Program),
            "mu" => Some(Language::Formula),
            "mon" => Some(Language::Monitor),
            "c" | "i" => Some(Language::C),
            _ => None,
        })
    }
}

/// A text that is open, as it stands. A byte order mark in front of it is no part of it, but of the places that editors count.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name, as the editor writes it.
    pub uri: String,
    /// Where it is, if it is a file.
    pub path: Option<PathBuf>,
    /// What it is written in, if it is ours to look at.
    pub language: Option<Language>,
    /// How often it has changed, as the editor counts.
    pub version: Value,
    /// The text and its lines.
    pub lines: Utf16,
    has_mark: bool,
}

const MARK: char = '\u{feff}';

impl Document {
    /// A text that is opened.
    pub fn new(uri: &str, language: &str, version: Value, text: &str) -> Self {
        let (uri, path) = (uri.to_owned(), uri::path(uri));
        let language = Language::of(language, &uri);
        let mut document = Self { uri, path, language, version, lines: Utf16::new(""), has_mark: false };
        document.set(text);
        document
    }

    fn set(&mut self, text: &str) {
        self.has_mark = text.starts_with(MARK);
        self.lines = Utf16::new(text.strip_prefix(MARK).unwrap_or(text));
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.lines.text()
    }

    /// The text, to be kept.
    pub fn shared(&self) -> Arc<str> {
        self.lines.shared()
    }

    /// The text is too long to be looked at.
    pub fn is_too_large(&self) -> bool {
        self.text().len() > MAX_TEXT
    }

    /// The text changes: in a stretch, or as a whole.
    pub fn change(&mut self, change: &Value) -> Result<(), Refused> {
        let text = change.get("text").and_then(Value::as_str);
        let text = text.ok_or_else(|| Refused::params("a change has a `text`"))?;
        match change.get("range") {
            None | Some(Value::Null) => self.set(text),
            Some(range) => {
                let range = self.bytes(range)?;
                let mut whole = String::with_capacity(self.text().len() + text.len());
                whole.push_str(if self.has_mark { "\u{feff}" } else { "" });
                whole.push_str(&self.text()[..range.start]);
                whole.push_str(text);
                whole.push_str(&self.text()[range.end..]);
                self.set(&whole);
            }
        }
        Ok(())
    }

    /// The bytes of a range; one that is upside down is empty.
    fn bytes(&self, range: &Value) -> Result<Range<usize>, Refused> {
        let at = |end: &str| self.offset(range.get(end).unwrap_or(&Value::Null));
        let (start, end) = (at("start")?, at("end")?);
        Ok(start..end.max(start))
    }

    /// The byte at a place, or the nearest one.
    pub fn offset(&self, position: &Value) -> Result<usize, Refused> {
        let number = |name: &str| {
            let number = position.get(name).and_then(Value::as_u64);
            let number =
                number.ok_or_else(|| Refused::params(format!("a position has a number `{name}`")))?;
            Ok(u32::try_from(number).unwrap_or(u32::MAX))
        };
        let (line, unit) = (number("line")?, number("character")?);
        let unit = unit.saturating_sub(u32::from(self.has_mark && line == 0));
        Ok(self.lines.offset(Position { line, unit }))
    }

    /// The place of a byte.
    pub fn position(&self, at: usize) -> Value {
        let Position { line, unit } = self.lines.position(at);
        json!({ "line": line, "character": unit + u32::from(self.has_mark && line == 0) })
    }

    /// The places of a stretch of bytes.
    pub fn range(&self, bytes: Range<usize>) -> Value {
        json!({ "start": self.position(bytes.start), "end": self.position(bytes.end) })
    }

    /// The places of a span of this text.
    pub fn span(&self, span: Span) -> Value {
        self.range(span.start as usize..span.end as usize)
    }
}
