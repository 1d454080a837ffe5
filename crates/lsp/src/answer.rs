//! What a request about a place of a text is answered from.

use crate::analysis::Analysis;
use crate::diagnose;
use crate::document::Document;
use crate::message::Refused;
use crate::workspace::Workspace;
use base::{NameTable, Occurrence, Role, Span, Utf16};
use serde_json::{Value, json};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// A place of a text that is open, and what is known of the text.
pub struct Asked<'a> {
    /// The text.
    pub document: &'a Document,
    /// All texts that are open.
    pub documents: &'a HashMap<String, Document>,
    /// What may be read.
    pub workspace: &'a Workspace,
    /// The byte, if the request is about one.
    pub at: usize,
}

/// What is known of a text, and what its names mean.
pub struct Known {
    /// The text with what it loads.
    pub analysis: Analysis,
    /// What the names mean.
    pub table: NameTable,
    /// The lines of each text that it loads, once somebody has asked for a place in it.
    lines: Vec<OnceCell<Utf16>>,
}

impl Asked<'_> {
    /// What is known of the text.
    pub fn known(&self) -> Option<Known> {
        let analysis = Analysis::new(self.document, self.workspace)?;
        let table = analysis.names();
        let lines = (0..analysis.sources.n_files()).map(|_| OnceCell::new()).collect();
        Some(Known { analysis, table, lines })
    }

    /// The word before the place, and around it: letters as in names of any of the languages.
    pub fn word(&self) -> std::ops::Range<usize> {
        let text = self.document.text();
        let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#' | '\'');
        let before = &text[..self.at];
        let start = before
            .rfind(|letter| !is_inside(letter))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let behind = &text[self.at..];
        start..self.at + behind.find(|letter| !is_inside(letter)).unwrap_or(behind.len())
    }
}

impl Known {
    /// The name at a place of the text itself.
    pub fn at(&self, at: usize) -> Option<Occurrence> {
        self.table.at(self.analysis.file, at).copied()
    }

    /// A stretch of one of the texts as a location; nothing for what the editor cannot open.
    pub fn location(&self, span: Span, asked: &Asked) -> Option<Value> {
        let uri = self.analysis.uri(span.file, asked.workspace)?;
        Some(json!({ "uri": uri, "range": self.range(span, asked) }))
    }

    fn range(&self, span: Span, asked: &Asked) -> Value {
        if span.file == self.analysis.file {
            return asked.document.span(span);
        }
        let text = || self.analysis.sources.file(span.file).text.as_str();
        diagnose::range(self.lines[span.file.index()].get_or_init(|| Utf16::new(text())), span)
    }
}

/// `textDocument/definition`
pub fn definition(asked: &Asked) -> Value {
    let Some(known) = asked.known() else { return Value::Null };
    if let Some(found) = known.at(asked.at) {
        let declares = known.table.of(found.declared).filter(|occurrence| occurrence.role == Role::Declares);
        let locations: Vec<Value> =
            declares.filter_map(|occurrence| known.location(occurrence.span, asked)).collect();
        return json!(locations);
    }
    if let crate::analysis::Tree::Monitor(alone) = &known.analysis.tree {
        return json!(mentioned(alone, asked));
    }
    Value::Null
}

/// Where open programs beside a monitor declare what it speaks of.
fn mentioned(alone: &bp::monitor::Alone, asked: &Asked) -> Vec<Value> {
    let inside = |span: Span| (span.start as usize..=span.end as usize).contains(&asked.at);
    let Some(mention) = alone.mentions.iter().find(|mention| inside(mention.span)) else { return Vec::new() };
    let mut found = Vec::new();
    for document in programs_beside(asked) {
        let other = Asked { document, at: 0, ..*asked };
        let Some(known) = other.known() else { continue };
        for (id, declared) in known.table.all_declared() {
            let of = |function: &String| declared.owner == format!("of {function}");
            let (owner, name) = mention.name.split_once('.').unwrap_or(("", &mention.name));
            let is_local = !owner.is_empty()
                && declared.name == name
                && declared.owner.ends_with(&format!(" of {owner}"));
            let is_kind = match mention.kind {
                base::NameKind::Variable => matches!(
                    declared.kind,
                    base::NameKind::Variable | base::NameKind::Parameter | base::NameKind::Value
                ),
                kind => declared.kind == kind,
            };
            let is_named = declared.name == mention.name && mention.function.as_ref().is_none_or(of);
            if is_kind && (is_named || is_local) {
                found.extend(known.table.declaration(id).and_then(|span| known.location(span, &other)));
            }
        }
    }
    found
}

