//! Rule sets: the plans that compute some tables, and the groups and facts that come with them.

use super::plan::{Head, Literal, Plan, Rule};
use super::{Draft, Made};
use crate::fault::Fault;
use crate::store::Fact;
use crate::store::table::{Role, TableId};
use calculus::system::{FormulaId, RelationId, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Everything needed to compute some tables.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// The tables that are computed.
    pub tables: Vec<TableId>,
    /// Groups that depend on other relations only, in order of need.
    pub statics: Vec<StaticGroup>,
    pub facts: Vec<Fact>,
    /// Plans that need nothing of the component.
    pub initial: Vec<Rc<Plan>>,
    /// Plans that new tuples drive, those of one clause one after the other.
    pub driven: Vec<Rc<Plan>>,
    /// The same by the table whose new tuples drive them.
    pub delta: FxHashMap<TableId, Vec<Rc<Plan>>>,
    /// Plans that must be run in full when a table of the component changes.
    pub volatile: Vec<Rc<Plan>>,
}

/// A group that is computed before the rules that use it.
#[derive(Clone, Debug)]
pub(crate) struct StaticGroup {
    pub table: TableId,
    pub relations: Vec<RelationId>,
    pub facts: Vec<Fact>,
    pub plans: Vec<Rc<Plan>>,
    pub groups: Vec<TableId>,
}

/// The rules of a set before they are put in order.
pub(crate) struct Unordered {
    heads: Vec<TableId>,
    rules: Vec<Rule>,
    made: Made,
    /// Tables that grow while the set is computed.
    growing: Vec<TableId>,
}

impl Unordered {
    /// The groups that must be there before the rules are put in order: how many rows they have decides which come first.
    pub fn statics(&self) -> &[StaticGroup] {
        &self.made.statics
    }
}

impl Draft<'_, '_> {
    /// Rules that compute tables, each from a formula or its negation. If they are `semi_naive`, new tuples drive them.
    pub fn rule_set(
        mut self,
        heads: &[(FormulaId, bool, TableId)],
        semi_naive: bool,
    ) -> Result<Unordered, Fault> {
        let tables: Vec<TableId> = heads.iter().map(|h| h.2).collect();
        let component = if semi_naive { tables.clone() } else { Vec::new() };
        self.growing.clone_from(&component);
        let mut rules: Vec<Rule> = Vec::new();
        for &(formula, positive, table) in heads {
            rules.extend(self.table_clauses(formula, positive, table, &component)?);
        }
        let mut next = 0;
        while let Some(group) = self.made.groups.get(next).cloned() {
            next += 1;
            if group.recursive {
                self.growing.push(group.table);
                rules.extend(self.table_clauses(group.formula, group.positive, group.table, &component)?);
            }
        }
        Ok(Unordered { heads: tables, rules, made: self.made, growing: self.growing })
    }

    /// Puts the rules of a set in order. Its static groups have been computed.
    pub fn in_order(mut self, unordered: Unordered) -> Result<Rc<RuleSet>, Fault> {
        let Unordered { heads, rules, made, growing } = unordered;
        self.growing = growing;
        let groups = made.groups.iter().filter(|g| g.recursive).map(|g| g.table);
        let mut set = RuleSet {
            tables: heads.into_iter().chain(groups).collect(),
            statics: made.statics,
            facts: made.facts,
            ..RuleSet::default()
        };
        for rule in rules {
            self.place(rule, &mut set)?;
        }
        Ok(Rc::new(set))
    }

    fn table_clauses(
        &mut self,
        f: FormulaId,
        positive: bool,
        table: TableId,
        component: &[TableId],
    ) -> Result<Vec<Rule>, Fault> {
        let shape = self.store.shape(table).clone();
        let key = shape.keys.iter().map(|&v| Term::Var(v)).collect();
        self.clauses(f, positive, Head::Table(table, key), &shape.bits, &[], component)
    }

    /// Makes the plans of a group that depends on nothing in the component, and of the groups inside it.
    pub fn build_static(&mut self, formula: FormulaId, positive: bool, table: TableId) -> Result<(), Fault> {
        let outer_facts = std::mem::take(&mut self.made.facts);
        let rules = self.table_clauses(formula, positive, table, &[]);
        let facts = std::mem::replace(&mut self.made.facts, outer_facts);
        let rules = rules?;
        let groups = rules.iter().flat_map(|r| &r.literals).filter_map(|l| match l {
            Literal::Atom { table, .. } if self.store.shape(*table).role == Role::Group => Some(*table),
            _ => None,
        });
        let groups = groups.collect();
        let mut plans = Vec::new();
        for rule in rules {
            plans.push(Rc::new(self.schedule(rule, None)?));
        }
        let relations = self.planner.free.relations(formula).to_vec();
        self.made.statics.push(StaticGroup { table, relations, facts, plans, groups });
        Ok(())
    }

    /// Schedules a rule for every way in which it can find new tuples.
    fn place(&mut self, rule: Rule, set: &mut RuleSet) -> Result<(), Fault> {
        let growing = self.growing.clone();
        let is_volatile = rule.literals.iter().any(|literal| match literal {
            Literal::Value { node, .. } => {
                self.planner.nodes[*node].relations.iter().any(|r| growing.contains(&TableId(r.0)))
            }
            _ => false,
        });
        let occurrences: Vec<(usize, TableId)> = rule
            .literals
            .iter()
            .enumerate()
            .filter_map(|(n, literal)| match literal {
                Literal::Atom { table, .. } if growing.contains(table) => Some((n, *table)),
                _ => None,
            })
            .collect();
        if is_volatile || occurrences.is_empty() {
            let plan = Rc::new(self.schedule(rule, None)?);
            if is_volatile {
                set.volatile.push(plan)
            } else {
                set.initial.push(plan)
            }
            return Ok(());
        }
        let first = set.driven.len() as u32;
        let family = first..first + occurrences.len() as u32;
        for (literal, table) in occurrences {
            let plan = self.schedule(rule.clone(), Some(literal))?;
            let plan = Rc::new(Plan { family: family.clone(), ..plan });
            set.driven.push(plan.clone());
            set.delta.entry(table).or_default().push(plan);
        }
        Ok(())
    }
}
