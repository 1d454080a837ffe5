//! From formulas to rules: every disjunct of a body becomes a clause, every conjunct a literal.
//!
//! Brackets are the writer's plan. A bracketed group that stands beside other conjuncts becomes a table of its own
//! (*group*) if its keys can be enumerated from it alone: static groups are computed once, groups that
//! depend on the relations being computed take part in their iteration. Other groups are evaluated under the
//! keys that the rest of the clause binds, or, where that would lose new tuples, multiplied out.

use super::connectives::Connectives;
use super::node::NodeId;
use super::plan::{Head, Literal, Rule};
use super::{Draft, StaticGroup};
use crate::fault::Fault;
use crate::store::Fact;
use crate::store::table::{Role, Shape, TableId};
use base::Span;
use calculus::system::{Comparison, Formula, FormulaId, Term, VarId};
use dd::Bdd;
use rustc_hash::FxHashSet;

/// A clause on its way: what is still to be turned into literals, last first.
#[derive(Clone)]
struct Partial {
    todo: Vec<(FormulaId, bool)>,
    literals: Vec<Literal>,
    clause: usize,
    span: Span,
}

/// What becomes of a group beside other conjuncts.
enum Decision {
    /// A table of its own.
    Table(TableId),
    /// A diagram under bound keys.
    Value,
    /// Its parts join the clause, or one clause each.
    Open,
}

/// A group that has a table.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub table: TableId,
    pub formula: FormulaId,
    pub positive: bool,
    /// Takes part in the iteration of the component.
    pub recursive: bool,
}

/// What making rules leaves behind besides the rules.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub groups: Vec<Group>,
    pub statics: Vec<StaticGroup>,
    pub facts: Vec<Fact>,
}

impl Draft<'_, '_> {
    /// The clauses of a formula, or of its negation. `component` holds the tables that are being computed.
    pub fn clauses(
        &mut self,
        f: FormulaId,
        positive: bool,
        head: Head,
        keep: &[VarId],
        bound: &[VarId],
        component: &[TableId],
    ) -> Result<Vec<Rule>, Fault> {
        let mut rules = Vec::new();
        let span = self.store.system.span(f);
        let mut stack = vec![Partial { todo: vec![(f, positive)], literals: Vec::new(), clause: 1, span }];
        while let Some(partial) = stack.pop() {
            let Some(done) = self.advance(partial, component, &mut stack)? else { continue };
            if self.record_fact(&head, &done)? {
                continue;
            }
            let (clause, span) = (done.clause, done.span);
            for (literals, whole) in self.split(done.literals, component)? {
                let literals = self.merge_equalities(literals)?;
                let (head, keep, bound) = (head.clone(), keep.to_vec(), bound.to_vec());
                rules.push(Rule { head, keep, bound, literals, whole, clause, span });
            }
        }
        Ok(rules)
    }

