//! A walk along edges of a module, with terms as values: the body of a clause as it grows.
//!
//! A variable is represented by its present term. One that nobody has given a value stands for any value of its type,
//! and gets a quantified variable when it is first read.

use crate::clause::{Clause, Term};
use crate::express;
use rsm::{Expr, ModuleId, Place, Rsm, Type};
use rustc_hash::FxHashMap;

/// A state somewhere along the edges.
pub(crate) struct Walk<'r> {
    pub(crate) rsm: &'r Rsm,
    /// The module whose variables are meant.
    pub(crate) module: ModuleId,
    /// What has been required so far.
    pub(crate) clause: Clause,
    values: FxHashMap<Place, Term>,
}

impl<'r> Walk<'r> {
    /// Stands in a module, with any values.
    pub(crate) fn new(rsm: &'r Rsm, module: ModuleId) -> Self {
        Self { rsm, module, clause: Clause::default(), values: FxHashMap::default() }
    }

    /// A quantified variable named after a program variable, to be used in an atom of the body.
    pub(crate) fn column(&mut self, place: Place) -> Term {
        let variable = self.rsm.variable(self.module, place);
        self.clause.variable(&variable.name, &variable.ty)
    }

    /// The present value of a variable.
    pub(crate) fn read(&mut self, place: Place) -> Term {
        if let Some(value) = self.values.get(&place) {
            return value.clone();
        }
        let variable = self.rsm.variable(self.module, place);
        let value = self.clause.choice(&variable.name, &variable.ty);
        self.values.insert(place, value.clone());
        value
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, place: Place, value: Term) {
        self.values.insert(place, value);
    }

    /// From here on the variable may have any value.
    pub(crate) fn forget(&mut self, place: Place) {
        self.values.remove(&place);
    }

    /// The value of an expression; each `*` in it becomes a quantified variable.
    pub(crate) fn evaluate(&mut self, expr: &Expr) -> Term {
        express::term(self, expr, &[])
    }

    /// Goes on only where a condition can hold.
    pub(crate) fn assume(&mut self, condition: &Expr) {
        if !condition.is_true() {
            let condition = self.evaluate(condition);
            self.clause.require(condition);
        }
    }

    /// Computes all values in the present state, then stores them.
    pub(crate) fn assign(&mut self, targets: &[Place], values: &[Expr], constrain: Option<&Expr>) {
        let stored = targets.iter().zip(values).map(|(&target, value)| (target, self.name(target, value)));
        let stored: Vec<(Place, Term)> = stored.collect();
        if let Some(condition) = constrain {
            let condition = express::term(self, condition, &stored);
            self.clause.require(condition);
        }
        self.values.extend(stored);
    }

    /// The value of an expression as a symbol or constant, so that later reads do not repeat the expression.
    fn name(&mut self, target: Place, value: &Expr) -> Term {
        let term = self.evaluate(value);
        if value.code.len() == 1 {
            return term;
        }
        let column = self.column(target);
        self.clause.require(format!("(= {column} {term})"));
        column
    }

    /// Any value of a type.
    pub(crate) fn choice(&mut self, ty: &Type) -> Term {
        self.clause.choice("any", ty)
    }
}
