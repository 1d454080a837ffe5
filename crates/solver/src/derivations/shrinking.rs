//! Why a tuple is not in a greatest fixed point: it left the relation in some round, because of tuples that had left before.
//!
//! The rounds are computed once more when they are asked for, from the full relations to the same values as before. An absent tuple is explained
//! with the values right before it left, so derivations do not go in circles.

use super::context::Snapshot;
use super::explain::Derivation;
use super::support::Supports;
use super::tuple::Tuple;
use crate::fault::Fault;
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{Kind, RelationId};

/// More rows than this, of all rounds together, are not kept.
const MOST_ROWS: usize = 1 << 20;

impl Derivation<'_, '_> {
    /// What the absence of a tuple rests on.
    pub(super) fn absence(&mut self, tuple: &Tuple) -> Result<Supports, Fault> {
        let relation = RelationId(tuple.table.0);
        let body = self.machine.store.system.relation(relation).body;
        let component = self.progress.dependencies.component(relation, &[]);
        let is_greatest =
            component.iter().any(|member| self.machine.store.system.relation(*member).kind == Kind::Nu);
        if !is_greatest || !self.shrinks(&component)? {
            let values = self.valuation(tuple);
            return self.support(body, false, &values);
        }
        let left = self.left(tuple, component[0])?;
        let last: Vec<(RelationId, Snapshot)> = component
            .iter()
            .filter_map(|member| self.value_before(component[0], *member, usize::MAX))
            .collect();
        for member in &component {
            if let Some((member, value)) = self.value_before(component[0], *member, left) {
                self.put_back(member, value);
            }
        }
        let values = self.valuation(tuple);
        let found = self.support(body, false, &values);
        last.into_iter().for_each(|(member, value)| self.put_back(member, value));
        found
    }

    /// The rounds of a greatest fixed point are known, or can be.
    pub(super) fn shrinks(&mut self, component: &[RelationId]) -> Result<bool, Fault> {
        let first = component[0];
        if let Some(known) = self.machine.record.shrinking.get(&first) {
            return Ok(known.is_some());
        }
        let system = self.machine.store.system;
        if dependencies::is_mixed(system, component) || !self.established.is_empty() {
            return Ok(false);
        }
        self.machine.record.shrinking.insert(first, Some(Vec::new()));
        let result = self.shrink(component);
        if result.is_err() {
            self.machine.record.shrinking.insert(first, None);
            component.iter().for_each(|member| self.progress.valid[member.index()] = false);
        }
        match result {
            Err(fault @ Fault::Exhausted(_)) => return Err(fault),
            Err(_) => {
                for member in component {
                    self.machine.ensure(self.progress, *member)?;
                }
            }
            Ok(()) => {}
        }
        Ok(self.machine.record.shrinking[&first].is_some())
    }

    /// The rounds of a greatest fixed point, as they are performed.
    fn shrink(&mut self, component: &[RelationId]) -> Result<(), Fault> {
        for &member in component {
            self.machine.fill(member)?;
            self.keep(component[0], member)?;
        }
        loop {
            let mut has_changed = false;
            for &member in component {
                self.machine.store.poll()?;
                self.machine.safe_point();
                self.machine.evaluate_body(member)?;
                if self.machine.adopt(member)? {
                    has_changed = true;
                    self.keep(component[0], member)?;
                }
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    /// Keeps the present value of a relation, unless there are too many.
    fn keep(&mut self, first: RelationId, member: RelationId) -> Result<(), Fault> {
        let value = self.machine.store.expanded_rows(TableId(member.0))?;
        let kept = self.machine.record.shrinking.entry(first).or_default();
        if let Some(values) = kept {
            let n_rows: usize = values.iter().map(|value| value.1.len()).sum();
            match n_rows + value.len() <= MOST_ROWS {
                true => values.push((member, value)),
                false => *kept = None,
            }
        }
        Ok(())
    }

    /// When a tuple left its relation: the number of the first value that does not have it.
    fn left(&mut self, tuple: &Tuple, first: RelationId) -> Result<usize, Fault> {
        let columns = self.columns(tuple.table);
        let has = |value: &Snapshot| columns.is_in(&self.machine.store, &tuple.values, value);
        let values = self.machine.record.shrinking[&first].as_ref();
        let found = values.and_then(|values| {
            values.iter().position(|(member, value)| member.0 == tuple.table.0 && !has(value))
        });
        Ok(found.expect("a tuple that is not in the relation has left it"))
    }

    /// The last value of a relation before some time.
    fn value_before(
        &self,
        first: RelationId,
        member: RelationId,
        time: usize,
    ) -> Option<(RelationId, Snapshot)> {
        let values = self.machine.record.shrinking[&first].as_ref()?;
        let before = &values[..time.min(values.len())];
        before.iter().rev().find(|value| value.0 == member).cloned()
    }

    /// Gives a relation a value.
    pub(super) fn put_back(&mut self, relation: RelationId, value: Snapshot) {
        let table = TableId(relation.0);
        self.machine.clear(table);
        for (key, full) in value {
            let row = self.machine.store.tables[table.index()].find_or_insert(&key);
            self.machine.store.tables[table.index()].rows[row.index()].full = full;
        }
        self.machine.store.touch(table);
    }
}
