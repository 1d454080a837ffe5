//! The machine: the rooms of the solver, and what takes several of them.
//!
//! The store owns diagrams and tables. The planner makes rules and plans, the executor runs them, both on the store; the
//! work list says what is to be run next, the record keeps what derivations need. Each room is a type of its own and is handed those it
//! needs. Only [`Machine::safe_point`] and [`Machine::collect`] free nodes: whoever calls them holds what it still needs.

use crate::Settings;
use crate::answer::Halt;
use crate::derivations::Record;
use crate::derivations::log::Log;
use crate::executor::reading::{Aside, Growing, Past};
use crate::executor::{Executor, Run};
use crate::fault::Fault;
use crate::fixpoint::Sets;
use crate::fixpoint::work::Work;
use crate::layout::Layout;
use crate::planner::connectives::Connectives;
use crate::planner::{Draft, Made, Planner, RuleSet};
use crate::store::Store;
use crate::store::table::TableId;
use calculus::system::{FormulaId, System};
use dd::Bdd;
use std::rc::Rc;

/// Everything a run needs.
pub(crate) struct Machine<'s> {
    pub store: Store<'s>,
    pub planner: Planner,
    pub executor: Executor,
    pub work: Work,
    pub sets: Sets,
    pub record: Record,
}

impl<'s> Machine<'s> {
    pub fn new(system: &'s System, layout: Layout, settings: Settings) -> Self {
        let log = settings.record.then(Log::default);
        Self {
            planner: Planner::new(system, &layout),
            executor: Executor::new(system.vars.len()),
            store: Store::new(system, layout, settings),
            work: Work::default(),
            sets: Sets::default(),
            record: Record { log, ..Record::default() },
        }
    }

    /// The answer that a fault becomes.
    pub fn halt(&self, fault: Fault) -> Halt {
        self.measure();
        match fault {
            Fault::Exhausted(reason) => Halt::Stopped(reason, self.store.settings.gauge.read()),
            Fault::TooLarge { what, size } => Halt::TooLarge { what, size },
            Fault::NotStabilising { relation, first, again } => {
                Halt::NotStabilising { relation, first, again }
            }
        }
    }

