//! Conditions about a machine in the words of its program: `n >= 3 & open`, over globals and, in a function, over its locals.
//!
//! A condition is read as the assertion of a program with the same variables, so that it means what it would mean there.

use base::{Diagnostic, Sources};
use rsm::{Action, Expr, ModuleId, Rsm, Variable, show_type};
use std::ops::Range;

/// What is wrong with a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionError {
    /// In words.
    pub message: String,
    /// The bytes of the text that it is about.
    pub place: Range<usize>,
}

/// The condition that a text is, about states of a function, or of any if none is named; or what is wrong with it.
pub fn condition(rsm: &Rsm, function: Option<ModuleId>, text: &str) -> Result<Expr, ConditionError> {
    let declared = |variables: &[Variable]| -> String {
        variables
            .iter()
            .map(|variable| format!("decl {} : {};\n", variable.name, show_type(&variable.ty)))
            .collect()
    };
    let locals = function.map_or_else(String::new, |module| declared(&rsm.module(module).locals));
    let head = format!("{}void main() begin\n{locals}assert(", declared(&rsm.globals));
    let program = format!("{head}{text});\nend\n");
    let mut sources = Sources::default();
    let first = |mistakes: Vec<Diagnostic>| first(&mistakes, head.len(), text);
    let (checked, _) = crate::load(&mut sources, "condition", program).map_err(first)?;
    let machine = crate::lower(&checked).map_err(first)?;
    let edges = &machine.module(machine.main).edges;
    let mut assertions = edges.iter().filter_map(|edge| match &edge.action {
        Action::Assert(expr) => Some(expr),
        _ => None,
    });
    let (Some(expr), None) = (assertions.next(), assertions.next()) else {
        return Err(no_condition(text));
    };
    if expr.has_choice() {
        let star = text.find('*').map_or(0..text.len(), |at| at..at + 1);
        return Err(ConditionError {
            message: "a condition about a state has no `*`".to_owned(),
            place: star,
        });
    }
    Ok(expr.clone())
}

fn no_condition(text: &str) -> ConditionError {
    ConditionError { message: "this is no condition".to_owned(), place: 0..text.len() }
}

/// The first of some mistakes in a program in which the text begins at a byte.
fn first(mistakes: &[Diagnostic], begin: usize, text: &str) -> ConditionError {
    let Some(mistake) = mistakes.first() else { return no_condition(text) };
    let Some(span) = mistake.span else {
        return ConditionError { message: mistake.message.clone(), place: 0..text.len() };
    };
    let place = |byte: u32| (byte as usize).saturating_sub(begin).min(text.len());
    match place(span.start) {
        // What is found there is nothing that anybody has written.
        start if start == text.len() => {
            ConditionError { message: "the condition is not complete".to_owned(), place: start..start }
        }
        start => {
            ConditionError { message: mistake.message.clone(), place: start..place(span.end).max(start) }
        }
    }
}
