//! Two multiplications at once: by a row, and by a row that is nothing but column equalities.
//!
//! Such equalities only rename what the first multiplication leaves: `∃x. a(x) ∧ b(x, v) ∧ x = v` is `a(v) ∧ b(v, v)`. One pass does it
//! all, provided that no operand mentions both sides of an equality; operands that might are looked at.

use super::reading::Reading;
use super::variant::Roles;
use super::{Executor, Run};
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::planner::Planner;
use crate::planner::plan::Fused;
use crate::store::Store;
use calculus::system::Term;
use dd::{Bdd, Level, Map, ProductId};
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
        let made = || fused_variant(store, planner, &mut self.roles, (fused, frame)).map(Rc::new);
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
fn fused_variant(
    store: &mut Store,
    planner: &Planner,
    roles: &mut Roles,
    (fused, frame): (&Fused, u32),
) -> Option<FusedVariant> {
    let first = &planner.settings[fused.first.id as usize];
    let second = &planner.settings[fused.second.id as usize];
    roles.begin(second);
    first.quantified.iter().for_each(|var| roles.at(*var).is_quantified = true);
    for (a, b) in store.frames.pairs(frame) {
        let (Some(Term::Var(x)), Some(Term::Var(y))) = (roles.of(*a).term, roles.of(*b).term) else {
            return None;
        };
        let (from, to) = if roles.of(x).is_quantified { (x, y) } else { (y, x) };
        let is_renaming = roles.of(from).is_quantified && !roles.of(to).is_quantified;
        // Nothing goes to two places, and nothing comes from two.
        if !is_renaming || roles.of(from).image.is_some() || roles.of(to).is_used {
            return None;
        }
        roles.at(from).image = Some(to);
        roles.at(to).is_used = true;
    }
    let (mut left, mut not_left) = (Vec::new(), Vec::new());
    for at in &first.left {
        match roles.of(at.var).is_used {
            true => not_left.push(at.level),
            false => left.push((at.level, store.level(roles.image(at.var), at.bit))),
        }
    }
    let (mut right, mut not_right) = (Vec::new(), Vec::new());
    for &(at, var) in &first.right {
        match roles.of(var).is_used {
            true => not_right.push(at.level),
            false => right.push((at.level, store.level(roles.image(var), at.bit))),
        }
    }
    let rest = first.forgotten.iter().chain(&second.forgotten);
    let mut levels: Vec<Level> =
        rest.filter(|at| roles.of(at.var).image.is_none()).map(|at| at.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let (left, right) = (Map::rising(left)?, Map::rising(right)?);
    let product = store.register(left, right, levels);
    Some(FusedVariant { product, not_left, not_right })
}
