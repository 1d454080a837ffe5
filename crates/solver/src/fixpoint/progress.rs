//! Progress: what is known of the relations of a system.
//!
//! `fixed` relations keep the value they have at present: they are being iterated further out, or were given.

use crate::planner::RuleSet;
use calculus::dependencies::Dependencies;
use calculus::system::{RelationId, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;

/// What is known of the relations of a system.
pub(crate) struct Progress {
    pub dependencies: Dependencies,
    /// Relations that use a relation directly.
    users: Vec<Vec<RelationId>>,
    pub fixed: Vec<bool>,
    pub valid: Vec<bool>,
    /// A component that an answered query left unfinished.
    pub suspended: Option<(Vec<RelationId>, Rc<RuleSet>)>,
    pub rounds: FxHashMap<RelationId, u64>,
    pub times: FxHashMap<RelationId, Duration>,
}

impl Progress {
    pub fn new(system: &System) -> Self {
        let dependencies = Dependencies::new(system);
        let n = system.relations.len();
        let mut users = vec![Vec::new(); n];
        for relation in (0..n).map(RelationId::new) {
            for used in dependencies.uses(relation) {
                users[used.relation.index()].push(relation);
            }
        }
        Self {
            dependencies,
            users,
            fixed: vec![false; n],
            valid: vec![false; n],
            suspended: None,
            rounds: FxHashMap::default(),
            times: FxHashMap::default(),
        }
    }

    /// A relation keeps its present value; what depends on it is computed from that.
    pub fn hold(&mut self, relation: RelationId) {
        self.fixed[relation.index()] = true;
        self.invalidate(relation);
    }

    /// A relation no longer keeps its value.
    pub fn release(&mut self, relation: RelationId) {
        self.fixed[relation.index()] = false;
        self.valid[relation.index()] = false;
        self.invalidate(relation);
    }

    /// The members of a component that must have values so that `relation`, which stands last in `order`, can be computed:
    /// all of them, but of a component that is not positive only those that are used from outside.
    pub fn asked(
        &self,
        order: &[Vec<RelationId>],
        component: &[RelationId],
        relation: RelationId,
    ) -> Vec<RelationId> {
        if component.contains(&relation) {
            return vec![relation];
        }
        if component.len() == 1 || self.dependencies.negative_use(component).is_none() {
            return component.to_vec();
        }
        let reachable: FxHashSet<RelationId> = order.iter().flatten().copied().collect();
        let outside = |u: &RelationId| reachable.contains(u) && !component.contains(u);
        component.iter().copied().filter(|r| self.users[r.index()].iter().any(outside)).collect()
    }

    /// The query before was answered early.
    pub fn stopped_early(&self) -> bool {
        self.suspended.is_some()
    }

    /// The relation is being computed: a query that was answered early has left it as it is.
    pub fn is_suspended(&self, relation: RelationId) -> bool {
        self.suspended.as_ref().is_some_and(|(component, _)| component.contains(&relation))
    }

    /// Forgets the value of a relation and of everything that depends on it, fixed relations excepted.
    pub fn invalidate(&mut self, relation: RelationId) {
        let mut stack = self.users[relation.index()].clone();
        let mut seen = vec![false; self.valid.len()];
        while let Some(user) = stack.pop() {
            if !self.fixed[user.index()] && !std::mem::replace(&mut seen[user.index()], true) {
                self.valid[user.index()] = false;
                stack.extend(&self.users[user.index()]);
            }
        }
    }
}
