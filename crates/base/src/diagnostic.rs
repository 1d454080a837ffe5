//! Diagnostics: what was wrong, where, and what was expected.
//!
//! ```text
//! error: `Step` takes 2 arguments, but this call passes 1
//!   --> demo.mu:7:10
//!  7 |     x = Step(y);
//!    |         ^^^^^^^
//! ```

use crate::{Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but the user should know.
    Warning,
}

/// One message about the user's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Lower case, no full stop.
    pub message: String,
    /// The place to underline, if the message has one.
    pub span: Option<Span>,
    /// Further lines, such as the other end of a contradiction, each with an optional place.
    pub notes: Vec<(String, Option<Span>)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span: Some(span), notes: Vec::new() }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.notes.push((message.into(), span));
        self
    }
}

/// The longest stretch of a source line that an excerpt shows.
const EXCERPT: usize = 100;

/// The text a person reads, ending in a newline.
pub fn render(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let word = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut out = format!("{word}: {}\n", diagnostic.message);
    if let Some(span) = diagnostic.span {
        excerpt(sources, span, &mut out);
    }
    for (message, span) in &diagnostic.notes {
        out.push_str(&format!("note: {message}\n"));
        if let Some(span) = span {
            excerpt(sources, *span, &mut out);
        }
    }
    out
}

/// The arrow line, the source line (cut to a window around the place) and the underline. However long the
/// line is, only the window is looked at.
fn excerpt(sources: &Sources, span: Span, out: &mut String) {
    let file = sources.file(span.file);
    let (line, column) = sources.line_column(span);
    let (left, right) = file.line_split(span.start);
    // A line that fits is shown whole; of a longer one, a window around the place.
    let fits = column + right.chars().take(EXCERPT).count() <= EXCERPT;
    let n_left = if fits { column - 1 } else { (column - 1).min(EXCERPT / 2) };
    let left_start = left.char_indices().rev().take(n_left).last().map_or(left.len(), |(at, _)| at);
    let window = EXCERPT - n_left;
    let right_end = right.char_indices().nth(window).map_or(right.len(), |(at, _)| at);
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = left[left_start..].chars().chain(right[..right_end].chars()).map(clean).collect();
    let before = if left_start > 0 { "…" } else { "" };
    let after = if right_end < right.len() { "…" } else { "" };
    let marked = sources.text(span).chars().take_while(|c| !matches!(c, '\r' | '\n'));
    let length = marked.take(window).count().max(1);
    let number = line.to_string();
    let pad = " ".repeat(number.len());
    let lead = " ".repeat(n_left + before.chars().count());
    let marks = "^".repeat(length);
    out.push_str(&format!("  --> {}:{line}:{column}\n", file.name));
    out.push_str(&format!(" {number} | {before}{shown}{after}\n"));
    out.push_str(&format!(" {pad} | {lead}{marks}\n"));
}
