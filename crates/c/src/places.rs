//! Where in the user's files a piece of preprocessed text comes from.
//!
//! Line markers, `# 12 "file.c"`, say which file and line the next line of the text is. The line there is found as the user wrote it, and in
//! it the word, so that excerpts show the source. Of files that nobody gave us, such as headers, we show the text that the preprocessor has left of
//! them.

use base::{FileId, Sources, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A table from lines of the preprocessed text to lines of files.
pub(crate) struct Places {
    /// The file that the text itself is.
    file: FileId,
    offset: Offset,
    /// The first byte of each line of the text; empty if places are those of the text itself.
    starts: Vec<u32>,
    /// For each line of the text: where the line is, and whether it is there word for word.
    lines: Vec<Line>,
    /// The text of those lines, for looking up words.
    texts: FxHashMap<FileId, String>,
}

/// Where a text begins that is its own file, or a part of one.
#[derive(Clone, Copy)]
enum Offset {
    By(u32),
    All(Span),
}

#[derive(Clone, Copy)]
struct Line {
    file: FileId,
    start: u32,
    end: u32,
    is_same: bool,
}

/// A header is shown up to this line.
const LONGEST: usize = 100_000;

impl Places {
    /// The text is the file: places are its own.
    pub(crate) fn own(file: FileId) -> Self {
        Self {
            file,
            offset: Offset::By(0),
            starts: Vec::new(),
            lines: Vec::new(),
            texts: FxHashMap::default(),
        }
    }

    /// The text is a part of a file; or it was made from that part, and then every place is the whole part.
    pub(crate) fn within(part: Span, text: &str) -> Self {
        let offset = if (part.end - part.start) as usize == text.len() {
            Offset::By(part.start)
        } else {
            Offset::All(part)
        };
        Self { offset, ..Self::own(part.file) }
    }

    /// The text was made from the file by the preprocessor.
    pub(crate) fn preprocessed(sources: &mut Sources, file: FileId, text: &str) -> Self {
        let markers = markers(sources, file, text);
        let mut files = Headers::read(sources, file, text, &markers);
        files.register(sources);
        let texts = std::mem::take(&mut files.texts);
        let mut places = Self { texts, ..Self::own(file) };
        let mut at = 0;
        for (content, (name, line)) in text.split('\n').zip(markers) {
            places.starts.push(at);
            at += content.len() as u32 + 1;
            let id = files.ids[&*name];
            let (start, end) = files.line(id, line);
            let there = &places.texts[&id][start as usize..end as usize];
            let is_same = there.trim_end() == content.trim_end();
            places.lines.push(Line { file: id, start, end, is_same });
        }
        places
    }

    /// The place of some bytes of the text.
    pub(crate) fn span(&self, text: &str, start: usize, end: usize) -> Span {
        if self.starts.is_empty() {
            return match self.offset {
                Offset::By(offset) => Span::new(self.file, start + offset as usize..end + offset as usize),
                Offset::All(part) => part,
            };
        }
        let n = self.starts.partition_point(|first| *first as usize <= start) - 1;
        let line = self.lines[n];
        let column = start - self.starts[n] as usize;
        let there = &self.texts[&line.file][line.start as usize..line.end as usize];
        let first_line = text[start..end].split('\n').next().unwrap_or("");
        let found = if line.is_same { Some(column) } else { nearest(there, first_line, column) };
        let (from, length) = match found {
            Some(at) => (at, first_line.len()),
            None => expanded(there, first_line, column)
                .unwrap_or((there.len() - there.trim_start().len(), there.trim().len())),
        };
        // What spans several lines does so in the source, if its last line is in the same file.
        let last = self.starts.partition_point(|first| (*first as usize) < end) - 1;
        let until = (line.start as usize + from + length).min(line.end as usize);
        if last > n && self.lines[last].file == line.file && self.lines[last].start > line.start {
            let span = self.span(text, end - 1, end);
            return Span::new(line.file, line.start as usize + from..(span.end as usize).max(until));
        }
        Span::new(line.file, line.start as usize + from..until)
    }
}

/// Where a word is in a line, nearest to a column.
fn nearest(line: &str, word: &str, column: usize) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    line.match_indices(word).map(|(at, _)| at).min_by_key(|at| at.abs_diff(column))
}

