//! Components: relations that are computed together, and how.
//!
//! A component is a strongly connected set of relations. Least fixed points of positive components are computed by the
//! work list, greatest ones by rounds from the full relation. Where `mu` and `nu` meet, the outermost relation is iterated
//! around the others; a component that is not positive is iterated exactly as `Evaluate` says.
//! Paper: PLDI09 section 3. Textbook twin: `calculus::naive`.

use crate::log::Origin;
use crate::machine::{Fault, Machine};
use crate::mode::Made;
use crate::plan::{Head, Literal, Plan, Rule};
use crate::rules::Fact;
use crate::table::{RowId, Table, TableId};
use base::StopReason;
use calculus::system::{FormulaId, RelationId, Term};
use dd::Bdd;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Diagrams below this size are propagated without looking for a smaller set.
const LARGE: usize = 1000;

/// Keys of a full relation that may be written out.
const MOST_KEYS: u128 = 1 << 22;

/// Everything needed to compute some tables.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// The tables that are computed.
    pub tables: Vec<TableId>,
    /// Groups that depend on other relations only, in order of need.
    pub statics: Vec<StaticGroup>,
    pub facts: Vec<Fact>,
    /// Plans that need nothing of the component.
    pub initial: Vec<Rc<Plan>>,
    /// Plans by the table whose new tuples drive them.
    pub delta: FxHashMap<TableId, Vec<Rc<Plan>>>,
    /// Plans that must be run in full when a table of the component changes.
    pub volatile: Vec<Rc<Plan>>,
}

/// A group that is computed before the rules that use it.
#[derive(Clone, Debug)]
pub(crate) struct StaticGroup {
    pub table: TableId,
    pub relations: Vec<RelationId>,
    pub facts: Vec<Fact>,
    pub plans: Vec<Rc<Plan>>,
    pub groups: Vec<TableId>,
}

/// What taking up a row counts as, in units of work.
const PER_ROW: u32 = 64;

