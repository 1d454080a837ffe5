//! Source files and places in them.
//!
//! Contract: lines and columns are found in logarithmic time, whatever the length of the lines, from a table
//! that is made when the first place of a file is asked for.

use std::ops::Range;
use std::sync::OnceLock;

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
    /// The whole text, without a byte order mark.
    pub text: String,
    table: OnceLock<Table>,
}

/// So many bytes lie between two counts of characters.
const STRIDE: usize = 1024;

/// Where lines begin and how many characters there are up to regular places.
#[derive(Clone, Debug)]
struct Table {
    /// The first byte of every line.
    lines: Vec<u32>,
    /// The number of characters that begin before byte `n * STRIDE`.
    characters: Vec<u32>,
}

impl Table {
    fn new(text: &str) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| clamp(at + 1)));
        let mut characters = vec![0];
        let mut before = 0;
        for chunk in text.as_bytes().chunks(STRIDE) {
            before += n_characters(chunk);
            characters.push(clamp(before));
        }
        Self { lines, characters }
    }
}

/// How many characters begin in these bytes.
fn n_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count()
}

impl SourceFile {
    fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::new(&self.text))
    }

    /// The number of characters before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let counted = at / STRIDE;
        self.table().characters[counted] as usize + n_characters(&self.text.as_bytes()[counted * STRIDE..at])
    }

    /// The character boundary at or before a byte.
    fn boundary(&self, at: u32) -> usize {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The line a byte is on, from 0.
    fn line(&self, at: usize) -> usize {
        self.table().lines.partition_point(|start| *start as usize <= at) - 1
    }

    /// The line that a place is on, without its end, cut in two at the place.
    pub(crate) fn line_split(&self, at: u32) -> (&str, &str) {
        let lines = &self.table().lines;
        let at = self.boundary(at);
        let line = self.line(at);
        let start = lines[line] as usize;
        let end = lines.get(line + 1).map_or(self.text.len(), |next| *next as usize);
        let text = &self.text[start..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        text.split_at((at - start).min(text.len()))
    }
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file. A byte order mark in front of the text, which some editors put there, is dropped.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId::new(self.files.len());
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        self.files.push(SourceFile { name: name.into(), text, table: OnceLock::new() });
        id
    }

    /// How many files there are.
    pub fn n_files(&self) -> usize {
        self.files.len()
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
        let file = self.file(span.file);
        let start = file.boundary(span.start);
        let line = file.line(start);
        let first = file.table().lines[line] as usize;
        (line + 1, file.characters_before(start) - file.characters_before(first) + 1)
    }
}
