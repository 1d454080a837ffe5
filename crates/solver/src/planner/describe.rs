//! Plans as text for people: what drives each clause, how keys are found, what is multiplied and forgotten.

use crate::fault::Fault;
use crate::fixpoint::solve::Progress;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::planner::plan::{Head, Literal, Multiply, Plan, Rule, Step};
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{Comparison, Kind, RelationId, Term, VarId};
use std::fmt::Write;

impl Machine<'_> {
    /// The evaluation plan of a relation.
    pub fn describe(&mut self, progress: &mut Progress, relation: RelationId) -> Result<String, Fault> {
        let component = progress.dependencies.component(relation, &[]);
        let recursive = progress.dependencies.is_recursive(&component, &[]);
        let positive = progress.dependencies.negative_use(&component).is_none();
        let system = self.store.system;
        for used in progress.dependencies.uses(relation).to_vec() {
            if !component.contains(&used.relation) {
                self.ensure(progress, used.relation)?;
            }
        }
        let mut out = String::new();
        self.describe_columns(relation, &mut out);
        let others: Vec<&str> =
            component.iter().filter(|r| **r != relation).map(|r| system.relation(*r).name.as_str()).collect();
        if !others.is_empty() {
            let _ = writeln!(out, "  computed together with {}", others.join(", "));
        }
        let has_nu = component.iter().any(|r| system.relation(*r).kind == Kind::Nu);
        let body = system.relation(relation).body;
        if !recursive
            && !self.planner.has_keys[body.index()]
            && self.store.shape(TableId(relation.0)).keys.is_empty()
        {
            out.push_str("  evaluated once as one diagram, brackets first, left to right\n");
            return Ok(out);
        }
        if recursive && !positive {
            out.push_str("  not positive: iterated from the start value, everything it uses computed anew in each round\n");
        } else if recursive && dependencies::is_mixed(system, &component) {
            let outer = dependencies::outermost(system, &component);
            let _ = writeln!(
                out,
                "  alternating: `{}` is iterated around the others",
                system.relation(outer).name
            );
        } else if recursive && has_nu {
            out.push_str("  greatest fixed point: rounds from the full relation until nothing changes\n");
        } else if recursive {
            out.push_str("  least fixed point: a work list of keys propagates new tuples\n");
            let heads: Vec<_> =
                component.iter().map(|&r| (system.relation(r).body, true, TableId(r.0))).collect();
            let set = self.rule_set(&heads, true)?;
            self.describe_set(&set, &mut out);
            return Ok(out);
        }
        let set = self.rule_set(&[(body, true, TableId(relation.0))], false)?;
        self.describe_set(&set, &mut out);
        Ok(out)
    }

    fn describe_columns(&self, relation: RelationId, out: &mut String) {
        let shape = self.store.shape(TableId(relation.0));
        let names = |vars: &[VarId]| {
            vars.iter().map(|&v| self.store.system.var_name(v)).collect::<Vec<_>>().join(", ")
        };
        let keys = if shape.keys.is_empty() { "none".to_owned() } else { names(&shape.keys) };
        let bits = if shape.bits.is_empty() { "none".to_owned() } else { names(&shape.bits) };
        let _ = writeln!(out, "  keys: {keys}; bits: {bits}");
    }

    fn describe_set(&self, set: &RuleSet, out: &mut String) {
        for group in &set.statics {
            let _ = writeln!(
                out,
                "  {} (static), computed once: {} facts",
                self.store.shape(group.table).name,
                group.facts.len()
            );
            for plan in &group.plans {
                self.describe_plan(plan, "in full", out);
            }
        }
        if !set.facts.is_empty() {
            let _ = writeln!(out, "  {} facts are entered directly", set.facts.len());
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
                format!("{}[{}]", self.store.shape(*table).name, self.terms(key, None))
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
                    "for each row {} (by index on {} known keys of {})",
                    self.literal(&rule.literals[*slot]),
                    probe.len(),
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
                format!("unless {}[{}] holds already", self.store.shape(*table).name, self.terms(key, None))
            }
            Step::Some { table, probe, .. } => {
                let name = &self.store.shape(*table).name;
                format!("if some row of {name} has these {} keys", probe.len())
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
            Literal::Atom { table, keys, bits } => {
                let shape = self.store.shape(*table);
                let columns: Vec<VarId> = shape.keys.iter().chain(&shape.bits).copied().collect();
                let terms: Vec<Term> = keys.iter().chain(bits).copied().collect();
                let term_of =
                    |v: &VarId| terms[columns.iter().position(|c| c == v).expect("a column of the table")];
                let order = match self.store.relation_of(*table) {
                    Some(relation) => self.store.system.relation(relation).columns.clone(),
                    None => {
                        let mut sorted = columns.clone();
                        sorted.sort_unstable();
                        sorted
                    }
                };
                let pairs: Vec<(VarId, Term)> = order.iter().map(|v| (*v, term_of(v))).collect();
                format!("{}({})", shape.name, self.arguments(&pairs).join(", "))
            }
            Literal::Test { comparison, left, right, .. } => self.test(*comparison, *left, *right),
            Literal::Value { formula, positive, .. } => {
                let text: String =
                    calculus::print_formula(self.store.system, *formula).chars().take(120).collect();
                if *positive { format!("({text})") } else { format!("!({text})") }
            }
        }
    }

    /// Arguments as the user writes them: the bits or keys of one variable are shown as the variable.
    fn arguments(&self, pairs: &[(VarId, Term)]) -> Vec<String> {
        let mut shown = Vec::new();
        let mut at = 0;
        while let Some(&(column, term)) = pairs.get(at) {
            let binder = match term {
                Term::Var(v) => Some(self.store.system.vars[v.index()].binder),
                Term::Value(_) => None,
            };
            let same = |p: &&(VarId, Term)| matches!(p.1, Term::Var(v) if Some(self.store.system.vars[v.index()].binder) == binder);
            let run = pairs[at..].iter().take_while(same).count();
            let whole = binder.map(|b| &self.store.system.binders[b.index()]);
            let of_kind = |explicit: bool, leaves: &[VarId]| {
                leaves.iter().filter(|l| self.store.layout.is_explicit(**l) == explicit).count()
            };
            match whole {
                Some(b) if run > 1 && (run == b.leaves.len() || run == of_kind(false, &b.leaves)) => {
                    shown.push(b.name.clone());
                    at += run;
                }
                _ => {
                    shown.push(self.terms(&[term], Some(column)));
                    at += 1;
                }
            }
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
