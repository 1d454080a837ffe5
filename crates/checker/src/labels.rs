//! Places of the program in formulas: `#label A = "f:L";` makes the places of a label a relation. How such notes are read, `names` says.

use crate::names::{self, Written};
use crate::target::{Target, TargetError};
use base::{Diagnostic, Sources, Span};
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

/// The labels among what notes declare.
pub(crate) fn find(
    written: &[Written],
    resolve: impl Fn(&str) -> Result<Target, TargetError>,
) -> Result<Vec<Label>, Vec<Diagnostic>> {
    let (mut labels, mut errors) = (Vec::new(), Vec::new());
    for written in written.iter().filter(|written| written.kind.note == "#label") {
        match resolve(&written.text) {
            Ok(target) => labels.push(Label { name: written.name.clone(), target, span: written.span }),
            Err(error) => errors.push(written.error(&error.to_string())),
        }
    }
    if errors.is_empty() { Ok(labels) } else { Err(errors) }
}

/// Makes words of labels.
pub(crate) fn add(labels: &[Label], templates: &mut Templates) -> Result<(), Vec<Diagnostic>> {
    let has_threads = templates.threads.is_some();
    for label in labels {
        names::clash(templates, &label.name, label.span)?;
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
