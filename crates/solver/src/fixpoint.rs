//! Fixed points: which relations are computed when, in which order rows are taken, and when it is over.
//!
//! Contract: [`crate::machine::Machine::ensure`] makes a relation's table its value, as the operational meaning of the system says. Plans come
//! from the planner and are run by the executor; what is decided here is what to run next.

mod component;
pub(crate) mod demand;
mod keys;
mod network;
pub(crate) mod progress;
mod query;
mod rank;
mod solve;
pub(crate) mod work;

use crate::planner::RuleSet;
use crate::store::table::TableId;
use calculus::system::RelationId;
use demand::RowPlans;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Rule sets that were made, to be used again.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    /// For evaluating one body.
    pub bodies: FxHashMap<RelationId, Rc<RuleSet>>,
    pub components: FxHashMap<Vec<RelationId>, Rc<RuleSet>>,
    /// For evaluating one row.
    pub by_rows: FxHashMap<Vec<RelationId>, Rc<RowPlans>>,
    /// The tables into which bodies are evaluated.
    pub scratches: FxHashMap<RelationId, TableId>,
    /// Components whose plan was shown, each with the relation under which that was.
    pub described: FxHashMap<Vec<RelationId>, RelationId>,
}
