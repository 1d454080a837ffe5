//! Supports: what a clause, or a formula, rests on under values for its variables.

use super::explain::Derivation;
use super::instance::Backward;
use super::log::Origin;
use super::tuple::{Terms, Tuple};
use super::witness::parts;
use crate::answer::Fact;
use crate::fault::Fault;
use crate::planner::plan::Literal;
use crate::store::Values;
use crate::store::table::TableId;
use calculus::system::{Comparison, Formula, FormulaId, Kind, RelationId, Term, VarId};

/// A part of a derivation before it is numbered.
pub(super) enum Support {
    /// A tuple, and the terms that stand for its columns.
    Tuple(Tuple, Terms),
    Fact(Fact),
    /// Something is said of all values of some variables: for the first of these that matter, what it rests on.
    Each {
        fact: Fact,
        choices: Vec<(Values, Supports)>,
        is_cut: bool,
    },
}

/// What a clause, or a formula, rests on, and how it connects that.
#[derive(Default)]
pub(super) struct Supports {
    pub parts: Vec<Support>,
    /// Variables that are made equal.
    pub equal: Vec<(VarId, VarId)>,
    /// The values of all variables.
    pub values: Values,
}

impl Supports {
    fn extend(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.equal.extend(other.equal);
        self.add_values(other.values);
    }

    /// Adds the values of variables that have none.
    fn add_values(&mut self, values: Values) {
        for (var, value) in values {
            if self.values.iter().all(|known| known.0 != var) {
                self.values.push((var, value));
            }
        }
    }
}

impl Derivation<'_, '_> {
    /// The premises of a rule under values for all its variables.
    pub(super) fn rule_supports(
        &mut self,
        rule: &Backward,
        values: Values,
        rank: Option<u32>,
    ) -> Result<Supports, Fault> {
        let mut supports = Supports::default();
        self.machine.executor.assume(&values);
        for (literal, premise) in rule.literals.iter().zip(&rule.premises) {
            let whole = rule.whole.as_ref().filter(|(part, _)| literal.table() == Some(*part));
            let premise = whole.map(|(_, whole)| whole).or(premise.as_ref());
            match (literal, premise) {
                (_, Some((table, terms))) => {
                    let tuple = self.tuple(*table, terms);
                    if self.machine.store.relation_of(*table).is_some() {
                        supports.parts.push(Support::Tuple(tuple, terms.clone()));
                    } else {
                        supports.extend(self.group_supports(&tuple)?);
                        self.machine.executor.assume(&values);
                    }
                }
                (Literal::Test { comparison: Comparison::Equal, left, right, holds: true }, _) => {
                    if let (Term::Var(a), Term::Var(b)) = (left, right) {
                        supports.equal.push((*a, *b));
                    }
                }
                (Literal::Value { formula, positive, .. }, _) => {
                    self.rank = rank;
                    let found = self.support(*formula, *positive, &values);
                    self.rank = None;
                    let found = found?;
                    // Under a universal quantifier premises may be younger than the tuple; then the part is shown whole.
                    if rank.is_some_and(|rank| self.has_younger(&found, rank)) {
                        let fact = self.describe_at(*formula, *positive, &values);
                        supports.parts.push(Support::Fact(fact));
                    } else {
                        supports.extend(found);
                    }
                    self.machine.executor.assume(&values);
                }
                _ => {}
            }
        }
        let found = std::mem::replace(&mut supports.values, values);
        supports.add_values(found);
        Ok(supports)
    }

    /// Some tuple was not there yet at some time.
    pub(super) fn has_younger(&mut self, supports: &Supports, rank: u32) -> bool {
        supports.parts.iter().any(|part| match part {
            Support::Tuple(tuple, _) => self.log_rank(tuple).is_some_and(|known| known.0 >= rank),
            Support::Fact(_) | Support::Each { .. } => false,
        })
    }

    /// The premises of a group's tuple; the group itself is not shown.
    pub(super) fn group_supports(&mut self, tuple: &Tuple) -> Result<Supports, Fault> {
        match self.log_rank(tuple) {
            Some((_, Origin::Rule(_) | Origin::Instance(..))) => Ok(self.derive(tuple)?.supports),
            _ => Ok(Supports::default()),
        }
    }

    /// What makes a formula come out as wanted under values for its free variables.
    pub(super) fn support(
        &mut self,
        formula: FormulaId,
        positive: bool,
        values: &Values,
    ) -> Result<Supports, Fault> {
        if let Formula::Not(inner) = self.machine.store.system.formula(formula) {
            return self.support(*inner, !positive, values);
        }
        if let Some((all, parts)) = parts(self.machine.store.system, formula, positive) {
            let mut supports = Supports::default();
            for (part, positive) in parts {
                if all {
                    supports.extend(self.support(part, positive, values)?);
                } else if self.machine.holds_at(part, &self.restricted(part, values))? == positive {
                    return self.support(part, positive, values);
                }
            }
            return Ok(supports);
        }
        let mut supports = Supports { values: self.restricted(formula, values), ..Supports::default() };
        match (self.machine.store.system.formula(formula), positive) {
            (Formula::Apply(relation, terms), _) if positive || self.explains_absence(*relation)? => {
                let table = TableId(relation.0);
                self.machine.executor.assume(values);
                let tuple = Tuple { is_absent: !positive, ..self.tuple(table, terms) };
                supports.parts.push(Support::Tuple(tuple, terms.to_vec().into()));
            }
            (Formula::Exists(vars, inner), true) | (Formula::Forall(vars, inner), false) => {
                let given = self.restricted(formula, values);
                supports.extend(self.chosen(*inner, positive, vars, &given)?);
            }
            (Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)), true) => {
                supports.equal.push((*a, *b));
            }
            _ if self.machine.planner.free.relations(formula).is_empty() => {}
            (Formula::Forall(vars, inner), true) | (Formula::Exists(vars, inner), false) => {
                let fact = self.describe_at(formula, positive, values);
                supports.parts.push(self.for_each(fact, vars, *inner, positive, values)?);
            }
            _ => supports.parts.push(Support::Fact(self.describe_at(formula, positive, values))),
        }
        Ok(supports)
    }

    /// Why a tuple is not in a relation can be derived: the complement of the relation is a greatest fixed point by itself, or it is known
    /// when tuples left the relation; and all of the relation is known.
    fn explains_absence(&mut self, relation: RelationId) -> Result<bool, Fault> {
        let system = self.machine.store.system;
        let component = self.progress.dependencies.component(relation, &[]);
        let is_free = self.progress.dependencies.negative_use(&component).is_none()
            && component.iter().all(|member| !self.progress.is_suspended(*member));
        if !is_free || self.machine.store.is_given(TableId(relation.0)) {
            return Ok(false);
        }
        self.machine.ensure(self.progress, relation)?;
        match component.iter().any(|member| system.relation(*member).kind == Kind::Nu) {
            true => self.shrinks(&component),
            false => Ok(true),
        }
    }

    /// The values of a formula's free variables.
    pub(super) fn restricted(&self, formula: FormulaId, values: &Values) -> Values {
        let free = self.machine.planner.free.vars(formula);
        values.iter().copied().filter(|v| free.binary_search(&v.0).is_ok()).collect()
    }

    /// A formula with the values it has here.
    pub(super) fn describe_at(&self, formula: FormulaId, positive: bool, values: &Values) -> Fact {
        let text = calculus::print_formula(self.machine.store.system, formula);
        let text = if positive { text } else { format!("!({text})") };
        Fact::new(text, self.restricted(formula, values))
    }
}
