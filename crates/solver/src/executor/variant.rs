//! Multiplications by rows that carry column equalities beside their diagrams.
//!
//! `∃x. a(x) ∧ (b(x, v) ∧ x = v)` is `a(v) ∧ b(v, v)`: the accumulated diagram is renamed instead of being multiplied by an identity.
//! A variant is made once for a multiplication and a frame.

use super::Executor;
use crate::fault::Fault;
use crate::planner::Planner;
use crate::planner::plan::{Multiply, Setting};
use crate::store::{Access, Store};
use calculus::system::{Term, VarId};
use dd::{Bdd, Level, Map, ProductId};

/// A multiplication for rows with column equalities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub product: ProductId,
    /// Equalities that a renaming cannot express, to be conjoined to the row first.
    pub rest: Bdd,
    /// Nothing is renamed, and equalities are conjoined: a single tuple is better multiplied by these, then by the row.
    pub moves_nothing: bool,
    /// The accumulated diagram is renamed.
    pub renames: bool,
}

impl Executor {
    /// A multiplication for rows of one frame.
    #[inline]
    pub fn variant(
        &mut self,
        store: &mut Store,
        planner: &Planner,
        multiply: &Multiply,
        frame: u32,
    ) -> Result<Variant, Fault> {
        if let Some(variant) = self.variants.get(&(multiply.id, frame)) {
            return Ok(*variant);
        }
        let variant = make_variant(store, planner, &mut self.roles, (multiply, frame))?;
        self.variants.insert((multiply.id, frame), variant);
        Ok(variant)
    }

    /// Products by the equalities of a frame and by the row itself, for a multiplication that moves nothing.
    pub(super) fn tuple_first(
        &mut self,
        store: &mut Store,
        planner: &Planner,
        multiply: &Multiply,
    ) -> (ProductId, ProductId) {
        let made = || tuple_first(store, &planner.settings[multiply.id as usize]);
        *self.tuples_first.entry(multiply.id).or_insert_with(made)
    }
}

/// A multiplication for rows of one frame: where an equality's one side is about to be quantified and its other side is
/// new, the accumulated diagram is renamed; other equalities are conjoined.
#[cold]
fn make_variant(
    store: &mut Store,
    planner: &Planner,
    roles: &mut Roles,
    (multiply, frame): (&Multiply, u32),
) -> Result<Variant, Fault> {
    if multiply.access != Access::Direct {
        // The substitution has put the terms in the place of the columns: there is nothing left to rename.
        return unmoved(store, multiply, frame);
    }
    let setting = &planner.settings[multiply.id as usize];
    roles.begin(setting);
    let (mut rest, mut moves_nothing): (Vec<(VarId, VarId)>, bool) = (Vec::new(), true);
    for &(a, b) in store.frames.pairs(frame) {
        let (Some(Term::Var(x)), Some(Term::Var(y))) = (roles.of(a).term, roles.of(b).term) else {
            rest.push((a, b));
            continue;
        };
        let goes = |v: VarId| roles.of(v).is_accumulated && roles.of(v).is_quantified;
        let stays = |v: VarId| !roles.of(v).is_accumulated && !roles.of(v).is_quantified;
        let movable = match (goes(x) && stays(y), goes(y) && stays(x)) {
            (true, _) => Some((x, y)),
            (_, true) => Some((y, x)),
            _ => None,
        };
        match movable.filter(|_| !roles.of(x).is_used && !roles.of(y).is_used) {
            Some((from, to)) => {
                roles.at(from).image = Some(to);
                (roles.at(x).is_used, roles.at(y).is_used) = (true, true);
                roles.at(b).is_second = true;
                moves_nothing = false;
            }
            None => rest.push((a, b)),
        }
    }
    let Some(product) = renaming_variant(store, setting, roles) else {
        return unmoved(store, multiply, frame);
    };
    let renames = !moves_nothing;
    moves_nothing &= !rest.is_empty();
    Ok(Variant { product, rest: store.equal_columns(&rest)?, moves_nothing, renames })
}

