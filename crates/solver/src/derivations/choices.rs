//! Choices: what is said of all values of some variables, followed for the first of these that matter.
//!
//! In a game one side chooses what the other must answer. Where a derivation rests on `forall v. Step(s, v) -> Wins(v)`, the values that
//! matter are those that are not excluded by a part which has nothing to do with what is being explained: here the steps of the program.

use super::explain::Derivation;
use super::support::{Support, Supports};
use crate::answer::Fact;
use crate::fault::Fault;
use crate::store::Values;
use crate::store::listing::{Columns, Grouping, Shown};
use calculus::system::{Formula, FormulaId, Kind, RelationId, VarId};
use std::rc::Rc;

/// So many values are followed at each place.
const FOLLOWED: usize = 4;

/// So many are looked at to find these.
const LOOKED_AT: usize = 64;

/// How some variables are taken when their values are looked for: those that do not matter are left out.
pub type Relevance = Rc<dyn Fn(&[VarId], usize, &[Option<u32>]) -> Vec<Columns>>;

/// Operands of a disjunction, each with whether it must hold.
type Parts = Vec<(FormulaId, bool)>;

impl Derivation<'_, '_> {
    /// A part that says of all values of some variables that a formula comes out as wanted.
    pub(super) fn for_each(
        &mut self,
        fact: Fact,
        vars: &[VarId],
        inner: FormulaId,
        wanted: bool,
        values: &Values,
    ) -> Result<Support, Fault> {
        if self.level >= self.depth {
            return Ok(Support::Fact(fact));
        }
        let (cores, guards): (Parts, Parts) =
            self.disjuncts(inner, wanted).into_iter().partition(|part| self.is_core(part.0));
        if cores.is_empty() {
            return Ok(Support::Fact(fact));
        }
        let (instances, is_cut) = self.instances(vars, &guards, values)?;
        let mut choices = Vec::new();
        for instance in instances {
            let known: Values = values.iter().chain(&instance).copied().collect();
            let mut found = self.support(inner, wanted, &known)?;
            if self.is_younger(&found) {
                found = Supports {
                    parts: vec![Support::Fact(self.describe_at(inner, wanted, &known))],
                    ..Supports::default()
                };
            }
            choices.push((instance, found));
        }
        Ok(Support::Each { fact, choices, is_cut })
    }

    /// What makes a formula come out as wanted for some values of variables: the first ones; but if what is explained must rest on
    /// older tuples, the first ones that do.
    pub(super) fn chosen(
        &mut self,
        inner: FormulaId,
        wanted: bool,
        vars: &[VarId],
        given: &Values,
    ) -> Result<Supports, Fault> {
        let Some(first) = self.machine.first_solution(inner, wanted, vars, given)? else {
            return Ok(Supports::default());
        };
        let found = self.supports_of(inner, wanted, given, first)?;
        if !self.is_younger(&found) {
            return Ok(found);
        }
        let each: Grouping = &mut each;
        for row in self.machine.solutions(inner, wanted, vars, given, (LOOKED_AT, each))?.rows {
            let values = vars.iter().copied().zip(row.into_iter().map(Option::unwrap_or_default)).collect();
            let other = self.supports_of(inner, wanted, given, values)?;
            if !self.is_younger(&other) {
                return Ok(other);
            }
        }
        Ok(found)
    }

    fn supports_of(
        &mut self,
        inner: FormulaId,
        wanted: bool,
        given: &Values,
        found: Values,
    ) -> Result<Supports, Fault> {
        let values = given.iter().chain(&found).copied().collect();
        let mut supports = self.support(inner, wanted, &values)?;
        for value in found {
            if supports.values.iter().all(|known| known.0 != value.0) {
                supports.values.push(value);
            }
        }
        Ok(supports)
    }

    /// Some tuple was not there yet when what is being explained was added.
    fn is_younger(&mut self, supports: &Supports) -> bool {
        self.rank.is_some_and(|rank| self.has_younger(supports, rank))
    }

