//! The store: diagrams, tables, and what is known of both.
//!
//! Contract: knows relations and their columns, no formulas, rules or plans. Every table is made by [`Store::make`] and says what it
//! is for; temporary ones are given back with [`Store::release`]. A diagram lives as long as a table or [`Roots`] has it, or whoever
//! calls [`Store::collect`] names it; nothing else frees nodes.

mod bits;
mod domains;
mod exchange;
pub(crate) mod frame;
mod framing;
pub(crate) mod listing;
mod registered;
pub(crate) mod rows;
mod search;
pub(crate) mod table;
mod tuples;

pub(crate) use domains::Domains;
pub(crate) use registered::{Access, Place, Registered};
pub(crate) use rows::{Addition, Fact};
pub(crate) use search::Values;

use crate::Settings;
use crate::answer::Shortcuts;
use crate::fault::Fault;
use crate::layout::Layout;
use calculus::system::{RelationId, System, VarId};
use dd::{Bdd, Manager};
use frame::Frames;
use table::{Role, RowId, Shape, Table, TableId};

/// What looking at a row counts as, in units of work of the diagrams.
const PER_ROW: u32 = 64;

/// Everything that outlives a plan.
pub(crate) struct Store<'s> {
    pub system: &'s System,
    pub settings: Settings,
    pub layout: Layout,
    pub dd: Manager,
    /// Tables of relations, by relation number, then all others.
    pub tables: Vec<Table>,
    /// Temporary tables that were given back.
    released: Vec<TableId>,
    pub frames: Frames,
    registered: Registered,
    domains: Domains,
    pub roots: Roots,
    /// Changes of tables so far; a table remembers its last.
    pub tick: u64,
    /// How often each shortcut was taken.
    pub shortcuts: Shortcuts,
}

/// Diagrams that no table has.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// Kept for good.
    pinned: Vec<Bdd>,
    /// Held by a computation under way.
    held: Vec<Bdd>,
    /// The number of nodes from which dead ones are looked for.
    collect_at: usize,
}

impl Roots {
    /// Keeps a diagram for good.
    pub fn pin(&mut self, diagram: Bdd) {
        self.pinned.push(diagram);
    }
}

impl<'s> Store<'s> {
    /// A store with an empty table for each relation.
    pub fn new(system: &'s System, layout: Layout, settings: Settings) -> Self {
        let mut this = Self {
            system,
            layout,
            dd: Manager::new(settings.stop.clone(), settings.memory),
            tables: Vec::new(),
            released: Vec::new(),
            frames: Frames::default(),
            registered: Registered::default(),
            domains: Domains::default(),
            roots: Roots { collect_at: settings.collect_from, ..Roots::default() },
            tick: 1,
            shortcuts: Shortcuts::default(),
            settings,
        };
        for (n, relation) in system.relations.iter().enumerate() {
            let (keys, bits) = relation.columns.iter().partition(|v| this.layout.is_explicit(**v));
            let role = Role::Relation { id: RelationId::new(n), given: false };
            this.make(Shape { role, name: relation.name.clone(), keys, bits });
        }
        this
    }

    /// A new table.
    pub fn make(&mut self, shape: Shape) -> TableId {
        let table = Table::new(shape);
        match self.released.pop() {
            Some(id) => {
                self.tables[id.index()] = table;
                id
            }
            None => {
                self.tables.push(table);
                TableId::new(self.tables.len() - 1)
            }
        }
    }

    /// A temporary table over some columns.
    pub fn temporary(&mut self, name: &str, keys: Vec<VarId>, bits: Vec<VarId>) -> TableId {
        self.make(Shape { role: Role::Temporary, name: name.to_owned(), keys, bits })
    }

    /// A temporary table with the columns of a relation.
    pub fn temporary_like(&mut self, relation: RelationId) -> TableId {
        let shape = self.shape(TableId(relation.0)).clone();
        self.make(Shape { role: Role::Temporary, ..shape })
    }

    /// Takes a table back that nobody will ask for again. Its number will name another table.
    pub fn release(&mut self, table: TableId) {
        assert!(self.relation_of(table).is_none(), "a relation's table stays");
        self.clear(table);
        self.released.push(table);
    }

    /// The columns of a table.
    pub fn shape(&self, table: TableId) -> &Shape {
        &self.tables[table.index()].shape
    }

    /// The relation whose value the table is; groups and temporary tables have none.
    pub fn relation_of(&self, table: TableId) -> Option<RelationId> {
        match self.shape(table).role {
            Role::Relation { id, .. } => Some(id),
            Role::Group | Role::Temporary => None,
        }
    }

    /// The table's rows come from outside.
    pub fn is_given(&self, table: TableId) -> bool {
        matches!(self.shape(table).role, Role::Relation { given: true, .. })
    }

    /// From now on the relation's rows come from outside.
    pub fn set_given(&mut self, relation: RelationId) {
        self.tables[relation.index()].shape.role = Role::Relation { id: relation, given: true };
    }

    /// Empties a table. Whoever keeps a log of it must forget that, too.
    pub fn clear(&mut self, table: TableId) {
        self.tables[table.index()].clear();
        self.touch(table);
    }

    /// Counts what it takes to look at a row, and fails if somebody asked to stop.
    pub fn poll(&mut self) -> Result<(), Fault> {
        self.dd.spend(PER_ROW)?;
        self.settings.stop.requested_after(0).map_or(Ok(()), |reason| Err(Fault::Exhausted(reason)))
    }

    /// Marks a table as changed now.
    pub fn touch(&mut self, table: TableId) {
        self.tick += 1;
        self.tables[table.index()].stamp = self.tick;
    }

    /// The largest value that a row has for the sort of the strata; 0 without strata.
    pub fn stratum(&self, table: TableId, row: RowId) -> u32 {
        let Some(sort) = self.system.strata else { return 0 };
        let table = &self.tables[table.index()];
        let values = table.shape.keys.iter().zip(table.key(row));
        let of_sort = values.filter(|(column, _)| self.system.vars[column.index()].sort == sort);
        of_sort.map(|(_, value)| *value).max().unwrap_or(0)
    }

    /// Begins to hold diagrams that no table has; [`Store::let_go`] of the result ends it.
    pub fn hold(&mut self, diagrams: impl IntoIterator<Item = Bdd>) -> Held {
        let held = Held(self.roots.held.len());
        self.roots.held.extend(diagrams);
        held
    }

    /// Holds them no longer.
    pub fn let_go(&mut self, held: Held) {
        self.roots.held.truncate(held.0);
    }

    /// There are enough nodes for a search for dead ones to pay.
    pub fn is_crowded(&self) -> bool {
        self.dd.n_nodes() > self.roots.collect_at
    }

    /// Frees dead nodes; `others` are alive, too.
    pub fn collect(&mut self, others: impl Iterator<Item = Bdd>) {
        let mut roots: Vec<Bdd> = others.collect();
        roots.extend(self.roots.pinned.iter().chain(&self.roots.held));
        for table in &self.tables {
            roots.extend(table.rows.iter().flat_map(|row| [row.full, row.pending]));
        }
        self.dd.collect(roots);
        let from = self.settings.collect_from;
        self.roots.collect_at = if from == 0 { 0 } else { (self.dd.n_nodes() * 3).max(from) };
    }
}

/// Where the diagrams that are being held begin.
#[must_use]
pub(crate) struct Held(usize);
