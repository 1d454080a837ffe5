//! Plans as text for people: what drives each clause, how keys are found, what is multiplied and forgotten.

use super::names::{folded, folded_equalities};
use super::node::{NodeId, equality};
use super::plan::{Head, Literal, Multiply, Plan, Rule, Step};
use super::schedule::variable;
use super::{Planner, RuleSet};
use crate::store::Store;
use crate::store::table::TableId;
use calculus::system::{Comparison, Formula, FormulaId, RelationId, Term, VarId};
use std::fmt::Write;

/// What the text of plans is made from.
pub(crate) struct PlanText<'a, 's> {
    pub store: &'a Store<'s>,
    pub planner: &'a Planner,
}

impl PlanText<'_, '_> {
    /// The line that a relation's block begins with: its name and its columns.
    pub fn describe_columns(&self, relation: RelationId, out: &mut String) {
        let shape = self.store.shape(TableId(relation.0));
        let names = |vars: &[VarId]| folded(self.store.system, vars).join(", ");
        let keys = if shape.keys.is_empty() { "none".to_owned() } else { names(&shape.keys) };
        let bits = if shape.bits.is_empty() { "none".to_owned() } else { names(&shape.bits) };
        let _ = writeln!(out, "{}: keys {keys}; bits {bits}", shape.name);
    }

    /// The plans of a rule set.
    pub fn describe_set(&self, set: &RuleSet, out: &mut String) {
        for group in &set.statics {
            let name = &self.store.shape(group.table).name;
            let _ = match group.facts.len() {
                0 => writeln!(out, "  {name} (static), computed once"),
                n_facts => writeln!(out, "  {name} (static), computed once: {}", counted(n_facts, "fact")),
            };
            for plan in &group.plans {
                self.describe_plan(plan, "in full", out);
            }
        }
        if !set.facts.is_empty() {
            let _ = writeln!(out, "  entered directly: {}", counted(set.facts.len(), "fact"));
        }
        for plan in &set.initial {
            self.describe_plan(plan, "once at the start", out);
        }
        for &table in &set.tables {
            for plan in set.delta.get(&table).into_iter().flatten() {
                let delta = plan.delta.as_ref().expect("a plan for new tuples");
                let when = format!(
                    "for new tuples of {}",
                    self.literal(&self.planner.rules[plan.rule.index()].literals[delta.literal])
                );
                self.describe_plan(plan, &when, out);
            }
        }
        for plan in &set.volatile {
            self.describe_plan(plan, "in full after each change", out);
        }
    }

    fn describe_plan(&self, plan: &Plan, when: &str, out: &mut String) {
        let rule = &self.planner.rules[plan.rule.index()];
        let _ = writeln!(out, "  {} clause {}, {when}:", self.head(rule), rule.clause);
        for step in &plan.steps {
            let _ = writeln!(out, "    {}", self.step_text(rule, step));
        }
        let _ = writeln!(out, "    add to {}", self.head_text(rule));
    }

    fn head(&self, rule: &Rule) -> &str {
        match &rule.head {
            Head::Table(table, _) => &self.store.shape(*table).name,
            Head::Sum => "sum",
        }
    }

    fn head_text(&self, rule: &Rule) -> String {
        match &rule.head {
            Head::Table(table, key) => {
                let bits: Vec<Term> = self.store.shape(*table).bits.iter().map(|v| Term::Var(*v)).collect();
                self.atom(*table, key, &bits)
            }
            Head::Sum => "the sum".to_owned(),
        }
    }

    fn multiply_text(&self, rule: &Rule, multiply: &Multiply) -> String {
        let setting = &self.planner.settings[multiply.id as usize];
        let pairs: Vec<(VarId, Term)> = setting.quantified.iter().map(|&v| (v, Term::Var(v))).collect();
        let forget = self.arguments(&pairs);
        let what = self.literal(&rule.literals[multiply.slot]);
        match forget.is_empty() {
            true => format!("multiply by {what}"),
            false => format!("multiply by {what}, forget {}", forget.join(", ")),
        }
    }

