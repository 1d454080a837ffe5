//! The network of a component: every clause with the rows that it joins, found once.
//!
//! Contract: made by the run on keys ([`super::keys`]) before a component is computed, and only read while it is. The rows of the component are
//! known by *position*, their place in the order of the work list. An instance is a clause with a row for each of its literals. It is entered for each
//! of its rows that grows, with the operations that make new tuples of that row into tuples of the head; so no key is looked up again. Rows that
//! stay as they are have become diagrams in the operations, with their frames and substitutions.

use crate::answer::Shortcut;
use crate::derivations::log::Origin;
use crate::executor::Run;
use crate::executor::fused::FusedVariant;
use crate::executor::reading::{Growing, Reading};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::planner::plan::{Fused, Plan};
use crate::store::table::{RowId, TableId};
use base::StopReason;
use dd::{Bdd, ProductId, SubstitutionId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One operation on the accumulated diagram.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Multiply by a diagram that stays.
    Fixed(ProductId, Bdd),
    /// Multiply by what a row of the component has by then.
    Row(ProductId, u32),
    /// The same after a substitution; the number is one of [`Network::substituted`].
    Substituted(ProductId, u32),
    /// Multiply by a diagram that stays, and by equalities: a number of [`Network::pairs`].
    FusedFixed(u32, Bdd),
    /// Multiply by what a row has by then, and by equalities.
    FusedRow(u32, u32),
}

/// A clause with its rows, for new tuples of one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    /// The row that gets tuples.
    pub head: u32,
    pub plan: u32,
    /// Its operations.
    pub start: u32,
    pub end: u32,
    /// The number under which the log knows its rows.
    pub rows: u32,
}

/// Two multiplications at once, the second by a row that is nothing but the equalities of a frame.
#[derive(Debug)]
pub(crate) struct Pair {
    pub fused: Fused,
    pub equalities: u32,
    pub variant: Rc<FusedVariant>,
}

/// The instances of all rows.
#[derive(Debug, Default)]
pub(crate) struct Network {
    /// The rows by position.
    places: Vec<(TableId, RowId)>,
    /// By the position of the row whose new tuples drive them.
    instances: Vec<Instance>,
    /// The first instance of each position, and one more.
    first: Vec<u32>,
    parts: Parts,
}

/// What instances are made of.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub plans: Vec<Rc<Plan>>,
    pub ops: Vec<Op>,
    pub pairs: Vec<Pair>,
    /// Rows that are read after a substitution.
    pub substituted: Vec<(u32, SubstitutionId)>,
    /// The pairs by multiplication and frame.
    pub pair_numbers: FxHashMap<(u32, u32), u32>,
}

impl Network {
    /// Sorts instances, found for numbered rows in any order; `order` has the rows' numbers by position, `rows` their places by number.
    pub fn new(
        rows: &[(TableId, RowId)],
        order: &[u32],
        found: &[(u32, Instance)],
        mut parts: Parts,
    ) -> Self {
        let mut position = vec![0u32; rows.len()];
        for (at, &number) in order.iter().enumerate() {
            position[number as usize] = at as u32;
        }
        let mut first = vec![0u32; rows.len() + 1];
        for (row, _) in found {
            first[position[*row as usize] as usize + 1] += 1;
        }
        for at in 0..rows.len() {
            first[at + 1] += first[at];
        }
        let mut next = first.clone();
        let mut instances = vec![Instance { head: 0, plan: 0, start: 0, end: 0, rows: 0 }; found.len()];
        for &(row, instance) in found {
            let place = &mut next[position[row as usize] as usize];
            instances[*place as usize] = Instance { head: position[instance.head as usize], ..instance };
            *place += 1;
        }
        for op in &mut parts.ops {
            if let Op::Row(_, row) | Op::FusedRow(_, row) = op {
                *row = position[*row as usize];
            }
        }
        for (row, _) in &mut parts.substituted {
            *row = position[*row as usize];
        }
        parts.pair_numbers = FxHashMap::default();
        parts.ops.shrink_to_fit();
        let places = order.iter().map(|&number| rows[number as usize]).collect();
        Self { places, instances, first, parts }
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.places.len()
    }

