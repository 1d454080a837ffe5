//! The run on keys: plans are run with every diagram that grows taken for true, and what they would do is written down.
//!
//! Input: a rule set, the tables that it reads, empty tables that it fills. Output: all rows that can get tuples, entered into the tables and numbered; which
//! of them feed each other; and the instances of all clauses ([`super::network`]). An instance is found once, when the last of its growing rows is
//! taken up, and written down for each of them. Formulas inside clauses do not depend on what grows, and are evaluated.

use super::network::{Instance, Op, Pair, Parts};
use crate::answer::Shortcut;
use crate::derivations::log::Log;
use crate::executor::reading::Aside;
use crate::executor::{Executor, Run};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::connectives::Connectives;
use crate::planner::node::compare;
use crate::planner::plan::{Fused, Head, Multiply, Plan, Step};
use crate::planner::{Planner, RuleSet};
use crate::store::table::{RowId, TableId};
use crate::store::{Access, Store};
use calculus::system::{Term, VarId};
use dd::Bdd;

/// Edges found in a run on keys before it is given up; later rows come last.
const MOST_EDGES: usize = 4_000_000;

/// Instances that are written down before the plans are run as they are.
const MOST_INSTANCES: usize = 1 << 21;

/// The number of a row that has none: it does not grow, or was not foreseen.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

/// What a run on keys finds. Rows know their numbers as ranks.
#[derive(Debug, Default)]
pub(crate) struct KeyGraph {
    pub rows: Vec<(TableId, RowId)>,
    /// From rows that are read to those that get tuples.
    pub edges: Vec<(u32, u32)>,
    /// For each row: it is joined with another growing row.
    pub joined: Vec<bool>,
    /// Instances with the rows that drive them, and what they are made of.
    pub instances: Vec<(u32, Instance)>,
    pub parts: Parts,
    /// All instances are there; otherwise the plans must be run as they are.
    pub is_written: bool,
}

impl KeyGraph {
    /// The graph is too large to be worth it.
    pub fn is_full(&self) -> bool {
        self.edges.len() > MOST_EDGES
    }
}

/// A plan as the run on keys needs it.
struct KeyPlan<'p> {
    plan: &'p Plan,
    /// What binds keys.
    searches: Vec<&'p Step>,
    /// What multiplies diagrams.
    multiplications: Vec<&'p Step>,
}

impl<'p> KeyPlan<'p> {
    fn new(plan: &'p Plan) -> Self {
        let (multiplications, mut searches): (Vec<&Step>, Vec<&Step>) =
            plan.steps.iter().partition(|step| matches!(step, Step::Multiply(_) | Step::Fused(_)));
        // Steps that save multiplications.
        searches.retain(|step| !matches!(step, Step::Unless { .. } | Step::Some { .. }));
        Self { plan, searches, multiplications }
    }

    /// The literal whose new tuples drive it.
    fn driver(&self) -> usize {
        self.plan.delta.as_ref().expect("a plan for new tuples").literal
    }
}

/// What a literal of the plan under way has chosen.
#[derive(Clone, Copy)]
struct Taken {
    /// Diagram and frame; of no interest if the row grows.
    content: (Bdd, u32),
    number: u32,
    row: RowId,
}

impl Taken {
    /// Something that does not grow, and a row if it is one.
    fn fixed(content: (Bdd, u32), row: RowId) -> Self {
        Self { content, number: NO_NUMBER, row }
    }
}

/// A run under way.
struct KeyRun<'a, 'p, 's> {
    store: &'a mut Store<'s>,
    planner: &'a Planner,
    executor: &'a mut Executor,
    log: Option<&'a mut Log>,
    graph: KeyGraph,
    /// The plans that new tuples drive, by number.
    driven: &'a [KeyPlan<'p>],
    /// By table: it is being computed.
    grows: Vec<bool>,
    /// By literal.
    taken: Vec<Taken>,
    /// The number of the row that is taken up, and its literal.
    source: Option<(u32, usize)>,
}

impl Machine<'_> {
    /// Runs the plans of a set on keys.
    pub fn explore_keys(&mut self, set: &RuleSet) -> Result<KeyGraph, Fault> {
        let driven: Vec<KeyPlan> = set.driven.iter().map(|plan| KeyPlan::new(plan)).collect();
        let mut of_table: Vec<Vec<u32>> = vec![Vec::new(); self.store.tables.len()];
        for (number, plan) in (0..).zip(&set.driven) {
            of_table[plan.delta.as_ref().expect("new tuples drive it").table.index()].push(number);
        }
        let mut grows = vec![false; self.store.tables.len()];
        for table in &set.tables {
            grows[table.index()] = true;
            self.store.tables[table.index()].new_rank = NO_NUMBER;
        }
        for table in set.driven.iter().flat_map(|plan| &plan.steps).filter_map(Step::table) {
            if !grows[table.index()] {
                self.store.tables[table.index()].settle();
            }
        }
        let n_slots = set.driven.iter().chain(&set.initial).map(|plan| plan.n_slots).max().unwrap_or(0);
        let mut run = KeyRun {
            store: &mut self.store,
            planner: &self.planner,
            executor: &mut self.executor,
            log: self.record.log.as_mut(),
            graph: KeyGraph {
                parts: Parts { plans: set.driven.clone(), ..Parts::default() },
                is_written: set.volatile.is_empty(),
                ..KeyGraph::default()
            },
            driven: &driven,
            grows,
            taken: vec![Taken::fixed((Bdd::TRUE, 0), RowId::new(0)); n_slots],
            source: None,
        };
        for fact in &set.facts {
            run.reach(fact.table, &fact.key);
        }
        for plan in &set.initial {
            run.go(&KeyPlan::new(plan), 0)?;
        }
        let mut next = 0;
        while let Some(&(table, row)) = run.graph.rows.get(next)
            && !run.graph.is_full()
        {
            run.store.poll()?;
            for &number in &of_table[table.index()] {
                run.take_up(&driven[number as usize], next as u32, row)?;
            }
            next += 1;
        }
        run.graph.is_written &= !run.graph.is_full();
        Ok(run.graph)
    }
}

