//! Which component is computed when, and how: the operational meaning of a system.

use super::progress::Progress;
use crate::answer::Shortcut;
use crate::derivations::log::Origin;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{Kind, RelationId};
use std::rc::Rc;

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
            match self.has_rows(component) {
                true => self.by_rows(progress, component)?,
                false => self.greatest(progress, component)?,
            }
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
                if !set.volatile.is_empty() && self.has_rows(component) {
                    return self.by_rows(progress, component);
                }
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
