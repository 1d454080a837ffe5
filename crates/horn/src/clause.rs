//! One Horn clause: universally quantified variables, a body, a head.

use crate::symbol::{self, range, sort};
use rsm::Type;
use std::fmt::Write;
use std::rc::Rc;

/// A term or formula of SMT-LIB.
pub(crate) type Term = Rc<str>;

/// A clause under construction.
#[derive(Default)]
pub(crate) struct Clause {
    /// Symbols and sorts.
    variables: Vec<(Term, String)>,
    body: Vec<Term>,
}

impl Clause {
    /// A new variable. Some atom of the body has to see to it that it is a value of the type.
    pub(crate) fn variable(&mut self, name: &str, ty: &Type) -> Term {
        let variable: Term = symbol::variable(name, self.variables.len()).into();
        self.variables.push((variable.clone(), sort(ty)));
        variable
    }

    /// A new variable that may be any value of the type.
    pub(crate) fn choice(&mut self, name: &str, ty: &Type) -> Term {
        let variable = self.variable(name, ty);
        if let Some(range) = range(&variable, ty) {
            self.require(range);
        }
        variable
    }

    /// Adds a conjunct to the body.
    pub(crate) fn require(&mut self, conjunct: impl Into<Term>) {
        self.body.push(conjunct.into());
    }

    /// Prints the clause with a head.
    pub(crate) fn print(&self, head: &str, out: &mut String) {
        out.push_str("(assert ");
        for (position, (variable, sort)) in self.variables.iter().enumerate() {
            let opening = if position == 0 { "(forall (" } else { " " };
            write!(out, "{opening}({variable} {sort})").expect("a string takes everything");
        }
        if !self.variables.is_empty() {
            out.push_str(")\n  ");
        }
        self.print_matrix(head, out);
        out.push_str(if self.variables.is_empty() { ")\n" } else { "))\n" });
    }

    fn print_matrix(&self, head: &str, out: &mut String) {
        match &*self.body {
            [] => out.push_str(head),
            [only] => write!(out, "(=> {only} {head})").expect("a string takes everything"),
            conjuncts => {
                write!(out, "(=> (and {}) {head})", conjuncts.join(" ")).expect("a string takes everything")
            }
        }
    }
}
