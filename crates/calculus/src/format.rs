//! A file in canonical form for its writer, comments included.
//!
//! Contract: the result parses to the same tree and has the same comments, and formatting it again changes nothing. An item with comments
//! inside it is left as it is written, since they belong to the lines that they stand on; so is what is no item.

use crate::printer::print_item;
use crate::syntax::File;

/// The text of a file, from which `file` was parsed, in canonical form. Nothing may be loaded into `file`.
pub fn format(text: &str, file: &File) -> String {
    let mut out = String::new();
    let mut at = 0;
    // A directive with several arguments is several items in one place.
    for items in file.items.chunk_by(|item, other| item.span == other.span) {
        let (start, end) = (items[0].span.start as usize, items[0].span.end as usize);
        between(&text[at..start], &mut out);
        at = end;
        if has_comment(&text[start..end]) {
            push_lines(&text[start..end], &mut out);
            continue;
        }
        for (n, item) in items.iter().enumerate() {
            out.push_str(if n == 0 { "" } else { "\n" });
            print_item(file, item, &mut out);
            out.push(';');
        }
    }
    between(&text[at..], &mut out);
    let end = out.trim_end().len();
    out.truncate(end);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// What stands between two items: comments, and at most one blank line in a row.
fn between(text: &str, out: &mut String) {
    let mut lines = text.split('\n').map(str::trim_end);
    let behind = lines.next().unwrap_or_default().trim_start();
    if !behind.is_empty() {
        out.push_str(if out.is_empty() || out.ends_with('\n') { "" } else { " " });
        out.push_str(behind);
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    let mut is_blank = out.is_empty();
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        // The last line is the beginning of that of the next item.
        if line.is_empty() && (is_blank || lines.peek().is_none()) {
            continue;
        }
        is_blank = line.is_empty();
        let is_comment = line.trim_start().starts_with("//");
        out.push_str(if is_comment { line.trim_start() } else { line });
        out.push('\n');
    }
}

/// Lines as they are, without blanks at their ends.
fn push_lines(text: &str, out: &mut String) {
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    out.push_str(&lines.join("\n"));
}

/// A comment stands in a text, outside quotes.
fn has_comment(text: &str) -> bool {
    let mut is_quoted = false;
    let mut before = ' ';
    for letter in text.chars() {
        is_quoted ^= letter == '"';
        if !is_quoted && before == '/' && matches!(letter, '/' | '*') {
            return true;
        }
        before = letter;
    }
    false
}
