//! Two multiplications at once: by a row, and by a row that is nothing but column equalities.
//!
//! Such equalities only rename what the first multiplication leaves: `∃x. a(x) ∧ b(x, v) ∧ x = v` is `a(v) ∧ b(v, v)`. One pass does it
//! all, provided that no operand mentions both sides of an equality; operands that might are looked at.

use super::reading::Reading;
use super::{Executor, Run};
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::planner::Planner;
use crate::planner::plan::Fused;
use crate::store::Store;
use calculus::system::{Term, VarId};
use dd::{Bdd, Level, Map, ProductId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How both are done for rows of one frame.
#[derive(Debug)]
pub(crate) struct FusedVariant {
    product: ProductId,
    /// Levels that the operands must not mention.
    not_left: Vec<Level>,
    pub not_right: Vec<Level>,
}

impl Executor {
    /// How both are done for rows of one frame; `None` if its equalities are more than a renaming.
    pub fn fused_variant(
        &mut self,
        store: &mut Store,
        planner: &Planner,
        fused: &Fused,
        frame: u32,
    ) -> Option<Rc<FusedVariant>> {
        let made = || fused_variant(store, planner, fused, frame).map(Rc::new);
        self.fused.entry((fused.first.id, frame)).or_insert_with(made).clone()
    }
}

impl<R: Reading> Run<'_, '_, R> {
    /// Multiplies by both rows.
    pub(super) fn multiply_both(&mut self, fused: &Fused, base: usize, acc: Bdd) -> Result<Bdd, Fault> {
        let (first, second) =
            (self.executor.slots[base + fused.first.slot], self.executor.slots[base + fused.second.slot]);
        let (other, equalities) = second;
        if first.1 == 0
            && other == Bdd::TRUE
            && equalities != 0
            && !R::FROM_TUPLE
            && let Some(variant) = self.executor.fused_variant(self.store, self.planner, fused, equalities)
        {
            return self.multiply_fused(fused, &variant, (first, second), acc);
        }
        self.multiply_in_turn(fused, (first, second), acc)
    }

    /// Multiplies by both rows, at once if the operands do not mention both sides of an equality.
    pub fn multiply_fused(
        &mut self,
        fused: &Fused,
        variant: &FusedVariant,
        (first, second): ((Bdd, u32), (Bdd, u32)),
        acc: Bdd,
    ) -> Result<Bdd, Fault> {
        let dd = &self.store.dd;
        if !dd.mentions(acc, &variant.not_left) && !dd.mentions(first.0, &variant.not_right) {
            self.store.shortcuts.count(Shortcut::Fused);
            return Ok(self.store.dd.product(acc, first.0, variant.product)?);
        }
        self.multiply_in_turn(fused, (first, second), acc)
    }

    fn multiply_in_turn(
        &mut self,
        fused: &Fused,
        (first, second): ((Bdd, u32), (Bdd, u32)),
        acc: Bdd,
    ) -> Result<Bdd, Fault> {
        let acc = self.multiply(&fused.first, first, acc)?;
        if acc == Bdd::FALSE {
            return Ok(acc);
        }
        self.multiply(&fused.second, second, acc)
    }
}

/// The product for one frame; `None` if its equalities are more than a renaming.
fn fused_variant(store: &mut Store, planner: &Planner, fused: &Fused, frame: u32) -> Option<FusedVariant> {
    let first = &planner.settings[fused.first.id as usize];
    let second = &planner.settings[fused.second.id as usize];
    let quantified: FxHashSet<VarId> = first.quantified.iter().chain(&second.quantified).copied().collect();
    let term_of: FxHashMap<VarId, Term> = second.right.iter().copied().collect();
    let mut moves: FxHashMap<VarId, VarId> = FxHashMap::default();
    for (a, b) in store.frames.pairs(frame) {
        let (Term::Var(x), Term::Var(y)) = (term_of[a], term_of[b]) else { return None };
        let (from, to) = if quantified.contains(&x) { (x, y) } else { (y, x) };
        if !quantified.contains(&from) || quantified.contains(&to) || moves.insert(from, to).is_some() {
            return None;
        }
    }
    let targets: FxHashSet<VarId> = moves.values().copied().collect();
    if targets.len() != moves.len() {
        return None;
    }
    let image = |var: VarId| moves.get(&var).copied().unwrap_or(var);
    let (mut left, mut not_left) = (Vec::new(), Vec::new());
    for (var, places) in &first.left {
        if targets.contains(var) {
            not_left.extend(places.iter().map(|place| place.0));
            continue;
        }
        let levels = store.layout.levels(image(*var));
        left.extend(places.iter().map(|place| place.0).zip(levels.iter().copied()));
    }
    let (mut right, mut not_right) = (Vec::new(), Vec::new());
    for &(column, term) in &first.right {
        let Term::Var(var) = term else { continue };
        if targets.contains(&var) {
            not_right.extend_from_slice(store.layout.levels(column));
            continue;
        }
        let levels = store.layout.levels(image(var));
        right.extend(store.layout.levels(column).iter().copied().zip(levels.iter().copied()));
    }
    let rest: Vec<VarId> = quantified.into_iter().filter(|var| !moves.contains_key(var)).collect();
    let product = renaming_product(store, left, right, &rest)?;
    not_left.sort_unstable();
    not_right.sort_unstable();
    Some(FusedVariant { product, not_left, not_right })
}

/// A product that renames both operands; `None` if that changes the order of levels.
fn renaming_product(
    store: &mut Store,
    left: Vec<(Level, Level)>,
    right: Vec<(Level, Level)>,
    quantified: &[VarId],
) -> Option<ProductId> {
    let from = |moves: &[(Level, Level)]| -> Vec<Level> { moves.iter().map(|m| m.0).collect() };
    let (from_left, from_right) = (from(&left), from(&right));
    let (left, right) = (Map::new(left), Map::new(right));
    if !left.monotone(from_left) || !right.monotone(from_right) {
        return None;
    }
    let levels = store.levels_of(quantified);
    Some(store.register(&left, &right, &levels))
}
