//! The planned solver: tables from explicit keys to decision diagrams, joined by index, iterated semi-naively.
//!
//! - In: a checked [`calculus::system::System`], rows of relations, [`Settings`].
//! - Out: truth values, relations, witnesses, derivations, certificates of fixed points.
//! - Never: know programs, read, print, look at a clock.
//!
//! Textbook twin: [`calculus::naive`].

#![forbid(unsafe_code)]

mod answer;
mod certify;
mod derivations;
mod describe;
mod executor;
mod families;
mod fault;
mod fixpoint;
mod given;
mod layout;
mod machine;
mod order;
mod planner;
mod scope;
mod store;

pub use answer::*;
pub use derivations::choices::Relevance;
pub use given::{FrameId, Given, GivenKey};
pub use store::listing::{Columns, Grouping, Shown};

use base::{Diagnostic, Gauge, Stop};
use calculus::listing::Listing;
use calculus::system::{BinderId, FormulaId, RelationId, System, VarId};
use derivations::explain::Derivation;
use fixpoint::progress::Progress;
use layout::Layout;
use machine::Machine;
use num_bigint::BigUint;

use std::sync::Arc;
use std::time::Duration;
use store::table::TableId;

/// Where freeing dead nodes begins to pay.
pub const COLLECT_FROM: usize = 1 << 17;

/// What a run is told from outside.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Treat every sort as symbolic (the paper's evaluation).
    pub symbolic: bool,
    /// Keep what derivations need. Without it `explain` is not available.
    pub record: bool,
    /// Below this many nodes dead ones are not freed; with 0 they are freed at every opportunity, and no diagram counts as
    /// too small for what pays in large ones: for tests.
    pub collect_from: usize,
    /// Bytes that diagrams may take.
    pub memory: Option<u64>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
}

/// Evaluates the relations of one system on demand.
pub struct Solver<'s> {
    machine: Machine<'s>,
    progress: Progress,
    /// So many choices derivations follow, and what matters of them.
    choices: (u32, Option<Relevance>),
}

impl<'s> Solver<'s> {
    /// Lays out the variables. Fails if allocation constraints contradict each other.
    pub fn new(system: &'s System, settings: Settings) -> Result<Self, Vec<Diagnostic>> {
        let layout = Layout::new(system, settings.symbolic)?;
        let machine = Machine::new(system, layout, settings);
        Ok(Self { machine, progress: Progress::new(system), choices: (0, None) })
    }

    /// The truth value of a closed formula.
    pub fn query(&mut self, formula: FormulaId) -> Result<bool, Halt> {
        self.machine.truth(&mut self.progress, formula).map_err(|fault| self.machine.halt(fault))
    }

    fn ensure(&mut self, relation: RelationId) -> Result<TableId, Halt> {
        self.machine.ensure(&mut self.progress, relation).map_err(|fault| self.machine.halt(fault))?;
        Ok(TableId(relation.0))
    }

    /// The stratum that the last run was at when it ended: smaller ones were complete. Without `#strata`, 0.
    pub fn stratum(&self) -> u32 {
        self.machine.work.stratum
    }

    /// Units of work so far. They are the same in every run, so shares of them are, too.
    pub fn work(&self) -> u64 {
        self.machine.store.dd.work()
    }

    /// Questions end with [`StopReason::Work`](base::StopReason::Work) once so many units have been done in all.
    pub fn grant(&mut self, work: u64) {
        self.machine.store.dd.grant(work);
    }

    /// Computes a relation in full. Later questions that need it are then answered from it.
    pub fn evaluate(&mut self, relation: RelationId) -> Result<(), Halt> {
        self.ensure(relation).map(|_| ())
    }