/// The open programs in the folder of a text.
pub fn programs_beside<'a>(asked: &Asked<'a>) -> Vec<&'a Document> {
    let folder = |document: &Document| {
        document.path.as_deref().and_then(std::path::Path::parent).map(std::path::Path::to_path_buf)
    };
    let is_beside = |other: &&Document| {
        other.language == Some(crate::document::Language::Program) && folder(other) == folder(asked.document)
    };
    let mut found: Vec<&Document> = asked.documents.values().filter(is_beside).collect();
    found.sort_by(|a, b| a.uri.cmp(&b.uri));
    found
}

/// All places of a name: those of the text and what it loads, and those of other open texts that load the same declaration.
pub fn places(asked: &Asked) -> Vec<(String, Span, Role, Value)> {
    let Some(known) = asked.known() else { return Vec::new() };
    let Some(found) = known.at(asked.at) else { return Vec::new() };
    let mut all = collected(&known, found, asked);
    for (other, found) in elsewhere(&known, found, asked) {
        let of = Asked { document: other.0, at: 0, ..*asked };
        all.extend(collected(&other.1, found, &of));
    }
    let mut seen = HashSet::new();
    all.retain(|(uri, span, _, _)| seen.insert((uri.clone(), span.start)));
    all
}

fn collected(known: &Known, found: Occurrence, asked: &Asked) -> Vec<(String, Span, Role, Value)> {
    let place = |occurrence: &Occurrence| {
        let uri = known.analysis.uri(occurrence.span.file, asked.workspace)?;
        Some((uri, occurrence.span, occurrence.role, known.range(occurrence.span, asked)))
    };
    known.table.of(found.declared).filter_map(place).collect()
}

/// Other open formula files that load the file of a declaration, with the same name in it.
pub fn elsewhere<'a>(
    known: &Known,
    found: Occurrence,
    asked: &Asked<'a>,
) -> Vec<((&'a Document, Known), Occurrence)> {
    let crate::analysis::Tree::Formula(_) = known.analysis.tree else { return Vec::new() };
    let Some(declaration) = known.table.declaration(found.declared) else { return Vec::new() };
    let Some(path) = known.analysis.path(declaration.file) else { return Vec::new() };
    let is_other = |document: &&Document| {
        document.language == Some(crate::document::Language::Formula) && document.uri != asked.document.uri
    };
    let mut others: Vec<&Document> = asked.documents.values().filter(is_other).collect();
    others.sort_by(|a, b| a.uri.cmp(&b.uri));
    let mut all = Vec::new();
    for document in others {
        let Some(other) = (Asked { document, at: 0, ..*asked }).known() else { continue };
        let n_files = other.analysis.sources.n_files();
        let file = (0..n_files)
            .map(base::FileId::new)
            .find(|file| other.analysis.path(*file).as_ref() == Some(&path));
        let occurrence = file.and_then(|file| other.table.at(file, declaration.start as usize).copied());
        all.extend(occurrence.map(|occurrence| ((document, other), occurrence)));
    }
    all
}

/// `textDocument/references`
pub fn references(asked: &Asked, with_declaration: &Value) -> Value {
    let wants_declaration = with_declaration.as_bool().unwrap_or(true);
    let kept =
        places(asked).into_iter().filter(|(_, _, role, _)| wants_declaration || *role != Role::Declares);
    json!(kept.map(|(uri, _, _, range)| json!({ "uri": uri, "range": range })).collect::<Vec<_>>())
}

/// `textDocument/documentHighlight`
pub fn highlight(asked: &Asked) -> Value {
    let Some(known) = asked.known() else { return Value::Null };
    let Some(found) = known.at(asked.at) else { return Value::Null };
    let here =
        known.table.of(found.declared).filter(|occurrence| occurrence.span.file == known.analysis.file);
    let kind = |role: Role| if role == Role::Uses { 2 } else { 3 };
    let shown = here.map(|o| json!({ "range": asked.document.span(o.span), "kind": kind(o.role) }));
    json!(shown.collect::<Vec<_>>())
}

/// The place that a request speaks of.
pub fn asked<'a>(
    documents: &'a HashMap<String, Document>,
    workspace: &'a Workspace,
    params: &Value,
    needs_place: NeedsPlace,
) -> Result<Asked<'a>, Refused> {
    let uri = crate::message::text(params, "/textDocument/uri")?;
    let document = documents.get(uri).ok_or_else(|| Refused::params(format!("`{uri}` is not open")))?;
    let at = match needs_place {
        NeedsPlace::Yes => document.offset(params.get("position").unwrap_or(&Value::Null))?,
        NeedsPlace::No => 0,
    };
    Ok(Asked { document, documents, workspace, at })
}

/// Whether a request is about a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NeedsPlace {
    /// It is.
    Yes,
    /// It is about the text.
    No,
}
