//! Rows on demand: fixed points that are not driven by new tuples, a row at a time.
//!
//! A row of a relation is its body under the row's keys. It is evaluated by itself, the rows of the component that it reads are recorded,
//! and it is evaluated again when one of these has changed: from false for a least fixed point with a growing relation below `forall`,
//! from everything for a greatest one. Rounds would evaluate all rows each time something has changed somewhere.
//!
//! Which rows there may be is found out by one round from the full relations: both fixed points lie below its value.

use super::progress::Progress;
use crate::answer::Shortcut;
use crate::executor::Run;
use crate::executor::reading::Demand;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::StaticGroup;
use crate::planner::plan::{Head, Plan};
use crate::store::rows::MOST_KEYS;
use crate::store::table::{RowId, TableId};
use calculus::system::{Kind, RelationId, Term, VarId};
use dd::Bdd;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How the rows of a component are evaluated.
#[derive(Debug)]
pub(crate) struct RowPlans {
    /// Those of each relation.
    plans: FxHashMap<RelationId, Vec<Rc<Plan>>>,
    /// Groups that depend on other relations only.
    statics: Vec<StaticGroup>,
}

/// A row of the component.
type Place = (TableId, RowId);

/// The rows that wait, and who reads whom.
#[derive(Default)]
struct Waiting {
    stack: Vec<Place>,
    /// By table and row.
    is_waiting: FxHashMap<TableId, Vec<bool>>,
    readers: FxHashMap<TableId, Vec<Vec<Place>>>,
    read: FxHashMap<TableId, Vec<Vec<Place>>>,
}

impl Waiting {
    fn new(machine: &Machine, component: &[RelationId]) -> Self {
        let mut waiting = Self::default();
        for &relation in component {
            let table = TableId(relation.0);
            let n_rows = machine.store.tables[table.index()].len();
            waiting.is_waiting.insert(table, vec![true; n_rows]);
            waiting.readers.insert(table, vec![Vec::new(); n_rows]);
            waiting.read.insert(table, vec![Vec::new(); n_rows]);
            waiting.stack.extend((0..n_rows).map(|row| (table, RowId::new(row))));
        }
        waiting
    }

    fn pop(&mut self) -> Option<Place> {
        let (table, row) = self.stack.pop()?;
        self.is_waiting.get_mut(&table)?[row.index()] = false;
        Some((table, row))
    }

    /// A row has read some others.
    fn reads(&mut self, reader: Place, mut places: Vec<Place>) {
        places.sort_unstable();
        places.dedup();
        let known = &mut self.read.get_mut(&reader.0).expect("a table of the component")[reader.1.index()];
        for place in places.iter().filter(|place| known.binary_search(place).is_err()) {
            let readers = self.readers.get_mut(&place.0).expect("a table of the component");
            readers[place.1.index()].push(reader);
        }
        // What was read before and is not read now is looked at once too often, and never again if it does not change.
        known.extend(places);
        known.sort_unstable();
        known.dedup();
    }

    /// A row has changed.
    fn changed(&mut self, (table, row): Place) {
        for &(table, row) in &self.readers[&table][row.index()] {
            let is_waiting =
                &mut self.is_waiting.get_mut(&table).expect("a table of the component")[row.index()];
            if !std::mem::replace(is_waiting, true) {
                self.stack.push((table, row));
            }
        }
    }
}

impl<'s> Machine<'s> {
    /// The rows of some relations can be looked at one by one: they have keys, and not too many.
    pub fn has_rows(&self, component: &[RelationId]) -> bool {
        component.iter().all(|relation| {
            let keys = &self.store.shape(TableId(relation.0)).keys;
            let sizes = keys.iter().map(|key| u128::from(self.store.system.sort_of(*key).size()));
            !keys.is_empty() && sizes.fold(1, u128::saturating_mul) <= MOST_KEYS
        })
    }

    /// A fixed point of a positive component, all of one kind, row by row.
    pub fn by_rows(&mut self, progress: &mut Progress, component: &[RelationId]) -> Result<(), Fault> {
        let is_nu = component.iter().any(|r| self.store.system.relation(*r).kind == Kind::Nu);
        for &relation in component {
            self.fill(relation)?;
        }
        for &relation in component {
            self.work.rounds += 1;
            self.safe_point();
            self.evaluate_body(relation)?;
            self.adopt(relation)?;
        }
        // How many rows there are decides what a plan looks at first.
        let plans = self.row_plans(component)?;
        for &relation in component {
            self.reset_rows(TableId(relation.0), is_nu)?;
        }
        self.aside().refresh(&plans.statics)?;
        let mut waiting = Waiting::new(self, component);
        while let Some(place) = waiting.pop() {
            self.work.rounds += 1;
            self.store.poll()?;
            self.safe_point();
            self.store.shortcuts.count(Shortcut::Rows);
            let (changed, reads) = match is_nu {
                true => self.shrink_row(&plans, place)?,
                false => self.grow_row(&plans, place)?,
            };
            waiting.reads(place, reads);
            if changed {
                waiting.changed(place);
            }
        }
        for &relation in component {
            if is_nu {
                self.drop_empty_rows(TableId(relation.0));
            }
            self.store.touch(TableId(relation.0));
            progress.valid[relation.index()] = true;
        }
        Ok(())
    }

