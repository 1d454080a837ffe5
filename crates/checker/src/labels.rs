//! Names of the program in formulas: `#label A = "f:L";` makes the places of a label a relation.
//!
//! What a file leaves open, `#label A;`, whoever asks must say; what it says, he may say otherwise, so that one file serves many programs.

use crate::target::{Target, TargetError};
use base::{Diagnostic, Sources, Span};
use calculus::syntax::{Note, NoteKind, NotePart};
use rsm::{Goal, ThreadGoal};
use templates::{Templates, Word};

/// A relation that holds at a label.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub name: String,
    pub target: Target,
    /// Where it is declared.
    pub span: Span,
}

impl Label {
    /// The word for it.
    pub fn word(&self, has_threads: bool) -> Word {
        Word::label(self.name.clone(), &self.target.name, self.target.goals.clone(), has_threads)
    }
}

/// The labels that notes speak of; `given` are those that whoever asks has named.
pub(crate) fn find(
    notes: &[Note],
    given: &[(String, String)],
    resolve: impl Fn(&str) -> Result<Target, TargetError>,
) -> Result<Vec<Label>, Vec<Diagnostic>> {
    let (mut labels, mut errors): (Vec<Label>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for note in notes.iter().filter(|note| note.word == "#label") {
        for part in note.parts.split(|part| part.kind == NoteKind::Mark && part.text == ",") {
            match declared(note, part, given, &resolve) {
                Ok(label) if labels.iter().any(|known| known.name == label.name) => {
                    errors.push(Diagnostic::error(note.span, format!("`{}` is a label already", label.name)));
                }
                Ok(label) => labels.push(label),
                Err(error) => errors.push(error),
            }
        }
    }
    for (name, _) in given.iter().filter(|(name, _)| labels.iter().all(|label| label.name != *name)) {
        let known: Vec<String> = labels.iter().map(|label| format!("`{}`", label.name)).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let message = format!("the formula has no `#label {name}`; its labels are: {known}");
        if errors.is_empty() {
            errors.push(Diagnostic {
                severity: base::Severity::Error,
                message,
                span: None,
                notes: Vec::new(),
            });
        }
    }
    if errors.is_empty() { Ok(labels) } else { Err(errors) }
}

/// Makes words of labels.
pub(crate) fn add(labels: &[Label], templates: &mut Templates) -> Result<(), Vec<Diagnostic>> {
    let has_threads = templates.threads.is_some();
    for label in labels {
        if templates.words().iter().any(|word| word.name == label.name) {
            let message = format!("`{}` is a word of the program already; choose another name", label.name);
            return Err(vec![Diagnostic::error(label.span, message)]);
        }
        templates.add(label.word(has_threads));
    }
    Ok(())
}

/// All places of some labels.
pub(crate) fn places(labels: &[Label]) -> impl Iterator<Item = Goal> + '_ {
    labels.iter().flat_map(|label| label.target.places())
}

/// The names of labels, and their places.
pub(crate) fn named(labels: &[Label]) -> Vec<(String, Vec<ThreadGoal>)> {
    labels.iter().map(|label| (label.name.clone(), label.target.goals.clone())).collect()
}

/// One of the labels of a note: `A`, or `A = "f:L"`.
fn declared(
    note: &Note,
    parts: &[NotePart],
    given: &[(String, String)],
    resolve: &impl Fn(&str) -> Result<Target, TargetError>,
) -> Result<Label, Diagnostic> {
    let expected = |at: usize, what: &str| match parts.get(at) {
        Some(part) => Diagnostic::error(part.span, format!("expected {what}, found `{}`", part.text)),
        None => Diagnostic::error(note.span, format!("expected {what}")),
    };
    let name = parts.first().filter(|part| part.kind == NoteKind::Name);
    let name = name.ok_or_else(|| expected(0, "the name of a relation"))?;
    let written = match &parts[1..] {
        [] => None,
        [mark, text] if mark.text == "=" && text.kind == NoteKind::Text => Some(text),
        [mark, ..] if mark.text == "=" => return Err(expected(2, "a label in quotes, as in `\"f:L\"`")),
        _ => return Err(expected(1, "`=`")),
    };
    let given = given.iter().rev().find(|(known, _)| *known == name.text);
    let text = match (given, written) {
        (Some((_, text)), _) => text,
        (None, Some(text)) => &text.text,
        (None, None) => {
            let message = format!("which label is `{}`? The file leaves it open", name.text);
            let note = format!("say it with `--label {}=function:LABEL`", name.text);
            return Err(Diagnostic::error(name.span, message).note(note, None));
        }
    };
    let target = resolve(text).map_err(|error| match (given, written) {
        // What is wrong stands in no file.
        (Some((name, text)), _) => {
            let message = format!("`--label {name}={text}`: {error}");
            Diagnostic { severity: base::Severity::Error, message, span: None, notes: Vec::new() }
        }
        (None, written) => Diagnostic::error(written.map_or(name.span, |text| text.span), error.to_string()),
    })?;
    Ok(Label { name: name.text.clone(), target, span: name.span })
}

/// Which label each is: `First = shut:C, point 1.1, line 4`.
pub(crate) fn show(labels: &[Label], templates: &Templates, sources: &Sources) -> String {
    let mut out = String::new();
    for label in labels {
        let Target { name, .. } = &label.target;
        for goal in label.target.places() {
            let place = match templates.goal(goal) {
                Some((m, node, _)) => {
                    let (module, counter) = (templates.rsm.module(m), templates.counter(m, node));
                    let line = sources.line_column(module.nodes[node.index()].span).0;
                    let text = name.rsplit(':').next().unwrap_or(name);
                    format!("{}:{text}, point {}.{counter}, line {line}", module.name, m.index())
                }
                None => format!("{name}, in dead code"),
            };
            out.push_str(&format!("{} = {place}\n", label.name));
        }
    }
    out
}