impl KeyRun<'_, '_, '_> {
    /// The number of the row of a key, which is made if it is new.
    fn reach(&mut self, table: TableId, key: &[u32]) -> u32 {
        let row = self.store.tables[table.index()].find_or_insert(key);
        let number = &mut self.store.tables[table.index()].rows[row.index()].rank;
        if *number == NO_NUMBER {
            *number = self.graph.rows.len() as u32;
            self.graph.rows.push((table, row));
            self.graph.joined.push(false);
        }
        *number
    }

    /// Runs a plan for a row.
    fn take_up(&mut self, plan: &KeyPlan, number: u32, row: RowId) -> Result<(), Fault> {
        let delta = plan.plan.delta.as_ref().expect("a plan for new tuples");
        if !self.bind(delta.table, row, &delta.bind, &delta.check) {
            return Ok(());
        }
        self.source = Some((number, delta.literal));
        (self.taken[delta.literal].number, self.taken[delta.literal].row) = (number, row);
        self.go(plan, 0)
    }

    #[inline]
    fn bind(&mut self, table: TableId, row: RowId, bind: &[(usize, VarId)], check: &[(usize, Term)]) -> bool {
        let key = self.store.tables[table.index()].key(row);
        for &(column, var) in bind {
            self.executor.env[var.index()] = key[column];
        }
        check.iter().all(|&(column, term)| key[column] == self.executor.term(term))
    }

    /// Takes a row for a literal; says whether the plan goes on with it. Of the growing rows of an instance the one that is taken up has the
    /// greatest number, and of its literals that have this row it drives the first.
    #[inline]
    fn take(&mut self, slot: usize, table: TableId, row: RowId) -> bool {
        let at = &self.store.tables[table.index()].rows[row.index()];
        if !self.grows[table.index()] {
            self.taken[slot] = Taken::fixed((at.full, at.frame), row);
            return at.full != Bdd::FALSE;
        }
        (self.taken[slot].number, self.taken[slot].row) = (at.rank, row);
        self.source.is_none_or(|(source, driver)| at.rank < source || at.rank == source && slot > driver)
    }

    /// Goes on with a plan.
    fn go(&mut self, plan: &KeyPlan, mut at: usize) -> Result<(), Fault> {
        while let Some(&step) = plan.searches.get(at) {
            at += 1;
            let goes_on = match step {
                Step::Probe { table, key, slot } => {
                    let key = self.executor.key(key);
                    let found = self.store.tables[table.index()].find(&key);
                    found.is_some_and(|row| self.take(*slot, *table, row))
                }
                Step::Scan { table, index, probe, bind, check, slot } => {
                    let probe = self.executor.key(probe);
                    let mut next = self.store.tables[table.index()].first(*index, &probe);
                    while let Some(row) = next {
                        if self.bind(*table, row, bind, check) && self.take(*slot, *table, row) {
                            self.go(plan, at)?;
                        }
                        next = self.store.tables[table.index()].next(*index, row);
                    }
                    return Ok(());
                }
                Step::All { table, bind, check, slot } => {
                    for row in (0..self.store.tables[table.index()].len()).map(RowId::new) {
                        if self.bind(*table, row, bind, check) && self.take(*slot, *table, row) {
                            self.go(plan, at)?;
                        }
                    }
                    return Ok(());
                }
                Step::Enumerate(var, size) => {
                    for value in 0..*size {
                        self.executor.env[var.index()] = value;
                        self.go(plan, at)?;
                    }
                    return Ok(());
                }
                Step::Test { comparison, left, right, holds } => {
                    compare(*comparison, self.executor.term(*left), self.executor.term(*right)) == *holds
                }
                Step::Bind(var, term) => self.executor.give(self.store.system, *var, *term),
                Step::Value { node, slot } => {
                    let reading: Aside<'_, true> = Aside { log: self.log.as_deref_mut() };
                    let (store, planner, executor) = (&mut *self.store, self.planner, &mut *self.executor);
                    let value = Run { store, planner, executor, reading }.value(*node)?;
                    self.taken[*slot] = Taken::fixed((value, 0), RowId::new(0));
                    value != Bdd::FALSE
                }
                Step::Multiply(_) | Step::Fused(_) | Step::Unless { .. } | Step::Some { .. } => true,
            };
            if !goes_on {
                return Ok(());
            }
        }
        self.deliver(plan.plan)
    }

    /// A plan has found a head: says who feeds it, and how.
    fn deliver(&mut self, plan: &Plan) -> Result<(), Fault> {
        let Head::Table(table, terms) = &plan.head else { unreachable!("rules of a set have tables") };
        if self.graph.is_full() {
            return Ok(());
        }
        let key = self.executor.key(terms);
        let head = self.reach(*table, &key);
        if self.source.is_none() {
            return Ok(());
        }
        let rows = match &mut self.log {
            Some(log) if self.graph.is_written => {
                log.note(*table, self.taken[..plan.n_slots].iter().map(|taken| taken.row))
            }
            _ => 0,
        };
        let joins = plan.family.len() > 1;
        for number in plan.family.clone() {
            let source = self.taken[self.driven[number as usize].driver()].number;
            self.graph.edges.push((source, head));
            self.graph.joined[source as usize] |= joins;
            if self.graph.is_written {
                self.write_down(source, Instance { head, plan: number, start: 0, end: 0, rows })?;
            }
        }
        Ok(())
    }

    /// Writes an instance down for new tuples of one of its rows. Relations without keys are closed by plans.
    fn write_down(&mut self, source: u32, instance: Instance) -> Result<(), Fault> {
        let driven = self.driven;
        let plan = &driven[instance.plan as usize];
        let delta = plan.plan.delta.as_ref().expect("a plan for new tuples");
        if self.store.shape(delta.table).keys.is_empty() {
            return Ok(());
        }
        if self.graph.instances.len() >= MOST_INSTANCES {
            self.graph.is_written = false;
            (self.graph.instances, self.graph.parts) = Default::default();
            return Ok(());
        }
        let start = self.graph.parts.ops.len() as u32;
        for step in &plan.multiplications {
            match step {
                Step::Multiply(multiply) => self.multiply(multiply)?,
                Step::Fused(fused) => self.multiply_both(fused)?,
                _ => unreachable!("searches are apart"),
            }
        }
        let end = self.graph.parts.ops.len() as u32;
        self.graph.instances.push((source, Instance { start, end, ..instance }));
        Ok(())
    }

    fn multiply(&mut self, multiply: &Multiply) -> Result<(), Fault> {
        let Taken { content: (diagram, frame), number, .. } = self.taken[multiply.slot];
        let is_substituted = multiply.access != Access::Direct;
        let parts = &mut self.graph.parts;
        let op = match multiply.access {
            Access::Direct if number != NO_NUMBER => Op::Row(multiply.product, number),
            Access::Substituted(by) if number != NO_NUMBER => {
                self.store.shortcuts.count(Shortcut::Substitutions);
                parts.substituted.push((number, by));
                Op::Substituted(multiply.product, parts.substituted.len() as u32 - 1)
            }
            _ if frame == 0 && multiply.keeps && diagram == Bdd::TRUE => return Ok(()),
            access if frame == 0 => {
                self.store.shortcuts.add(Shortcut::Substitutions, is_substituted);
                Op::Fixed(multiply.product, self.store.read(diagram, access)?)
            }
            access => {
                let variant = self.executor.variant(self.store, self.planner, multiply, frame)?;
                self.store.shortcuts.add(Shortcut::Renamings, variant.renames);
                self.store.shortcuts.add(Shortcut::FramedSubstitutions, is_substituted);
                let diagram = self.store.dd.and(diagram, variant.rest)?;
                Op::Fixed(variant.product, self.store.read(diagram, access)?)
            }
        };
        parts.ops.push(op);
        Ok(())
    }

    /// Two multiplications, as one if that can be.
    fn multiply_both(&mut self, fused: &Fused) -> Result<(), Fault> {
        let (first, second) = (self.taken[fused.first.slot], self.taken[fused.second.slot]);
        let (diagram, frame) = first.content;
        let (other, equalities) = second.content;
        let is_pair = second.number == NO_NUMBER && other == Bdd::TRUE && equalities != 0;
        let grows = first.number != NO_NUMBER;
        if is_pair
            && (grows || frame == 0)
            && let Some(variant) = self.executor.fused_variant(self.store, self.planner, fused, equalities)
            && (grows || !self.store.dd.mentions(diagram, &variant.not_right))
        {
            let parts = &mut self.graph.parts;
            let next = parts.pairs.len() as u32;
            let pair = *parts.pair_numbers.entry((fused.first.id, equalities)).or_insert(next);
            if pair == next {
                parts.pairs.push(Pair { fused: fused.clone(), equalities, variant });
            }
            parts.ops.push(match grows {
                true => Op::FusedRow(pair, first.number),
                false => Op::FusedFixed(pair, diagram),
            });
            return Ok(());
        }
        self.multiply(&fused.first)?;
        self.multiply(&fused.second)
    }
}