    /// Works through a clause. Returns it when all of it is literals; puts what it splits into on the stack.
    fn advance(
        &mut self,
        mut partial: Partial,
        component: &[TableId],
        stack: &mut Vec<Partial>,
    ) -> Result<Option<Partial>, Fault> {
        let system = self.store.system;
        while let Some((f, positive)) = partial.todo.pop() {
            let first = partial.literals.is_empty();
            let sole = first && partial.todo.is_empty();
            match system.formula(f) {
                Formula::Constant(value) if *value == positive => {}
                Formula::Constant(_) => return Ok(None),
                Formula::Not(g) => partial.todo.push((*g, !positive)),
                Formula::And(parts) | Formula::Or(parts) => {
                    let conjunctive = matches!(system.formula(f), Formula::And(_)) == positive;
                    let parts = parts.iter().rev().map(|&p| (p, positive));
                    match self.decide(f, positive, component, if conjunctive { first } else { sole })? {
                        Decision::Table(table) => partial.literals.push(self.group_literal(table)),
                        Decision::Value => partial.literals.push(self.value_literal(f, positive)?),
                        Decision::Open if conjunctive => partial.todo.extend(parts),
                        Decision::Open => {
                            let n = parts.len();
                            stack.extend(parts.enumerate().map(|(i, part)| {
                                let mut branch = partial.clone();
                                branch.todo.push(part);
                                if sole {
                                    branch.clause = partial.clause + n - 1 - i;
                                    branch.span = system.span(part.0);
                                }
                                branch
                            }));
                            return Ok(None);
                        }
                    }
                }
                Formula::Exists(_, g) | Formula::Forall(_, g)
                    if matches!(system.formula(f), Formula::Exists(..)) == positive =>
                {
                    match self.decide(f, positive, component, sole)? {
                        Decision::Table(table) => partial.literals.push(self.group_literal(table)),
                        Decision::Value => partial.literals.push(self.value_literal(f, positive)?),
                        Decision::Open => partial.todo.push((*g, positive)),
                    }
                }
                Formula::Apply(relation, terms) if positive => {
                    let table = TableId(relation.0);
                    let (keys, bits) = self.store.split_terms(table, terms);
                    partial.literals.push(Literal::Atom { table, keys, bits });
                }
                Formula::Compare(comparison, left, right) if self.is_test(&[*left, *right]) => {
                    let (comparison, left, right) = (*comparison, *left, *right);
                    partial.literals.push(Literal::Test { comparison, left, right, holds: positive });
                }
                Formula::Variable(v) if self.store.layout.is_explicit(*v) => {
                    let (left, right) = (Term::Var(*v), Term::Value(u32::from(positive)));
                    partial.literals.push(Literal::Test {
                        comparison: Comparison::Equal,
                        left,
                        right,
                        holds: true,
                    });
                }
                _ => partial.literals.push(self.value_literal(f, positive)?),
            }
        }
        Ok(Some(partial))
    }

    fn is_test(&self, terms: &[Term]) -> bool {
        terms.iter().any(|t| matches!(t, Term::Var(v) if self.store.layout.is_explicit(*v)))
    }

    fn value_literal(&mut self, f: FormulaId, positive: bool) -> Result<Literal, Fault> {
        let node = if positive { self.node(f)? } else { self.negation(f)? };
        Ok(Literal::Value { node, formula: f, positive })
    }

    fn group_literal(&self, table: TableId) -> Literal {
        let shape = self.store.shape(table);
        let terms = |vars: &[VarId]| vars.iter().map(|&v| Term::Var(v)).collect();
        Literal::Atom { table, keys: terms(&shape.keys), bits: terms(&shape.bits) }
    }

    /// What becomes of a group; `alone` if nothing else stands before it (or, for a disjunction, beside it).
    fn decide(
        &mut self,
        f: FormulaId,
        positive: bool,
        component: &[TableId],
        alone: bool,
    ) -> Result<Decision, Fault> {
        if alone {
            return Ok(Decision::Open);
        }
        let is_demanded = self.demand_of(f) != 0;
        let depends = self.planner.free.relations(f).iter().any(|r| component.contains(&TableId(r.0)));
        let has_keys = self.planner.has_keys[f.index()];
        let conjunctive = matches!(self.store.system.formula(f), Formula::And(_)) == positive;
        if !depends && !has_keys {
            return Ok(Decision::Value);
        }
        if depends && !self.differentiable(f, positive, component) {
            return Ok(Decision::Value);
        }
        let keys = self.planner.free.keys(f, &self.store.layout);
        let binds = self.binds(f, positive);
        let restricted = binds.is_none_or(|binds| keys.iter().all(|k| binds.contains(k)));
        if restricted && !is_demanded {
            return Ok(Decision::Table(self.group(f, positive, depends)?));
        }
        let disjunctive =
            matches!(self.store.system.formula(f), Formula::And(_) | Formula::Or(_)) && !conjunctive;
        Ok(if !depends && disjunctive && !is_demanded { Decision::Value } else { Decision::Open })
    }

    /// The table of a group, made if it is new in this component.
    pub fn group(&mut self, formula: FormulaId, positive: bool, recursive: bool) -> Result<TableId, Fault> {
        if let Some(group) = self.made.groups.iter().find(|g| g.formula == formula && g.positive == positive)
        {
            return Ok(group.table);
        }
        let table = self.store.make(Shape {
            role: Role::Group,
            name: format!("group {}", self.made.groups.len() + 1),
            keys: self.planner.free.keys(formula, &self.store.layout),
            bits: self.planner.free.bits(formula, &self.store.layout),
        });
        self.made.groups.push(Group { table, formula, positive, recursive });
        if !recursive {
            self.build_static(formula, positive, table)?;
        }
        Ok(table)
    }

