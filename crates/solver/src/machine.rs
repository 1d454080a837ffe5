//! The machine that runs plans: tables, environment, diagrams.
//!
//! Contract: a plan run multiplies rows in the order its schedule says and hands every result to its head. Diagrams
//! live in tables, memos, the log and the history; whoever keeps one elsewhere pins it. Only [`Machine::safe_point`] collects.

use crate::Settings;
use crate::answer::Halt;
use crate::answer::Shortcuts;
use crate::component::RuleSet;
use crate::context::{Context, Snapshot};
use crate::frame::Frames;
use crate::free::Free;
use crate::fused::FusedVariant;
use crate::layout::Layout;
use crate::log::{Log, Origin};
use crate::mode::{Made, Mode};
use crate::node::{Node, NodeId, compare};
use crate::plan::{Access, Head, Multiply, Plan, Rule, Setting, Shape, Step, Variant};
use crate::queue::Queue;
use crate::rank::KeyGraph;
use crate::rules::Fact;
use crate::table::{RowId, Table, TableId};
use base::StopReason;
use calculus::system::{Comparison, Formula, FormulaId, RelationId, System, Term, VarId};
use dd::{Bdd, Exhausted, Image, Level, Manager, Map, ProductId, SubstitutionId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// A computation that could not be finished.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Exhausted(StopReason),
    TooLarge { what: String, size: u128 },
    NotStabilising { relation: String, first: u64, again: u64 },
}

impl From<Exhausted> for Fault {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted.0)
    }
}

/// Everything a run needs.
pub(crate) struct Machine<'s> {
    pub system: &'s System,
    pub settings_given: Settings,
    pub layout: Layout,
    pub free: Free,
    /// For each formula: a key occurs in it, free or bound.
    pub has_keys: Vec<bool>,
    pub dd: Manager,
    /// Tables of relations, by relation number, then of groups.
    pub tables: Vec<Table>,
    pub shapes: Vec<Shape>,
    pub nodes: Vec<Node>,
    pub node_of: FxHashMap<FormulaId, NodeId>,
    /// Nodes of comparisons and variables, by what they compare.
    pub leaves: FxHashMap<(Comparison, Term, Term), NodeId>,
    pub negation_of: FxHashMap<FormulaId, NodeId>,
    pub equalities: FxHashMap<NodeId, (VarId, VarId)>,
    pub rules: Vec<Rule>,
    pub settings: Vec<Setting>,
    pub products: FxHashMap<(Map, Map, Vec<Level>), ProductId>,
    substitutions: FxHashMap<Vec<(Level, Image)>, SubstitutionId>,
    pub variants: FxHashMap<(u32, u32), Variant>,
    pub fused: FxHashMap<(u32, u32), Option<FusedVariant>>,
    pub frames: Frames,
    frame_diagrams: FxHashMap<u32, Bdd>,
    domains: FxHashMap<VarId, Bdd>,
    table_domains: FxHashMap<TableId, Bdd>,
    /// Groups and facts of the component whose rules are being made.
    pub made: Made,
    /// Tables that the component under construction computes.
    pub growing: Vec<TableId>,
    /// Rule sets for evaluating one body, and for the components that were computed.
    pub bodies: FxHashMap<RelationId, Rc<RuleSet>>,
    pub sets: FxHashMap<Vec<RelationId>, Rc<RuleSet>>,
    pub scratches: FxHashMap<RelationId, TableId>,
    pub env: Vec<u32>,
    slots: Vec<(Bdd, u32)>,
    pub sum: Bdd,
    pub tick: u64,
    pub queue: Queue,
    /// The stratum of the row that was taken last: rows of smaller ones have nothing new.
    pub stratum_now: u32,
    /// While rows are being ranked: keys are explored, diagrams are not looked at.
    pub key_graph: Option<KeyGraph>,
    /// The table whose first tuple ends the run.
    pub goal: Option<TableId>,
    pub goal_reached: bool,
    pub log: Option<Log>,
    /// For each relation: its value comes from outside.
    pub given: Vec<bool>,
    /// The rounds of outer least fixed points, and the context that is established, for derivations.
    pub history: FxHashMap<RelationId, Vec<Snapshot>>,
    pub established: Context,
    pub mode: Mode,
    /// How often each shortcut was taken.
    pub shortcuts: Shortcuts,
    /// Diagrams kept for good, and those a computation under way holds.
    pub pinned: Vec<Bdd>,
    pub held: Vec<Bdd>,
    collect_at: usize,
    /// Steps of the work list or rounds so far, for progress.
    pub rounds: u64,
}

