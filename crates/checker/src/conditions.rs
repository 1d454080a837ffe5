//! Conditions of a formula about the variables of the program: `#where Full = "f: n >= 3 & open";` makes the states in which it holds a relation.
//!
//! A condition may change at every step, and a variable in it may matter to nothing else; so each statement stays a step, and each
//! variable is looked at, if a file has conditions, or speaks of variables in another way.

use crate::names;
use base::{Diagnostic, Span};
use calculus::syntax::{Note, NoteKind, NotePart};
use rsm::{Expr, ModuleId, Rsm};
use std::ops::Range;
use templates::{Condition, Templates, Word};

/// A relation that holds where a condition does.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub name: String,
    pub text: String,
    pub condition: Condition,
    /// Where it is declared.
    pub span: Span,
}

/// The conditions that notes speak of.
pub(crate) fn find(notes: &[Note], rsm: &Rsm) -> Result<Vec<Named>, Vec<Diagnostic>> {
    let (mut found, mut errors): (Vec<Named>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for note in notes.iter().filter(|note| note.word == "#where") {
        for parts in note.parts.split(|part| part.kind == NoteKind::Mark && part.text == ",") {
            match declared(note, parts, rsm) {
                Ok(named) if found.iter().any(|known| known.name == named.name) => {
                    errors.push(Diagnostic::error(
                        named.span,
                        format!("`{}` is a condition already", named.name),
                    ));
                }
                Ok(named) => found.push(named),
                Err(error) => errors.push(error),
            }
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// One of the conditions of a note: `Full = "f: n >= 3"`.
fn declared(note: &Note, parts: &[NotePart], rsm: &Rsm) -> Result<Named, Diagnostic> {
    let [name, mark, text] = parts else {
        let at = parts.last().map_or(note.span, |part| part.span);
        return Err(Diagnostic::error(at, "expected a name and a condition, as in `Full = \"f: n >= 3\"`"));
    };
    if name.kind != NoteKind::Name || mark.text != "=" || text.kind != NoteKind::Text {
        return Err(Diagnostic::error(
            name.span,
            "expected a name and a condition, as in `Full = \"f: n >= 3\"`",
        ));
    }
    let inside = |range: Range<usize>| {
        let quote = u32::from(text.span.end - text.span.start > text.text.len() as u32);
        let byte = |at: usize| text.span.start + quote + at as u32;
        Span { start: byte(range.start), end: byte(range.end), ..text.span }
    };
    let named = |function: &str| rsm.modules.iter().position(|module| module.name == function.trim());
    let (function, written) = match text.text.split_once(':') {
        Some((function, rest)) if named(function).is_some() => (named(function).map(ModuleId::new), rest),
        Some((function, _)) if is_name(function) => {
            let start = function.len() - function.trim_start().len();
            let place = inside(start..start + function.trim().len());
            return Err(Diagnostic::error(place, format!("there is no function `{}`", function.trim())));
        }
        _ => (None, text.text.as_str()),
    };
    let begin = text.text.len() - written.trim_start().len();
    let expr = bp::condition(rsm, function, written.trim()).map_err(|error| {
        let place = begin + error.place.start..begin + error.place.end;
        Diagnostic::error(inside(place), error.message)
    })?;
    let condition = Condition { function, expr };
    Ok(Named { name: name.text.clone(), text: text.text.clone(), condition, span: name.span })
}

/// A text looks like the name of a function.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'))
}

/// What the conditions speak of in each function.
pub(crate) fn mentioned(named: &[Named], rsm: &Rsm) -> Vec<(ModuleId, Expr)> {
    let all = || (0..rsm.modules.len()).map(ModuleId::new);
    let of = |named: &Named| -> Vec<(ModuleId, Expr)> {
        let Condition { function, expr } = &named.condition;
        all().filter(|m| function.is_none_or(|f| f == *m)).map(|m| (m, expr.clone())).collect()
    };
    named.iter().flat_map(of).collect()
}

/// Makes words of conditions.
pub(crate) fn add(named: &[Named], templates: &mut Templates) -> Result<(), Vec<Diagnostic>> {
    for Named { name, text, condition, span } in named {
        names::clash(templates, name, *span)?;
        templates.add(Word::condition(name.clone(), text, condition.clone()));
    }
    Ok(())
}
