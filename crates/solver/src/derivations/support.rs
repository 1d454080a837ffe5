//! Supports: what a clause, or a formula, rests on under values for its variables.

use super::context::Context;
use super::explain::Derivation;
use super::log::Origin;
use super::witness::parts;
use crate::fault::Fault;
use crate::planner::plan::{Literal, Rule};
use crate::store::Values;
use crate::store::table::TableId;
use calculus::system::{Formula, FormulaId, Term};

/// A tuple of a table: keys and bits with their values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tuple {
    pub table: TableId,
    pub values: Values,
    /// Where it is explained.
    pub context: Context,
}

/// A part of a derivation before it is numbered.
pub(super) enum Support {
    Tuple(Tuple),
    Fact(String),
}

impl Derivation<'_, '_> {
    /// The premises of a rule under values for all its variables.
    pub(super) fn rule_supports(
        &mut self,
        rule: &Rule,
        values: &Values,
        rank: Option<u32>,
    ) -> Result<Vec<Support>, Fault> {
        let mut supports = Vec::new();
        for literal in &rule.literals {
            let whole = rule.whole.as_ref().filter(|(part, _)| literal.table() == Some(*part));
            match whole.map_or(literal, |(_, whole)| whole) {
                Literal::Test { .. } => {}
                Literal::Value { formula, positive, .. } => {
                    let found = self.support(*formula, *positive, values)?;
                    // Under a universal quantifier premises may be younger than the tuple; then the part is shown whole.
                    let younger =
                        |t: &Tuple| rank.is_some_and(|rank| self.log_rank(t).is_some_and(|r| r.0 >= rank));
                    if found.iter().any(|s| matches!(s, Support::Tuple(t) if younger(t))) {
                        supports.push(Support::Fact(self.describe_at(*formula, *positive, values)));
                    } else {
                        supports.extend(found);
                    }
                }
                Literal::Atom { table, keys, bits } => {
                    let tuple = self.tuple(*table, keys, bits, values);
                    if self.machine.store.relation_of(*table).is_some() {
                        supports.push(Support::Tuple(tuple));
                    } else {
                        supports.extend(self.group_supports(&tuple)?);
                    }
                }
            }
        }
        Ok(supports)
    }

    /// The premises of a group's tuple; the group itself is not shown.
    pub(super) fn group_supports(&mut self, tuple: &Tuple) -> Result<Vec<Support>, Fault> {
        match self.log_rank(tuple) {
            Some((_, Origin::Rule(_))) => Ok(self.derive(tuple)?.supports),
            _ => Ok(Vec::new()),
        }
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
        Tuple { table, values: pairs, context: Context::new() }
    }

    /// What makes a formula come out as wanted under values for its free variables.
    pub(super) fn support(
        &mut self,
        formula: FormulaId,
        positive: bool,
        values: &Values,
    ) -> Result<Vec<Support>, Fault> {
        if let Formula::Not(inner) = self.machine.store.system.formula(formula) {
            return self.support(*inner, !positive, values);
        }
        if let Some((all, parts)) = parts(self.machine.store.system, formula, positive) {
            let mut supports = Vec::new();
            for (part, positive) in parts {
                if all {
                    supports.extend(self.support(part, positive, values)?);
                } else if self.machine.holds_at(part, &self.restricted(part, values))? == positive {
                    return self.support(part, positive, values);
                }
            }
            return Ok(supports);
        }
        match (self.machine.store.system.formula(formula), positive) {
            (Formula::Apply(relation, terms), true) => {
                let table = TableId(relation.0);
                let (keys, bits) = self.machine.store.split_terms(table, terms);
                Ok(vec![Support::Tuple(self.tuple(table, &keys, &bits, values))])
            }
            (Formula::Exists(vars, inner), true) | (Formula::Forall(vars, inner), false) => {
                let given = self.restricted(formula, values);
                match self.machine.first_solution(*inner, positive, vars, &given)? {
                    Some(found) => self.support(*inner, positive, &given.into_iter().chain(found).collect()),
                    None => Ok(Vec::new()),
                }
            }
            _ if self.machine.planner.free.relations(formula).is_empty() => Ok(Vec::new()),
            _ => Ok(vec![Support::Fact(self.describe_at(formula, positive, values))]),
        }
    }

    /// The values of a formula's free variables.
    fn restricted(&self, formula: FormulaId, values: &Values) -> Values {
        let free = self.machine.planner.free.vars(formula);
        values.iter().copied().filter(|v| free.binary_search(&v.0).is_ok()).collect()
    }

    /// A formula with the values it has here.
    fn describe_at(&self, formula: FormulaId, positive: bool, values: &Values) -> String {
        let text = calculus::print_formula(self.machine.store.system, formula);
        let text = if positive { text } else { format!("!({text})") };
        let values = self.restricted(formula, values);
        let where_: Vec<String> = values
            .iter()
            .map(|&(v, value)| {
                format!(
                    "{} = {}",
                    self.machine.store.system.var_name(v),
                    self.machine.store.system.sort_of(v).value_name(value)
                )
            })
            .collect();
        if where_.is_empty() { text } else { format!("{text} where {}", where_.join(", ")) }
    }
}
