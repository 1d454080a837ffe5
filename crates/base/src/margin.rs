//! Comments at the ends of lines, and the columns in which they stand below each other.
//!
//! Contract: a printer that puts each comment one blank behind its line, and says where it stood in the source, gets a text in which
//! comments are aligned that were. Nothing but blanks in front of comments is added, and a text that is aligned stays as it is.

/// Where a comment stood that ended a line behind something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    /// Its line in the source.
    line: usize,
    /// How many characters stood before it.
    column: usize,
    /// More than one blank stood before it.
    is_apart: bool,
}

impl Margin {
    /// The place of a comment on a line, counted from anywhere, behind this text.
    pub fn new(line: usize, before: &str) -> Self {
        let is_apart = before.ends_with('\t') || before.ends_with("  ");
        Self { line, column: width(before), is_apart }
    }

    /// On the next line, below this one.
    fn is_above(self, other: Self) -> bool {
        self.line + 1 == other.line && self.column == other.column
    }
}

/// A comment of a printed text.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    /// Where it begins; one blank is before it.
    pub at: usize,
    /// Where it stood in the source.
    pub margin: Margin,
}

/// Puts comments below each other that were, in their column if their lines are not too long for it. A comment that was apart from its line, and
/// alone, keeps its column, too.
pub fn align(text: &str, comments: &[Behind]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for group in comments.chunk_by(|one, next| one.margin.is_above(next.margin)) {
        let code = |comment: &Behind| line_before(text, comment.at);
        let is_aligned = group.len() > 1 || group[0].margin.is_apart;
        let longest = group.iter().map(|comment| code(comment) + 1).max().unwrap_or(0);
        let column = longest.max(group[0].margin.column);
        for comment in group {
            out.push_str(&text[copied..comment.at]);
            copied = comment.at;
            if is_aligned {
                out.extend(std::iter::repeat_n(' ', column - code(comment) - 1));
            }
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// How long a line is before the blank before a comment.
fn line_before(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    width(&text[start..at - 1])
}

/// How many columns a text takes; tabs go to the next multiple of eight.
fn width(text: &str) -> usize {
    text.chars().fold(0, |column, letter| if letter == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Aligns lines whose comments begin with `#`, as if this were the source.
    fn aligned(lines: &[(&str, &str)]) -> String {
        let (mut text, mut comments) = (String::new(), Vec::new());
        for (n, (before, now)) in lines.iter().enumerate() {
            text.push_str(now);
            text.push(' ');
            comments.push(Behind { at: text.len(), margin: Margin::new(n, before) });
            text.push_str("#\n");
        }
        align(&text, &comments)
    }

    #[test]
    fn columns_are_kept_and_move_together() {
        assert_eq!(aligned(&[("a   ", "a"), ("bbb ", "bbb")]), "a   #\nbbb #\n");
        assert_eq!(aligned(&[("a;  ", "a;"), ("b:=c", "b := c")]), "a;     #\nb := c #\n");
        assert_eq!(aligned(&[("a ", "a"), ("bb ", "bb")]), "a #\nbb #\n");
        assert_eq!(aligned(&[("a\t", "a")]), "a       #\n");
        assert_eq!(aligned(&[("a     ;  ", "a;")]), "a;       #\n");
        assert_eq!(aligned(&[("a     ; ", "a;")]), "a; #\n");
    }
}
