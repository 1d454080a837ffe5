//! One clause.

use super::predicates::symbol;
use crate::expr::{Expr, Op};
use crate::program::Place;
use crate::smtlib;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Terms for what variables hold.
pub(super) type Values = FxHashMap<Place, String>;

/// What the symbols of a step stand for.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) inputs: Vec<String>,
    pub(super) unknowns: Vec<String>,
}

/// A clause under construction.
#[derive(Default)]
pub(super) struct Clause {
    variables: Vec<String>,
    body: Vec<String>,
}

impl Clause {
    /// A new variable, named after something.
    pub(super) fn variable(&mut self, name: &str) -> String {
        let name: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '$').collect();
        let variable = symbol(&name, '~', &self.variables.len().to_string());
        self.variables.push(variable.clone());
        variable
    }

    /// Adds a conjunct to the body.
    pub(super) fn require(&mut self, conjunct: String) {
        self.body.push(conjunct);
    }

    /// Requires a formula.
    pub(super) fn holds(&mut self, formula: &Expr, values: &Values, symbols: &Symbols) {
        let text = self.value(formula, values, symbols);
        if text != "true" {
            self.require(text);
        }
    }

    /// Translates an expression, and requires that it is defined: a step that divides by 0 is not taken.
    pub(super) fn value(&mut self, expr: &Expr, values: &Values, symbols: &Symbols) -> String {
        let part = smtlib::text(expr, |op| match op {
            // What is not an argument does not matter, or holds 0 since nothing was stored in it.
            Op::Read(place) => values.get(&place).cloned().unwrap_or_else(|| "0".to_owned()),
            Op::Input(n) => symbols.inputs[n as usize].clone(),
            Op::Unknown(n) => symbols.unknowns[n as usize].clone(),
            _ => unreachable!("{op:?} has a translation of its own"),
        });
        if let Some(defined) = part.defined {
            self.require(defined);
        }
        part.text
    }

    /// Prints the clause with a head.
    pub(super) fn print(&self, head: &str, out: &mut String) {
        let ends = if self.variables.is_empty() {
            out.push_str("(assert ");
            ")\n"
        } else {
            let variables: Vec<String> = self.variables.iter().map(|name| format!("({name} Int)")).collect();
            write!(out, "(assert (forall ({})\n  ", variables.join(" ")).expect("a string takes everything");
            "))\n"
        };
        match &self.body[..] {
            [] => out.push_str(head),
            body => {
                write!(out, "(=> {} {head})", smtlib::conjunction(body)).expect("a string takes everything")
            }
        }
        out.push_str(ends);
    }
}