    fn step_text(&self, rule: &Rule, step: &Step) -> String {
        match step {
            Step::Scan { table, slot, probe, .. } => {
                format!(
                    "for each row {} (by index on {} of {})",
                    self.literal(&rule.literals[*slot]),
                    counted(probe.len(), "known key"),
                    self.store.shape(*table).name
                )
            }
            Step::All { slot, .. } => format!("for each row {}", self.literal(&rule.literals[*slot])),
            Step::Probe { slot, .. } => format!("look up {}", self.literal(&rule.literals[*slot])),
            Step::Test { comparison, left, right, holds } => {
                let text = self.test(*comparison, *left, *right);
                if *holds { format!("if {text}") } else { format!("if not {text}") }
            }
            Step::Bind(var, term) => {
                format!("let {} = {}", self.store.system.var_name(*var), self.terms(&[*term], Some(*var)))
            }
            Step::Unless { table, key } => {
                format!("unless {} holds already", self.atom(*table, key, &[]))
            }
            Step::Some { table, probe, .. } => {
                let name = &self.store.shape(*table).name;
                format!("if some row of {name} has the {}", counted(probe.len(), "known key"))
            }
            Step::Enumerate(var, size) => {
                format!("for each of the {size} values of {}", self.store.system.var_name(*var))
            }
            Step::Value { slot, .. } => format!("evaluate {}", self.literal(&rule.literals[*slot])),
            Step::Multiply(multiply) => self.multiply_text(rule, multiply),
            Step::Fused(fused) => {
                let second = self.multiply_text(rule, &fused.second);
                format!("{}, and at once {second}", self.multiply_text(rule, &fused.first))
            }
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Atom { table, keys, bits } => self.atom(*table, keys, bits),
            Literal::Test { comparison, left, right, .. } => self.test(*comparison, *left, *right),
            Literal::Value { node, formula, positive: true } if !self.equated(*node, *formula).is_empty() => {
                let pairs = self.equated(*node, *formula);
                format!("({})", folded_equalities(self.store.system, &pairs).join(" & "))
            }
            Literal::Value { formula, positive, .. } => {
                let text = shortened(calculus::print_formula(self.store.system, *formula));
                if *positive { format!("({text})") } else { format!("!({text})") }
            }
        }
    }

    /// A table with what stands in its columns, in the order of the relation's text.
    fn atom(&self, table: TableId, keys: &[Term], bits: &[Term]) -> String {
        let shape = self.store.shape(table);
        let columns = shape.keys.iter().chain(&shape.bits).copied();
        let mut pairs: Vec<(VarId, Term)> = columns.zip(keys.iter().chain(bits).copied()).collect();
        assert_eq!(
            pairs.len(),
            shape.keys.len() + shape.bits.len(),
            "every column of {} is given",
            shape.name
        );
        match self.store.relation_of(table) {
            Some(relation) => {
                let columns = &self.store.system.relation(relation).columns;
                pairs.sort_by_key(|pair| columns.iter().position(|column| *column == pair.0));
            }
            None => pairs.sort_unstable_by_key(|pair| pair.0),
        }
        format!("{}({})", shape.name, self.arguments(&pairs).join(", "))
    }

    /// The pairs of variables that a factor equates, if that is all it does.
    fn equated(&self, node: NodeId, formula: FormulaId) -> Vec<(VarId, VarId)> {
        let merged = self.planner.nodes.equated(node);
        if !merged.is_empty() {
            return merged;
        }
        let (mut pairs, mut todo) = (Vec::new(), vec![formula]);
        while let Some(next) = todo.pop() {
            match self.store.system.formula(next) {
                Formula::And(parts) => todo.extend(parts.iter().rev()),
                _ => match equality(self.store.system, next) {
                    Some(pair) => pairs.push(pair),
                    None => return Vec::new(),
                },
            }
        }
        pairs
    }

    /// Arguments as the user writes them: the leaves of one record, or all bits of one variable, are shown as that.
    fn arguments(&self, pairs: &[(VarId, Term)]) -> Vec<String> {
        let system = self.store.system;
        let binder = |term: Term| match term {
            Term::Var(v) => Some(system.vars[v.index()].binder),
            Term::Value(_) => None,
        };
        let mut shown = Vec::new();
        let mut rest = pairs;
        while let Some(&(column, term)) = rest.first() {
            let alike = |p: &&(VarId, Term)| binder(p.1).is_some() && binder(p.1) == binder(term);
            let run: Vec<VarId> = rest.iter().take_while(alike).filter_map(|p| variable(p.1)).collect();
            let Some(binder) = binder(term).filter(|_| run.is_sorted_by(|a, b| a < b)) else {
                shown.push(self.terms(&[term], Some(column)));
                rest = &rest[1..];
                continue;
            };
            let binder = &system.binders[binder.index()];
            let is_bit = |v: &&VarId| !self.store.layout.is_explicit(**v);
            match run.iter().eq(binder.leaves.iter().filter(is_bit)) {
                true => shown.push(binder.name.clone()),
                false => shown.extend(folded(system, &run)),
            }
            rest = &rest[run.len()..];
        }
        shown
    }

    fn test(&self, comparison: Comparison, left: Term, right: Term) -> String {
        let sign = match comparison {
            Comparison::Equal => "=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
        };
        let like = [left, right].into_iter().find_map(|t| if let Term::Var(v) = t { Some(v) } else { None });
        format!("{} {sign} {}", self.terms(&[left], like), self.terms(&[right], like))
    }

    /// Terms, constants as values of the sort of `like`.
    fn terms(&self, terms: &[Term], like: Option<VarId>) -> String {
        let text = |term: &Term| match (term, like) {
            (Term::Var(v), _) => self.store.system.var_name(*v),
            (Term::Value(value), Some(v)) => self.store.system.sort_of(v).value_name(*value),
            (Term::Value(value), None) => value.to_string(),
        };
        terms.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A formula that fits a line; what is cut off is told.
fn shortened(text: String) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
