//! The class of a query, as far as its formula shows: whether it asks for runs, for infinite ones, or sees those that block. What may be
//! left out of a program depends on it.

use calculus::dependencies::Dependencies;
use calculus::system::{Formula, FormulaId, Kind, RelationId, System};
use rustc_hash::FxHashSet;
use templates::{Role, Vocabulary};

/// What a query depends on.
pub(crate) struct QueryClass<'s> {
    system: &'s System,
    query: FormulaId,
    dependencies: Dependencies,
    /// All relations that it depends on.
    used: Vec<RelationId>,
    /// Of each relation whether it depends on a word for steps.
    steps: Vec<bool>,
}

impl<'s> QueryClass<'s> {
    pub fn new(system: &'s System, words: &Vocabulary, query: FormulaId) -> Self {
        let dependencies = Dependencies::new(system);
        let mut seen = FxHashSet::default();
        let mut todo = applied(system, query);
        while let Some(relation) = todo.pop() {
            if seen.insert(relation) {
                todo.extend(dependencies.uses(relation).iter().map(|used| used.relation));
            }
        }
        let mut used: Vec<RelationId> = seen.into_iter().collect();
        used.sort_unstable();
        let is_step = |relation: RelationId| {
            words.of_relation(relation).is_some_and(|template| {
                matches!(template.role, Role::Start | Role::Step | Role::Call | Role::Return | Role::Around)
            })
        };
        let all = || (0..system.relations.len()).map(RelationId::new);
        let step_words: Vec<RelationId> = all().filter(|relation| is_step(*relation)).collect();
        let steps = all()
            .map(|relation| step_words.iter().any(|word| dependencies.depends_on(relation, *word)))
            .collect();
        Self { system, query, dependencies, used, steps }
    }

    /// The query depends on a relation.
    pub fn depends_on(&self, relation: RelationId) -> bool {
        self.used.binary_search(&relation).is_ok()
    }

    /// The query depends on a greatest fixed point over steps: no finite run is a reason for it to be true.
    pub fn is_infinite(&self) -> bool {
        let is_nu = |relation: &RelationId| self.system.relation(*relation).kind == Kind::Nu;
        self.used.iter().any(|relation| is_nu(relation) && self.steps[relation.index()])
    }

    /// No relation that the query depends on may lose tuples while it is computed.
    pub fn is_monotone(&self) -> bool {
        self.used.iter().all(|relation| {
            let component = self.dependencies.component(*relation, &[]);
            self.dependencies.negative_use(&component).is_none()
        })
    }

    /// The query asks whether there are runs of some kind, or whether there are none. Otherwise it may tell a run that blocks from one
    /// that is not there: it speaks of all ways on, or of what no step leads to.
    pub fn is_about_runs(&self) -> bool {
        self.is_existential(true, |_| false) || self.is_existential(false, |_| false)
    }

    /// The query asks whether there are runs of some kind. Where a relation is computed from what is not yet in it, that is a matter
    /// of how it is computed.
    pub fn asks_for_runs(&self) -> bool {
        let is_recursive = |relation: RelationId| {
            let component = self.dependencies.component(relation, &[]);
            self.dependencies.negative_use(&component).is_some()
        };
        self.is_existential(true, is_recursive)
    }

    /// The query, or its negation, is built from steps by `&`, `|` and `exists` alone, negations of some relations aside.
    fn is_existential(&self, polarity: bool, may_be_negated: impl Fn(RelationId) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![(self.query, polarity)];
        while let Some((formula, polarity)) = todo.pop() {
            if !seen.insert((formula, polarity)) {
                continue;
            }
            match self.system.formula(formula) {
                Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) => {}
                Formula::Apply(relation, _) if !self.steps[relation.index()] => {}
                Formula::Apply(relation, _) if !polarity => {
                    if !may_be_negated(*relation) {
                        return false;
                    }
                }
                Formula::Apply(relation, _) => todo.push((self.system.relation(*relation).body, true)),
                Formula::Not(inner) => todo.push((*inner, !polarity)),
                Formula::And(parts) | Formula::Or(parts) => {
                    todo.extend(parts.iter().map(|part| (*part, polarity)));
                }
                Formula::Iff(left, right) => {
                    todo.extend([*left, *right].iter().flat_map(|part| [(*part, true), (*part, false)]));
                }
                Formula::Exists(_, inner) if polarity => todo.push((*inner, true)),
                Formula::Forall(_, inner) if !polarity => todo.push((*inner, false)),
                Formula::Exists(_, inner) | Formula::Forall(_, inner) => {
                    if self.speaks_of_steps(*inner) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Some relation in a formula depends on a word for steps.
    fn speaks_of_steps(&self, formula: FormulaId) -> bool {
        applied(self.system, formula).iter().any(|relation| self.steps[relation.index()])
    }
}

/// The relations in a formula.
fn applied(system: &System, formula: FormulaId) -> Vec<RelationId> {
    calculus::dependencies::formula_uses(system, formula).iter().map(|used| used.relation).collect()
}
