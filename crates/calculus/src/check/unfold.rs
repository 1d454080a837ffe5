//! Definitions that restrict a static relation to the relation being computed.
//!
//! In `bool Step(S s, S t) Trans(s, t) assume Reach(s)`, used by `Reach` itself, the large `Trans` never changes, but `Step` grows
//! with `Reach` and would be computed anew in every round. Where such a definition is used on its own cycle, its conjuncts are put
//! in its place; it leaves the cycle, and its value is computed once, when somebody asks for it.
//!
//! This is done in cycles of `mu` without negation, whose meaning does not depend on how they are computed, and for
//! bodies without quantifiers. Invariant: operands have smaller ids than the formulas they are operands of.

use super::Checker;
use crate::dependencies::{Dependencies, formula_uses};
use crate::system::{Formula, FormulaId, Kind, RelationId, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many definitions are unfolded at most, each of at most so many formulas.
const MOST_UNFOLDED: usize = 32;
const MOST_FORMULAS: usize = 1 << 14;

/// What stands for a formula in a rebuilt one.
enum Image {
    One(FormulaId),
    /// An unfolded application: its conjuncts join those beside it.
    Conjuncts(Vec<FormulaId>),
}

impl Checker<'_> {
    /// Unfolds such definitions where their own cycle uses them.
    pub(super) fn unfold_restrictions(&mut self) {
        for _ in 0..MOST_UNFOLDED {
            let dependencies = Dependencies::new(&self.system);
            let Some((definition, component)) = self.restriction(&dependencies) else { return };
            for user in component {
                if user != definition && dependencies.uses(user).iter().any(|u| u.relation == definition) {
                    let body = self.rebuild(self.system.relation(user).body, definition);
                    self.system.relations[user.index()].body = body;
                }
            }
        }
    }

    /// A definition that restricts a static relation to its own cycle, and that cycle.
    fn restriction(&self, dependencies: &Dependencies) -> Option<(RelationId, Vec<RelationId>)> {
        let all: Vec<RelationId> = (0..self.system.relations.len()).map(RelationId::new).collect();
        for component in dependencies.order(&all, &[]) {
            let kind = |r: &RelationId| self.system.relation(*r).kind;
            let plain = component.iter().all(|r| kind(r) != Kind::Nu)
                && dependencies.negative_use(&component).is_none();
            if component.len() < 2 || !plain {
                continue;
            }
            let found =
                component.iter().find(|r| kind(r) == Kind::Definition && self.restricts(**r, &component));
            if let Some(&found) = found {
                return Some((found, component));
            }
        }
        None
    }

    /// The body is a conjunction without quantifiers of something static and of relations of the component.
    fn restricts(&self, relation: RelationId, component: &[RelationId]) -> bool {
        let body = self.system.relation(relation).body;
        let Formula::And(parts) = self.system.formula(body) else { return false };
        let grows = |part: &FormulaId| {
            let uses = formula_uses(&self.system, *part);
            uses.iter().any(|u| component.binary_search(&u.relation).is_ok())
        };
        let applied = |part: &FormulaId| matches!(self.system.formula(*part), Formula::Apply(..));
        let n_growing = parts.iter().filter(|part| grows(part)).count();
        let simple = parts.iter().all(|part| applied(part) || !grows(part));
        let formulas = self.below(body);
        let quantifies =
            |id: &FormulaId| matches!(self.system.formula(*id), Formula::Exists(..) | Formula::Forall(..));
        let size_fits = formulas.len() <= MOST_FORMULAS;
        simple && (1..parts.len()).contains(&n_growing) && size_fits && !formulas.iter().any(quantifies)
    }

    /// A formula and everything below it, operands first.
    fn below(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut seen: FxHashSet<FormulaId> = FxHashSet::from_iter([root]);
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let operands = operands(self.system.formula(id));
            todo.extend(operands.into_iter().filter(|&operand| seen.insert(operand)));
        }
        let mut below: Vec<FormulaId> = seen.into_iter().collect();
        below.sort_unstable();
        below
    }

    /// A copy of a formula in which the conjuncts of a definition stand for its applications.
    fn rebuild(&mut self, root: FormulaId, definition: RelationId) -> FormulaId {
        let mut images: FxHashMap<FormulaId, Image> = FxHashMap::default();
        for id in self.below(root) {
            let image = match self.system.formula(id) {
                Formula::Apply(relation, terms) if *relation == definition => {
                    let terms = terms.clone();
                    Image::Conjuncts(self.instance(definition, &terms))
                }
                _ => Image::One(self.copy(id, &images, |term| term)),
            };
            images.insert(id, image);
        }
        self.image(&images[&root], root)
    }

    /// The conjuncts of a definition's body with terms in place of its columns.
    fn instance(&mut self, definition: RelationId, terms: &[Term]) -> Vec<FormulaId> {
        let relation = self.system.relation(definition);
        let body = relation.body;
        let place: FxHashMap<VarId, Term> =
            relation.columns.iter().copied().zip(terms.iter().copied()).collect();
        let mut images: FxHashMap<FormulaId, Image> = FxHashMap::default();
        for id in self.below(body).into_iter().filter(|&id| id != body) {
            let image = self.copy(id, &images, |term| match term {
                Term::Var(v) => place.get(&v).copied().unwrap_or(term),
                Term::Value(_) => term,
            });
            images.insert(id, Image::One(image));
        }
        let Formula::And(parts) = self.system.formula(body) else { unreachable!("a conjunction") };
        let parts = parts.clone();
        parts.iter().map(|part| self.image(&images[part], *part)).collect()
    }

    /// The one formula that an image amounts to.
    fn image(&mut self, image: &Image, of: FormulaId) -> FormulaId {
        match image {
            Image::One(id) => *id,
            Image::Conjuncts(parts) => {
                let span = self.system.span(of);
                self.formula(Formula::And(parts.as_slice().into()), span)
            }
        }
    }

    /// A formula with images of its operands and changed terms.
    fn copy(
        &mut self,
        id: FormulaId,
        images: &FxHashMap<FormulaId, Image>,
        place: impl Fn(Term) -> Term,
    ) -> FormulaId {
        let span = self.system.span(id);
        let one = |this: &mut Self, operand: FormulaId| this.image(&images[&operand], operand);
        let formula = match self.system.formula(id).clone() {
            Formula::Constant(value) => Formula::Constant(value),
            Formula::Variable(v) => match place(Term::Var(v)) {
                Term::Var(v) => Formula::Variable(v),
                Term::Value(value) => Formula::Constant(value != 0),
            },
            Formula::Compare(comparison, a, b) => Formula::Compare(comparison, place(a), place(b)),
            Formula::Apply(relation, terms) => {
                Formula::Apply(relation, terms.iter().map(|&t| place(t)).collect())
            }
            Formula::Not(f) => Formula::Not(one(self, f)),
            Formula::And(parts) => {
                let mut joined: Vec<FormulaId> = Vec::new();
                for part in parts {
                    match &images[&part] {
                        Image::One(id) => joined.push(*id),
                        Image::Conjuncts(conjuncts) => joined.extend(conjuncts),
                    }
                }
                self.forget_repeated(&mut joined);
                Formula::And(joined.into())
            }
            Formula::Or(parts) => Formula::Or(parts.iter().map(|&f| one(self, f)).collect()),
            Formula::Iff(a, b) => Formula::Iff(one(self, a), one(self, b)),
            Formula::Exists(vars, f) => Formula::Exists(vars, one(self, f)),
            Formula::Forall(vars, f) => Formula::Forall(vars, one(self, f)),
        };
        self.formula(formula, span)
    }
}

fn operands(formula: &Formula) -> Vec<FormulaId> {
    match formula {
        Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => Vec::new(),
        Formula::Not(f) | Formula::Exists(_, f) | Formula::Forall(_, f) => vec![*f],
        Formula::And(parts) | Formula::Or(parts) => parts.to_vec(),
        Formula::Iff(a, b) => vec![*a, *b],
    }
}
