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
        let variant = make_variant(store, planner, multiply, frame)?;
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
    multiply: &Multiply,
    frame: u32,
) -> Result<Variant, Fault> {
    if multiply.access != Access::Direct {
        // The substitution has put the terms in the place of the columns: there is nothing left to rename.
        return unmoved(store, multiply, frame);
    }
    let setting = &planner.settings[multiply.id as usize];
    let mut roles = Roles::new(store.system.vars.len());
    roles.add(setting);
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
    let Some(product) = renaming_variant(store, setting, &roles) else {
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
    /// It is moved, or something is moved there.
    pub is_used: bool,
    /// The column is the second one of an equality that moves.
    pub is_second: bool,
    /// Where it is moved.
    pub image: Option<VarId>,
    /// What stands for the column.
    pub term: Option<Term>,
}

/// The roles of all variables.
pub(super) struct Roles(Vec<Role>);

impl Roles {
    pub fn new(n_vars: usize) -> Self {
        Self(vec![Role::default(); n_vars])
    }

    /// Adds what a multiplication says.
    pub fn add(&mut self, setting: &Setting) {
        setting.left.iter().for_each(|left| self.at(left.0).is_accumulated = true);
        setting.quantified.iter().for_each(|var| self.at(*var).is_quantified = true);
        setting.right.iter().for_each(|&(column, term)| self.at(column).term = Some(term));
    }

    pub fn of(&self, var: VarId) -> &Role {
        &self.0[var.index()]
    }

    pub fn at(&mut self, var: VarId) -> &mut Role {
        &mut self.0[var.index()]
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
    let mut left: Vec<(Level, Level)> = Vec::new();
    for (var, places) in &setting.left {
        let levels = store.layout.levels(roles.image(*var));
        left.extend(places.iter().map(|place| place.0).zip(levels.iter().copied()));
    }
    let mut right: Vec<(Level, Level)> = Vec::new();
    for &(column, term) in &setting.right {
        // A fact's diagram mentions the first column of an equality only (see `record_fact`).
        if let Term::Var(var) = term
            && !roles.of(column).is_second
        {
            let levels = store.layout.levels(roles.image(var)).iter().copied();
            right.extend(store.layout.levels(column).iter().copied().zip(levels));
        }
    }
    let (left, right) = (Map::rising(left)?, Map::rising(right)?);
    let quantified = setting.quantified.iter().copied().filter(|var| roles.of(*var).image.is_none());
    let levels = store.levels_of(&quantified.collect::<Vec<VarId>>());
    Some(store.register(&left, &right, &levels))
}

/// Products by the equalities of a frame and by the row itself, for a multiplication that moves nothing.
fn tuple_first(store: &mut Store, setting: &Setting) -> (ProductId, ProductId) {
    let left: Vec<(Level, Level)> = setting.left.iter().flat_map(|(_, places)| places.clone()).collect();
    let mut right: Vec<(Level, Level)> = Vec::new();
    for &(column, term) in &setting.right {
        if let Term::Var(var) = term {
            let targets = store.layout.levels(var).iter().copied();
            right.extend(store.layout.levels(column).iter().copied().zip(targets));
        }
    }
    let (left, right) = (Map::new(left), Map::new(right));
    let quantified = store.levels_of(&setting.quantified);
    (store.register(&left, &right, &[]), store.register(&Map::default(), &right, &quantified))
}
