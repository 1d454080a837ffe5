//! Lines with indentation, written one after the other.

/// A text that grows by lines. Words that open a block indent what follows, words that close it undo that.
#[derive(Default)]
pub struct Page {
    text: String,
    depth: usize,
}

impl Page {
    /// The lines written so far.
    pub fn finish(self) -> String {
        self.text
    }

    /// One line at the present depth; an empty one has no blanks.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("  ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// A line after which the text is indented further.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// A line before which the indentation ends.
    pub fn close(&mut self, line: impl AsRef<str>) {
        self.depth -= 1;
        self.line(line);
    }

    /// A line between two blocks, such as `else`.
    pub fn turn(&mut self, line: impl AsRef<str>) {
        self.depth -= 1;
        self.open(line);
    }

    /// `if`, the lines, `fi`.
    pub fn when(&mut self, condition: &str, lines: &[&str]) {
        self.open(format!("if ({condition}) then"));
        lines.iter().for_each(|line| self.line(line));
        self.close("fi");
    }
}
