//! Supports: what a clause, or a formula, rests on under values for its variables.

use super::context::Context;
use super::explain::Derivation;
use super::log::Origin;
use super::witness::parts;
use crate::answer::Fact;
use crate::fault::Fault;
use crate::planner::plan::{Literal, Rule};
use crate::store::Values;
use crate::store::table::TableId;
use calculus::system::{Comparison, Formula, FormulaId, Kind, RelationId, Term, VarId};

/// A tuple of a table, or one that is not: keys and bits with their values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tuple {
    pub table: TableId,
    pub values: Values,
    /// Where it is explained.
    pub context: Context,
    /// It is not in the table.
    pub is_absent: bool,
}

/// A part of a derivation before it is numbered.
pub(super) enum Support {
    /// A tuple, and the terms that stand for its columns.
    Tuple(Tuple, Vec<Term>),
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
        for (var, value) in other.values {
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
        rule: &Rule,
        values: &Values,
        rank: Option<u32>,
    ) -> Result<Supports, Fault> {
        let mut supports = Supports { values: values.clone(), ..Supports::default() };
        for literal in &rule.literals {
            let whole = rule.whole.as_ref().filter(|(part, _)| literal.table() == Some(*part));
            match whole.map_or(literal, |(_, whole)| whole) {
                Literal::Test { comparison: Comparison::Equal, left, right, holds: true } => {
                    if let (Term::Var(a), Term::Var(b)) = (left, right) {
                        supports.equal.push((*a, *b));
                    }
                }
                Literal::Test { .. } => {}
                Literal::Value { formula, positive, .. } => {
                    self.rank = rank;
                    let found = self.support(*formula, *positive, values);
                    self.rank = None;
                    let found = found?;
                    // Under a universal quantifier premises may be younger than the tuple; then the part is shown whole.
                    let younger =
                        |t: &Tuple| rank.is_some_and(|rank| self.log_rank(t).is_some_and(|r| r.0 >= rank));
                    if found.parts.iter().any(|s| matches!(s, Support::Tuple(t, _) if younger(t))) {
                        let fact = self.describe_at(*formula, *positive, values);
                        supports.parts.push(Support::Fact(fact));
                    } else {
                        supports.extend(found);
                    }
                }
                Literal::Atom { table, keys, bits } => {
                    let tuple = self.tuple(*table, keys, bits, values);
                    if self.machine.store.relation_of(*table).is_some() {
                        supports.parts.push(Support::Tuple(tuple, self.terms(*table, keys, bits)));
                    } else {
                        supports.extend(self.group_supports(&tuple)?);
                    }
                }
            }
        }
        Ok(supports)
    }

    /// The premises of a group's tuple; the group itself is not shown.
    pub(super) fn group_supports(&mut self, tuple: &Tuple) -> Result<Supports, Fault> {
        match self.log_rank(tuple) {
            Some((_, Origin::Rule(_))) => Ok(self.derive(tuple)?.supports),
            _ => Ok(Supports::default()),
        }
    }

    /// The terms of an atom in the order of the relation's columns.
    fn terms(&self, table: TableId, keys: &[Term], bits: &[Term]) -> Vec<Term> {
        let shape = self.machine.store.shape(table);
        let columns = shape.keys.iter().chain(&shape.bits).copied();
        let mut pairs: Vec<(VarId, Term)> = columns.zip(keys.iter().chain(bits).copied()).collect();
        pairs.sort_unstable_by_key(|pair| pair.0);
        pairs.into_iter().map(|pair| pair.1).collect()
    }

    pub(super) fn tuple(&self, table: TableId, keys: &[Term], bits: &[Term], values: &Values) -> Tuple {
        let shape = &self.machine.store.shape(table);
        let is_sorted = values.is_sorted();
        let value = |term: &Term| match term {
            Term::Value(value) => *value,
            Term::Var(v) if is_sorted => {
                let at = values.binary_search_by_key(v, |known| known.0);
                values[at.expect("every variable has a value")].1
            }
            Term::Var(v) => values.iter().find(|x| x.0 == *v).expect("every variable has a value").1,
        };
        let mut pairs: Values = shape.keys.iter().copied().zip(keys.iter().map(value)).collect();
        pairs.extend(shape.bits.iter().copied().zip(bits.iter().map(value)));
        if self.machine.store.relation_of(table).is_some() {
            // The columns of a relation are numbered in their order.
            pairs.sort_unstable();
        }
        Tuple { table, values: pairs, context: Context::new(), is_absent: false }
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
                let (keys, bits) = self.machine.store.split_terms(table, terms);
                let tuple = Tuple { is_absent: !positive, ..self.tuple(table, &keys, &bits, values) };
                supports.parts.push(Support::Tuple(tuple, terms.to_vec()));
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
