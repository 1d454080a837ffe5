//! Components: relations that are computed together, and how.
//!
//! A component is a strongly connected set of relations. Least fixed points of positive components are computed by the
//! work list, greatest ones by rounds from the full relation. Where `mu` and `nu` meet, the outermost relation is iterated
//! around the others; a component that is not positive is iterated exactly as `Evaluate` says.
//! Paper: PLDI09 section 3. Textbook twin: `calculus::naive`.

use crate::answer::Shortcut;
use crate::derivations::log::Origin;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::RuleSet;
use crate::planner::plan::{Literal, Plan};
use crate::store::table::{Role, RowId, TableId};
use base::StopReason;
use calculus::system::RelationId;
use dd::Bdd;
use std::rc::Rc;

/// How far things are is told every so many rows.
const MEASURED: u64 = 64;

/// Diagrams below this size are propagated without looking for a smaller set.
const LARGE: usize = 1000;

impl Machine<'_> {
    /// Starts the work list of a rule set from empty tables.
    pub fn start(&mut self, set: &RuleSet) -> Result<(), Fault> {
        for &table in &set.tables {
            self.clear(table);
            self.work.set_active(table, true);
        }
        self.work.growing.clone_from(&set.tables);
        self.aside().refresh(&set.statics)?;
        self.frame_statics(set)?;
        self.rank_rows(set)?;
        let mut run = self.growing();
        run.add_facts(&set.facts)?;
        set.initial.iter().try_for_each(|plan| run.run(plan))?;
        for plan in &set.volatile {
            if self.work.is_over() {
                break;
            }
            self.growing().run(plan)?;
        }
        Ok(())
    }

    /// Frames the static tables that the rules of a component read.
    fn frame_statics(&mut self, set: &RuleSet) -> Result<(), Fault> {
        let mut tables: Vec<TableId> = Vec::new();
        for plan in set.delta.values().flatten() {
            tables.extend(self.static_factors(plan, set));
        }
        tables.sort_unstable();
        tables.dedup();
        for table in tables {
            self.store.frame_table(table)?;
        }
        Ok(())
    }

    /// The tables that a plan multiplies by and that do not grow.
    fn static_factors(&self, plan: &Plan, set: &RuleSet) -> Vec<TableId> {
        let literals = &self.planner.rules[plan.rule.index()].literals;
        let tables = literals.iter().filter_map(|literal| match literal {
            Literal::Atom { table, .. } if !set.tables.contains(table) => Some(*table),
            _ => None,
        });
        tables.collect()
    }

    /// Propagates new tuples until there are none, or until the goal has one.
    pub fn saturate(&mut self, set: &RuleSet) -> Result<(), Fault> {
        loop {
            let before = self.store.tick;
            while let Some((table, row)) = self.work.pop(&mut self.store) {
                if self.work.is_over() {
                    self.work.push_back(table, row);
                    return Ok(());
                }
                self.enter_stratum(self.store.stratum(table, row));
                self.store.shortcuts.add(Shortcut::Strata, self.work.stratum > 0);
                self.propagate(set, table, row)?;
            }
            if self.work.is_over() || set.volatile.is_empty() {
                return Ok(());
            }
            self.work.rounds += 1;
            self.store.shortcuts.count(Shortcut::FullRounds);
            self.safe_point();
            set.volatile.iter().try_for_each(|plan| self.growing().run(plan))?;
            if self.work.is_empty() && self.store.tick == before {
                return Ok(());
            }
        }
    }

    fn enter_stratum(&mut self, stratum: u32) {
        if stratum != self.work.stratum {
            self.work.stratum = stratum;
            self.store.settings.gauge.enter_stratum(stratum);
        }
    }

    /// Propagates the new tuples of one row.
    fn propagate(&mut self, set: &RuleSet, table: TableId, row: RowId) -> Result<(), Fault> {
        self.work.rounds += 1;
        self.store.poll()?;
        let position = self.work.position(&self.store, table, row);
        if position.is_none() || self.work.rounds.is_multiple_of(MEASURED) || self.store.is_crowded() {
            self.safe_point();
        }
        let at = &mut self.store.tables[table.index()].rows[row.index()];
        let new = std::mem::replace(&mut at.pending, Bdd::FALSE);
        at.queued = false;
        let Some(plans) = set.delta.get(&table) else { return Ok(()) };
        if new == Bdd::FALSE {
            return Ok(());
        }
        let new = match position {
            Some(position) => self.run_instances(position, new).map(|()| new)?,
            None => self.run_plans(plans, table, row, new)?,
        };
        if self.work.is_over() {
            // The goal cuts plans short; the row waits for a run that goes on.
            self.work.enqueue(&mut self.store, table, row, new)?;
        }
        Ok(())
    }

    /// Runs the plans that new tuples of a row drive. Returns what was propagated, which may be more.
    fn run_plans(&mut self, plans: &[Rc<Plan>], table: TableId, row: RowId, new: Bdd) -> Result<Bdd, Fault> {
        let (own, others): (Vec<&Rc<Plan>>, Vec<&Rc<Plan>>) =
            plans.iter().partition(|plan| plan.head.table() == Some(table));
        let closes = own.len() > 1 && self.store.shape(table).keys.is_empty();
        let new = if closes { self.close(&own, table, row, new)? } else { self.frontier(table, row, new) };
        let own = own.into_iter().filter(|_| !closes);
        for plan in own.chain(others) {
            if self.work.is_over() {
                break;
            }
            self.run_retrying(plan, row, new)?;
        }
        Ok(new)
    }

    /// Runs a plan; where memory runs out, frees what is dead and tries once more. Running a plan again finds nothing twice.
    fn run_retrying(&mut self, plan: &Plan, row: RowId, new: Bdd) -> Result<(), Fault> {
        match self.growing().run_delta(plan, row, new) {
            Err(Fault::Exhausted(StopReason::Memory)) => {
                self.holding([new], Self::collect);
                self.growing().run_delta(plan, row, new)
            }
            other => other,
        }
    }

    /// Closes a relation under the plans by which it feeds itself: the first plan until it finds nothing, then the next, and
    /// back to the first with whatever was found. Returns all new tuples.
    fn close(&mut self, plans: &[&Rc<Plan>], table: TableId, row: RowId, new: Bdd) -> Result<Bdd, Fault> {
        self.store.shortcuts.count(Shortcut::Closures);
        let mut waiting = vec![new; plans.len()];
        let mut all = new;
        while let Some(at) = waiting.iter().position(|w| *w != Bdd::FALSE) {
            let held: Vec<Bdd> = waiting.iter().copied().chain([all]).collect();
            let next = std::mem::replace(&mut waiting[at], Bdd::FALSE);
            self.holding(held, |machine| {
                machine.work.rounds += 1;
                machine.safe_point();
                machine.store.poll()?;
                let next = machine.frontier(table, row, next);
                machine.run_retrying(plans[at], row, next)
            })?;
            if self.work.is_over() {
                break;
            }
            let found = std::mem::replace(
                &mut self.store.tables[table.index()].rows[row.index()].pending,
                Bdd::FALSE,
            );
            if found != Bdd::FALSE {
                all = self.store.dd.or(all, found)?;
                for set in &mut waiting {
                    *set = self.store.dd.or(*set, found)?;
                }
            }
        }
        Ok(all)
    }

    /// The tuples to propagate: the new ones, or all of them where that is the smaller diagram. Counting pays only where
    /// one large diagram holds a whole relation.
    fn frontier(&mut self, table: TableId, row: RowId, new: Bdd) -> Bdd {
        let full = self.store.tables[table.index()].rows[row.index()].full;
        if !self.store.shape(table).keys.is_empty() || full == new {
            return new;
        }
        let large = if self.store.settings.collect_from == 0 { 0 } else { LARGE };
        let size = self.store.dd.size_up_to(new, LARGE * 64);
        let all = size >= large && self.store.dd.size_up_to(full, size) < size;
        self.store.shortcuts.add(Shortcut::WholeFrontiers, all);
        if all { full } else { new }
    }

    /// Ends the work list of a rule set. The table of a query is not needed any more.
    pub fn finish(&mut self, set: &RuleSet) {
        self.work.leave();
        for &table in &set.tables {
            self.work.set_active(table, false);
            if self.store.shape(table).role == Role::Temporary {
                self.release(table);
            }
        }
    }

    /// Evaluates the body of a relation once, with the present values of everything, into its scratch table.
    pub fn evaluate_body(&mut self, relation: RelationId) -> Result<(), Fault> {
        let store = &mut self.store;
        let scratch = *self.sets.scratches.entry(relation).or_insert_with(|| store.temporary_like(relation));
        self.clear(scratch);
        let body = self.store.system.relation(relation).body;
        if !self.planner.has_keys[body.index()] && self.store.shape(scratch).keys.is_empty() {
            let value = self.formula_value(body)?;
            return self.aside().add(scratch, &[], value, Origin::Given);
        }
        let set = match self.sets.bodies.get(&relation) {
            Some(set) => set.clone(),
            None => {
                let set = self.rule_set(&[(body, true, scratch)], false)?;
                self.sets.bodies.insert(relation, set.clone());
                set
            }
        };
        let mut run = self.aside();
        run.refresh(&set.statics)?;
        run.add_facts(&set.facts)?;
        set.initial.iter().try_for_each(|plan| run.run(plan))
    }

    /// Makes the scratch table's content the relation's; says whether that changed anything.
    pub fn adopt(&mut self, relation: RelationId) -> Result<bool, Fault> {
        let (table, scratch) = (TableId(relation.0), self.sets.scratches[&relation]);
        let same = self.store.same(table, scratch)?;
        if !same || self.store.tables[table.index()].stamp == 0 {
            self.copy(scratch, table);
        }
        Ok(!same)
    }

    /// Makes a relation full.
    pub fn fill(&mut self, relation: RelationId) -> Result<(), Fault> {
        self.clear(TableId(relation.0));
        self.store.fill(relation)
    }
}
