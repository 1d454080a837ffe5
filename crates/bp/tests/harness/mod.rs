//! What the tests of this crate share: running the front end on a text, and reporting what it says.
#![allow(dead_code)]

use base::{Diagnostic, Sources};

/// Each diagnostic as `line:column: message`; notes follow, indented.
pub fn lines(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut lines = Vec::new();
    for diagnostic in diagnostics {
        lines.push(format!("{}{}", place(sources, diagnostic.span), diagnostic.message));
        for (note, span) in &diagnostic.notes {
            lines.push(format!("  {}{note}", place(sources, *span)));
        }
    }
    lines
}

fn place(sources: &Sources, span: Option<base::Span>) -> String {
    span.map_or(String::new(), |span| {
        let (line, column) = sources.line_column(span);
        format!("{line}:{column}: ")
    })
}

/// Everything that is wrong with a program, lowering included.
pub fn complaints(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let diagnostics = match bp::load(&mut sources, "test.bp", text) {
        Ok((program, mut warnings)) => {
            warnings.extend(bp::lower(&program).err().unwrap_or_default());
            warnings
        }
        Err(diagnostics) => diagnostics,
    };
    lines(&sources, &diagnostics)
}

/// A program that has no mistakes.
#[track_caller]
pub fn correct(text: &str) -> bp::Checked {
    let mut sources = Sources::default();
    match bp::load(&mut sources, "test.bp", text) {
        Ok((program, _)) => program,
        Err(diagnostics) => panic!("{text}\n{}", lines(&sources, &diagnostics).join("\n")),
    }
}

/// Random numbers that a seed repeats.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}