impl<'s> Machine<'s> {
    pub fn new(system: &'s System, layout: Layout, settings: Settings) -> Self {
        let mut this = Self {
            free: Free::new(system),
            has_keys: has_keys(system, &layout),
            dd: Manager::new(settings.stop.clone(), settings.memory),
            tables: Vec::new(),
            shapes: Vec::new(),
            nodes: Vec::new(),
            node_of: FxHashMap::default(),
            leaves: FxHashMap::default(),
            negation_of: FxHashMap::default(),
            equalities: FxHashMap::default(),
            rules: Vec::new(),
            settings: Vec::new(),
            products: FxHashMap::default(),
            substitutions: FxHashMap::default(),
            variants: FxHashMap::default(),
            fused: FxHashMap::default(),
            frames: Frames::default(),
            frame_diagrams: FxHashMap::default(),
            domains: FxHashMap::default(),
            table_domains: FxHashMap::default(),
            made: Made::default(),
            bodies: FxHashMap::default(),
            sets: FxHashMap::default(),
            scratches: FxHashMap::default(),
            growing: Vec::new(),
            env: vec![0; system.vars.len()],
            slots: Vec::new(),
            sum: Bdd::FALSE,
            tick: 1,
            queue: Queue::default(),
            stratum_now: 0,
            key_graph: None,
            goal: None,
            goal_reached: false,
            log: settings.record.then(Log::default),
            given: vec![false; system.relations.len()],
            history: FxHashMap::default(),
            established: Context::new(),
            mode: Mode::default(),
            shortcuts: Shortcuts::default(),
            pinned: Vec::new(),
            held: Vec::new(),
            collect_at: settings.collect_from,
            rounds: 0,
            system,
            layout,
            settings_given: settings,
        };
        for (n, relation) in system.relations.iter().enumerate() {
            let (keys, bits) = relation.columns.iter().partition(|v| this.layout.is_explicit(**v));
            let shape = Shape { relation: Some(RelationId::new(n)), name: relation.name.clone(), keys, bits };
            this.tables.push(Table::new(shape.keys.len()));
            this.shapes.push(shape);
        }
        this
    }

    /// The answer that a fault becomes.
    pub fn halt(&self, fault: Fault) -> Halt {
        self.measure();
        match fault {
            Fault::Exhausted(reason) => Halt::Stopped(reason, self.settings_given.gauge.read()),
            Fault::TooLarge { what, size } => Halt::TooLarge { what, size },
            Fault::NotStabilising { relation, first, again } => {
                Halt::NotStabilising { relation, first, again }
            }
        }
    }

    /// The value of a key term.
    #[inline]
    pub fn term(&self, term: Term) -> u32 {
        match term {
            Term::Var(v) => self.env[v.index()],
            Term::Value(value) => value,
        }
    }

    /// Runs a plan in full.
    pub fn run(&mut self, plan: &Plan) -> Result<(), Fault> {
        self.run_from(plan, Bdd::TRUE)
    }

    /// Runs a plan on part of the tuples.
    pub fn run_from(&mut self, plan: &Plan, start: Bdd) -> Result<(), Fault> {
        let base = self.slots.len();
        self.slots.resize(base + plan.n_slots, (Bdd::TRUE, 0));
        let result = self.execute(plan, 0, base, start);
        self.slots.truncate(base);
        result
    }

    /// Runs a plan on the new tuples of a row.
    pub fn run_delta(&mut self, plan: &Plan, row: RowId, new: Bdd) -> Result<(), Fault> {
        let delta = plan.delta.as_ref().expect("a plan for new tuples");
        let key = self.tables[delta.table.index()].key(row);
        for &(column, var) in &delta.bind {
            self.env[var.index()] = key[column];
        }
        for &(column, term) in &delta.check {
            if self.tables[delta.table.index()].key(row)[column] != self.term(term) {
                return Ok(());
            }
        }
        let start = self.read(new, delta.access)?;
        self.run_from(plan, start)
    }

