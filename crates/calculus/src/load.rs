//! `#load`: several files become one.
//!
//! Contract: the items of a loaded file stand where its `#load` stood, and `#quit` ends the merged file
//! wherever it is. A file loaded a second time contributes its queries and directives again, but not its
//! declarations. Files are read only through the caller's function, so this knows no file system.

use crate::parser::parse_into;
use crate::syntax::{Directive, File, Item, ItemKind};
use base::{Diagnostic, FileId, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::vec::IntoIter;

/// More loads than this, counting repeated ones, are taken for a mistake.
const MAX_LOADS: usize = 100_000;

/// So are more items than this, counting repeated ones.
const MAX_ITEMS: usize = 10_000_000;

/// Longer paths come from files that load ever new names of themselves.
const MAX_PATH: usize = 4096;

/// A longer cycle of files is not shown in full.
const MAX_CHAIN: usize = 20;

/// Reads the text behind a path, or says why it cannot.
pub type Read<'r> = &'r mut dyn FnMut(&str) -> Result<String, String>;

/// Parses `text` and all that it loads. A name in `#load` is looked for beside the loading file, first as
/// it is and then with `.mu` appended.
pub fn load(
    sources: &mut Sources,
    name: &str,
    text: impl Into<String>,
    read: Read<'_>,
) -> (File, Vec<Diagnostic>) {
    let mut loader = Loader {
        sources,
        read,
        tree: File::default(),
        reported: FxHashSet::default(),
        parsed: FxHashMap::default(),
        diagnostics: Vec::new(),
    };
    let root = loader.sources.add(name, text);
    let path = normal(name);
    let items = loader.parse(&path, root);
    let mut stack = vec![Open { path, directory: directory(name).to_owned(), items: items.into_iter() }];
    let mut merged = Vec::new();
    let (mut loads, mut n_items) = (0, 0);
    while let Some(open) = stack.last_mut() {
        let Some(item) = open.items.next() else {
            stack.pop();
            continue;
        };
        match item.kind {
            ItemKind::Directive(Directive::Quit) => {
                merged.push(item);
                break;
            }
            ItemKind::Directive(Directive::Load(name, span)) => {
                loads += 1;
                if loads > MAX_LOADS {
                    loader.error(span, format!("more than {MAX_LOADS} files are loaded"));
                    break;
                }
                let Some(open) = loader.open(&name, span, &stack) else { continue };
                n_items += open.items.len();
                if n_items > MAX_ITEMS {
                    loader.error(span, format!("more than {MAX_ITEMS} items are loaded"));
                    break;
                }
                stack.push(open);
            }
            _ => merged.push(item),
        }
    }
    loader.tree.items = merged;
    loader.tree.is_partial |= !loader.diagnostics.is_empty();
    (loader.tree, loader.diagnostics)
}

/// A file whose items are being merged.
struct Open {
    path: String,
    directory: String,
    items: IntoIter<Item>,
}

struct Loader<'s, 'r> {
    sources: &'s mut Sources,
    read: Read<'r>,
    tree: File,
    /// The `#load`s that are reported already: a file loaded again fails again.
    reported: FxHashSet<Span>,
    /// The actions of every file met so far, by normal path, for when it is loaded again.
    parsed: FxHashMap<String, Vec<Item>>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_, '_> {
    fn error(&mut self, span: Span, message: String) {
        self.report(span, Diagnostic::error(span, message));
    }

    fn report(&mut self, span: Span, diagnostic: Diagnostic) {
        if self.reported.insert(span) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn parse(&mut self, path: &str, file: FileId) -> Vec<Item> {
        let (items, diagnostics) = parse_into(&mut self.tree, self.sources, file);
        self.diagnostics.extend(diagnostics);
        let actions = items.iter().filter(|item| !item.is_declaration()).cloned().collect();
        self.parsed.insert(path.to_owned(), actions);
        items
    }

    /// The file behind a `#load`, unless it cannot be read or is being loaded already.
    fn open(&mut self, name: &str, span: Span, stack: &[Open]) -> Option<Open> {
        let directory = &stack.last()?.directory;
        let shown = if name.starts_with('/') { name.to_owned() } else { format!("{directory}{name}") };
        if shown.len() > MAX_PATH {
            self.error(span, format!("the path of this file is longer than {MAX_PATH} bytes"));
            return None;
        }
        let mut failures: Vec<(String, String)> = Vec::new();
        for shown in [shown.clone(), format!("{shown}.mu")] {
            let path = normal(&shown);
            // What is being loaded is parsed, so a new file needs no search.
            let is_parsed = self.parsed.contains_key(&path);
            if is_parsed && let Some(first) = stack.iter().position(|open| open.path == path) {
                self.cycle(span, &stack[first..], &path);
                return None;
            }
            let open = |items: Vec<Item>| Open {
                path: path.clone(),
                directory: self::directory(&shown).to_owned(),
                items: items.into_iter(),
            };
            if let Some(actions) = self.parsed.get(&path) {
                return Some(open(actions.clone()));
            }
            match (self.read)(&shown) {
                Ok(text) => {
                    let file = self.sources.add(shown.clone(), text);
                    return Some(open(self.parse(&path, file)));
                }
                Err(reason) => failures.push((shown, reason)),
            }
        }
        let mut diagnostic = Diagnostic::error(span, format!("cannot load `{name}`"));
        for (shown, reason) in failures {
            diagnostic = diagnostic.note(format!("`{shown}`: {reason}"), None);
        }
        self.report(span, diagnostic);
        None
    }

    fn cycle(&mut self, span: Span, around: &[Open], path: &str) {
        let mut chain: Vec<&str> = around.iter().take(MAX_CHAIN).map(|open| open.path.as_str()).collect();
        chain.extend((around.len() > MAX_CHAIN).then_some("…"));
        chain.push(path);
        let message = format!("`{path}` loads itself: {}", chain.join(" → "));
        self.error(span, message);
    }
}

/// The part of a path up to and including its last `/`.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// A path without `.`, `..` and doubled `/`, to tell whether two name the same file.
fn normal(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            // Above the root there is the root.
            ".." if is_rooted && parts.is_empty() => {}
            _ => parts.push(part),
        }
    }
    let root = if is_rooted { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