/// What a multiplication and a frame do with a variable, or with a column.
#[derive(Clone, Copy, Default)]
pub(super) struct Role {
    /// It is in the accumulated diagram.
    pub is_accumulated: bool,
    pub is_quantified: bool,
    /// Something is said here.
    is_known: bool,
    /// It is moved, or something is moved there.
    pub is_used: bool,
    /// The column is the second one of an equality that moves.
    pub is_second: bool,
    /// Where it is moved.
    pub image: Option<VarId>,
    /// What stands for the column.
    pub term: Option<Term>,
}

/// The roles of all variables, of one variant after the other.
pub(super) struct Roles {
    of: Vec<Role>,
    /// Of which something is said.
    known: Vec<VarId>,
}

impl Roles {
    pub fn new(n_vars: usize) -> Self {
        Self { of: vec![Role::default(); n_vars], known: Vec::new() }
    }

    /// Begins a variant with what a multiplication says.
    pub fn begin(&mut self, setting: &Setting) {
        self.known.drain(..).for_each(|var| self.of[var.index()] = Role::default());
        setting.left.iter().for_each(|place| self.at(place.var).is_accumulated = true);
        setting.quantified.iter().for_each(|var| self.at(*var).is_quantified = true);
        setting.columns.iter().for_each(|&(column, term)| self.at(column).term = Some(term));
    }

    #[inline]
    pub fn of(&self, var: VarId) -> &Role {
        &self.of[var.index()]
    }

    #[inline]
    pub fn at(&mut self, var: VarId) -> &mut Role {
        let role = &mut self.of[var.index()];
        if !std::mem::replace(&mut role.is_known, true) {
            self.known.push(var);
        }
        role
    }

    /// Where a variable is in the end.
    pub fn image(&self, var: VarId) -> VarId {
        self.of(var).image.unwrap_or(var)
    }
}

/// A multiplication that renames nothing: all equalities are conjoined.
fn unmoved(store: &mut Store, multiply: &Multiply, frame: u32) -> Result<Variant, Fault> {
    let all = store.frames.pairs(frame).to_vec();
    let rest = store.equal_columns(&all)?;
    Ok(Variant { product: multiply.product, rest, moves_nothing: false, renames: false })
}

/// The product that moves variables of the accumulated diagram; `None` if that would change the order of levels.
fn renaming_variant(store: &mut Store, setting: &Setting, roles: &Roles) -> Option<ProductId> {
    let mut left: Vec<(Level, Level)> = Vec::with_capacity(setting.left.len());
    left.extend(setting.left.iter().map(|at| (at.level, store.level(roles.image(at.var), at.bit))));
    let mut right: Vec<(Level, Level)> = Vec::with_capacity(setting.right.len());
    // A fact's diagram mentions the first column of an equality only (see `record_fact`).
    let first = setting.right.iter().filter(|(at, _)| !roles.of(at.var).is_second);
    right.extend(first.map(|(at, var)| (at.level, store.level(roles.image(*var), at.bit))));
    let (left, right) = (Map::rising(left)?, Map::rising(right)?);
    let quantified = setting.forgotten.iter().filter(|at| roles.of(at.var).image.is_none());
    let quantified = quantified.map(|at| at.level).collect();
    Some(store.register(left, right, quantified))
}

/// Products by the equalities of a frame and by the row itself, for a multiplication that moves nothing.
fn tuple_first(store: &mut Store, setting: &Setting) -> (ProductId, ProductId) {
    let left = setting.left.iter().map(|at| (at.level, store.level(at.var, at.bit)));
    let right = setting.right.iter().map(|(at, var)| (at.level, store.level(*var, at.bit)));
    let (left, right) = (Map::new(left), Map::new(right));
    let quantified = setting.forgotten.iter().map(|at| at.level).collect();
    (store.register(left, right.clone(), Vec::new()), store.register(Map::default(), right, quantified))
}
