//! YAML documents with the place of each part. What is read is what JSON has, in any style of YAML: anchors, aliases, tags and keys that are no words are
//! refused, with their places.
//!
//! Witnesses come from strangers. The text is cut into events by `saphyr-parser`, one at a time and without recursion; what is deep or large is refused when
//! it is met, and since nothing is ever repeated by an alias, a document is never larger than its text. No text makes it panic.

use base::{Diagnostic, FileId, Sources, Span};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span as Extent};
use std::collections::HashSet;

/// A part of a document.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it is.
    pub span: Span,
}

/// What a part of a document is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Nothing.
    Null,
    /// A word or a text, as it is read.
    Scalar(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in order; each key occurs once.
    Mapping(Vec<(String, Span, Node)>),
}

/// Deeper nesting is refused.
const DEEPEST: usize = 60;

/// Longer texts are refused, in bytes. The longest witnesses of the competition have some ten million.
const LONGEST: usize = 100_000_000;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads a file that holds one document.
pub fn read(sources: &Sources, file: FileId) -> Result<Node, Diagnostic> {
    let text = &sources.file(file).text;
    if text.len() > LONGEST {
        let message = format!("this file has more than {LONGEST} bytes, which no witness has");
        return Err(Diagnostic::error(Span::new(file, 0..0), message));
    }
    let mut reader = Reader { places: Places::new(text, file), open: Vec::new(), root: None };
    reader.document().map_err(|error| *error)
}

/// From the numbers of characters, by which the parser tells places, to spans.
struct Places<'t> {
    text: &'t str,
    file: FileId,
    /// Where every character begins, unless each is one byte.
    starts: Option<Vec<u32>>,
}

impl<'t> Places<'t> {
    fn new(text: &'t str, file: FileId) -> Self {
        let starts = || text.char_indices().map(|(at, _)| at as u32).collect();
        Self { text, file, starts: (!text.is_ascii()).then(starts) }
    }

    fn offset(&self, marker: Marker) -> usize {
        match &self.starts {
            Some(starts) => starts.get(marker.index()).map_or(self.text.len(), |&at| at as usize),
            None => marker.index().min(self.text.len()),
        }
    }

    /// The text of a token without the white space at its ends; at least where it begins.
    fn span(&self, extent: Extent) -> Span {
        let start = self.offset(extent.start);
        let text = self.text[start..self.offset(extent.end).max(start)].trim_end();
        Span::new(self.file, start..start + text.len())
    }

    /// The word at a place.
    fn word(&self, at: usize) -> Span {
        let length = self.text[at..].split(char::is_whitespace).next().map_or(0, str::len);
        Span::new(self.file, at..at + length)
    }

    /// A scalar's place is that of its text alone, if that is there word for word.
    fn scalar(&self, extent: Extent, value: &str, style: ScalarStyle) -> Span {
        let span = self.span(extent);
        let (start, end) = (span.start as usize, span.end as usize);
        let is_quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        match self.text.get(start + 1..end.saturating_sub(1)) {
            Some(inside) if is_quoted && !value.is_empty() && inside == value => {
                Span::new(self.file, start + 1..end - 1)
            }
            _ => span,
        }
    }

    /// What the parser says about a text that is no YAML, in our words where they help more.
    fn error(&self, error: &ScanError) -> Box<Diagnostic> {
        let at = self.offset(*error.marker());
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text[line..].trim_start_matches([' ', '\t']);
        let first = self.text.len() - rest.len();
        if self.text[line..first].contains('\t') {
            return refuse(self.word(first), "lines are indented by spaces, not by tabs");
        }
        if self.text[at..].starts_with('*') {
            return refuse(self.word(at), ALIASES);
        }
        // The parser looks ahead as far as a key may reach, and gives up by itself when it is too deep there.
        if error.info().contains("recursion limit") {
            return refuse(self.word(at), TOO_DEEP);
        }
        refuse(self.word(at), format!("this is no YAML: {}", error.info()))
    }

    /// The last of such signs before a place: where an anchor or a tag of what is there begins.
    fn sign_before(&self, extent: Extent, sign: char) -> Span {
        let end = self.offset(extent.start);
        let start = self.text[..end].rfind(sign).unwrap_or(end);
        self.word(start)
    }
}

const TOO_DEEP: &str = "this is nested too deeply";

const ALIASES: &str = "anchors and aliases are not supported";

fn refuse(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message))
}

/// A list or a mapping whose end has not been met.
enum Open {
    List(Vec<Node>),
    Mapping { entries: Vec<(String, Span, Node)>, known: HashSet<String>, key: Option<(String, Span)> },
}