    /// Distinct diagram nodes of a relation's table.
    pub fn size(&mut self, relation: RelationId) -> Result<u64, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.table_size(table).map_err(|fault| self.machine.halt(fault))
    }

    /// The number of tuples of a relation.
    pub fn count(&mut self, relation: RelationId) -> Result<BigUint, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.count(table).map_err(|fault| self.machine.halt(fault))
    }

    /// All tuples, each a value per column, sorted; `TooLarge` above `limit`.
    pub fn tuples(&mut self, relation: RelationId, limit: usize) -> Result<Vec<Vec<u32>>, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.tuples(table, limit).map_err(|fault| self.machine.halt(fault))
    }

    /// The first rows of a list of a relation's tuples; columns are taken as the grouping says.
    pub fn list(&mut self, relation: RelationId, most: usize, grouping: Grouping) -> Result<Listing, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.list(table, most, grouping).map_err(|fault| self.machine.halt(fault))
    }

    /// The smallest valuation of the binders that makes the formula true (`wanted`) or false.
    pub fn witness(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Valuation>, Halt> {
        let found = self.witness_values(binders, formula, wanted)?;
        let system = self.machine.store.system;
        let name = |(var, value)| (system.var_name(var), system.sort_of(var).value_name(value));
        Ok(found.map(|values| values.into_iter().map(name).collect()))
    }

    /// The same as values, one for each scalar variable.
    pub fn witness_values(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Vec<(VarId, u32)>>, Halt> {
        let found = self.machine.witness(&mut self.progress, binders, formula, wanted);
        found.map_err(|fault| self.machine.halt(fault))
    }

    /// The smallest valuation of the binders that makes the formula true, among the tuples known when the query before it
    /// was answered. A value for each scalar variable.
    pub fn found(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Vec<(VarId, u32)>>, Halt> {
        let found = self.machine.found(&mut self.progress, binders, formula);
        let found = found.map_err(|fault| self.machine.halt(fault))?;
        Ok(found.map(|values| values.into_iter().collect()))
    }

    /// From now on derivations follow so many choices: where something is said of all values of some variables, they show why for the
    /// first of these that matter, and so on for what that rests on. Without this such parts are named only. All values matter that
    /// nobody says otherwise of.
    pub fn follow_choices(&mut self, depth: u32, relevance: Option<Relevance>) {
        self.choices = (depth, relevance);
    }

    fn derivation(&mut self) -> Derivation<'_, 's> {
        let (depth, relevance) = self.choices.clone();
        Derivation::new(&mut self.machine, &mut self.progress).following(depth, relevance)
    }

    /// A derivation of a formula's applications under the smallest valuation of the binders; `None` if it does not
    /// hold. Needs [`Settings::record`].
    pub fn explain(&mut self, binders: &[BinderId], formula: FormulaId) -> Result<Option<Explanation>, Halt> {
        let found = self.derivation().explain(binders, formula);
        found.map_err(|fault| self.machine.halt(fault))
    }

    /// The same among the tuples known when the query before it was answered: nothing more is computed.
    pub fn explain_found(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Explanation>, Halt> {
        let found = self.derivation().explain_found(binders, formula);
        found.map_err(|fault| self.machine.halt(fault))
    }

    /// Why a formula without free variables is false; `None` if it is true. Needs [`Settings::record`].
    pub fn refute(&mut self, formula: FormulaId) -> Result<Option<Explanation>, Halt> {
        let found = self.derivation().refute(formula);
        found.map_err(|fault| self.machine.halt(fault))
    }

    /// A derivation of one tuple, a value for each column; `None` if the relation does not contain it.
    /// Needs [`Settings::record`].
    pub fn explain_tuple(
        &mut self,
        relation: RelationId,
        tuple: &[u32],
    ) -> Result<Option<Explanation>, Halt> {
        let found = self.derivation().explain_tuple(relation, tuple);
        found.map_err(|fault| self.machine.halt(fault))
    }

    /// Builds the relation and everything it uses up from nothing, by other means, and compares.
    pub fn certify(&mut self, relation: RelationId) -> Result<Certificate, Halt> {
        let checked = self.machine.certify(&mut self.progress, relation);
        checked.map_err(|fault| self.machine.halt(fault))
    }

    /// The evaluation plan of a relation, for people.
    pub fn plan(&mut self, relation: RelationId) -> Result<String, Halt> {
        let plan = self.machine.describe(&mut self.progress, relation);
        plan.map_err(|fault| self.machine.halt(fault))
    }

    /// The variable order, for people: one line per diagram variable.
    pub fn order(&self) -> String {
        let layout = &self.machine.store.layout;
        (0..layout.n_levels()).map(|level| format!("{level} {}\n", layout.name(level as u32))).collect()
    }

    /// DOT text of a relation's diagrams.
    pub fn dot(&mut self, relation: RelationId) -> Result<String, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.table_dot(table).map_err(|fault| self.machine.halt(fault))
    }

    /// DDDMP text of a relation as one diagram over all bits, keys encoded.
    pub fn dump(&mut self, relation: RelationId) -> Result<String, Halt> {
        let table = self.ensure(relation)?;
        self.machine.store.table_dump(table).map_err(|fault| self.machine.halt(fault))
    }

    /// Replaces a relation's value by a DDDMP text; the inner error says what is wrong with the text.
    pub fn undump(&mut self, relation: RelationId, text: &str) -> Result<Result<(), String>, Halt> {
        let done = self.machine.undump(&mut self.progress, relation, text);
        done.map_err(|fault| self.machine.halt(fault))
    }

    /// Forgets the value of a relation and of everything that uses it.
    pub fn reset(&mut self, relation: RelationId) {
        self.machine.forget(&mut self.progress, relation);
    }

    /// Forgets all values.
    pub fn reset_all(&mut self) {
        for relation in 0..self.progress.valid.len() {
            self.reset(RelationId::new(relation));
        }
    }

    /// How often each shortcut was taken so far.
    pub fn shortcuts(&self) -> Shortcuts {
        self.machine.store.shortcuts
    }

    /// Figures.
    pub fn statistics(&mut self) -> Statistics {
        let machine = &mut self.machine;
        let relations = machine.store.system.relations.iter().enumerate().filter_map(|(n, relation)| {
            let id = RelationId::new(n);
            let rounds = *self.progress.rounds.get(&id)?;
            // A stop that was requested may leave frames uncounted.
            let nodes = machine.store.table_size(TableId(id.0)).unwrap_or_default();
            let time = self.progress.times.get(&id).copied().unwrap_or_default();
            Some(RelationStatistics {
                relation: relation.name.clone(),
                rounds,
                keys: machine.store.tables[n].n_used(),
                nodes,
                time,
            })
        });
        Statistics {
            relations: relations.collect(),
            clauses: machine.executor.spent.clauses(machine.store.system, &machine.planner.rules),
            variables: machine.store.layout.n_levels() as u64,
            peak_nodes: machine.store.dd.peak_nodes() as u64,
            nodes: machine.store.dd.n_nodes() as u64,
            bytes: machine.store.dd.bytes() as u64,
            collections: machine.store.dd.n_collections(),
            shortcuts: machine.store.shortcuts,
        }
    }
}
