//! Free variables and relations of every formula, computed once, bottom-up.

use crate::layout::Layout;
use calculus::system::{Formula, FormulaId, RelationId, System, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Longer lists are not looked up for sharing.
const SHARED: usize = 32;

/// What a formula mentions.
#[derive(Debug)]
pub(crate) struct Free {
    vars: Vec<Rc<[VarId]>>,
    relations: Vec<Rc<[RelationId]>>,
}

impl Free {
    pub fn new(system: &System) -> Self {
        let mut this = Self { vars: Vec::new(), relations: Vec::new() };
        // Many formulas mention the same variables; the lists are shared.
        let mut lists: FxHashSet<Rc<[VarId]>> = FxHashSet::default();
        let mut single: FxHashMap<RelationId, Rc<[RelationId]>> = FxHashMap::default();
        let no_vars: Rc<[VarId]> = Rc::new([]);
        let no_relations: Rc<[RelationId]> = Rc::new([]);
        for formula in &system.formulas {
            let (vars, relations) = match formula {
                Formula::Constant(_) => (no_vars.clone(), no_relations.clone()),
                Formula::Variable(v) => ([*v].into(), no_relations.clone()),
                Formula::Compare(_, a, b) => {
                    (sorted([*a, *b].into_iter().filter_map(variable)), no_relations.clone())
                }
                Formula::Apply(r, terms) => {
                    let one = single.entry(*r).or_insert_with(|| [*r].into()).clone();
                    (sorted(terms.iter().copied().filter_map(variable)), one)
                }
                Formula::Not(f) => (this.vars[f.index()].clone(), this.relations[f.index()].clone()),
                Formula::Iff(a, b) => this.union(&[*a, *b]),
                Formula::And(parts) | Formula::Or(parts) => this.union(parts),
                Formula::Exists(bound, f) | Formula::Forall(bound, f) => {
                    let mut bound = bound.to_vec();
                    bound.sort_unstable();
                    let rest =
                        this.vars[f.index()].iter().copied().filter(|v| bound.binary_search(v).is_err());
                    (rest.collect(), this.relations[f.index()].clone())
                }
            };
            let vars = match lists.get(&vars) {
                Some(known) => known.clone(),
                None => {
                    if vars.len() <= SHARED {
                        lists.insert(vars.clone());
                    }
                    vars
                }
            };
            this.vars.push(vars);
            this.relations.push(relations);
        }
        this
    }

    fn union(&self, parts: &[FormulaId]) -> (Rc<[VarId]>, Rc<[RelationId]>) {
        if let [part] = parts {
            return (self.vars[part.index()].clone(), self.relations[part.index()].clone());
        }
        let vars = sorted(parts.iter().flat_map(|p| self.vars[p.index()].iter().copied()));
        let first = &self.relations[parts.first().map_or(0, |p| p.index())];
        let same = |p: &FormulaId| Rc::ptr_eq(&self.relations[p.index()], first);
        if !parts.is_empty() && parts.iter().all(same) {
            return (vars, first.clone());
        }
        (vars, sorted(parts.iter().flat_map(|p| self.relations[p.index()].iter().copied())))
    }

    /// The free variables of a formula, sorted.
    pub fn vars(&self, formula: FormulaId) -> &[VarId] {
        &self.vars[formula.index()]
    }

    /// The relations a formula mentions, sorted.
    pub fn relations(&self, formula: FormulaId) -> &[RelationId] {
        &self.relations[formula.index()]
    }

    /// The free variables that are keys.
    pub fn keys(&self, formula: FormulaId, layout: &Layout) -> Vec<VarId> {
        self.vars(formula).iter().copied().filter(|v| layout.is_explicit(*v)).collect()
    }

    /// The free variables that are bits.
    pub fn bits(&self, formula: FormulaId, layout: &Layout) -> Vec<VarId> {
        self.vars(formula).iter().copied().filter(|v| !layout.is_explicit(*v)).collect()
    }
}

fn variable(term: Term) -> Option<VarId> {
    match term {
        Term::Var(v) => Some(v),
        Term::Value(_) => None,
    }
}

fn sorted<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Rc<[T]> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items.into()
}
