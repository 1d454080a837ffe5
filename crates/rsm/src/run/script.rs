//! The choices that the user wrote, consumed one by one.

use super::RunError;
use crate::expr::Type;
use crate::show::show_type;

/// What is left of the choices.
#[derive(Clone, Debug)]
pub(super) struct Script {
    choices: Vec<String>,
    n_used: usize,
    /// How many were used before the present step.
    n_used_before: usize,
}

impl Script {
    pub(super) fn new(choices: Vec<String>) -> Self {
        Self { choices, n_used: 0, n_used_before: 0 }
    }

    /// A step begins: what it uses from here on is what may block it.
    pub(super) fn begin(&mut self) {
        self.n_used_before = self.n_used;
    }

    pub(super) fn n_left(&self) -> usize {
        self.choices.len() - self.n_used
    }

    /// The next choice as a number below `n`; `None` if the script is used up.
    pub(super) fn next_below(&mut self, n: usize) -> Result<Option<usize>, RunError> {
        self.next(|text| {
            let index = text.parse().ok().filter(|index| *index < n);
            index.ok_or_else(|| format!("`{text}` is none of the {n} possibilities 0 … {}", n - 1))
        })
    }

    /// The next choice as a value of a type; `None` if the script is used up.
    pub(super) fn next_value(&mut self, ty: &Type) -> Result<Option<u64>, RunError> {
        self.next(|text| {
            value(text, ty).ok_or_else(|| format!("`{text}` is no value of type {}", show_type(ty)))
        })
    }

    /// The error that the choices of the present step block it; `None` if it used none.
    pub(super) fn blocked(&self, problem: &str) -> Option<RunError> {
        let problem = problem.to_owned();
        (self.n_used > self.n_used_before).then_some(RunError::Choice { position: self.n_used, problem })
    }

    fn next<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, RunError> {
        let Some(text) = self.choices.get(self.n_used) else { return Ok(None) };
        self.n_used += 1;
        let position = self.n_used;
        read(text.trim()).map(Some).map_err(|problem| RunError::Choice { position, problem })
    }
}

/// A value as the user writes it, or its number.
fn value(text: &str, ty: &Type) -> Option<u64> {
    let named = match (ty, text) {
        (Type::Bool, "T" | "true") => Some(1),
        (Type::Bool, "F" | "false") => Some(0),
        (Type::Enum(names), _) => names.iter().position(|name| name == text).map(|at| at as u64),
        _ => None,
    };
    named.or_else(|| text.parse().ok()).filter(|value| *value <= ty.max())
}