    /// The component's relations occur in `f` only below conjunction, disjunction and existential quantification, so
    /// new tuples of theirs make new tuples of it one by one.
    fn differentiable(&self, f: FormulaId, positive: bool, component: &[TableId]) -> bool {
        let mut stack = vec![(f, positive)];
        while let Some((f, positive)) = stack.pop() {
            if !self.planner.free.relations(f).iter().any(|r| component.contains(&TableId(r.0))) {
                continue;
            }
            match self.store.system.formula(f) {
                Formula::Not(g) => stack.push((*g, !positive)),
                Formula::And(parts) | Formula::Or(parts) => {
                    stack.extend(parts.iter().map(|&p| (p, positive)))
                }
                Formula::Exists(_, g) if positive => stack.push((*g, positive)),
                Formula::Forall(_, g) if !positive => stack.push((*g, positive)),
                Formula::Apply(..) if positive => {}
                _ => return false,
            }
        }
        true
    }

    /// The keys that every tuple of the formula binds; `None` if it has no tuples at all.
    fn binds(&self, f: FormulaId, positive: bool) -> Option<Vec<VarId>> {
        match self.store.system.formula(f) {
            Formula::Constant(value) => (*value == positive).then(Vec::new),
            Formula::Not(g) => self.binds(*g, !positive),
            Formula::Variable(v) => {
                Some([*v].into_iter().filter(|v| self.store.layout.is_explicit(*v)).collect())
            }
            Formula::Apply(_, terms) if positive => {
                Some(terms.iter().filter_map(|t| self.key_variable(*t)).collect())
            }
            Formula::Compare(Comparison::Equal, Term::Var(v), Term::Value(_)) if positive => {
                Some([*v].into_iter().filter(|v| self.store.layout.is_explicit(*v)).collect())
            }
            Formula::Compare(Comparison::Equal, Term::Value(_), Term::Var(v)) if positive => {
                Some([*v].into_iter().filter(|v| self.store.layout.is_explicit(*v)).collect())
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let conjunctive = matches!(self.store.system.formula(f), Formula::And(_)) == positive;
                if conjunctive { self.binds_all(parts, positive) } else { self.binds_any(parts, positive) }
            }
            Formula::Exists(_, g) if positive => self.binds(*g, positive),
            Formula::Forall(_, g) if !positive => self.binds(*g, positive),
            _ => Some(Vec::new()),
        }
    }

