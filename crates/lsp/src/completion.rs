//! What may stand at a place: words of the language, names that are visible there, labels behind `goto`, words of the vocabulary.

use crate::analysis::Tree;
use crate::answer::{Asked, Known, programs_beside};
use crate::program;
use crate::vocabulary;
use crate::words;
use base::{Declared, NameKind};
use serde_json::{Value, json};
use std::collections::HashSet;

/// More are not offered.
const MOST: usize = 2000;

/// `textDocument/completion`
pub fn completion(asked: &Asked) -> Value {
    let Some(known) = asked.known() else { return json!({ "isIncomplete": false, "items": [] }) };
    let range = asked.document.range(asked.word().start..asked.at);
    let mut list = List { range, items: Vec::new(), told: HashSet::new() };
    match &known.analysis.tree {
        Tree::Program(tree) => of_program(&known, tree, asked, &mut list),
        Tree::Formula(tree) => of_formula(&known, tree, asked, &mut list),
        Tree::Monitor(_) => of_monitor(&known, asked, &mut list),
        Tree::C => {}
    }
    let is_incomplete = list.items.len() > MOST;
    list.items.truncate(MOST);
    json!({ "isIncomplete": is_incomplete, "items": list.items })
}

/// What is offered.
struct List {
    range: Value,
    items: Vec<Value>,
    told: HashSet<String>,
}

impl List {
    fn add(&mut self, label: &str, kind: u32, detail: &str, about: Option<&str>) {
        if !self.told.insert(label.to_owned()) {
            return;
        }
        let edit = json!({ "range": self.range, "newText": label });
        let mut item = json!({ "label": label, "kind": kind, "textEdit": edit });
        if !detail.is_empty() {
            item["detail"] = json!(detail);
        }
        if let Some(about) = about {
            item["documentation"] = json!({ "kind": "markdown", "value": about });
        }
        self.items.push(item);
    }

    fn words(&mut self, list: &[words::Explained]) {
        list.iter().for_each(|(word, about)| self.add(word, 14, "", Some(about)));
    }

    fn declared(&mut self, declared: &Declared) {
        self.add(&declared.name, kind(declared.kind), &declared.detail, None);
    }
}

/// The number by which the protocol knows such things in a list of what may stand somewhere.
fn kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Variable | NameKind::Parameter | NameKind::Position => 6,
        NameKind::Function => 3,
        NameKind::Label | NameKind::State => 18,
        NameKind::Thread | NameKind::Monitor => 9,
        NameKind::Value => 20,
        NameKind::Type => 7,
        NameKind::Member => 5,
        NameKind::Relation => 3,
        NameKind::Number => 21,
    }
}

/// What is visible at the place, of the text itself or of what it loads.
fn visible(known: &Known, at: usize) -> impl Iterator<Item = &Declared> {
    let file = known.analysis.file;
    let is_visible = move |declared: &&Declared| {
        declared.scope.is_none_or(|scope| {
            scope.file == file && (scope.start as usize..=scope.end as usize).contains(&at)
        })
    };
    known.table.all_declared().map(|(_, declared)| declared).filter(is_visible)
}

/// The statement before the place begins with this word.
fn is_behind(asked: &Asked, word: &str) -> bool {
    let before = &asked.document.text()[..asked.word().start];
    let statement = before.rsplit([';', ':', '\n']).next().unwrap_or("").trim_start();
    statement.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|found| found == word)
}

fn of_program(known: &Known, tree: &bp::ast::Program, asked: &Asked, list: &mut List) {
    if is_behind(asked, "goto") {
        let function = program::function_at(tree, asked.at);
        for label in
            function.iter().flat_map(|function| &function.body).flat_map(|statement| &statement.labels)
        {
            list.add(tree.text(*label), kind(NameKind::Label), "label", None);
        }
        return;
    }
    let offered = |declared: &&Declared| !matches!(declared.kind, NameKind::Label | NameKind::Thread);
    visible(known, asked.at).filter(offered).for_each(|declared| list.declared(declared));
    list.words(&words::PROGRAM);
    bp::reserved_words().filter(|word| *word != "_").for_each(|word| list.add(word, 14, "", None));
}

fn of_formula(known: &Known, tree: &calculus::syntax::File, asked: &Asked, list: &mut List) {
    let start = asked.word().start;
    let text = asked.document.text();
    if text[start..].starts_with('#') {
        list.words(&words::DIRECTIVE);
        return;
    }
    let is_member = text[..start].ends_with('.') && !text[..start].ends_with("..");
    let offered = |declared: &&Declared| (declared.kind == NameKind::Member) == is_member;
    let prelude = known.analysis.prelude;
    let has_threads = vocabulary::has_threads(tree);
    for declared in visible(known, asked.at).filter(offered) {
        let about =
            prelude.and_then(|_| vocabulary::about(&declared.name, has_threads)).map(|entry| entry.about);
        let about = about.filter(|_| declared.kind == NameKind::Relation);
        list.add(&declared.name, kind(declared.kind), &declared.detail, about.as_deref());
    }
    if is_member {
        return;
    }
    // A file that speaks of no program yet may begin to do so.
    if prelude.is_none() && !known.table.all_declared().any(|(_, declared)| declared.name == "State") {
        for entry in vocabulary::relations(has_threads) {
            list.add(&entry.name, kind(NameKind::Relation), &entry.declared, Some(&entry.about));
        }
    }
    list.words(&words::FORMULA);
}

fn of_monitor(known: &Known, asked: &Asked, list: &mut List) {
    if is_behind(asked, "goto") {
        let states = known.table.all_declared().filter(|(_, declared)| declared.kind == NameKind::State);
        states.for_each(|(_, declared)| list.declared(declared));
        return;
    }
    let before = asked.document.text()[..asked.word().start].trim_end();
    let opened = |words: &[&str]| words.iter().any(|word| before.ends_with(&format!("{word}(")));
    let wanted: &[NameKind] = match () {
        () if opened(&["in", "call", "ret"]) => &[NameKind::Function],
        () if opened(&["at"]) => &[NameKind::Label, NameKind::Function],
        () if before.ends_with(':') => &[NameKind::Label],
        () => &[NameKind::Variable, NameKind::Value],
    };
    for document in programs_beside(asked) {
        let Some(other) = (Asked { document, at: 0, ..*asked }).known() else { continue };
        let is_wanted =
            |declared: &&Declared| wanted.contains(&declared.kind) && !declared.owner.starts_with("local");
        let all = other.table.all_declared().map(|(_, declared)| declared);
        all.filter(is_wanted).for_each(|declared| list.declared(declared));
    }
    list.words(&words::MONITOR);
}
