//! Programs in C: what their front end says of them, without a preprocessor and without any header.
//!
//! A preprocessor would read whatever the text names, so none is started here. Lines with directives are followed as far as the text and the headers of the standard tell (`c::preprocess`). Contract: lines stay
//! where they are. Where something else decides what the text means, an error may be none, and none is told: `check` asks the preprocessor.

use crate::program::Checkable;
use base::{Diagnostic, FileId, Severity, Sources, Span, Utf16};
use std::ops::Range;

/// What is wrong with a program in C, as far as its text tells.
pub fn mistakes(sources: &mut Sources, file: FileId) -> Vec<Diagnostic> {
    let options = c::Options::default();
    if !c::has_directives(&sources.file(file).text) {
        return told(c::translate(sources, file, &options));
    }
    let text = sources.file(file).text.clone();
    let c::Preprocessed { text: reduced, unsure } = c::preprocess(&text, c::DataModel::default());
    let mut inner = Sources::default();
    let inner_file = inner.add(sources.file(file).name.clone(), reduced.as_str());
    let found = told(c::translate(&inner, inner_file, &options));
    if unsure.is_some() && found.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Vec::new();
    }
    let (from, to) = (Utf16::new(reduced.as_str()), Utf16::new(text.as_str()));
    let moved = |span: Option<Span>| span.map(|span| moved(&from, &to, span, file));
    let place = |diagnostic: Diagnostic| Diagnostic {
        span: moved(diagnostic.span),
        notes: diagnostic.notes.into_iter().map(|(note, span)| (note, moved(span))).collect(),
        ..diagnostic
    };
    found.into_iter().map(place).collect()
}

fn told(translated: Result<c::Translation, Vec<Diagnostic>>) -> Vec<Diagnostic> {
    match translated {
        Ok(translation) => translation.warnings,
        Err(errors) => errors,
    }
}

/// A place of the reduced text in the text itself: on a line that has changed, the whole line.
fn moved(from: &Utf16, to: &Utf16, span: Span, file: FileId) -> Span {
    let line = from.position(span.start as usize).line as usize;
    let (old, new) = (from.line(line), to.line(line));
    if from.text()[old.clone()] != to.text()[new.clone()] {
        let indent = to.text()[new.clone()].len() - to.text()[new.clone()].trim_start().len();
        return Span::new(file, new.start + indent..new.end);
    }
    let start = new.start + (span.start as usize - old.start).min(new.len());
    let length = (span.end.saturating_sub(span.start)) as usize;
    Span::new(file, start..(start + length).min(to.text().len()))
}

/// The names of a line, and everything between them; comments and quoted texts have no names.
fn pieces(line: &str, is_comment: &mut bool) -> Vec<(Range<usize>, bool)> {
    let bytes = line.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    let until = |start: usize, end: &str| line[start..].find(end).map(|n| start + n + end.len());
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    while at < bytes.len() {
        let start = at;
        let mut is_name = false;
        if *is_comment || line[at..].starts_with("/*") {
            let from = if *is_comment { at } else { at + 2 };
            let end = until(from, "*/");
            *is_comment = end.is_none();
            at = end.unwrap_or(bytes.len());
        } else if line[at..].starts_with("//") {
            at = bytes.len();
        } else if matches!(bytes[at], b'"' | b'\'') {
            at = end_of_quoted(bytes, at);
        } else if is_word(bytes[at]) {
            is_name = !bytes[at].is_ascii_digit();
            at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        } else {
            at += line[at..].chars().next().map_or(1, char::len_utf8);
        }
        found.push((start..at, is_name));
    }
    found
}