impl Open {
    /// Takes the next part; in a mapping, keys and values take turns.
    fn take(&mut self, node: Node) -> Parsed<()> {
        match self {
            Open::List(items) => items.push(node),
            Open::Mapping { entries, known, key } => match (key.take(), node.kind) {
                (Some((name, place)), kind) => {
                    entries.push((name, place, Node { kind, span: node.span }));
                }
                (None, NodeKind::Scalar(name)) => {
                    if !known.insert(name.clone()) {
                        return Err(refuse(node.span, format!("the key `{name}` is there twice")));
                    }
                    *key = Some((name, node.span));
                }
                (None, _) => return Err(refuse(node.span, "expected a word as key")),
            },
        }
        Ok(())
    }

    /// The last part's place, if there is one.
    fn last(&self) -> Option<Span> {
        match self {
            Open::List(items) => items.last().map(|item| item.span),
            Open::Mapping { entries, .. } => entries.last().map(|(_, key, value)| key.to(value.span)),
        }
    }

    fn close(self) -> NodeKind {
        match self {
            Open::List(items) => NodeKind::List(items),
            Open::Mapping { entries, .. } => NodeKind::Mapping(entries),
        }
    }
}

struct Reader<'t> {
    places: Places<'t>,
    /// What is open, each inside of the one before it, with its beginning.
    open: Vec<(Span, Open)>,
    root: Option<Node>,
}

impl Reader<'_> {
    fn document(&mut self) -> Parsed<Node> {
        let mut parser = Parser::new_from_str(self.places.text);
        let mut n_documents = 0;
        while let Some(next) = parser.next_event() {
            let (event, extent) = next.map_err(|error| self.places.error(&error))?;
            if matches!(event, Event::DocumentStart(_)) {
                n_documents += 1;
                if n_documents == 2 {
                    let span = self.places.word(self.places.offset(extent.start));
                    return Err(refuse(span, "expected the end of the file: witnesses are one document"));
                }
            }
            self.event(event, extent)?;
        }
        let nothing = || Node { kind: NodeKind::Null, span: Span::new(self.places.file, 0..0) };
        Ok(self.root.take().unwrap_or_else(nothing))
    }

    fn event(&mut self, event: Event<'_>, extent: Extent) -> Parsed<()> {
        let (anchor, is_tagged) = match &event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(anchor, tag)
            | Event::MappingStart(anchor, tag) => (*anchor, tag.is_some()),
            Event::Alias(_) => return Err(refuse(self.places.span(extent), ALIASES)),
            _ => (0, false),
        };
        if anchor != 0 {
            return Err(refuse(self.places.sign_before(extent, '&'), ALIASES));
        }
        if is_tagged {
            return Err(refuse(self.places.sign_before(extent, '!'), "tags are not supported"));
        }
        match event {
            Event::Scalar(value, style, ..) => {
                let span = self.places.scalar(extent, &value, style);
                let is_null = style == ScalarStyle::Plain && is_null(&value) && !self.is_at_key();
                let kind = if is_null { NodeKind::Null } else { NodeKind::Scalar(value.into_owned()) };
                self.take(Node { kind, span })
            }
            Event::SequenceStart(..) => self.enter(extent, Open::List(Vec::new())),
            Event::MappingStart(..) => {
                self.enter(extent, Open::Mapping { entries: Vec::new(), known: HashSet::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(extent),
            _ => Ok(()),
        }
    }

    /// Whether the next scalar is a key, which is a word whatever it means elsewhere.
    fn is_at_key(&self) -> bool {
        matches!(self.open.last(), Some((_, Open::Mapping { key: None, .. })))
    }

    fn take(&mut self, node: Node) -> Parsed<()> {
        match self.open.last_mut() {
            Some((_, open)) => open.take(node),
            None => {
                self.root = Some(node);
                Ok(())
            }
        }
    }

    fn enter(&mut self, extent: Extent, open: Open) -> Parsed<()> {
        let start = self.places.offset(extent.start);
        if self.open.len() == DEEPEST {
            return Err(refuse(self.places.word(start), TOO_DEEP));
        }
        self.open.push((Span::new(self.places.file, start..start), open));
        Ok(())
    }

    /// What ends with a bracket ends there, and what ends with its indentation where its last part does.
    fn leave(&mut self, extent: Extent) -> Parsed<()> {
        let (start, open) = self.open.pop().expect("the parser closes what it has opened");
        let bracket = self.places.span(extent);
        let is_bracket = bracket.end > bracket.start;
        let end = if is_bracket { bracket } else { open.last().unwrap_or(start) };
        self.take(Node { kind: open.close(), span: start.to(end) })
    }
}

/// Words that mean nothing, unless they are in quotes.
fn is_null(word: &str) -> bool {
    matches!(word, "" | "~" | "null" | "Null" | "NULL")
}
