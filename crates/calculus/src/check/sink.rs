//! Where diagnostics are collected: each once, however often unrolling meets it.

use base::nearest;
use base::{Diagnostic, Severity, Span};
use rustc_hash::FxHashSet;

/// Suggestions cost a pass over all names, so only the first errors get one.
const MAX_SUGGESTIONS: usize = 50;

#[derive(Default)]
pub(super) struct Sink {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(Option<Span>, String)>,
    suggestions: usize,
}

impl Sink {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    /// How many diagnostics there are.
    pub(super) fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// `; did you mean …?`, or nothing.
    pub(super) fn suggestion<'a>(&mut self, word: &str, known: impl Iterator<Item = &'a str>) -> String {
        if self.suggestions >= MAX_SUGGESTIONS {
            return String::new();
        }
        self.suggestions += 1;
        nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
    }

    /// In the order of the text.
    pub(super) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| d.span.map(|span| (span.file, span.start, span.end)));
        self.diagnostics
    }
}