/// Where a quoted text ends, or the line.
fn end_of_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The `main` of a program, and what `check` looks for.
pub fn checkable(text: &str, file: FileId) -> Vec<Checkable> {
    let mut names: Vec<(Range<usize>, &str)> = Vec::new();
    let (mut is_comment, mut offset) = (false, 0);
    for line in text.split_inclusive('\n') {
        let all = pieces(line, &mut is_comment).into_iter().filter(|(_, is_name)| *is_name);
        names.extend(all.map(|(range, _)| (range.start + offset..range.end + offset, &line[range])));
        offset += line.len();
    }
    let mut found = Vec::new();
    for (n, (range, name)) in names.iter().enumerate() {
        let behind = text[range.end..].trim_start();
        // The word before it, with nothing but blanks and stars between them, is a type.
        let is_declared = n.checked_sub(1).is_some_and(|n| {
            let between = &text[names[n].0.end..range.start];
            let is_apart = between.chars().all(|letter| letter.is_whitespace() || letter == '*');
            is_apart && matches!(names[n].1, "void" | "int" | "extern")
        });
        let (title, target) = match *name {
            "main" if behind.starts_with('(') && is_declared => ("check", None),
            "reach_error" | "__VERIFIER_error" | "assert" | "__VERIFIER_assert" if is_declared => continue,
            "reach_error" | "__VERIFIER_error" if behind.starts_with('(') => ("check", Some(*name)),
            "assert" if behind.starts_with('(') => ("check assertions", Some("assert")),
            "ERROR" if behind.starts_with(':') => ("check ERROR", Some("ERROR")),
            _ => continue,
        };
        let title = match target {
            Some(call @ ("reach_error" | "__VERIFIER_error")) => format!("{title} {call}"),
            _ => title.to_owned(),
        };
        let target = target.map(str::to_owned);
        found.push(Checkable { span: Span::new(file, range.clone()), title, target });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a text: line, column, message.
    fn mistakes_of(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        let file = sources.add("a.c", text);
        let found = mistakes(&mut sources, file);
        let shown =
            found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).map(|diagnostic| {
                let (line, column) = sources.line_column(diagnostic.span.expect("a place"));
                format!("{line}:{column}: {}", diagnostic.message)
            });
        shown.collect()
    }

    #[test]
    fn types_and_constants_of_the_standard_are_known() {
        let text = "#include <stdint.h>\n#include <stdbool.h>\n#include <limits.h>\n#define N 10\nint main(void) {\n  uint32_t x = N; bool b = true; size_t n = INT_MAX;\n  return 0;\n}\n";
        let text = text.replace("size_t n", "uint64_t n");
        assert_eq!(mistakes_of(&text), [""; 0]);
    }

    #[test]
    fn mistakes_are_where_they_are() {
        assert_eq!(
            mistakes_of("int main(void) {\n  int x = ;\n  return 0; }"),
            ["2:11: expected an expression, found `;`"]
        );
        let text = "#include <assert.h>\n#ifdef NO\n}}}\n#else\nint main(void) {\n  int x = ;\n#endif\n  return 0; }";
        assert_eq!(mistakes_of(text), ["6:11: expected an expression, found `;`"]);
        // A line with a constant in it is marked as a whole.
        let text = "#define N 10\nint main(void) {\n  int x = N + ;\n  return 0; }";
        assert_eq!(mistakes_of(text), ["3:3: expected an expression, found `;`"]);
    }

    #[test]
    fn what_headers_decide_is_not_told() {
        for head in ["#include \"own.h\"", "#include <sys/own.h>", "#include_next <x>", "#ifdef __own"] {
            let text = format!("{head}\n#endif\nint main(void) {{ own_t x = 3; return 0; }}");
            assert_eq!(mistakes_of(&text), [""; 0], "{head}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for odd in [
            "#",
            "#define",
            "#define N N\nint main() { return N; }",
            "#endif\n#else\n#elif 1",
            "#if 1 \\",
            "'\\",
            "\"",
            "/*",
            "#include <",
            "\u{1d539}'\u{1d539}",
            "#define A B\n#define B A\nint main() { return A; }",
        ] {
            let mut sources = Sources::default();
            let file = sources.add("a.c", odd);
            mistakes(&mut sources, file);
            checkable(odd, file);
        }
    }

    #[test]
    fn what_can_be_checked_is_found() {
        let text = "extern void reach_error(void);\n// main() ERROR:\nint main(void) { assert(1); \"assert(2)\"; reach_error(); ERROR: return 0; }";
        let titles: Vec<String> = checkable(text, FileId(0)).into_iter().map(|found| found.title).collect();
        assert_eq!(titles, ["check", "check assertions", "check reach_error", "check ERROR"]);
    }
}
