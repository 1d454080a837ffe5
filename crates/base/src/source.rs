//! Source files and places in them.

use std::ops::Range;

crate::index_type! {
    /// A file of a [`Sources`].
    FileId;
}

/// A stretch of bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `range` of `file`.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The smallest span that covers both (of the same file; otherwise `self`).
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file's name, as the user wrote it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown in diagnostics.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId::new(self.files.len());
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column, both from 1, of a span's first byte; columns count characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.file(span.file).text;
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}