    fn execute(&mut self, plan: &Plan, mut at: usize, base: usize, mut acc: Bdd) -> Result<(), Fault> {
        while let Some(step) = plan.steps.get(at) {
            at += 1;
            match step {
                Step::Multiply(_) | Step::Fused(_) | Step::Value { decides: false, .. }
                    if self.key_graph.is_some() => {}
                Step::Multiply(multiply) => {
                    acc = self.multiply(multiply, base, acc)?;
                    if acc == Bdd::FALSE {
                        return Ok(());
                    }
                }
                Step::Fused(fused) => {
                    acc = self.multiply_both(fused, base, acc)?;
                    if acc == Bdd::FALSE {
                        return Ok(());
                    }
                }
                Step::Probe { table, key, slot } => {
                    let key: SmallVec<[u32; 8]> = key.iter().map(|&t| self.term(t)).collect();
                    let Some(row) = self.tables[table.index()].find(&key) else { return Ok(()) };
                    self.take(base + slot, *table, row);
                    if self.slots[base + slot].0 == Bdd::FALSE && self.key_graph.is_none() {
                        return Ok(());
                    }
                }
                Step::Test { comparison, left, right, holds } => {
                    if compare(*comparison, self.term(*left), self.term(*right)) != *holds {
                        return Ok(());
                    }
                }
                Step::Unless { .. } | Step::Some { .. } => {
                    if !self.is_worthwhile(step) {
                        self.shortcuts.cuts += u64::from(self.key_graph.is_none());
                        return Ok(());
                    }
                }
                Step::Bind(var, term) => {
                    let value = self.term(*term);
                    if u64::from(value) >= self.system.sort_of(*var).size() {
                        return Ok(());
                    }
                    self.env[var.index()] = value;
                }
                Step::Value { node, slot, .. } => {
                    let value = self.value(*node)?;
                    if value == Bdd::FALSE {
                        return Ok(());
                    }
                    self.slots[base + slot] = (value, 0);
                }
                Step::Enumerate(var, size) => {
                    for value in 0..*size {
                        self.env[var.index()] = value;
                        self.execute(plan, at, base, acc)?;
                    }
                    return Ok(());
                }
                Step::All { table, bind, check, slot } => {
                    for row in 0..self.tables[table.index()].len() {
                        self.enter(*table, RowId::new(row), bind, check, *slot, (plan, at, base, acc))?;
                    }
                    return Ok(());
                }
                Step::Scan { table, index, probe, bind, check, slot } => {
                    let probe: SmallVec<[u32; 8]> = probe.iter().map(|&t| self.term(t)).collect();
                    let mut next = self.tables[table.index()].first(*index, &probe);
                    while let Some(row) = next {
                        self.enter(*table, row, bind, check, *slot, (plan, at, base, acc))?;
                        next = self.tables[table.index()].next(*index, row);
                    }
                    return Ok(());
                }
            }
        }
        if let Some(product) = plan.finish {
            acc = self.dd.product(acc, Bdd::TRUE, product)?;
        }
        self.deliver(plan, acc)
    }

    /// A look ahead says that going on may find something.
    #[inline]
    fn is_worthwhile(&self, step: &Step) -> bool {
        let values = |terms: &[Term]| -> SmallVec<[u32; 8]> { terms.iter().map(|&t| self.term(t)).collect() };
        match step {
            Step::Unless { table, key } => {
                let table = &self.tables[table.index()];
                let known = |row: RowId| table.rows[row.index()].full == Bdd::TRUE;
                self.key_graph.is_some() || !table.find(&values(key)).is_some_and(known)
            }
            Step::Some { table, index, probe } => {
                self.tables[table.index()].first(*index, &values(probe)).is_some()
            }
            _ => true,
        }
    }

    #[inline]
    fn take(&mut self, slot: usize, table: TableId, row: RowId) {
        self.slots[slot] = self.content(table, row);
        if let Some(graph) = &mut self.key_graph {
            graph.join(slot, table, row);
        }
    }

    /// A row's diagram and frame, as they are or as they were.
    #[inline]
    pub fn content(&self, table: TableId, row: RowId) -> (Bdd, u32) {
        if let (Some(rank), Some(log)) = (self.mode.before, &self.log)
            && log.knows(table, row)
        {
            return log.before(table, row, rank);
        }
        let content = &self.tables[table.index()].rows[row.index()];
        (content.full, content.frame)
    }

    /// Binds the keys of a row and goes on with the rest of the plan.
    #[inline]
    fn enter(
        &mut self,
        table: TableId,
        row: RowId,
        bind: &[(usize, VarId)],
        check: &[(usize, Term)],
        slot: usize,
        (plan, at, base, acc): (&Plan, usize, usize, Bdd),
    ) -> Result<(), Fault> {
        let key = self.tables[table.index()].key(row);
        for &(column, var) in bind {
            self.env[var.index()] = key[column];
        }
        for &(column, term) in check {
            if key[column] != self.term(term) {
                return Ok(());
            }
        }
        self.take(base + slot, table, row);
        let skip = self.slots[base + slot].0 == Bdd::FALSE && self.key_graph.is_none();
        if skip || self.goal_reached || self.key_graph.as_ref().is_some_and(KeyGraph::is_full) {
            return Ok(());
        }
        self.execute(plan, at, base, acc)
    }

