//! What can be checked by a click: above `main`, and at what `check` looks for.

use crate::analysis::{Analysis, Tree};
use crate::answer::Asked;
use crate::directives;
use crate::program;
use serde_json::{Value, json};

/// More lenses hide the text.
const MOST: usize = 500;

/// `textDocument/codeLens`
pub fn lenses(asked: &Asked) -> Value {
    let Some(analysis) = Analysis::new(asked.document, asked.workspace) else { return json!([]) };
    let checkable = match &analysis.tree {
        Tree::Program(program) => program::checkable(program),
        Tree::C => directives::checkable(asked.document.text(), analysis.file),
        Tree::Formula(_) | Tree::Monitor(_) => Vec::new(),
    };
    let uri = &asked.document.uri;
    let lens = |found: &program::Checkable| {
        let mut arguments = vec![json!(uri)];
        arguments.extend(found.target.iter().map(|target| json!(target)));
        let command =
            json!({ "title": found.title, "command": crate::check::COMMAND, "arguments": arguments });
        json!({ "range": asked.document.span(found.span), "command": command })
    };
    json!(checkable.iter().take(MOST).map(lens).collect::<Vec<_>>())
}