impl Machine<'_> {
    /// Rules that compute relations, each body as its plain formula says.
    pub fn rule_set(
        &mut self,
        heads: &[(FormulaId, bool, TableId)],
        semi_naive: bool,
    ) -> Result<Rc<RuleSet>, Fault> {
        let component: Vec<TableId> =
            if semi_naive { heads.iter().map(|h| h.2).collect() } else { Vec::new() };
        self.made = Made::default();
        self.growing = component.clone();
        let mut rules: Vec<Rule> = Vec::new();
        for &(formula, positive, table) in heads {
            rules.extend(self.table_clauses(formula, positive, table, &component)?);
        }
        let mut next = 0;
        while let Some(group) = self.made.groups.get(next).cloned() {
            next += 1;
            if group.recursive {
                self.growing.push(group.table);
                rules.extend(self.table_clauses(group.formula, group.positive, group.table, &component)?);
            }
        }
        let mut set = RuleSet { tables: heads.iter().map(|h| h.2).collect(), ..RuleSet::default() };
        set.tables.extend(self.made.groups.iter().filter(|g| g.recursive).map(|g| g.table));
        set.statics = std::mem::take(&mut self.made.statics);
        self.refresh(&set.statics)?;
        for rule in rules {
            self.place(rule, &mut set)?;
        }
        set.facts = std::mem::take(&mut self.made.facts);
        Ok(Rc::new(set))
    }

    fn table_clauses(
        &mut self,
        f: FormulaId,
        positive: bool,
        table: TableId,
        component: &[TableId],
    ) -> Result<Vec<Rule>, Fault> {
        let shape = self.shapes[self.source(table).index()].clone();
        let key = shape.keys.iter().map(|&v| Term::Var(v)).collect();
        self.clauses(f, positive, Head::Table(table, key), &shape.bits, &[], component)
    }

    /// Makes the plans of a group that depends on nothing in the component, and of the groups inside it.
    pub fn build_static(&mut self, formula: FormulaId, positive: bool, table: TableId) -> Result<(), Fault> {
        let outer_facts = std::mem::take(&mut self.made.facts);
        let rules = self.table_clauses(formula, positive, table, &[]);
        let facts = std::mem::replace(&mut self.made.facts, outer_facts);
        let rules = rules?;
        let groups = rules.iter().flat_map(|r| &r.literals).filter_map(|l| match l {
            Literal::Atom { table, .. } if table.index() >= self.system.relations.len() => Some(*table),
            _ => None,
        });
        let groups = groups.collect();
        let mut plans = Vec::new();
        for rule in rules {
            plans.push(Rc::new(self.schedule(rule, None)?));
        }
        let relations = self.free.relations(formula).to_vec();
        self.made.statics.push(StaticGroup { table, relations, facts, plans, groups });
        Ok(())
    }

    /// Schedules a rule for every way in which it can find new tuples.
    fn place(&mut self, rule: Rule, set: &mut RuleSet) -> Result<(), Fault> {
        let growing = self.growing.clone();
        let is_volatile = rule.literals.iter().any(|literal| match literal {
            Literal::Value { node, .. } => {
                self.nodes[node.index()].relations.iter().any(|r| growing.contains(&TableId(r.0)))
            }
            _ => false,
        });
        let occurrences: Vec<(usize, TableId)> = rule
            .literals
            .iter()
            .enumerate()
            .filter_map(|(n, literal)| match literal {
                Literal::Atom { table, .. } if growing.contains(table) => Some((n, *table)),
                _ => None,
            })
            .collect();
        if is_volatile || occurrences.is_empty() {
            let plan = Rc::new(self.schedule(rule, None)?);
            if is_volatile {
                set.volatile.push(plan)
            } else {
                set.initial.push(plan)
            }
            return Ok(());
        }
        for (literal, table) in occurrences {
            let plan = Rc::new(self.schedule(rule.clone(), Some(literal))?);
            set.delta.entry(table).or_default().push(plan);
        }
        Ok(())
    }

    /// Computes static groups anew where something they depend on has changed.
    pub fn refresh(&mut self, statics: &[StaticGroup]) -> Result<(), Fault> {
        for group in statics {
            let tables = group.relations.iter().map(|r| TableId(r.0)).chain(group.groups.iter().copied());
            let newest = tables.map(|t| self.tables[t.index()].stamp).max().unwrap_or(0);
            let stamp = self.tables[group.table.index()].stamp;
            // Under a rank the group is what it was then, and must be made again afterwards.
            let log = self.log.as_ref().filter(|_| self.mode.before.is_some());
            let is_past = log.is_some_and(|log| group.relations.iter().any(|r| log.knows_some(TableId(r.0))));
            if stamp != 0 && stamp >= newest && !is_past {
                continue;
            }
            // A group speaks of the variables of the formula around it, whose values are in use.
            let env = self.env.clone();
            let result = self.fill_group(group);
            self.env = env;
            if result.is_err() || is_past {
                self.tables[group.table.index()].stamp = 0;
            }
            result?;
        }
        Ok(())
    }

    fn fill_group(&mut self, group: &StaticGroup) -> Result<(), Fault> {
        self.clear(group.table);
        group.facts.iter().try_for_each(|fact| self.add_fact(fact))?;
        group.plans.iter().try_for_each(|plan| self.run(plan))?;
        self.touch(group.table);
        Ok(())
    }

    /// Empties a table.
    pub fn clear(&mut self, table: TableId) {
        self.tables[table.index()].clear();
        if let Some(log) = &mut self.log {
            log.forget(table);
        }
        self.touch(table);
    }

    /// Marks a table as changed now.
    pub fn touch(&mut self, table: TableId) {
        self.tick += 1;
        self.tables[table.index()].stamp = self.tick;
    }

    /// Starts the work list of a rule set from empty tables.
    pub fn start(&mut self, set: &RuleSet) -> Result<(), Fault> {
        for &table in &set.tables {
            self.clear(table);
            self.queue.set_active(table, true);
        }
        self.growing.clone_from(&set.tables);
        self.refresh(&set.statics)?;
        self.frame_statics(set)?;
        self.rank_rows(set)?;
        for fact in &set.facts {
            self.add_fact(fact)?;
        }
        for plan in &set.initial {
            self.run(plan)?;
        }
        for plan in &set.volatile {
            if self.goal_reached {
                break;
            }
            self.run(plan)?;
        }
        Ok(())
    }

    /// Propagates new tuples until there are none, or until the goal has one.
    pub fn saturate(&mut self, set: &RuleSet) -> Result<(), Fault> {
        loop {
            let before = self.tick;
            while let Some((table, row)) = self.queue.pop() {
                if self.goal_reached {
                    self.queue.push((0, 0), table, row);
                    return Ok(());
                }
                self.enter_stratum(self.stratum(table, row));
                self.shortcuts.strata += u64::from(self.stratum_now > 0);
                self.propagate(set, table, row)?;
            }
            if self.goal_reached || set.volatile.is_empty() {
                return Ok(());
            }
            self.rounds += 1;
            self.shortcuts.full_rounds += 1;
            self.safe_point();
            for plan in &set.volatile {
                self.run(plan)?;
            }
            if self.queue.is_empty() && self.tick == before {
                return Ok(());
            }
        }
    }

    fn enter_stratum(&mut self, stratum: u32) {
        if stratum != self.stratum_now {
            self.stratum_now = stratum;
            self.settings_given.gauge.enter_stratum(stratum);
        }
    }

    /// Propagates the new tuples of one row.
    fn propagate(&mut self, set: &RuleSet, table: TableId, row: RowId) -> Result<(), Fault> {
        self.rounds += 1;
        self.dd.spend(PER_ROW)?;
        self.safe_point();
        if let Some(reason) = self.settings_given.stop.requested() {
            return Err(Fault::Exhausted(reason));
        }
        let at = &mut self.tables[table.index()].rows[row.index()];
        let new = std::mem::replace(&mut at.pending, Bdd::FALSE);
        at.queued = false;
        let Some(plans) = set.delta.get(&table) else { return Ok(()) };
        if new == Bdd::FALSE {
            return Ok(());
        }
        let (own, others): (Vec<&Rc<Plan>>, Vec<&Rc<Plan>>) =
            plans.iter().partition(|plan| plan.head.table() == Some(table));
        let closes = own.len() > 1 && self.shapes[table.index()].keys.is_empty();
        let new = if closes { self.close(&own, table, row, new)? } else { self.frontier(table, row, new) };
        let own = own.into_iter().filter(|_| !closes);
        for plan in own.chain(others) {
            if self.goal_reached {
                break;
            }
            self.run_retrying(plan, row, new)?;
        }
        if self.goal_reached {
            // The goal cuts plans short; the row waits for a run that goes on.
            self.enqueue(table, row, new)?;
        }
        Ok(())
    }

    /// Runs a plan; where memory runs out, frees what is dead and tries once more. Running a plan again finds nothing twice.
    fn run_retrying(&mut self, plan: &Plan, row: RowId, new: Bdd) -> Result<(), Fault> {
        match self.run_delta(plan, row, new) {
            Err(Fault::Exhausted(StopReason::Memory)) => {
                self.holding([new], Self::collect);
                self.run_delta(plan, row, new)
            }
            other => other,
        }
    }

    /// Closes a relation under the plans by which it feeds itself: the first plan until it finds nothing, then the next, and
    /// back to the first with whatever was found. Returns all new tuples.
    fn close(&mut self, plans: &[&Rc<Plan>], table: TableId, row: RowId, new: Bdd) -> Result<Bdd, Fault> {
        self.shortcuts.closures += 1;
        let mut waiting = vec![new; plans.len()];
        let mut all = new;
        while let Some(at) = waiting.iter().position(|w| *w != Bdd::FALSE) {
            let held: Vec<Bdd> = waiting.iter().copied().chain([all]).collect();
            let next = std::mem::replace(&mut waiting[at], Bdd::FALSE);
            self.holding(held, |machine| {
                machine.rounds += 1;
                machine.safe_point();
                if let Some(reason) = machine.settings_given.stop.requested() {
                    return Err(Fault::Exhausted(reason));
                }
                let next = machine.frontier(table, row, next);
                machine.run_retrying(plans[at], row, next)
            })?;
            if self.goal_reached {
                break;
            }
            let found =
                std::mem::replace(&mut self.tables[table.index()].rows[row.index()].pending, Bdd::FALSE);
            if found != Bdd::FALSE {
                all = self.dd.or(all, found)?;
                for set in &mut waiting {
                    *set = self.dd.or(*set, found)?;
                }
            }
        }
        Ok(all)
    }

    /// The tuples to propagate: the new ones, or all of them where that is the smaller diagram. Counting pays only where
    /// one large diagram holds a whole relation.
    fn frontier(&mut self, table: TableId, row: RowId, new: Bdd) -> Bdd {
        let full = self.tables[table.index()].rows[row.index()].full;
        if !self.shapes[table.index()].keys.is_empty() || full == new {
            return new;
        }
        let large = if self.settings_given.collect_from == 0 { 0 } else { LARGE };
        let size = self.dd.size_up_to(new, LARGE * 64);
        let all = size >= large && self.dd.size_up_to(full, size) < size;
        self.shortcuts.whole_frontiers += u64::from(all);
        if all { full } else { new }
    }

    /// Ends the work list of a rule set.
    pub fn finish(&mut self, set: &RuleSet) {
        for &table in &set.tables {
            self.queue.set_active(table, false);
        }
    }

    /// Evaluates the body of a relation once, with the present values of everything, into its scratch table.
    pub fn evaluate_body(&mut self, relation: RelationId) -> Result<(), Fault> {
        let scratch = self.scratch(relation);
        self.clear(scratch);
        let body = self.system.relation(relation).body;
        if !self.has_keys[body.index()] && self.shapes[relation.index()].keys.is_empty() {
            let node = self.node(body)?;
            let value = self.value(node)?;
            return self.add(scratch, &[], value, Origin::Given);
        }
        let set = match self.bodies.get(&relation) {
            Some(set) => set.clone(),
            None => {
                let set = self.rule_set(&[(body, true, scratch)], false)?;
                self.bodies.insert(relation, set.clone());
                set
            }
        };
        self.refresh(&set.statics)?;
        for fact in &set.facts {
            self.add_fact(fact)?;
        }
        for plan in &set.initial {
            self.run(plan)?;
        }
        Ok(())
    }

    /// A second table for a relation, into which its body is evaluated.
    fn scratch(&mut self, relation: RelationId) -> TableId {
        if let Some(&table) = self.scratches.get(&relation) {
            return table;
        }
        let table = TableId::new(self.tables.len());
        let shape = self.shapes[relation.index()].clone();
        self.tables.push(Table::new(shape.keys.len()));
        self.shapes.push(shape);
        self.scratches.insert(relation, table);
        table
    }

    /// The table whose columns a table's rules speak of.
    fn source(&self, table: TableId) -> TableId {
        match self.shapes[table.index()].relation {
            Some(relation) => TableId(relation.0),
            None => table,
        }
    }

    /// Makes the scratch table's content the relation's; says whether that changed anything.
    pub fn adopt(&mut self, relation: RelationId) -> Result<bool, Fault> {
        let (table, scratch) = (TableId(relation.0), self.scratches[&relation]);
        let same = self.same(table, scratch)?;
        if !same || self.tables[table.index()].stamp == 0 {
            self.copy(scratch, table);
        }
        Ok(!same)
    }

    /// The two tables hold the same tuples, in whatever way they write them down.
    pub fn same(&mut self, a: TableId, b: TableId) -> Result<bool, Fault> {
        Ok(self.within(a, b)? && self.within(b, a)?)
    }

    /// Every row of a table that has tuples is a row of the other.
    fn within(&mut self, a: TableId, b: TableId) -> Result<bool, Fault> {
        for row in (0..self.tables[a.index()].len()).map(RowId::new) {
            let content = self.tables[a.index()].rows[row.index()];
            let Some(other) = self.tables[b.index()].find(self.tables[a.index()].key(row)) else {
                if content.full != Bdd::FALSE {
                    return Ok(false);
                }
                continue;
            };
            let known = self.tables[b.index()].rows[other.index()];
            if (content.full, content.frame) != (known.full, known.frame)
                && self.expanded(a, row)? != self.expanded(b, other)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Replaces a table's content by another's.
    pub fn copy(&mut self, from: TableId, to: TableId) {
        self.clear(to);
        for row in 0..self.tables[from.index()].len() {
            let key: Vec<u32> = self.tables[from.index()].key(RowId::new(row)).to_vec();
            let content = self.tables[from.index()].rows[row];
            let at = self.tables[to.index()].find_or_insert(&key);
            let target = &mut self.tables[to.index()].rows[at.index()];
            (target.full, target.frame) = (content.full, content.frame);
        }
    }

    /// Makes a relation full.
    pub fn fill(&mut self, relation: RelationId) -> Result<(), Fault> {
        let table = TableId(relation.0);
        let keys = self.shapes[table.index()].keys.clone();
        let sizes: Vec<u64> = keys.iter().map(|&v| self.system.sort_of(v).size()).collect();
        let size = sizes.iter().fold(1u128, |n, &s| n.saturating_mul(u128::from(s)));
        if size > MOST_KEYS {
            let what = format!("the keys of the full relation `{}`", self.shapes[table.index()].name);
            return Err(Fault::TooLarge { what, size });
        }
        self.clear(table);
        let domain = self.table_domain(table)?;
        let mut key = vec![0u32; keys.len()];
        for mut n in 0..size as u64 {
            for (value, size) in key.iter_mut().zip(&sizes).rev() {
                *value = (n % size) as u32;
                n /= size;
            }
            let row = self.tables[table.index()].find_or_insert(&key);
            self.tables[table.index()].rows[row.index()].full = domain;
        }
        Ok(())
    }
}
