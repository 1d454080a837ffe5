//! Places of a text as editors count them: a line, and in it so many units of UTF-16.
//!
//! Contract: both directions take logarithmic time, whatever the length of the lines. A line ends behind `\n`, `\r\n` or a `\r` alone. A place outside the text
//! is the nearest one inside: behind the last line its end, behind the end of a line that end, and inside a character its beginning.

use std::ops::Range;
use std::sync::Arc;

/// So many bytes lie between two counts of units.
const STRIDE: usize = 1024;

/// A place as editors count it, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// How many units of UTF-16 stand before it on its line.
    pub unit: u32,
}

/// A text with the places of its lines.
#[derive(Clone, Debug)]
pub struct Utf16 {
    text: Arc<str>,
    /// The first byte of every line.
    lines: Vec<usize>,
    /// How many units begin before byte `n * STRIDE`.
    units: Vec<usize>,
}

/// How many units begin in these bytes: a character beyond the first 65,536 has two.
fn n_units(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from((*byte as i8) >= -0x40) + usize::from(*byte >= 0xf0)).sum()
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Utf16 {
    /// A text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                lines.push(at + 1);
            }
        }
        let mut units = vec![0];
        let mut before = 0;
        for chunk in bytes.chunks(STRIDE) {
            before += n_units(chunk);
            units.push(before);
        }
        Self { text, lines, units }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, to be kept.
    pub fn shared(&self) -> Arc<str> {
        self.text.clone()
    }

    /// How many lines there are.
    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// The bytes of a line, from 0, without its end.
    pub fn line(&self, line: usize) -> Range<usize> {
        let end = self.text.len();
        let Some(&start) = self.lines.get(line) else { return end..end };
        let next = self.lines.get(line + 1).copied().unwrap_or(end);
        let whole = &self.text[start..next];
        start..start + whole.trim_end_matches(['\n', '\r']).len()
    }

    /// The units before a byte that is a boundary of characters.
    fn units_before(&self, at: usize) -> usize {
        let counted = at / STRIDE;
        self.units[counted] + n_units(&self.text.as_bytes()[counted * STRIDE..at])
    }

    /// Where a byte is.
    pub fn position(&self, at: usize) -> Position {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= at) - 1;
        let unit = self.units_before(at) - self.units_before(self.lines[line]);
        Position { line: clamp(line), unit: clamp(unit) }
    }

    /// The byte at a place.
    pub fn offset(&self, position: Position) -> usize {
        let line = self.line(position.line as usize);
        let wanted = self.units_before(line.start).saturating_add(position.unit as usize);
        if self.units_before(line.end) <= wanted {
            return line.end;
        }
        // The last stride that begins at or before the place.
        let stride = self.units.partition_point(|before| *before <= wanted) - 1;
        let (mut at, mut units) = (stride * STRIDE, self.units[stride]);
        if at < line.start {
            (at, units) = (line.start, self.units_before(line.start));
        }
        let bytes = self.text.as_bytes();
        while at < line.end && units < wanted {
            let width = n_units(&bytes[at..=at]);
            if units + width > wanted {
                break;
            }
            units += width;
            at += 1;
        }
        // Bytes that go on a character belong to what is before them.
        while at < line.end && units == wanted && !self.text.is_char_boundary(at) {
            at += 1;
        }
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}
