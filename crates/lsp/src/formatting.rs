//! A text in canonical form, as one edit of the stretch that differs.

use crate::analysis::{Analysis, Tree};
use crate::answer::Asked;
use serde_json::{Value, json};

/// `textDocument/formatting`: nothing, if the text has mistakes in how it is written, or is in C.
pub fn formatting(asked: &Asked) -> Value {
    let Some(analysis) = Analysis::new(asked.document, asked.workspace) else { return Value::Null };
    let Some(canonical) = canonical(&analysis) else { return Value::Null };
    let text = asked.document.text();
    // Who has lines that end as on other systems keeps them.
    let canonical = match text.contains("\r\n") {
        true => canonical.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => canonical,
    };
    if canonical == text {
        return json!([]);
    }
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let mut before = same(&mut text.chars(), &mut canonical.chars());
    // The two halves of a line end stay together.
    before -= usize::from(text[..before].ends_with('\r'));
    let mut behind = same(&mut text[before..].chars().rev(), &mut canonical[before..].chars().rev());
    behind -= usize::from(
        text[text.len() - behind..].starts_with('\n') && text[..text.len() - behind].ends_with('\r'),
    );
    let range = asked.document.range(before..text.len() - behind);
    json!([{ "range": range, "newText": canonical[before..canonical.len() - behind] }])
}

fn canonical(analysis: &Analysis) -> Option<String> {
    match &analysis.tree {
        Tree::Program(program) if analysis.errors.is_empty() => Some(bp::print(program)),
        Tree::Formula(_) => {
            // Only the text itself, without what it loads.
            let (tree, errors) = calculus::parse(&analysis.sources, analysis.file);
            let text = &analysis.sources.file(analysis.file).text;
            errors.is_empty().then(|| calculus::format(text, &tree))
        }
        Tree::Monitor(_) => bp::monitor::format(&analysis.sources, analysis.file).ok(),
        Tree::Program(_) | Tree::C => None,
    }
}