/// Where in a line something is that macros have changed: it begins with the same name, and ends with its brackets. Gives place and length.
fn expanded(line: &str, text: &str, column: usize) -> Option<(usize, usize)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())];
    let next = |rest: &str| rest.trim_start().chars().next();
    let follows = next(&text[name.len()..]);
    let is_whole = |at: usize| {
        let rest = &line[at + name.len()..];
        !line[..at].ends_with(is_name) && !rest.starts_with(is_name) && next(rest) == follows
    };
    let places = line.match_indices(name).map(|(at, _)| at).filter(|at| !name.is_empty() && is_whole(*at));
    let start = places.min_by_key(|at| at.abs_diff(column))?;
    let mut depth = 0usize;
    for (at, letter) in line[start..].char_indices() {
        let is_end = match letter {
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' if depth > 0 => {
                depth -= 1;
                false
            }
            ')' | ']' | '}' | ';' => true,
            ',' => depth == 0,
            // Who knows what is in a text or a comment.
            '"' | '\'' => return None,
            _ => false,
        };
        if is_end {
            return Some((start, line[start..start + at].trim_end().len()));
        }
    }
    None
}

/// For each line of the text, the file and the line that it is, from 0.
fn markers(sources: &Sources, file: FileId, text: &str) -> Vec<(Rc<str>, usize)> {
    let mut name: Rc<str> = sources.file(file).name.as_str().into();
    let mut line = 0;
    let mut markers = Vec::new();
    for content in text.split('\n') {
        markers.push((name.clone(), line));
        line += 1;
        if let Some((number, new)) = marker(content) {
            name = new.map_or(name, Into::into);
            line = number.saturating_sub(1);
        }
    }
    markers
}

/// The number and the file of a line marker.
fn marker(line: &str) -> Option<(usize, Option<String>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok()?;
    let name = rest[end..].trim_start().strip_prefix('"');
    let name =
        name.and_then(|name| Some(name[..name.rfind('"')?].replace("\\\\", "\\").replace("\\\"", "\"")));
    Some((number, name))
}

/// The files that the text comes from.
struct Headers {
    ids: FxHashMap<String, FileId>,
    texts: FxHashMap<FileId, String>,
    /// Where the lines begin, and one past the end.
    starts: FxHashMap<FileId, Vec<u32>>,
    /// What is left of the lines of files that nobody gave us, in the order in which they occur.
    left: Vec<(String, Vec<String>)>,
}

impl Headers {
    fn read(sources: &Sources, file: FileId, text: &str, markers: &[(Rc<str>, usize)]) -> Self {
        let main = sources.file(file);
        let mut headers = Self {
            ids: FxHashMap::default(),
            texts: FxHashMap::default(),
            starts: FxHashMap::default(),
            left: Vec::new(),
        };
        headers.ids.insert(main.name.clone(), file);
        headers.texts.insert(file, main.text.clone());
        let mut position: FxHashMap<&str, usize> = FxHashMap::default();
        for (content, (name, line)) in text.split('\n').zip(markers) {
            if **name == *main.name {
                continue;
            }
            let n = *position.entry(name).or_insert_with(|| {
                headers.left.push((name.to_string(), Vec::new()));
                headers.left.len() - 1
            });
            let lines = &mut headers.left[n].1;
            if *line < LONGEST && !content.starts_with('#') {
                if lines.len() <= *line {
                    lines.resize(line + 1, String::new());
                }
                lines[*line].push_str(content);
            }
        }
        headers
    }

    fn register(&mut self, sources: &mut Sources) {
        for (name, lines) in std::mem::take(&mut self.left) {
            let text = lines.join("\n");
            let id = sources.add(name.clone(), text);
            self.texts.insert(id, sources.file(id).text.clone());
            self.ids.insert(name, id);
        }
        for (id, text) in &self.texts {
            let mut starts = vec![0];
            starts.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
            starts.push(text.len() as u32 + 1);
            self.starts.insert(*id, starts);
        }
    }

    /// The bytes of a line; none if the file has no such line.
    fn line(&self, file: FileId, line: usize) -> (u32, u32) {
        let starts = &self.starts[&file];
        match (starts.get(line), starts.get(line + 1)) {
            (Some(&start), Some(&next)) => (start, next - 1),
            _ => (0, 0),
        }
    }
}
