//! Names and types: from the syntax tree to a program in which every name means something.
//!
//! Contract: a [`Checked`] program keeps every rule of the language; all breaches are reported together. What comes
//! after it meets no unknown name and no ill-typed expression.

mod declarations;
mod expression;
mod scope;
mod statement;
mod types;

use crate::ast::{ExprId, Program, Symbol};
use base::{Diagnostic, Severity};
use declarations::Declarations;
pub(crate) use expression::{Expressions, Primes, Term, Wanted};
use rsm::Place;
use rustc_hash::FxHashMap;
pub(crate) use scope::{Scope, Variable, View};
pub(crate) use types::{EnumId, Owner, Ty, Types};

/// A program whose names and types are known.
#[derive(Clone, Debug)]
pub struct Checked {
    program: Program,
    pub(crate) types: Types,
    /// What each expression means.
    pub(crate) terms: Vec<Term>,
    /// The declarations that all threads share.
    pub(crate) shared: Globals,
    /// The program itself, or one for each thread.
    pub(crate) units: Vec<CheckedUnit>,
}

/// Global variables and what they satisfy at the beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    pub(crate) variables: Vec<Variable>,
    pub(crate) init: Vec<ExprId>,
    pub(crate) scope: Scope,
}

/// A program without threads, or a thread.
#[derive(Clone, Debug)]
pub(crate) struct CheckedUnit {
    /// What belongs to the thread alone; their places follow those of the shared variables.
    pub(crate) private: Globals,
    pub(crate) functions: Vec<CheckedFunction>,
    pub(crate) by_name: FxHashMap<Symbol, u32>,
    /// The position of `main`.
    pub(crate) main: u32,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct CheckedFunction {
    /// Parameters first.
    pub(crate) locals: Vec<Variable>,
    pub(crate) n_params: usize,
    pub(crate) results: Vec<Ty>,
    pub(crate) scope: Scope,
    /// The positions of the labelled statements in the body.
    pub(crate) labels: FxHashMap<Symbol, u32>,
}

impl Checked {
    /// The syntax tree.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The place and the type of a variable that a function assigns.
    pub(crate) fn variable(
        &self,
        unit: &CheckedUnit,
        function: &CheckedFunction,
        symbol: Symbol,
    ) -> (Place, Ty) {
        let scopes = [&function.scope, &unit.private.scope, &self.shared.scope];
        let found = scopes.iter().find_map(|scope| scope.places.get(&symbol));
        *found.expect("the variables of a checked program are declared")
    }
}

/// What the names of a program mean, as far as they mean something, and everything that is wrong with them.
pub(crate) struct Resolved {
    pub(crate) types: Types,
    pub(crate) terms: Vec<Term>,
    pub(crate) shared: Globals,
    pub(crate) units: Vec<CheckedUnit>,
    diagnostics: Vec<Diagnostic>,
}

/// Looks for what names mean.
pub(crate) fn resolve(program: &Program) -> Resolved {
    let mut declarations = Declarations::new(program);
    let (shared, mut units) = declarations.program();
    let mut expressions = declarations.expressions;
    statement::check(&mut expressions, &shared, &mut units);
    let mut diagnostics = std::mem::take(&mut expressions.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    Resolved { types: expressions.types, terms: expressions.terms, shared, units, diagnostics }
}

/// Checks a program that was parsed without errors; returns it with warnings, or all errors and warnings.
pub fn check(program: Program) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Resolved { types, terms, shared, units, diagnostics } = resolve(&program);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok((Checked { program, types, terms, shared, units }, diagnostics))
}