    /// The row that a slot holds: its diagram and its frame.
    pub fn slot(&self, slot: usize) -> (Bdd, u32) {
        self.slots[slot]
    }

    #[inline]
    pub fn multiply(&mut self, multiply: &Multiply, base: usize, acc: Bdd) -> Result<Bdd, Fault> {
        let (diagram, frame) = self.slots[base + multiply.slot];
        if frame == 0 {
            if multiply.keeps && diagram == Bdd::TRUE {
                return Ok(acc);
            }
            self.shortcuts.substitutions += u64::from(multiply.access != Access::Direct);
            let diagram = self.read(diagram, multiply.access)?;
            return Ok(self.dd.product(acc, diagram, multiply.product)?);
        }
        let variant = match self.variants.get(&(multiply.id, frame)) {
            Some(variant) => *variant,
            None => self.make_variant(multiply, frame)?,
        };
        if let (true, Some((equalities, row))) = (self.mode.from_tuple, variant.tuple_first) {
            self.shortcuts.tuples_first += 1;
            let acc = self.dd.product(acc, variant.rest, equalities)?;
            return Ok(self.dd.product(acc, diagram, row)?);
        }
        self.shortcuts.renamings += u64::from(variant.renames);
        self.shortcuts.framed_substitutions += u64::from(multiply.access != Access::Direct);
        let diagram = self.dd.and(diagram, variant.rest)?;
        let diagram = self.read(diagram, multiply.access)?;
        Ok(self.dd.product(acc, diagram, variant.product)?)
    }

    /// The conjunction of equalities between columns, on their own levels.
    pub fn equal_columns(&mut self, pairs: &[(VarId, VarId)]) -> Result<Bdd, Fault> {
        let mut result = Bdd::TRUE;
        for &(a, b) in pairs {
            let equal = self.compare_bits(Comparison::Equal, Term::Var(a), Term::Var(b))?;
            result = self.dd.and(result, equal)?;
        }
        self.pinned.push(result);
        Ok(result)
    }

    /// Two columns have the same value.
    pub fn equal_bits(&mut self, a: VarId, b: VarId) -> Result<Bdd, Fault> {
        self.compare_bits(Comparison::Equal, Term::Var(a), Term::Var(b))
    }

    /// A row's diagram with its frame conjoined.
    pub fn expanded(&mut self, table: TableId, row: RowId) -> Result<Bdd, Fault> {
        let row = self.tables[table.index()].rows[row.index()];
        self.with_frame((row.full, row.frame))
    }

    /// A diagram with a frame conjoined.
    pub fn with_frame(&mut self, (full, frame): (Bdd, u32)) -> Result<Bdd, Fault> {
        if frame == 0 {
            return Ok(full);
        }
        let equalities = match self.frame_diagrams.get(&frame) {
            Some(diagram) => *diagram,
            None => {
                let pairs = self.frames.pairs(frame).to_vec();
                let diagram = self.equal_columns(&pairs)?;
                self.frame_diagrams.insert(frame, diagram);
                diagram
            }
        };
        Ok(self.dd.and(full, equalities)?)
    }

    #[inline]
    pub fn read(&mut self, diagram: Bdd, access: Access) -> Result<Bdd, Fault> {
        match access {
            Access::Direct => Ok(diagram),
            Access::Substituted(id) => Ok(self.dd.substitute(diagram, id)?),
        }
    }

    /// Hands a result to the head of a plan.
    #[inline]
    fn deliver(&mut self, plan: &Plan, acc: Bdd) -> Result<(), Fault> {
        match &plan.head {
            Head::Sum => {
                self.sum = self.dd.or(self.sum, acc)?;
                Ok(())
            }
            Head::Table(table, terms) => {
                let key: SmallVec<[u32; 8]> = terms.iter().map(|&t| self.term(t)).collect();
                if self.key_graph.is_some() {
                    self.reach_key(*table, &key);
                    return Ok(());
                }
                self.add(*table, &key, acc, Origin::Rule(plan.rule))
            }
        }
    }

