//! Which component is computed when, and how: the operational meaning of a system.
//!
//! `fixed` relations keep the value they have at present: they are being iterated further out.

use crate::answer::Shortcut;
use crate::derivations::log::Origin;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::store::table::TableId;
use calculus::dependencies::{self, Dependencies, Polarity};
use calculus::system::{Formula, FormulaId, Kind, RelationId, System};
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
    suspended: Option<(Vec<RelationId>, Rc<RuleSet>)>,
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
    fn invalidate(&mut self, relation: RelationId) {
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

impl Machine<'_> {
    /// Computes a relation unless its value is known.
    pub fn ensure(&mut self, progress: &mut Progress, relation: RelationId) -> Result<(), Fault> {
        if progress.valid[relation.index()] || progress.fixed[relation.index()] {
            return Ok(());
        }
        let order = progress.dependencies.order(&[relation], &progress.fixed);
        for component in &order {
            for asked in progress.asked(&order, component, relation) {
                if !progress.valid[asked.index()] && !progress.fixed[asked.index()] {
                    self.solve(progress, component, asked)?;
                }
            }
        }
        Ok(())
    }

    fn solve(
        &mut self,
        progress: &mut Progress,
        component: &[RelationId],
        asked: RelationId,
    ) -> Result<(), Fault> {
        let system = self.store.system;
        self.store.settings.gauge.enter(&system.relation(asked).name);
        let start = ((self.store.settings.clock)(), self.work.rounds);
        let recursive = progress.dependencies.is_recursive(component, &progress.fixed);
        let positive = progress.dependencies.negative_use(component).is_none();
        if !recursive {
            self.evaluate_once(asked)?;
            progress.valid[asked.index()] = true;
        } else if !positive {
            self.iterate_apart(progress, component, asked)?;
        } else if dependencies::is_mixed(system, component) {
            self.alternate(progress, component, asked)?;
        } else if component.iter().any(|r| system.relation(*r).kind == Kind::Nu) {
            self.greatest(progress, component)?;
        } else {
            self.least(progress, component)?;
        }
        let spent = (self.store.settings.clock)().saturating_sub(start.0);
        for &relation in component {
            *progress.rounds.entry(relation).or_default() += (self.work.rounds - start.1).max(1);
            *progress.times.entry(relation).or_default() += spent;
        }
        Ok(())
    }

    /// Iterates one relation of a component that is not positive. Inside its rounds the others have values that are not
    /// theirs; values that were known before come back afterwards.
    fn iterate_apart(
        &mut self,
        progress: &mut Progress,
        component: &[RelationId],
        asked: RelationId,
    ) -> Result<(), Fault> {
        let mut kept = Vec::new();
        for &member in component.iter().filter(|r| **r != asked && progress.valid[r.index()]) {
            let copy = self.store.temporary_like(member);
            self.copy(TableId(member.0), copy);
            kept.push((member, copy));
        }
        let result = self.iterate(progress, asked, true);
        for &member in component.iter().filter(|r| **r != asked) {
            progress.valid[member.index()] = false;
        }
        for (member, copy) in kept {
            if result.is_ok() {
                self.copy(copy, TableId(member.0));
                progress.valid[member.index()] = true;
            }
            self.release(copy);
        }
        result
    }

    /// The value of a relation that does not depend on itself.
    fn evaluate_once(&mut self, relation: RelationId) -> Result<(), Fault> {
        self.work.rounds += 1;
        self.safe_point();
        self.evaluate_body(relation)?;
        self.adopt(relation)?;
        self.store.touch(TableId(relation.0));
        Ok(())
    }

    /// A least fixed point by the work list.
    fn least(&mut self, progress: &mut Progress, component: &[RelationId]) -> Result<(), Fault> {
        let resumed = match progress.suspended.take() {
            Some((relations, set)) if component.iter().all(|r| relations.contains(r)) => {
                Some((relations, set))
            }
            Some((_, set)) => {
                self.finish(&set);
                None
            }
            None => None,
        };
        let (relations, set) = match resumed {
            Some(resumed) => {
                self.store.shortcuts.count(Shortcut::Resumptions);
                resumed
            }
            None => {
                let set = self.component_rules(component)?;
                self.work.clear();
                if let Err(fault) = self.start(&set) {
                    self.finish(&set);
                    return Err(fault);
                }
                (component.to_vec(), set)
            }
        };
        let result = self.saturate(&set);
        self.finish(&set);
        result?;
        for relation in relations {
            progress.valid[relation.index()] = true;
        }
        Ok(())
    }

    fn component_rules(&mut self, component: &[RelationId]) -> Result<Rc<RuleSet>, Fault> {
        if let Some(set) = self.sets.components.get(component) {
            return Ok(set.clone());
        }
        let heads: Vec<_> =
            component.iter().map(|&r| (self.store.system.relation(r).body, true, TableId(r.0))).collect();
        let set = self.rule_set(&heads, true)?;
        self.sets.components.insert(component.to_vec(), set.clone());
        Ok(set)
    }

    /// A greatest fixed point by rounds from the full relations.
    fn greatest(&mut self, progress: &mut Progress, component: &[RelationId]) -> Result<(), Fault> {
        for &relation in component {
            self.fill(relation)?;
        }
        loop {
            let mut changed = false;
            for &relation in component {
                self.work.rounds += 1;
                self.safe_point();
                self.evaluate_body(relation)?;
                changed |= self.adopt(relation)?;
            }
            if !changed {
                break;
            }
        }
        for &relation in component {
            progress.valid[relation.index()] = true;
        }
        Ok(())
    }

    /// `mu` and `nu` in one cycle: the outermost relation is iterated around the others.
    fn alternate(
        &mut self,
        progress: &mut Progress,
        component: &[RelationId],
        asked: RelationId,
    ) -> Result<(), Fault> {
        let outermost = dependencies::outermost(self.store.system, component);
        if !progress.valid[outermost.index()] {
            self.iterate(progress, outermost, false)?;
        }
        if asked != outermost {
            progress.fixed[outermost.index()] = true;
            let result = self.ensure(progress, asked);
            progress.fixed[outermost.index()] = false;
            result?;
        }
        Ok(())
    }

    /// `Evaluate`: rounds for one relation, everything that depends on it computed anew inside each.
    fn iterate(
        &mut self,
        progress: &mut Progress,
        relation: RelationId,
        may_recur: bool,
    ) -> Result<(), Fault> {
        if self.store.system.relation(relation).kind == Kind::Nu {
            self.fill(relation)?;
        } else {
            self.clear(TableId(relation.0));
        }
        progress.fixed[relation.index()] = true;
        self.record.history.remove(&relation);
        let mut kept = None;
        let result = self.rounds_of(progress, relation, may_recur, &mut kept);
        if let Some((_, value)) = kept {
            self.release(value);
        }
        progress.fixed[relation.index()] = false;
        progress.valid[relation.index()] = result.is_ok();
        if result.is_err() {
            // What was computed inside the rounds belongs to a value that never came to be.
            progress.invalidate(relation);
        }
        result
    }

    fn rounds_of(
        &mut self,
        progress: &mut Progress,
        relation: RelationId,
        may_recur: bool,
        // An earlier value, compared with later ones and renewed at powers of two, and its round.
        kept: &mut Option<(u64, TableId)>,
    ) -> Result<(), Fault> {
        let used: Vec<RelationId> = progress.dependencies.uses(relation).iter().map(|u| u.relation).collect();
        for round in 1u64.. {
            progress.invalidate(relation);
            for &other in &used {
                self.ensure(progress, other)?;
            }
            self.work.rounds += 1;
            self.safe_point();
            self.evaluate_body(relation)?;
            if !self.adopt(relation)? {
                return Ok(());
            }
            self.store.touch(TableId(relation.0));
            if !may_recur {
                self.remember_round(relation)?;
                continue;
            }
            match *kept {
                Some((first, value)) if self.store.same(value, TableId(relation.0))? => {
                    let relation = self.store.system.relation(relation).name.clone();
                    return Err(Fault::NotStabilising { relation, first, again: round });
                }
                _ if round.is_power_of_two() => {
                    let value = kept.map_or_else(|| self.store.temporary_like(relation), |k| k.1);
                    self.copy(TableId(relation.0), value);
                    *kept = Some((round, value));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps the value that a least fixed point has after a round, if derivations may be asked for.
    fn remember_round(&mut self, relation: RelationId) -> Result<(), Fault> {
        if self.record.log.is_some() && self.store.system.relation(relation).kind == Kind::Mu {
            let snapshot = self.store.expanded_rows(TableId(relation.0))?;
            self.record.history.entry(relation).or_default().push(snapshot);
        }
        Ok(())
    }

    /// The truth value of a closed formula; stops early where the first witness decides.
    pub fn truth(&mut self, progress: &mut Progress, formula: FormulaId) -> Result<bool, Fault> {
        self.store.settings.gauge.enter("query");
        // A universal formula is the negation of a search for a counterexample.
        let (mut body, mut sign) = (formula, true);
        while let Formula::Not(inner) = self.store.system.formula(body) {
            (body, sign) = (*inner, !sign);
        }
        let universal = matches!(self.store.system.formula(body), Formula::Forall(..));
        if let Some(found) = self.search(progress, body, !universal)? {
            return Ok((found != universal) == sign);
        }
        for relation in self.planner.free.relations(formula).to_vec() {
            self.ensure(progress, relation)?;
        }
        Ok((self.formula_value(body)? == dd::Bdd::TRUE) == sign)
    }

    /// Looks for a witness of `formula` (or of its negation) while the last recursive component it needs is being
    /// computed. `None` if that component's growth does not decide the formula from one side.
    fn search(
        &mut self,
        progress: &mut Progress,
        formula: FormulaId,
        positive: bool,
    ) -> Result<Option<bool>, Fault> {
        let roots = self.planner.free.relations(formula).to_vec();
        let order = progress.dependencies.order(&roots, &progress.fixed);
        let unknown = |c: &Vec<RelationId>| c.iter().any(|r| !progress.valid[r.index()]);
        let order: Vec<Vec<RelationId>> = order.into_iter().filter(unknown).collect();
        let Some(last) = order.iter().rposition(|c| progress.dependencies.is_recursive(c, &progress.fixed))
        else {
            return Ok(None);
        };
        // The definitions between the component and the query grow with it; others are computed before.
        let mut component: Vec<RelationId> = order[last].clone();
        let mut earlier: Vec<RelationId> = Vec::new();
        for definition in &order[last + 1..] {
            let uses = progress.dependencies.uses(definition[0]);
            let grows = uses.iter().any(|u| component.contains(&u.relation));
            if grows { component.push(definition[0]) } else { earlier.push(definition[0]) }
        }
        component.sort_unstable();
        let uses = dependencies::formula_uses(self.store.system, formula);
        let wanted = if positive { Polarity::Positive } else { Polarity::Negative };
        let one_sided = uses.iter().filter(|u| component.contains(&u.relation)).all(|u| u.polarity == wanted);
        let least = component.iter().all(|r| self.store.system.relation(*r).kind != Kind::Nu);
        if !one_sided
            || !least
            || progress.dependencies.negative_use(&component).is_some()
            || progress.suspended.is_some()
        {
            return Ok(None);
        }
        let used = component.iter().flat_map(|r| progress.dependencies.uses(*r)).map(|u| u.relation);
        let used: Vec<RelationId> = used.chain(roots).filter(|r| !component.contains(r)).collect();
        for relation in earlier.into_iter().chain(used) {
            self.ensure(progress, relation)?;
        }
        self.run_search(progress, component, formula, positive).map(Some)
    }

    fn run_search(
        &mut self,
        progress: &mut Progress,
        component: Vec<RelationId>,
        formula: FormulaId,
        positive: bool,
    ) -> Result<bool, Fault> {
        let name = component.last().map(|r| self.store.system.relation(*r).name.clone()).unwrap_or_default();
        self.store.settings.gauge.enter(&name);
        let start = ((self.store.settings.clock)(), self.work.rounds);
        let goal = self.store.temporary("the query", Vec::new(), Vec::new());
        let mut heads: Vec<_> =
            component.iter().map(|&r| (self.store.system.relation(r).body, true, TableId(r.0))).collect();
        heads.push((formula, positive, goal));
        let set = match self.rule_set(&heads, true) {
            Ok(set) => set,
            Err(fault) => {
                self.release(goal);
                return Err(fault);
            }
        };
        self.work.clear();
        self.work.aim(goal);
        let started = self.start(&set);
        // A goal that is reached at the start cuts the start short: there is nothing to go on from.
        let resumable = !self.work.is_over();
        let result = started.and_then(|()| self.saturate(&set));
        let found = self.work.end_aim();
        self.store.shortcuts.add(Shortcut::EarlyStops, found);
        self.work.set_active(goal, false);
        let spent = (self.store.settings.clock)().saturating_sub(start.0);
        for &relation in &component {
            *progress.rounds.entry(relation).or_default() += self.work.rounds - start.1;
            *progress.times.entry(relation).or_default() += spent;
        }
        if result.is_err() || found && !resumable {
            self.finish(&set);
        } else if found {
            progress.suspended = Some((component, set));
        } else {
            self.finish(&set);
            for relation in component {
                progress.valid[relation.index()] = true;
            }
        }
        result.map(|()| found)
    }

    /// Replaces a relation's value by a DDDMP text; the inner error says what is wrong with the text.
    pub fn undump(
        &mut self,
        progress: &mut Progress,
        relation: RelationId,
        text: &str,
    ) -> Result<Result<(), String>, Fault> {
        let table = TableId(relation.0);
        let rows = match self.store.table_undump(table, text)? {
            Ok(rows) => rows,
            Err(message) => return Ok(Err(message)),
        };
        self.forget(progress, relation);
        self.clear(table);
        for (key, diagram) in rows {
            self.aside().add(table, &key, diagram, Origin::Given)?;
        }
        self.impose(progress, relation);
        Ok(Ok(()))
    }

    /// Declares that a relation has the value in its table, whatever its equation says, until it is forgotten.
    pub fn impose(&mut self, progress: &mut Progress, relation: RelationId) {
        self.store.touch(TableId(relation.0));
        progress.valid[relation.index()] = true;
        progress.fixed[relation.index()] = true;
    }

    /// Forgets the value of a relation and of everything that uses it. What an early answer has left unfinished stays if
    /// it does not use the relation.
    pub fn forget(&mut self, progress: &mut Progress, relation: RelationId) {
        let uses = |member: &RelationId| progress.dependencies.depends_on(*member, relation);
        let stays = progress.suspended.as_ref().is_some_and(|(component, _)| !component.iter().any(uses));
        if let Some((_, set)) = progress.suspended.take_if(|_| !stays) {
            self.finish(&set);
        }
        if !stays {
            self.work.clear();
        }
        progress.fixed[relation.index()] = false;
        progress.valid[relation.index()] = false;
        progress.invalidate(relation);
    }
}
