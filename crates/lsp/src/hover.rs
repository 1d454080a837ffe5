//! What a name or a word means, for whoever points at it.

use crate::analysis::Tree;
use crate::answer::{Asked, Known};
use crate::document::Language;
use crate::vocabulary;
use crate::words;
use base::{Declared, NameKind, Occurrence};
use serde_json::{Value, json};

/// `textDocument/hover`
pub fn hover(asked: &Asked) -> Value {
    let Some(known) = asked.known() else { return Value::Null };
    if let Some(found) = known.at(asked.at) {
        let range = asked.document.span(found.span);
        return json!({ "contents": { "kind": "markdown", "value": of_name(&known, found) }, "range": range });
    }
    let word = asked.word();
    let text = &asked.document.text()[word.clone()];
    let about = match asked.document.language {
        Some(Language::Program) => words::about(&words::PROGRAM, text),
        Some(Language::Monitor) => {
            words::about(&words::MONITOR, text).or_else(|| words::about(&words::PROGRAM, text))
        }
        Some(Language::Formula) => {
            words::about(&words::FORMULA, text).or_else(|| words::about(&words::DIRECTIVE, text))
        }
        Some(Language::C) | None => None,
    };
    match about {
        Some(about) => {
            let value = format!("`{text}`: {about}");
            json!({ "contents": { "kind": "markdown", "value": value }, "range": asked.document.range(word) })
        }
        None => Value::Null,
    }
}

/// How a thing is declared, whose it is, and what it says if it is a word of the vocabulary.
fn of_name(known: &Known, found: Occurrence) -> String {
    let declared = known.table.declared(found.declared);
    let language = match known.analysis.tree {
        Tree::Formula(_) => "mu",
        Tree::Monitor(_) => "mon",
        Tree::Program(_) | Tree::C => "bp",
    };
    let detail = if declared.detail.is_empty() { &declared.name } else { &declared.detail };
    let mut value = format!("```{language}\n{}\n```\n{}", fenced(detail), owned(declared));
    let is_of_program = known.analysis.prelude.is_some()
        && known
            .table
            .declaration(found.declared)
            .is_some_and(|span| Some(span.file) == known.analysis.prelude);
    if let (true, Tree::Formula(tree)) = (is_of_program, &known.analysis.tree) {
        let word = vocabulary::about(&declared.name, vocabulary::has_threads(tree)).map(|entry| entry.about);
        let sort = || vocabulary::sort(&declared.name).map(str::to_owned);
        if let Some(about) = word.or_else(sort) {
            value.push_str(&format!("\n\n{about}"));
        }
    }
    value
}

/// A text between fences ends no fence.
fn fenced(text: &str) -> String {
    text.replace("```", "` ` `")
}

fn owned(declared: &Declared) -> String {
    let word = declared.kind.word();
    match (declared.kind, declared.owner.as_str()) {
        (NameKind::Number, _) => "a number that can be set from outside".to_owned(),
        (_, "") => word.to_owned(),
        (NameKind::Parameter | NameKind::Variable, owner) if owner.starts_with(word) => owner.to_owned(),
        (NameKind::Variable, owner) if owner.starts_with("local") => owner.to_owned(),
        (NameKind::Parameter, owner) => owner.to_owned(),
        (NameKind::Variable, owner) => format!("{word}, {owner}"),
        (_, owner) => format!("{word} {owner}"),
    }
}
