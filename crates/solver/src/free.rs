//! Free variables and relations of every formula, computed once, bottom-up.

use crate::layout::Layout;
use calculus::system::{Formula, FormulaId, RelationId, System, Term, VarId};
use std::rc::Rc;

/// What a formula mentions.
#[derive(Debug)]
pub(crate) struct Free {
    vars: Vec<Rc<[VarId]>>,
    relations: Vec<Rc<[RelationId]>>,
}

impl Free {
    pub fn new(system: &System) -> Self {
        let mut this = Self { vars: Vec::new(), relations: Vec::new() };
        let no_vars: Rc<[VarId]> = Rc::new([]);
        let no_relations: Rc<[RelationId]> = Rc::new([]);
        for formula in &system.formulas {
            let (vars, relations) = match formula {
                Formula::Constant(_) => (no_vars.clone(), no_relations.clone()),
                Formula::Variable(v) => ([*v].into(), no_relations.clone()),
                Formula::Compare(_, a, b) => {
                    (sorted([*a, *b].into_iter().filter_map(variable)), no_relations.clone())
                }
                Formula::Apply(r, terms) => (sorted(terms.iter().copied().filter_map(variable)), [*r].into()),
                Formula::Not(f) => (this.vars[f.index()].clone(), this.relations[f.index()].clone()),
                Formula::Iff(a, b) => this.union(&[*a, *b]),
                Formula::And(parts) | Formula::Or(parts) => this.union(parts),
                Formula::Exists(bound, f) | Formula::Forall(bound, f) => {
                    let rest = this.vars[f.index()].iter().copied().filter(|v| !bound.contains(v));
                    (rest.collect(), this.relations[f.index()].clone())
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
        let relations = sorted(parts.iter().flat_map(|p| self.relations[p.index()].iter().copied()));
        (vars, relations)
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
