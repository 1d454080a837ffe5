//! Allocation constraints: from paths to leaves, once for every binder.
//!
//! A name in an index that stands for nothing else is a position: `G[i + 1] < G[i]` holds for every `i` whose elements exist.

use super::Checker;
use super::binders::Entry;
use super::place::{Meaning, Place};
use super::types::{Base, ClassConstraint, Layout};
use crate::syntax::{Constraint, Demand, ExprId, ExprKind, IndexBase, ItemKind, Symbol};
use crate::system::{Allocation, AllocationConstraint, VarId};
use std::ops::Range;

/// What a constraint costs beside its leaves.
const CONSTRAINT_WORK: usize = 50;

/// Positions that are tried in a constraint; arrays that binders may have are shorter.
const MAX_POSITION: i128 = 1 << 16;

/// So far an index may lie before its array.
const MAX_OFFSET: i128 = 64;

impl Checker<'_> {
    /// Resolves the constraints of classes. While that happens the members are in scope as variables whose
    /// leaves are numbered from the beginning of the class.
    pub(super) fn class_constraints(&mut self) {
        let file = self.file;
        for item in &file.items {
            let ItemKind::Class { name, constraints, .. } = &item.kind else { continue };
            let Some(&Base::Class(id)) = self.types.by_name.get(&name.symbol) else { continue };
            let class = self.types.class(id);
            if class.span != name.span || constraints.is_empty() {
                continue;
            }
            let members = class.members.clone();
            for member in &members {
                // Offsets beyond 2^32 belong to classes that no binder may have.
                let first = VarId(u32::try_from(member.offset).unwrap_or(u32::MAX));
                self.scope.enter(member.name, Entry::Variable(member.shape, first));
            }
            let resolved: Vec<ClassConstraint> =
                constraints.iter().flat_map(|constraint| self.constraints(constraint)).collect();
            self.scope.leave(members.len());
            self.types.classes[id.index()].constraints = resolved;
        }
    }

    /// A constraint, for each position if it has one.
    fn constraints(&mut self, constraint: &Constraint) -> Vec<ClassConstraint> {
        let Some(position) = self.position_of(constraint) else {
            return self.constraint(constraint).into_iter().collect();
        };
        let mut found = Vec::new();
        for at in 0..MAX_POSITION {
            let n_found = self.sink.len();
            self.scope.enter(position, Entry::Position(at));
            let resolved = self.constraint(constraint);
            self.scope.leave(1);
            // An index may lie before its array at first; once it has left the array it stays outside.
            if self.sink.len() > n_found || resolved.is_none() && at > MAX_OFFSET {
                break;
            }
            found.extend(resolved);
        }
        found
    }

    /// The name in an index of the constraint that stands for nothing else.
    fn position_of(&self, constraint: &Constraint) -> Option<Symbol> {
        let paths = constraint.left.into_iter().chain([constraint.right]);
        let of_path = |path: ExprId| match self.file.expr(path).kind {
            ExprKind::Path(path) => self.file.paths.segments(path).iter().find_map(|segment| {
                let IndexBase::Path(base) = segment.index?.base else { return None };
                let [name] = self.file.paths.segments(base) else { return None };
                let is_known = self.scope.get(name.symbol).is_some()
                    || self.params.contains_key(&name.symbol)
                    || name.index.is_some();
                (!is_known).then_some(name.symbol)
            }),
            _ => None,
        };
        paths.into_iter().find_map(of_path)
    }

    fn constraint(&mut self, constraint: &Constraint) -> Option<ClassConstraint> {
        let right = self.constrained(constraint.right);
        let left = match constraint.left {
            Some(left) => self.constrained(left),
            None => right.clone(),
        };
        let (left, right) = (left?, right?);
        let span = constraint.span;
        let (kind, left, right) = match constraint.demand {
            Demand::Before => (Allocation::Before, left, right),
            Demand::After => (Allocation::Before, right, left),
            Demand::Interleaved => (Allocation::Interleaved, left, right),
            Demand::Separate => (Allocation::Separate, left, right),
        };
        // A side without leaves has nothing to be ordered.
        (!left.is_empty() && !right.is_empty()).then_some(ClassConstraint { kind, left, right, span })
    }

    /// The stretch of leaves a constraint's path names.
    fn constrained(&mut self, path: ExprId) -> Option<Range<u64>> {
        let span = self.file.expr(path).span;
        match self.term(path, &[]) {
            Meaning::Place(Place { shape, first }) => {
                let first = u64::from(first.0);
                Some(first..first.saturating_add(self.types.size(shape)))
            }
            Meaning::Wrong | Meaning::Outside => None,
            Meaning::Split(..) => {
                self.error(span, "expected a constant index in an allocation constraint, found a variable");
                None
            }
            _ => {
                self.error(span, "expected a variable in an allocation constraint, found a constant");
                None
            }
        }
    }

    /// The constraints written behind a relation's parameters, which are in scope.
    pub(super) fn relation_constraints(&mut self, constraints: &[Constraint]) {
        for constraint in constraints {
            for resolved in self.constraints(constraint) {
                self.add_constraint(&resolved, 0);
            }
        }
    }

    /// The constraints of all classes whose values a new binder contains.
    pub(super) fn constrain_binder(&mut self, first: VarId, layout: &Layout) {
        for (class, offset) in &layout.constrained {
            if self.is_exhausted {
                return;
            }
            for constraint in self.types.class(*class).constraints.clone() {
                self.add_constraint(&constraint, u64::from(first.0) + offset);
            }
        }
    }

    fn add_constraint(&mut self, constraint: &ClassConstraint, offset: u64) {
        let n_leaves = [&constraint.left, &constraint.right].map(|range| range.end - range.start);
        let steps = usize::try_from(n_leaves[0].saturating_add(n_leaves[1])).unwrap_or(usize::MAX);
        if !self.work(steps.saturating_add(CONSTRAINT_WORK), constraint.span) {
            return;
        }
        let vars = |range: &Range<u64>| {
            range.clone().map(|n| VarId::new(usize::try_from(n + offset).unwrap_or(usize::MAX))).collect()
        };
        self.system.constraints.push(AllocationConstraint {
            kind: constraint.kind,
            left: vars(&constraint.left),
            right: vars(&constraint.right),
            span: constraint.span,
        });
    }
}