    /// Adds tuples under a key.
    pub fn add(&mut self, table: TableId, key: &[u32], tuples: Bdd, origin: Origin) -> Result<(), Fault> {
        let domain = self.table_domain(table)?;
        let tuples = if domain == Bdd::TRUE { tuples } else { self.dd.and(tuples, domain)? };
        if tuples == Bdd::FALSE {
            return Ok(());
        }
        let row = self.tables[table.index()].find_or_insert(key);
        let full = if self.tables[table.index()].rows[row.index()].frame == 0 {
            self.tables[table.index()].rows[row.index()].full
        } else {
            self.expanded(table, row)?
        };
        let new = self.dd.difference(tuples, full)?;
        if new == Bdd::FALSE {
            return Ok(());
        }
        // Everything that can fail comes before anything is stored: a plan that is run again must find the same as new.
        let full = self.dd.or(full, new)?;
        if self.queue.is_active(table) {
            self.enqueue(table, row, new)?;
        }
        self.touch(table);
        let at = &mut self.tables[table.index()].rows[row.index()];
        (at.full, at.frame) = (full, 0);
        if let Some(log) = &mut self.log
            && !self.mode.quiet
        {
            log.add(table, row, (full, 0), origin);
        }
        self.goal_reached |= self.goal == Some(table);
        Ok(())
    }

    /// Adds to the tuples of a row that wait to be propagated.
    pub fn enqueue(&mut self, table: TableId, row: RowId, new: Bdd) -> Result<(), Fault> {
        let pending = self.tables[table.index()].rows[row.index()].pending;
        let pending = self.dd.or(pending, new)?;
        let at = &mut self.tables[table.index()].rows[row.index()];
        at.pending = pending;
        if !std::mem::replace(&mut at.queued, true) {
            let rank = at.rank;
            self.queue.push((self.stratum(table, row), rank), table, row);
        }
        Ok(())
    }

    /// The largest value that a row has for the sort of the strata; 0 without strata.
    pub fn stratum(&self, table: TableId, row: RowId) -> u32 {
        let Some(sort) = self.system.strata else { return 0 };
        let key = self.tables[table.index()].key(row);
        let values = self.shapes[table.index()].keys.iter().zip(key);
        let of_sort = values.filter(|(column, _)| self.system.vars[column.index()].sort == sort);
        of_sort.map(|(_, value)| *value).max().unwrap_or(0)
    }

    /// Adds a fact; its frame stays beside the diagram if the key is new.
    pub fn add_fact(&mut self, fact: &Fact) -> Result<(), Fault> {
        let known = self.tables[fact.table.index()].find(&fact.key);
        let framed = fact.frame != 0 && !self.queue.is_active(fact.table);
        if framed && self.table_domain(fact.table)? == Bdd::TRUE {
            let same = known.is_none_or(|row| {
                let row = &self.tables[fact.table.index()].rows[row.index()];
                row.frame == fact.frame || row.full == Bdd::FALSE
            });
            if same {
                let row = self.tables[fact.table.index()].find_or_insert(&fact.key);
                let full = self.tables[fact.table.index()].rows[row.index()].full;
                let full = self.dd.or(full, fact.diagram)?;
                let at = &mut self.tables[fact.table.index()].rows[row.index()];
                (at.full, at.frame) = (full, fact.frame);
                self.touch(fact.table);
                self.shortcuts.frames += 1;
                if let Some(log) = &mut self.log
                    && !self.mode.quiet
                {
                    log.add(fact.table, row, (full, fact.frame), Origin::Fact(fact.clause));
                }
                return Ok(());
            }
        }
        let pairs = self.frames.pairs(fact.frame).to_vec();
        let mut diagram = fact.diagram;
        for (a, b) in pairs {
            let equal = self.compare_bits(Comparison::Equal, Term::Var(a), Term::Var(b))?;
            diagram = self.dd.and(diagram, equal)?;
        }
        self.add(fact.table, &fact.key, diagram, Origin::Fact(fact.clause))
    }

    /// The bit patterns that stand for values of a table's bit columns.
    pub fn table_domain(&mut self, table: TableId) -> Result<Bdd, Fault> {
        if let Some(domain) = self.table_domains.get(&table) {
            return Ok(*domain);
        }
        let bits = self.shapes[table.index()].bits.clone();
        let domain = self.existing_values(&bits)?;
        self.table_domains.insert(table, domain);
        self.pinned.push(domain);
        Ok(domain)
    }

