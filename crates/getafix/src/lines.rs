//! Line numbers for many places: a table per file, so that a file of many questions is not read once for each.

use base::{FileId, Sources, Span};
use std::collections::BTreeMap;

/// The offsets of the line ends of the files met so far.
#[derive(Default)]
pub struct Lines {
    ends: BTreeMap<FileId, Vec<usize>>,
}

impl Lines {
    /// The line, from 1, of a span's first byte.
    pub fn line(&mut self, sources: &Sources, span: Span) -> usize {
        let ends = self.ends.entry(span.file).or_insert_with(|| {
            sources.file(span.file).text.match_indices('\n').map(|(offset, _)| offset).collect()
        });
        ends.partition_point(|&end| end < span.start as usize) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_sources() {
        let mut sources = Sources::default();
        let file = sources.add("a", "x\n\nyz\n");
        let mut lines = Lines::default();
        for start in 0..6 {
            let span = Span::new(file, start..start);
            assert_eq!(lines.line(&sources, span), sources.line_column(span).0, "at {start}");
        }
    }
}
