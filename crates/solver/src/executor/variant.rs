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
use rustc_hash::FxHashMap;

/// A multiplication for rows with column equalities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub product: ProductId,
    /// Equalities that a renaming cannot express, to be conjoined to the row first.
    pub rest: Bdd,
    /// Where the accumulated diagram is a single tuple, it is better multiplied by these equalities, then by the row.
    pub tuple_first: Option<(ProductId, ProductId)>,
    /// The accumulated diagram is renamed.
    pub renames: bool,
}

impl Executor {
    /// A multiplication for rows of one frame: where an equality's one side is about to be quantified and its other side is
    /// new, the accumulated diagram is renamed; other equalities are conjoined.
    #[cold]
    pub(super) fn make_variant(
        &mut self,
        store: &mut Store,
        planner: &Planner,
        multiply: &Multiply,
        frame: u32,
    ) -> Result<Variant, Fault> {
        if multiply.access != Access::Direct {
            // The substitution has put the terms in the place of the columns: there is nothing left to rename.
            let all = store.frames.pairs(frame).to_vec();
            let rest = store.equal_columns(&all)?;
            let variant = Variant { product: multiply.product, rest, tuple_first: None, renames: false };
            self.variants.insert((multiply.id, frame), variant);
            return Ok(variant);
        }
        let setting = planner.settings[multiply.id as usize].clone();
        let term_of: FxHashMap<VarId, Term> = setting.right.iter().copied().collect();
        let mut moves: FxHashMap<VarId, VarId> = FxHashMap::default();
        let (mut rest, mut second): (Vec<(VarId, VarId)>, Vec<VarId>) = Default::default();
        for &(a, b) in store.frames.pairs(frame).to_vec().iter() {
            let pair = (term_of[&a], term_of[&b]);
            let (Term::Var(x), Term::Var(y)) = pair else {
                rest.push((a, b));
                continue;
            };
            let in_acc = |v: VarId| setting.left.iter().any(|l| l.0 == v);
            let movable = |from: VarId, to: VarId| {
                in_acc(from)
                    && !in_acc(to)
                    && setting.quantified.contains(&from)
                    && !setting.quantified.contains(&to)
            };
            let fresh = |v: VarId, moves: &FxHashMap<VarId, VarId>| {
                !moves.contains_key(&v) && !moves.values().any(|m| *m == v)
            };
            if movable(x, y) && fresh(x, &moves) && fresh(y, &moves) {
                moves.insert(x, y);
                second.push(b);
            } else if movable(y, x) && fresh(x, &moves) && fresh(y, &moves) {
                moves.insert(y, x);
                second.push(b);
            } else {
                rest.push((a, b));
            }
        }
        let variant = match renaming_variant(store, &setting, &moves, &second) {
            Some(product) => {
                let tuple_first =
                    (moves.is_empty() && !rest.is_empty()).then(|| tuple_first(store, &setting));
                Variant {
                    product,
                    rest: store.equal_columns(&rest)?,
                    tuple_first,
                    renames: !moves.is_empty(),
                }
            }
            None => {
                let all = store.frames.pairs(frame).to_vec();
                let rest = store.equal_columns(&all)?;
                Variant { product: multiply.product, rest, tuple_first: None, renames: false }
            }
        };
        self.variants.insert((multiply.id, frame), variant);
        Ok(variant)
    }
}

/// The product that moves variables of the accumulated diagram; `None` if that would change the order of levels.
fn renaming_variant(
    store: &mut Store,
    setting: &Setting,
    moves: &FxHashMap<VarId, VarId>,
    second: &[VarId],
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