    /// The bit patterns that stand for values of some variables.
    pub fn existing_values(&mut self, bits: &[VarId]) -> Result<Bdd, Fault> {
        let mut result = Bdd::TRUE;
        for &var in bits {
            let size = self.system.sort_of(var).size();
            if size.is_power_of_two() {
                continue;
            }
            let domain = match self.domains.get(&var) {
                Some(domain) => *domain,
                None => {
                    let domain = self.at_most(var, size as u32 - 1)?;
                    self.domains.insert(var, domain);
                    self.pinned.push(domain);
                    domain
                }
            };
            result = self.dd.and(result, domain)?;
        }
        Ok(result)
    }

    /// Splits the terms of a relation's application into those for keys and those for bits.
    pub fn split_terms(&self, table: TableId, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let relation = &self.system.relations[table.index()];
        let (mut keys, mut bits) = (Vec::new(), Vec::new());
        for (&column, &term) in relation.columns.iter().zip(terms) {
            if self.layout.is_explicit(column) { keys.push(term) } else { bits.push(term) }
        }
        (keys, bits)
    }

    /// How a table's diagrams are read where terms stand for its bit columns: through an order-keeping renaming, or
    /// after a substitution.
    pub fn access(&mut self, table: TableId, terms: &[Term]) -> (Map, Access) {
        let columns = self.shapes[table.index()].bits.clone();
        let mut images: Vec<(Level, Image)> = Vec::new();
        for (&column, &term) in columns.iter().zip(terms) {
            let levels = self.layout.levels(column).to_vec();
            let n = levels.len();
            for (bit, from) in levels.into_iter().enumerate() {
                let to = match term {
                    Term::Var(v) => Image::Level(self.layout.levels(v)[bit]),
                    Term::Value(value) => Image::Constant(value >> (n - 1 - bit) & 1 == 1),
                };
                images.push((from, to));
            }
        }
        let plain: Option<Vec<(Level, Level)>> = images
            .iter()
            .map(|&(from, to)| if let Image::Level(to) = to { Some((from, to)) } else { None })
            .collect();
        if let Some(moves) = plain {
            let from: Vec<Level> = moves.iter().map(|m| m.0).collect();
            let map = Map::new(moves);
            if map.monotone(from) {
                return (map, Access::Direct);
            }
        }
        let id = match self.substitutions.get(&images) {
            Some(id) => *id,
            None => {
                let id = self.dd.register_substitution(&images);
                self.substitutions.insert(images, id);
                id
            }
        };
        (Map::default(), Access::Substituted(id))
    }

    /// A moment at which every diagram in use is rooted: dead nodes may be freed.
    pub fn safe_point(&mut self) {
        if self.dd.n_nodes() > self.collect_at {
            self.collect();
        }
        self.measure();
    }

    /// Tells the gauge how far things are.
    fn measure(&self) {
        let keys: usize = self.growing.iter().map(|t| self.tables[t.index()].len()).sum();
        let gauge = &self.settings_given.gauge;
        gauge.set(self.rounds, keys as u64, self.dd.n_nodes() as u64, self.dd.bytes() as u64);
    }

    /// Frees dead nodes.
    pub fn collect(&mut self) {
        let mut roots: Vec<Bdd> = self.memo_roots().collect();
        roots.extend(self.pinned.iter().chain(&self.held));
        for table in &self.tables {
            roots.extend(table.rows.iter().flat_map(|row| [row.full, row.pending]));
        }
        if let Some(log) = &self.log {
            roots.extend(log.roots());
        }
        roots.extend(self.history_roots());
        self.dd.collect(roots);
        let from = self.settings_given.collect_from;
        self.collect_at = if from == 0 { 0 } else { (self.dd.n_nodes() * 3).max(from) };
    }
}

/// For each formula: a key occurs in it.
fn has_keys(system: &System, layout: &Layout) -> Vec<bool> {
    let mut result: Vec<bool> = Vec::with_capacity(system.formulas.len());
    let key = |term: &Term| matches!(term, Term::Var(v) if layout.is_explicit(*v));
    for formula in &system.formulas {
        let has = match formula {
            Formula::Constant(_) => false,
            Formula::Variable(v) => layout.is_explicit(*v),
            Formula::Compare(_, a, b) => key(a) || key(b),
            Formula::Apply(relation, _) => {
                system.relation(*relation).columns.iter().any(|c| layout.is_explicit(*c))
            }
            Formula::Not(f) => result[f.index()],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| result[p.index()]),
            Formula::Iff(a, b) => result[a.index()] || result[b.index()],
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                result[f.index()] || vars.iter().any(|v| layout.is_explicit(*v))
            }
        };
        result.push(has);
    }
    result
}
