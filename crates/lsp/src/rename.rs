//! A new name for something, wherever it stands.
//!
//! Contract: with the new name every name of every text concerned means what it meant before, or the request is refused. That is found out by reading the changed texts: which names belong together,
//! in the order of the text, must be the same, and no mistake may be new. Names that `check` knows keep their meaning: `main`, labels of errors, words of the vocabulary.

use crate::analysis::{Analysis, Tree};
use crate::answer::{self, Asked, Known, elsewhere};
use crate::document::Document;
use crate::message::Refused;
use crate::program::TARGET_LABELS;
use base::{Declared, DeclaredId, NameKind, NameTable, Occurrence, Severity, Span};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// `textDocument/prepareRename`
pub fn prepare(asked: &Asked) -> Result<Value, Refused> {
    let known = asked.known().ok_or_else(nothing)?;
    let found = known.at(asked.at).ok_or_else(nothing)?;
    may_change(&known, found, asked)?;
    let name = &known.table.declared(found.declared).name;
    Ok(json!({ "range": asked.document.span(found.span), "placeholder": name }))
}

/// `textDocument/rename`
pub fn rename(asked: &Asked, new: &str) -> Result<Value, Refused> {
    let known = asked.known().ok_or_else(nothing)?;
    let found = known.at(asked.at).ok_or_else(nothing)?;
    may_change(&known, found, asked)?;
    let declared = known.table.declared(found.declared);
    may_be_called(declared, new)?;
    let mut all = vec![(asked.document, known, found)];
    let others = elsewhere(&all[0].1, found, asked);
    all.extend(others.into_iter().map(|((document, known), found)| (document, known, found)));
    let changed = changed_texts(&all, new, asked)?;
    for (document, known, _) in &all {
        keeps_meaning(document, known, &changed, asked, new)?;
    }
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (uri, _, _, range) in answer::places(asked) {
        changes.entry(uri).or_default().push(json!({ "range": range, "newText": new }));
    }
    Ok(json!({ "changes": changes }))
}

fn nothing() -> Refused {
    Refused::failed("there is no name here that can be changed")
}

/// Whether something may have another name at all.
fn may_change(known: &Known, found: Occurrence, asked: &Asked) -> Result<(), Refused> {
    let declared = known.table.declared(found.declared);
    let name = &declared.name;
    if is_known_to_check(declared.kind, name) {
        return Err(Refused::failed(format!("`{name}` has a meaning to `check`, and keeps its name")));
    }
    let is_ours =
        |occurrence: &Occurrence| known.analysis.uri(occurrence.span.file, asked.workspace).is_some();
    // What a note declares is declared among the words, too, for the text to be read.
    let is_noted = |occurrence: &Occurrence| Some(occurrence.span.file) == known.analysis.prelude;
    let declares = |occurrence: &&Occurrence| occurrence.role == base::Role::Declares;
    let mut declarations = known.table.of(found.declared).filter(declares);
    if !declarations.any(is_ours) || known.table.of(found.declared).any(|o| !is_ours(o) && !is_noted(o)) {
        return Err(Refused::failed(format!(
            "`{name}` is declared in no file of the workspace, and keeps its name"
        )));
    }
    Ok(())
}

/// `check` looks for these by their names.
fn is_known_to_check(kind: NameKind, name: &str) -> bool {
    match kind {
        NameKind::Function => name == "main",
        NameKind::Label => TARGET_LABELS.contains(&name) || name.starts_with("ASYNC_"),
        _ => false,
    }
}

fn may_be_called(declared: &Declared, new: &str) -> Result<(), Refused> {
    let is_plain = new.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && new
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '.' | '\''));
    let inner = new.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let is_braced = inner.is_some_and(|inner| {
        !inner.is_empty() && !inner.contains(|letter: char| letter.is_whitespace() || "{}".contains(letter))
    });
    if !(is_plain || is_braced) {
        return Err(Refused::failed(format!("`{}` is no name", base::cut(new))));
    }
    if is_known_to_check(declared.kind, new) {
        return Err(Refused::failed(format!("`{new}` has a meaning to `check`: choose another name")));
    }
    Ok(())
}

/// The texts with the new name, by their paths; the one that is asked about by none.
fn changed_texts(
    all: &[(&Document, Known, Occurrence)],
    new: &str,
    asked: &Asked,
) -> Result<HashMap<Option<PathBuf>, String>, Refused> {
    let mut places: HashMap<Option<PathBuf>, (String, BTreeMap<u32, Span>)> = HashMap::new();
    for (_, known, found) in all {
        for occurrence in known.table.of(found.declared) {
            let file = occurrence.span.file;
            if Some(file) == known.analysis.prelude {
                continue;
            }
            let path = known.analysis.path(file);
            let text = || known.analysis.sources.file(file).text.clone();
            let spans = &mut places.entry(path).or_insert_with(|| (text(), BTreeMap::new())).1;
            spans.insert(occurrence.span.start, occurrence.span);
        }
    }
    let mut changed = HashMap::new();
    for (path, (text, spans)) in places {
        if path.as_ref().is_some_and(|path| !asked.workspace.may_change(path)) {
            return Err(Refused::failed("this name stands in files outside of the workspace"));
        }
        let (mut renamed, mut end) = (String::new(), 0);
        for span in spans.values() {
            renamed.push_str(&text[end..span.start as usize]);
            renamed.push_str(new);
            end = span.end as usize;
        }
        changed.insert(path, renamed + &text[end..]);
    }
    Ok(changed)
}

/// Reads a changed text, and compares.
fn keeps_meaning(
    document: &Document,
    before: &Known,
    changed: &HashMap<Option<PathBuf>, String>,
    asked: &Asked,
    new: &str,
) -> Result<(), Refused> {
    let mut workspace = asked.workspace.clone();
    for (path, text) in changed {
        if let Some(path) = path {
            workspace.put(path, text.as_str().into());
        }
    }
    let own = changed.get(&before.analysis.path(before.analysis.file));
    let mut after = document.clone();
    if let Some(text) = own {
        let _ = after.change(&json!({ "text": text }));
    }
    let refused = || Refused::failed(format!("`{new}` would mean something else here: choose another name"));
    let after = Analysis::new(&after, &workspace).ok_or_else(refused)?;
    let table = after.names();
    // Of notes the words before the text are made, so these may change their order.
    let is_same = partition(&before.table, before.analysis.prelude) == partition(&table, after.prelude);
    let n_after = errors(after);
    let n_before = Analysis::new(document, asked.workspace).map_or(0, errors);
    if !is_same || n_after > n_before {
        return Err(refused());
    }
    Ok(())
}

/// Which names belong together, by the first of them, in the order of the text.
fn partition(table: &NameTable, prelude: Option<base::FileId>) -> Vec<usize> {
    let mut first: HashMap<DeclaredId, usize> = HashMap::new();
    let own = table.occurrences().iter().filter(|occurrence| Some(occurrence.span.file) != prelude);
    own.enumerate().map(|(n, occurrence)| *first.entry(occurrence.declared).or_insert(n)).collect()
}

/// How many mistakes a text has.
fn errors(analysis: Analysis) -> usize {
    if let Tree::C = analysis.tree {
        return 0;
    }
    analysis.diagnostics().1.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}