    /// Prepares the rows of a table: without frames, and empty unless they are to shrink.
    fn reset_rows(&mut self, table: TableId, is_nu: bool) -> Result<(), Fault> {
        for row in (0..self.store.tables[table.index()].len()).map(RowId::new) {
            let full = if is_nu { self.store.expanded(table, row)? } else { Bdd::FALSE };
            let at = &mut self.store.tables[table.index()].rows[row.index()];
            (at.full, at.frame) = (full, 0);
        }
        if let Some(log) = &mut self.record.log {
            log.forget(table);
        }
        self.store.touch(table);
        Ok(())
    }

    /// A row that has shrunk to nothing is not there.
    fn drop_empty_rows(&mut self, table: TableId) {
        let of = &self.store.tables[table.index()];
        let all = (0..of.len()).map(RowId::new);
        let kept: Vec<(Vec<u32>, Bdd)> = all
            .map(|row| (of.key(row).to_vec(), of.rows[row.index()].full))
            .filter(|(_, full)| *full != Bdd::FALSE)
            .collect();
        self.clear(table);
        for (key, full) in kept {
            let row = self.store.tables[table.index()].find_or_insert(&key);
            self.store.tables[table.index()].rows[row.index()].full = full;
        }
    }

    /// The plans that evaluate one row of each relation.
    fn row_plans(&mut self, component: &[RelationId]) -> Result<Rc<RowPlans>, Fault> {
        if let Some(plans) = self.sets.by_rows.get(component) {
            return Ok(plans.clone());
        }
        let is_nu = component.iter().any(|r| self.store.system.relation(*r).kind == Kind::Nu);
        let tables: Vec<TableId> = component.iter().map(|relation| TableId(relation.0)).collect();
        let number = self.sets.by_rows.len() as u32 + 1;
        let (mut plans, mut statics) = (FxHashMap::default(), Vec::new());
        for &relation in component {
            let table = TableId(relation.0);
            let shape = self.store.shape(table).clone();
            let body = self.store.system.relation(relation).body;
            let mut draft = self.draft().on_demand(number, &tables);
            let rules = draft.clauses(body, true, Head::Sum, &shape.bits, &shape.keys, &[])?;
            let made = draft.into_made();
            self.aside().refresh(&made.statics)?;
            let mut of_relation = Vec::new();
            for mut rule in rules {
                if !is_nu {
                    rule.head = Head::Table(table, shape.keys.iter().map(|&v| Term::Var(v)).collect());
                }
                let plan = self.draft().on_demand(number, &tables).schedule(rule, None)?;
                of_relation.push(Rc::new(plan));
            }
            statics.extend(made.statics);
            plans.insert(relation, of_relation);
        }
        let plans = Rc::new(RowPlans { plans, statics });
        self.sets.by_rows.insert(component.to_vec(), plans.clone());
        Ok(plans)
    }

    /// Gives the keys of a row their values.
    fn assume_key(&mut self, (table, row): Place) {
        let of = &self.store.tables[table.index()];
        let values: Vec<(VarId, u32)> =
            of.shape.keys.iter().copied().zip(of.key(row).iter().copied()).collect();
        self.executor.assume(&values);
    }

    /// Evaluates a row of a greatest fixed point; says whether it has lost tuples, and what it read.
    fn shrink_row(&mut self, plans: &RowPlans, (table, row): Place) -> Result<(bool, Vec<Place>), Fault> {
        let old = self.store.tables[table.index()].rows[row.index()].full;
        if old == Bdd::FALSE {
            return Ok((false, Vec::new()));
        }
        self.assume_key((table, row));
        let mut reads = Vec::new();
        let value = self.demand(plans, &mut reads).sum_of(&plans.plans[&RelationId(table.0)])?;
        let new = self.store.dd.and(old, value)?;
        self.store.tables[table.index()].rows[row.index()].full = new;
        Ok((new != old, reads))
    }

    /// Evaluates a row of a least fixed point; says whether it has got tuples, and what it read.
    fn grow_row(&mut self, plans: &RowPlans, (table, row): Place) -> Result<(bool, Vec<Place>), Fault> {
        let old = self.store.tables[table.index()].rows[row.index()].full;
        let mut reads = Vec::new();
        for plan in &plans.plans[&RelationId(table.0)] {
            self.assume_key((table, row));
            self.demand(plans, &mut reads).run(plan)?;
        }
        Ok((self.store.tables[table.index()].rows[row.index()].full != old, reads))
    }

    fn demand<'a>(&'a mut self, plans: &'a RowPlans, reads: &'a mut Vec<Place>) -> Run<'a, 's, Demand<'a>> {
        let reading = Demand { component: plans, reads, log: self.record.log.as_mut() };
        Run { store: &mut self.store, planner: &self.planner, executor: &mut self.executor, reading }
    }
}

impl RowPlans {
    /// The table is that of a relation of the component.
    #[inline]
    pub fn has(&self, table: TableId) -> bool {
        self.plans.contains_key(&RelationId(table.0))
    }
}
