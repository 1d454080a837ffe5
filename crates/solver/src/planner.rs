//! The planner: from formulas to rules and from rules to plans.
//!
//! Contract: reads the store, makes tables for groups in it, and runs nothing. Formulas are prepared as [`node::Node`]s, which depend on the
//! system alone and are made once. Everything else is the work of a [`Draft`], which is made for one set of rules and dropped with its
//! scratch; what is to last comes out of it as a value.

pub(crate) mod connectives;
pub(crate) mod describe;
pub(crate) mod free;
mod names;
pub(crate) mod node;
pub(crate) mod plan;
mod rules;
mod schedule;
mod set;
mod split;

pub(crate) use rules::Made;
pub(crate) use set::{RuleSet, StaticGroup};

use crate::layout::Layout;
use crate::store::Store;
use crate::store::table::TableId;
use calculus::system::{Formula, FormulaId, System, Term, VarId};
use dd::Bdd;
use free::Free;
use node::{NodeKind, Nodes};
use plan::{Head, Literal, Rule, Setting};
use std::rc::Rc;

/// What was planned so far.
pub(crate) struct Planner {
    pub free: Free,
    /// For each formula: a key occurs in it, free or bound.
    pub has_keys: Vec<bool>,
    pub nodes: Nodes,
    pub rules: Vec<Rule>,
    /// What multiplications need to know to make their variants, by number.
    pub settings: Vec<Setting>,
}

/// A set of rules under construction.
pub(crate) struct Draft<'p, 's> {
    store: &'p mut Store<'s>,
    planner: &'p mut Planner,
    /// Tables that grow while the plans are run.
    growing: Vec<TableId>,
    /// What making rules leaves behind besides the rules.
    made: Made,
    /// If rows are evaluated on demand, whose: the reads of these tables must be seen where they happen.
    demanded: Option<Demanded>,
}

/// The tables of a component whose rows are evaluated on demand, and its number, from 1.
#[derive(Clone)]
struct Demanded {
    number: u32,
    tables: Rc<[TableId]>,
}

impl Planner {
    pub fn new(system: &System, layout: &Layout) -> Self {
        Self {
            free: Free::new(system),
            has_keys: has_keys(system, layout),
            nodes: Nodes::default(),
            rules: Vec::new(),
            settings: Vec::new(),
        }
    }

    /// Begins a set of rules; `growing` are the tables that are being computed.
    pub fn draft<'p, 's>(&'p mut self, store: &'p mut Store<'s>, growing: &[TableId]) -> Draft<'p, 's> {
        Draft { store, planner: self, growing: growing.to_vec(), made: Made::default(), demanded: None }
    }

    /// All variables that a rule mentions: keys, then bits.
    pub fn rule_variables(&self, rule: &Rule, layout: &Layout) -> (Vec<VarId>, Vec<VarId>) {
        let mut vars: Vec<VarId> = rule.keep.clone();
        let of = |terms: &[Term]| {
            terms
                .iter()
                .filter_map(|t| if let Term::Var(v) = t { Some(*v) } else { None })
                .collect::<Vec<_>>()
        };
        if let Head::Table(_, key) = &rule.head {
            vars.extend(of(key));
        }
        // A part of a definition may leave out columns of the whole: they have values all the same.
        for literal in rule.literals.iter().chain(rule.whole.iter().map(|(_, whole)| whole)) {
            match literal {
                Literal::Atom { keys, bits, .. } => vars.extend(of(keys).into_iter().chain(of(bits))),
                Literal::Test { left, right, .. } => vars.extend(of(&[*left, *right])),
                Literal::Value { formula, .. } => vars.extend(self.free.vars(*formula)),
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars.into_iter().partition(|v| layout.is_explicit(*v))
    }

    /// Diagrams that nodes keep alive.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.nodes.iter().filter_map(|node| match node.kind {
            NodeKind::Fixed(bdd) => Some(bdd),
            _ => None,
        })
    }
}

impl<'s> Draft<'_, 's> {
    /// Another draft, for rules that are made meanwhile and used apart.
    fn apart(&mut self) -> Draft<'_, 's> {
        let demanded = self.demanded.clone();
        Draft { demanded, ..self.planner.draft(self.store, &self.growing) }
    }

    /// Makes rules for evaluating rows of these tables, a component with a number, on demand.
    #[must_use]
    pub fn on_demand(self, number: u32, tables: &[TableId]) -> Self {
        Draft { demanded: Some(Demanded { number, tables: tables.into() }), ..self }
    }

    /// The number of the component that is evaluated on demand if a formula reads its tables, otherwise 0.
    fn demand_of(&self, formula: FormulaId) -> u32 {
        let Some(demanded) = &self.demanded else { return 0 };
        let relations = self.planner.free.relations(formula);
        let reads = relations.iter().any(|relation| demanded.tables.contains(&TableId(relation.0)));
        if reads { demanded.number } else { 0 }
    }

    /// What making the rules left behind.
    pub fn into_made(self) -> Made {
        self.made
    }
}

/// For each formula: a key occurs in it.
fn has_keys(system: &System, layout: &Layout) -> Vec<bool> {
    let mut result: Vec<bool> = Vec::with_capacity(system.formulas.len());
    let key = |term: &Term| matches!(term, Term::Var(v) if layout.is_explicit(*v));
    for formula in &system.formulas {
        let has = match formula {
            Formula::Constant(_) => false,
            Formula::Variable(v) => layout.is_explicit(*v),
            Formula::Compare(_, a, b) => key(a) || key(b),
            Formula::Apply(relation, _) => {
                system.relation(*relation).columns.iter().any(|c| layout.is_explicit(*c))
            }
            Formula::Not(f) => result[f.index()],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| result[p.index()]),
            Formula::Iff(a, b) => result[a.index()] || result[b.index()],
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                result[f.index()] || vars.iter().any(|v| layout.is_explicit(*v))
            }
        };
        result.push(has);
    }
    result
}
