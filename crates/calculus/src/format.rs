//! A file in canonical form for its writer, comments included.
//!
//! Contract: the result has the same tokens, and so the same tree, and the same comments; formatting it again changes nothing. The lines of an
//! item are its writer's, as the brackets are; the blanks between the tokens of a line are not. Only an item on one line that is too long is
//! broken, as the printer does it. Comments at the ends of lines stay below each other. What is no item is left as it is.

mod spacing;

use crate::printer::print_item;
use crate::syntax::{Directive, File, Item, ItemKind};
use base::{Behind, Margin, align};

/// An item on one line that is longer than this is broken.
const WIDTH: usize = 100;

/// The text of a file, from which `file` was parsed, in canonical form. Nothing may be loaded into `file`.
pub fn format(text: &str, file: &File) -> String {
    let mut page = Page::new(text);
    let mut at = 0;
    // A directive with several arguments is several items in one place.
    for items in file.items.chunk_by(|item, other| item.span == other.span) {
        let (start, end) = (items[0].span.start as usize, items[0].span.end as usize);
        page.between(at, start);
        at = end;
        page.item(start, end, items, file);
    }
    page.between(at, text.len());
    page.finish()
}

/// An item that was printed, with the blanks that it has here.
fn respaced(printed: &str) -> String {
    let mut page = Page::new(printed);
    spacing::write(&mut page, 0, printed.len());
    page.out
}

/// Where the lines of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

/// A source and what is printed of it.
struct Page<'t> {
    text: &'t str,
    out: String,
    /// The comments at the ends of printed lines.
    comments: Vec<Behind>,
    /// The colons of printed cases.
    colons: Vec<Behind>,
    /// Where the lines of the source begin.
    lines: Vec<usize>,
}

impl<'t> Page<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, out: String::new(), comments: Vec::new(), colons: Vec::new(), lines: starts(text) }
    }
}

impl Page<'_> {
    /// Where something of the source stands in its line.
    fn margin(&self, at: usize) -> Margin {
        let line = self.lines.partition_point(|start| *start <= at) - 1;
        Margin::new(line, &self.text[self.lines[line]..at])
    }

    /// Prints an item.
    fn item(&mut self, start: usize, end: usize, items: &[Item], file: &File) {
        let source = &self.text[start..end];
        if matches!(items[0].kind, ItemKind::Directive(Directive::Quit)) {
            self.out.push_str("#quit;");
            return;
        }
        let first = self.out.len();
        spacing::write(self, start, end);
        let is_long = self.out[first..].chars().count() > WIDTH && !self.out[first..].contains('\n');
        if is_long && items.len() == 1 && !has_comment(source) {
            self.out.truncate(first);
            let mut printed = String::new();
            print_item(file, &items[0], &mut printed);
            printed.push(';');
            self.out.push_str(&respaced(&printed));
        }
    }

    /// What stands between two items: comments, and at most one blank line in a row.
    fn between(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        let mut lines = text.split('\n').map(str::trim_end);
        let first = lines.next().unwrap_or_default();
        let behind = first.trim_start();
        if !behind.is_empty() {
            let is_behind = !(self.out.is_empty() || self.out.ends_with('\n'));
            self.out.push_str(if is_behind { " " } else { "" });
            // What another item follows does not end its line.
            let is_last = text.contains('\n') || end == self.text.len();
            if is_behind && is_last && (behind.starts_with("//") || behind.starts_with("/*")) {
                let margin = self.margin(start + first.len() - behind.len());
                self.comments.push(Behind { at: self.out.len(), margin });
            }
            self.out.push_str(behind);
        }
        let out = &mut self.out;
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        let mut is_blank = out.is_empty();
        let mut is_inside = ends_inside(behind, false);
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            // The last line is the beginning of that of the next item.
            if line.is_empty() && !is_inside && (is_blank || lines.peek().is_none()) {
                continue;
            }
            is_blank = line.is_empty();
            let shown = line.trim_start();
            let is_comment = !is_inside && (shown.starts_with("//") || shown.starts_with("/*"));
            out.push_str(if is_comment { shown } else { line });
            out.push('\n');
            is_inside = ends_inside(line, is_inside);
        }
    }

    /// The whole text: colons in their columns, then comments in theirs.
    fn finish(mut self) -> String {
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let with_colons = align(&self.out, &self.colons);
        follow(&self.out, &with_colons, &mut self.comments);
        align(&with_colons, &self.comments)
    }
}

/// Comments of a text get their places in one that has more blanks.
fn follow(text: &str, longer: &str, comments: &mut [Behind]) {
    let (text, longer) = (text.as_bytes(), longer.as_bytes());
    let (mut at, mut there) = (0, 0);
    for comment in comments {
        while at < comment.at {
            while longer[there] != text[at] {
                there += 1;
            }
            (at, there) = (at + 1, there + 1);
        }
        comment.at = there;
    }
}

/// The line ends inside a comment, if it begins inside one or not.
fn ends_inside(line: &str, is_inside: bool) -> bool {
    let (mut rest, mut is_inside) = (line, is_inside);
    loop {
        let next = match is_inside {
            true => rest.find("*/"),
            false => rest.find("/*").filter(|open| !rest[..*open].contains("//")),
        };
        let Some(at) = next else { return is_inside };
        (rest, is_inside) = (&rest[at + 2..], !is_inside);
    }
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