    /// Runs plans by themselves.
    pub fn aside(&mut self) -> Run<'_, 's, Aside<'_, true>> {
        let reading = Aside { log: self.record.log.as_mut() };
        Run { store: &mut self.store, planner: &self.planner, executor: &mut self.executor, reading }
    }

    /// Runs plans by themselves; the log need not know what they add.
    pub fn unlogged(&mut self) -> Run<'_, 's, Aside<'_, false>> {
        let reading = Aside { log: self.record.log.as_mut() };
        Run { store: &mut self.store, planner: &self.planner, executor: &mut self.executor, reading }
    }

    /// Runs plans of a fixed point.
    pub fn growing(&mut self) -> Run<'_, 's, Growing<'_>> {
        let reading = Growing { work: &mut self.work, log: self.record.log.as_mut() };
        Run { store: &mut self.store, planner: &self.planner, executor: &mut self.executor, reading }
    }

    /// Runs rules backwards, on rows as they were before a rank.
    pub fn past(&mut self, rank: Option<u32>) -> Run<'_, 's, Past<'_>> {
        let reading = Past { rank, log: self.record.log.as_mut() };
        Run { store: &mut self.store, planner: &self.planner, executor: &mut self.executor, reading }
    }

    /// Makes rules to be run by themselves.
    pub fn draft(&mut self) -> Draft<'_, 's> {
        self.planner.draft(&mut self.store, &self.work.growing)
    }

    /// Rules that compute tables, each body as its plain formula says.
    pub fn rule_set(
        &mut self,
        heads: &[(FormulaId, bool, TableId)],
        semi_naive: bool,
    ) -> Result<Rc<RuleSet>, Fault> {
        let unordered = self.draft().rule_set(heads, semi_naive)?;
        self.aside().refresh(unordered.statics())?;
        self.draft().in_order(unordered)
    }

    /// The diagram of a formula whose keys have values.
    pub fn formula_value(&mut self, formula: FormulaId) -> Result<Bdd, Fault> {
        let node = self.draft().node(formula)?;
        self.aside().value(node)
    }

    /// Empties a table.
    pub fn clear(&mut self, table: TableId) {
        self.store.clear(table);
        if let Some(log) = &mut self.record.log {
            log.forget(table);
        }
    }

    /// Replaces a table's content by another's.
    pub fn copy(&mut self, from: TableId, to: TableId) {
        self.clear(to);
        self.store.copy(from, to);
    }

    /// Gives a temporary table back.
    pub fn release(&mut self, table: TableId) {
        self.clear(table);
        self.work.set_active(table, false);
        self.store.release(table);
    }

    /// Gives back the groups of rules that were made for one question.
    pub fn release_groups(&mut self, made: &Made) {
        made.groups.iter().for_each(|group| self.release(group.table));
    }

    /// A moment at which every diagram in use is rooted: dead nodes may be freed.
    pub fn safe_point(&mut self) {
        if self.store.is_crowded() {
            self.collect();
        }
        self.measure();
    }

    /// Frees dead nodes.
    pub fn collect(&mut self) {
        let roots = self.planner.roots().chain(self.executor.roots()).chain(self.record.roots());
        let roots = roots.chain(self.work.network.roots());
        self.store.collect(roots);
    }

    /// Does something while diagrams that no table has are kept alive.
    pub fn holding<T>(
        &mut self,
        diagrams: impl IntoIterator<Item = Bdd>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let held = self.store.hold(diagrams);
        let result = run(self);
        self.store.let_go(held);
        result
    }

    /// Tells the gauge how far things are.
    fn measure(&self) {
        let store = &self.store;
        let keys: usize = self.work.growing.iter().map(|t| store.tables[t.index()].len()).sum();
        let (nodes, bytes) = (store.dd.n_nodes() as u64, store.dd.bytes() as u64);
        store.settings.gauge.set(self.work.rounds, keys as u64, nodes, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivations::explain::Derivation;
    use crate::fixpoint::progress::Progress;
    use base::{Gauge, Sources, Stop};
    use calculus::system::{Action, RelationId};
    use std::sync::Arc;
    use std::time::Duration;

    fn settings() -> Settings {
        Settings {
            symbolic: false,
            record: true,
            collect_from: crate::COLLECT_FROM,
            memory: None,
            stop: Stop::default(),
            gauge: Arc::new(Gauge::default()),
            clock: || Duration::ZERO,
        }
    }

    /// A query that stops early, witnesses, derivations with and without a log, and rounds that keep earlier values.
    const TEXT: &str = "enum N {0..7}; bool Step(N x, N y) (x = 0 & y = 1) | (x = 1 & y = 2) | (x = 2 & (y = 0 | y = 3));
        mu bool Reach(N x) x = 0 | (exists N y. Reach(y) & Step(y, x) & (x = 3 | Step(x, x) | y < x));
        bool Far(N x) exists N y. Reach(x) & (Step(y, x) | Step(x, y));
        mu bool B(N x);
        mu bool A(N x) !B(x) & x < 2;
        mu bool B(N x) !A(x) | B(x);
        bool Both(N x) A(x) | B(x);
        #explicit N; exists N x. Reach(x) & x = 3; #explain exists N x. Far(x); #wit exists N x. Far(x); #ons Both;";

    #[test]
    fn temporary_tables_are_given_back() {
        let mut sources = Sources::default();
        let (file, errors) = calculus::load(&mut sources, "t.mu", TEXT, &mut |name| Err(name.to_owned()));
        let shown: String = errors.iter().map(|d| base::render(&sources, d)).collect();
        assert_eq!(shown, "");
        let checked = calculus::check(&file, &[]);
        let (system, _) = checked.unwrap_or_else(|errors| {
            panic!("{}", errors.iter().map(|d| base::render(&sources, d)).collect::<String>())
        });
        let layout = Layout::new(&system, false).expect("no contradiction");
        let mut machine = Machine::new(&system, layout, settings());
        let mut progress = Progress::new(&system);
        let mut numbers = Vec::new();
        for _ in 0..6 {
            for relation in (0..system.relations.len()).map(RelationId::new) {
                machine.forget(&mut progress, relation);
            }
            for item in &system.items {
                match &item.action {
                    Action::Query(f) => assert!(machine.truth(&mut progress, *f).expect("an answer")),
                    Action::Explain(binders, f) => {
                        let found = Derivation::new(&mut machine, &mut progress).explain(binders, *f);
                        assert!(found.expect("an answer").is_some());
                    }
                    Action::Witness(binders, f) => {
                        assert!(
                            machine.witness(&mut progress, binders, *f, true).expect("an answer").is_some()
                        );
                    }
                    Action::Count(r) => machine.ensure(&mut progress, *r).expect("an answer"),
                    _ => {}
                }
            }
            numbers.push(machine.store.tables.len());
        }
        assert_eq!(numbers[1..], [numbers[1]; 5], "tables after each round: {numbers:?}");
    }
}