    /// The operands of a formula that is a disjunction, with negations pushed inwards.
    fn disjuncts(&self, formula: FormulaId, wanted: bool) -> Parts {
        let (mut todo, mut found) = (vec![(formula, wanted)], Parts::new());
        while let Some((formula, wanted)) = todo.pop() {
            match (self.machine.store.system.formula(formula), wanted) {
                (Formula::Not(inner), _) => todo.push((*inner, !wanted)),
                (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                    todo.extend(parts.iter().rev().map(|part| (*part, wanted)));
                }
                _ => found.push((formula, wanted)),
            }
        }
        found
    }

    /// A formula has to do with what is being explained: the tuples of its fixed point, or, if it has none, of any.
    fn is_core(&self, formula: FormulaId) -> bool {
        let (system, dependencies) = (self.machine.store.system, &self.progress.dependencies);
        let component = self.explained.map(|relation| dependencies.component(relation, &[]));
        let component = component.filter(|component| dependencies.is_recursive(component, &[]));
        let is_fixed_point = |relation: &RelationId| system.relation(*relation).kind != Kind::Definition;
        let relations = self.machine.planner.free.relations(formula);
        relations.iter().any(|used| match &component {
            Some(component) => dependencies.depends_on(*used, component[0]),
            None => (0..system.relations.len())
                .map(RelationId::new)
                .any(|other| is_fixed_point(&other) && dependencies.depends_on(*used, other)),
        })
    }

    /// The first values of variables for which none of some parts holds, and whether there are more.
    fn instances(
        &mut self,
        vars: &[VarId],
        guards: &Parts,
        values: &Values,
    ) -> Result<(Vec<Values>, bool), Fault> {
        let Some((&(first, wanted), others)) = guards.split_first() else { return Ok(self.all_values(vars)) };
        let given: Values =
            self.restricted(first, values).into_iter().filter(|v| !vars.contains(&v.0)).collect();
        let relevance = self.relevance.clone();
        let grouping: Grouping = &mut |at, row| match &relevance {
            Some(relevance) => relevance(vars, at, row),
            None => each(at, row),
        };
        let listing = self.machine.solutions(first, !wanted, vars, &given, (LOOKED_AT, grouping))?;
        let (mut found, mut is_cut) = (Vec::new(), listing.is_cut);
        for row in listing.rows {
            let instance: Values =
                vars.iter().copied().zip(row.into_iter().map(Option::unwrap_or_default)).collect();
            let known: Values = values.iter().chain(&instance).copied().collect();
            let mut is_excluded = false;
            for (part, wanted) in others {
                let at = self.restricted(*part, &known);
                is_excluded = is_excluded || self.machine.holds_at(*part, &at)? == *wanted;
            }
            if is_excluded {
                continue;
            }
            if found.len() == FOLLOWED {
                is_cut = true;
                break;
            }
            found.push(instance);
        }
        Ok((found, is_cut))
    }

    /// The first values of variables, if none is excluded.
    fn all_values(&self, vars: &[VarId]) -> (Vec<Values>, bool) {
        let system = self.machine.store.system;
        let sizes: Vec<u64> = vars.iter().map(|var| system.sort_of(*var).size()).collect();
        let total = sizes.iter().fold(1u64, |total, size| total.saturating_mul(*size));
        let valuation = |number: u64| {
            let mut rest = number;
            let mut values: Values = Vec::new();
            for (var, size) in vars.iter().zip(&sizes).rev() {
                values.push((*var, (rest % size) as u32));
                rest /= size;
            }
            values.reverse();
            values
        };
        let n_shown = total.min(FOLLOWED as u64);
        ((0..n_shown).map(valuation).collect(), total > n_shown)
    }
}

/// Each variable by itself, with all its values.
fn each(at: usize, _: &[Option<u32>]) -> Vec<Columns> {
    vec![Columns { at: vec![at], shown: Shown::Each }]
}