    /// The row at a position.
    pub fn place(&self, position: usize) -> (TableId, RowId) {
        self.places[position]
    }

    /// Diagrams that operations keep alive.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.parts.ops.iter().filter_map(|op| match op {
            Op::Fixed(_, diagram) | Op::FusedFixed(_, diagram) => Some(*diagram),
            _ => None,
        })
    }
}

impl Machine<'_> {
    /// Runs the instances that new tuples of a row drive; where memory runs out, frees what is dead and tries once more. Running an instance
    /// again finds nothing twice.
    pub fn run_instances(&mut self, position: usize, new: Bdd) -> Result<(), Fault> {
        self.store.shortcuts.count(Shortcut::Instances);
        let network = self.work.network.clone();
        let range = network.first[position] as usize..network.first[position + 1] as usize;
        for instance in &network.instances[range] {
            if self.work.is_over() {
                break;
            }
            match self.growing().run_instance(&network, instance, new) {
                Err(Fault::Exhausted(StopReason::Memory)) => {
                    self.holding([new], Self::collect);
                    self.growing().run_instance(&network, instance, new)?;
                }
                done => done?,
            }
        }
        Ok(())
    }
}

impl Run<'_, '_, Growing<'_>> {
    fn run_instance(&mut self, network: &Network, instance: &Instance, new: Bdd) -> Result<(), Fault> {
        let (table, row) = network.places[instance.head as usize];
        if self.store.tables[table.index()].rows[row.index()].full == Bdd::TRUE {
            self.store.shortcuts.count(Shortcut::CompleteHeads);
            return Ok(());
        }
        let plan = &network.parts.plans[instance.plan as usize];
        self.counted(plan.rule, |run| run.run_plan_of(network, plan, instance, new))
    }

    fn run_plan_of(
        &mut self,
        network: &Network,
        plan: &Plan,
        instance: &Instance,
        new: Bdd,
    ) -> Result<(), Fault> {
        let (table, row) = network.places[instance.head as usize];
        let delta = plan.delta.as_ref().expect("a plan for new tuples");
        let mut acc = self.store.read(new, delta.access)?;
        for &op in &network.parts.ops[instance.start as usize..instance.end as usize] {
            acc = self.operate(network, op, acc)?;
            if acc == Bdd::FALSE {
                return Ok(());
            }
        }
        if let Some(product) = plan.finish {
            acc = self.store.dd.product(acc, Bdd::TRUE, product)?;
        }
        match self.store.news_at(table, row, acc)? {
            Some(addition) => {
                self.reading.take_up(self.store, &addition, Origin::Instance(plan.rule, instance.rows))
            }
            None => Ok(()),
        }
    }

    #[inline]
    fn operate(&mut self, network: &Network, op: Op, acc: Bdd) -> Result<Bdd, Fault> {
        let full = |run: &Self, row: u32| {
            let (table, row) = network.places[row as usize];
            run.store.tables[table.index()].rows[row.index()].full
        };
        match op {
            Op::Fixed(product, diagram) => Ok(self.store.dd.product(acc, diagram, product)?),
            Op::Row(product, row) => Ok(self.store.dd.product(acc, full(self, row), product)?),
            Op::Substituted(product, number) => {
                let (row, by) = network.parts.substituted[number as usize];
                let diagram = self.store.dd.substitute(full(self, row), by)?;
                Ok(self.store.dd.product(acc, diagram, product)?)
            }
            Op::FusedFixed(pair, diagram) => {
                self.multiply_pair(&network.parts.pairs[pair as usize], diagram, acc)
            }
            Op::FusedRow(pair, row) => {
                self.multiply_pair(&network.parts.pairs[pair as usize], full(self, row), acc)
            }
        }
    }

    fn multiply_pair(&mut self, pair: &Pair, first: Bdd, acc: Bdd) -> Result<Bdd, Fault> {
        let contents = ((first, 0), (Bdd::TRUE, pair.equalities));
        self.multiply_fused(&pair.fused, &pair.variant, contents, acc)
    }
}
