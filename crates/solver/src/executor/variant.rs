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
use rustc_hash::{FxHashMap, FxHashSet};

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
    let term_of: FxHashMap<VarId, Term> = setting.right.iter().copied().collect();
    let accumulated: FxHashSet<VarId> = setting.left.iter().map(|left| left.0).collect();
    let quantified: FxHashSet<VarId> = setting.quantified.iter().copied().collect();
    let (mut moves, mut used): (FxHashMap<VarId, VarId>, FxHashSet<VarId>) = Default::default();
    let (mut rest, mut second): (Vec<(VarId, VarId)>, FxHashSet<VarId>) = Default::default();
    for &(a, b) in store.frames.pairs(frame) {
        let (Term::Var(x), Term::Var(y)) = (term_of[&a], term_of[&b]) else {
            rest.push((a, b));
            continue;
        };
        let stays = |v: VarId| !accumulated.contains(&v) && !quantified.contains(&v);
        let goes = |v: VarId| accumulated.contains(&v) && quantified.contains(&v);
        let movable = match (goes(x) && stays(y), goes(y) && stays(x)) {
            (true, _) => Some((x, y)),
            (_, true) => Some((y, x)),
            _ => None,
        };
        match movable.filter(|_| !used.contains(&x) && !used.contains(&y)) {
            Some((from, to)) => {
                moves.insert(from, to);
                used.extend([x, y]);
                second.insert(b);
            }
            None => rest.push((a, b)),
        }
    }
    let Some(product) = renaming_variant(store, setting, &moves, &second) else {
        return unmoved(store, multiply, frame);
    };
    let moves_nothing = moves.is_empty() && !rest.is_empty();
    Ok(Variant { product, rest: store.equal_columns(&rest)?, moves_nothing, renames: !moves.is_empty() })
}

/// A multiplication that renames nothing: all equalities are conjoined.
fn unmoved(store: &mut Store, multiply: &Multiply, frame: u32) -> Result<Variant, Fault> {
    let all = store.frames.pairs(frame).to_vec();
    let rest = store.equal_columns(&all)?;
    Ok(Variant { product: multiply.product, rest, moves_nothing: false, renames: false })
}

/// The product that moves variables of the accumulated diagram; `None` if that would change the order of levels.
fn renaming_variant(
    store: &mut Store,
    setting: &Setting,
    moves: &FxHashMap<VarId, VarId>,
    second: &FxHashSet<VarId>,
) -> Option<ProductId> {
    let mut left: Vec<(Level, Level)> = Vec::new();
    for (var, places) in &setting.left {
        let target = moves.get(var).copied().unwrap_or(*var);
        for ((stored, _), &level) in places.iter().zip(store.layout.levels(target)) {
            left.push((*stored, level));
        }
    }
    let stored: Vec<Level> = left.iter().map(|l| l.0).collect();
    let left = Map::new(left);
    if !left.monotone(stored) {
        return None;
    }
    let quantified: Vec<VarId> =
        setting.quantified.iter().copied().filter(|v| !moves.contains_key(v)).collect();
    let mut right: Vec<(Level, Level)> = Vec::new();
    for &(column, term) in &setting.right {
        // A fact's diagram mentions the first column of an equality only (see `record_fact`).
        if let Term::Var(var) = term
            && !second.contains(&column)
        {
            let target = moves.get(&var).copied().unwrap_or(var);
            right.extend(
                store.layout.levels(column).iter().copied().zip(store.layout.levels(target).iter().copied()),
            );
        }
    }
    let from: Vec<Level> = right.iter().map(|r| r.0).collect();
    let right = Map::new(right);
    if !right.monotone(from) {
        return None;
    }
    let levels = store.levels_of(&quantified);
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
