//! The value of a prepared formula, a diagram, under the keys that are bound.
//!
//! Values are remembered by key until a relation of the formula changes; those of a run that reads the past are not.

use super::Run;
use super::reading::{Reading, Whole};
use crate::fault::Fault;
use crate::planner::StaticGroup;
use crate::planner::connectives::Connectives;
use crate::planner::node::{NodeId, NodeKind, compare};
use crate::planner::plan::Plan;
use crate::store::Store;
use dd::Bdd;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Values by key, good until a relation of the node changes.
#[derive(Clone, Default)]
pub(super) struct Memo {
    stamp: u64,
    values: FxHashMap<SmallVec<[u32; 6]>, Bdd>,
}

impl super::Executor {
    /// Diagrams that memos keep alive.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        self.memos.iter().flat_map(|memo| memo.values.values().copied())
    }

    fn memo(&mut self, node: NodeId) -> &mut Memo {
        if self.memos.len() <= node.index() {
            self.memos.resize_with(node.index() + 1, Memo::default);
        }
        &mut self.memos[node.index()]
    }
}

impl<'s, R: Reading> Connectives<'s> for Run<'_, 's, R> {
    fn store(&mut self) -> &mut Store<'s> {
        self.store
    }

    /// The diagram of a node in the present environment.
    fn value(&mut self, id: NodeId) -> Result<Bdd, Fault> {
        let planner = self.planner;
        let node = &planner.nodes[id];
        match &node.kind {
            NodeKind::Fixed(bdd) => return Ok(*bdd),
            // A row is found as fast as a memo, and there may be many.
            NodeKind::Test(..) | NodeKind::Look { .. } => return self.compute(id),
            NodeKind::Not(operand) if matches!(planner.nodes[*operand].kind, NodeKind::Look { .. }) => {
                return self.compute(id);
            }
            _ => {}
        }
        if self.reading.is_past() || !self.reading.may_remember(&node.relations) {
            // Rows are read as they were, and what comes out holds for that moment only; or it is to be seen which are read.
            return self.compute(id);
        }
        let key: SmallVec<[u32; 6]> = node.keys.iter().map(|v| self.executor.env[v.index()]).collect();
        let stamp = node.relations.iter().map(|r| self.store.tables[r.index()].stamp).max().unwrap_or(0);
        let memo = self.executor.memo(id);
        if memo.stamp < stamp {
            memo.values.clear();
        } else if let Some(&value) = memo.values.get(&key) {
            return Ok(value);
        }
        let value = self.compute(id)?;
        let memo = self.executor.memo(id);
        memo.stamp = self.store.tick;
        memo.values.insert(key, value);
        Ok(value)
    }
}

impl<R: Reading> Run<'_, '_, R> {
    fn compute(&mut self, id: NodeId) -> Result<Bdd, Fault> {
        let planner = self.planner;
        match &planner.nodes[id].kind {
            NodeKind::Fixed(bdd) => Ok(*bdd),
            &NodeKind::Test(comparison, a, b) => {
                let (a, b) = (self.executor.term(a), self.executor.term(b));
                Ok(Bdd::constant(compare(comparison, a, b)))
            }
            NodeKind::Look { table, keys, access, product } => {
                let key = self.executor.key(keys);
                let Some(row) = self.store.tables[table.index()].find(&key) else { return Ok(Bdd::FALSE) };
                self.reading.saw(*table, row);
                let content = self.reading.content(self.store, *table, row);
                let bdd = self.store.with_frame(content)?;
                let bdd = self.store.read(bdd, *access)?;
                Ok(match product {
                    Some(product) => self.store.dd.product(bdd, Bdd::TRUE, *product)?,
                    None => bdd,
                })
            }
            NodeKind::And(parts) if self.fails_a_test(parts) => Ok(Bdd::FALSE),
            NodeKind::Sum(plans, statics) => {
                let outer = std::mem::replace(&mut self.executor.sum, Bdd::FALSE);
                let result = self.whole().sum(plans, statics);
                let sum = std::mem::replace(&mut self.executor.sum, outer);
                result.map(|()| sum)
            }
            kind => {
                let bits = &planner.nodes[id].bits;
                Ok(self.combined(kind, bits)?.expect("what is left combines parts"))
            }
        }
    }

    /// Tests cost nothing and often decide a conjunction.
    fn fails_a_test(&self, parts: &[NodeId]) -> bool {
        let planner = self.planner;
        parts.iter().any(|&part| match planner.nodes[part].kind {
            NodeKind::Test(comparison, a, b) => {
                !compare(comparison, self.executor.term(a), self.executor.term(b))
            }
            _ => false,
        })
    }
}

impl<R: Whole> Run<'_, '_, R> {
    /// The sum of what plans deliver.
    pub fn sum_of(&mut self, plans: &[Rc<Plan>]) -> Result<Bdd, Fault> {
        let outer = std::mem::replace(&mut self.executor.sum, Bdd::FALSE);
        let result = self.sum(plans, &[]);
        let sum = std::mem::replace(&mut self.executor.sum, outer);
        result.map(|()| sum)
    }

    /// Runs plans that deliver to the sum.
    fn sum(&mut self, plans: &[Rc<Plan>], statics: &[StaticGroup]) -> Result<(), Fault> {
        self.refresh(statics)?;
        plans.iter().try_for_each(|plan| self.run(plan))
    }
}