    fn binds_all(&self, parts: &[FormulaId], positive: bool) -> Option<Vec<VarId>> {
        let mut bound = Vec::new();
        for &part in parts {
            bound.extend(self.binds(part, positive)?);
        }
        // An equality passes a binding on.
        loop {
            let before = bound.len();
            for &part in parts {
                if let Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) =
                    self.store.system.formula(part)
                    && positive
                    && bound.contains(a) != bound.contains(b)
                {
                    bound.extend([*a, *b]);
                }
            }
            if bound.len() == before {
                return Some(bound);
            }
        }
    }

    fn binds_any(&self, parts: &[FormulaId], positive: bool) -> Option<Vec<VarId>> {
        let mut common: Option<Vec<VarId>> = None;
        for &part in parts {
            let Some(binds) = self.binds(part, positive) else { continue };
            common = Some(match common {
                None => binds,
                Some(common) => common.into_iter().filter(|v| binds.contains(v)).collect(),
            });
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        common
    }

    fn key_variable(&self, term: Term) -> Option<VarId> {
        match term {
            Term::Var(v) if self.store.layout.is_explicit(v) => Some(v),
            _ => None,
        }
    }

    /// A clause that gives all keys as constants, and a diagram that depends on nothing, is a fact. Equalities between bit
    /// columns stay beside the diagram.
    fn record_fact(&mut self, head: &Head, clause: &Partial) -> Result<bool, Fault> {
        let Head::Table(table, key) = head else { return Ok(false) };
        let mut values: Vec<Option<u32>> = vec![None; key.len()];
        let mut fixed: Vec<NodeId> = Vec::new();
        for literal in &clause.literals {
            match literal {
                Literal::Test { comparison: Comparison::Equal, left, right, holds: true } => {
                    let (Term::Var(_), Term::Value(value)) = (left, right) else { return Ok(false) };
                    let Some(at) = key.iter().position(|k| k == left) else { return Ok(false) };
                    match values[at].replace(*value) {
                        Some(old) if old != *value => return Ok(true),
                        _ => {}
                    }
                }
                Literal::Value { node, .. } if self.planner.nodes.fixed(*node).is_some() => fixed.push(*node),
                _ => return Ok(false),
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<u32>>>() else { return Ok(false) };
        let mut bits = self.store.shape(*table).bits.clone();
        bits.sort_unstable();
        if !fixed.iter().all(|n| self.planner.nodes[*n].bits.iter().all(|v| bits.binary_search(v).is_ok())) {
            return Ok(false);
        }
        let (mut diagram, mut pairs) = (Bdd::TRUE, Vec::new());
        for node in fixed {
            match self.planner.nodes.equality(node) {
                Some(pair) => pairs.push(pair),
                None => {
                    let value = self.value(node)?;
                    diagram = self.store.dd.and(diagram, value)?;
                }
            }
        }
        let (diagram, frame) = self.framed(diagram, pairs)?;
        self.store.roots.pin(diagram);
        self.made.facts.push(Fact {
            table: *table,
            key: values.into(),
            diagram,
            frame,
            clause: clause.clause as u32,
        });
        Ok(true)
    }

    /// A frame, and the diagram with the first column of each equality in place of the second. Equalities that share a
    /// column are conjoined instead.
    fn framed(&mut self, mut diagram: Bdd, pairs: Vec<(VarId, VarId)>) -> Result<(Bdd, u32), Fault> {
        let mut kept: Vec<(VarId, VarId)> = Vec::new();
        for (a, b) in pairs {
            let (a, b) = (a.min(b), a.max(b));
            if a == b {
                continue;
            }
            if kept.iter().any(|&(x, y)| [x, y].contains(&a) || [x, y].contains(&b)) {
                let equal = self.store.compare_bits(Comparison::Equal, Term::Var(a), Term::Var(b))?;
                diagram = self.store.dd.and(diagram, equal)?;
            } else {
                kept.push((a, b));
            }
        }
        let support = self.small_support(diagram);
        let mut images: Vec<(dd::Level, dd::Image)> = Vec::new();
        for &(a, b) in &kept {
            for (to, from) in self.store.layout.levels(a).iter().zip(self.store.layout.levels(b)) {
                if support.contains(from) {
                    images.push((*from, dd::Image::Level(*to)));
                }
            }
        }
        if !images.is_empty() {
            let id = self.store.dd.register_substitution(&images);
            diagram = self.store.dd.substitute(diagram, id)?;
        }
        Ok((diagram, self.store.frames.intern(kept)))
    }

    /// Equalities between bit variables, as of two records, become one factor while its diagram stays small.
    fn merge_equalities(&mut self, literals: Vec<Literal>) -> Result<Vec<Literal>, Fault> {
        let mut merged: Vec<Literal> = Vec::new();
        let mut last: Option<(usize, usize)> = None;
        for literal in literals {
            let Literal::Value { node, formula, positive } = literal else {
                merged.push(literal);
                continue;
            };
            if let (Some(_), Some((at, n))) = (self.planner.nodes.equality(node), last)
                && let Literal::Value { node: first, .. } = merged[at]
            {
                let (a, b) = (self.value(first)?, self.value(node)?);
                let both = self.store.dd.and(a, b)?;
                if self.store.dd.count_nodes([both]) <= 4 * (n as u64 + 2) * 3 {
                    let node = self.merged_equality(both, first, node);
                    merged[at] = Literal::Value { node, formula, positive };
                    last = Some((at, n + 1));
                    continue;
                }
            }
            if self.planner.nodes.equality(node).is_some() {
                last = Some((merged.len(), 1));
            }
            merged.push(Literal::Value { node, formula, positive });
        }
        Ok(merged)
    }

    /// The levels of a small diagram.
    fn small_support(&self, diagram: Bdd) -> FxHashSet<dd::Level> {
        let (mut levels, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut stack = vec![diagram];
        while let Some(at) = stack.pop() {
            if let Some(level) = self.store.dd.level(at)
                && seen.insert(at)
            {
                levels.insert(level);
                let (low, high) = self.store.dd.children(at);
                stack.extend([low, high]);
            }
        }
        levels
    }
}
