//! Which variable a name means at a place of the program.

use super::types::{Owner, Ty};
use crate::ast::{Name, Symbol};
use rsm::Place;
use rustc_hash::FxHashMap;

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) ty: Ty,
}

/// The variables that are declared together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) places: FxHashMap<Symbol, (Place, Ty)>,
}

/// What a place of the program sees.
#[derive(Clone, Copy)]
pub(crate) struct View<'s> {
    /// The scopes, innermost first.
    pub(crate) scopes: &'s [&'s Scope],
    /// Who looks.
    pub(crate) owner: Owner,
}

impl View<'_> {
    /// The variable that a name means.
    pub(crate) fn variable(&self, symbol: Symbol) -> Option<(Place, Ty)> {
        self.scopes.iter().find_map(|scope| scope.places.get(&symbol).copied())
    }

    /// All names of variables, in no particular order.
    pub(crate) fn visible(&self) -> impl Iterator<Item = Symbol> {
        self.scopes.iter().flat_map(|scope| scope.places.keys().copied())
    }
}
