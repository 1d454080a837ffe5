//! Lines of a program, indented.

use std::fmt::{Arguments, Write};

/// The text so far.
#[derive(Debug, Default)]
pub(crate) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// A line; none if it is empty.
    pub(crate) fn line(&mut self, line: Arguments<'_>) {
        let start = self.text.len();
        self.text.write_fmt(line).expect("writing to a string succeeds");
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if self.text.len() > start {
            self.text.insert_str(start, &"  ".repeat(self.depth));
            self.text.push('\n');
        }
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line, and what belongs to it further right.
    pub(crate) fn block(&mut self, line: Arguments<'_>, end: &str, inside: impl FnOnce(&mut Self)) {
        self.line(line);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(format_args!("{end}"));
    }

    /// The whole text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// Appends a line to a text.
macro_rules! line {
    ($text:expr, $($part:tt)+) => {
        $text.line(format_args!($($part)+))
    };
}
pub(crate) use line;
