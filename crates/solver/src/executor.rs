//! The executor: runs plans.
//!
//! Contract: a plan run multiplies rows in the order its schedule says and hands every result to its head. The store and the planner's
//! nodes come in with a [`Run`], which also says how rows are read ([`Reading`]) and is gone when the run is over. The executor itself keeps
//! the values of keys, and what makes later runs faster: variants of multiplications and values of formulas.

pub(crate) mod fused;
mod groups;
pub(crate) mod reading;
pub(crate) mod spent;
mod value;
mod variant;

use crate::answer::Shortcut;
use crate::derivations::log::Origin;
use crate::fault::Fault;
use crate::planner::Planner;
use crate::planner::connectives::Connectives;
use crate::planner::node::compare;
use crate::planner::plan::{Head, Literal, Multiply, Plan, RuleId, Step};
use crate::store::table::{RowId, TableId};
use crate::store::{Access, Store};
use calculus::system::{System, Term, VarId};
use dd::{Bdd, ProductId};
use fused::FusedVariant;
use reading::{Found, Reading};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spent::Spent;
use std::rc::Rc;
use value::Memo;
use variant::{Roles, Variant};

/// What runs leave for later ones.
pub(crate) struct Executor {
    /// The values of keys, by variable.
    pub env: Vec<u32>,
    /// The rows that the plans under way have chosen: diagram and frame.
    slots: Vec<(Bdd, u32)>,
    /// What the plans of a sum have delivered to it.
    sum: Bdd,
    /// By multiplication and frame.
    variants: FxHashMap<(u32, u32), Variant>,
    /// Products by equalities and by the row itself, where a single tuple is multiplied.
    tuples_first: FxHashMap<u32, (ProductId, ProductId)>,
    fused: FxHashMap<(u32, u32), Option<Rc<FusedVariant>>>,
    /// What the making of variants writes down.
    roles: Roles,
    /// By node.
    memos: Vec<Memo>,
    /// What each clause has cost.
    pub spent: Spent,
}

/// Runs of plans under one reading.
pub(crate) struct Run<'a, 's, R> {
    pub store: &'a mut Store<'s>,
    pub planner: &'a Planner,
    pub executor: &'a mut Executor,
    pub reading: R,
}

/// Where in a plan a run is: the plan, the next step, the first of its slots, what was multiplied so far.
type Position<'p> = (&'p Plan, usize, usize, Bdd);

/// So many values of a key are kept in place.
const FEW: usize = 8;

/// The values of a key.
type Key = SmallVec<[u32; FEW]>;

impl Executor {
    /// An executor for so many variables.
    pub fn new(n_vars: usize) -> Self {
        Self {
            env: vec![0; n_vars],
            slots: Vec::new(),
            sum: Bdd::FALSE,
            variants: FxHashMap::default(),
            tuples_first: FxHashMap::default(),
            fused: FxHashMap::default(),
            roles: Roles::new(n_vars),
            memos: Vec::new(),
            spent: Spent::default(),
        }
    }

    /// Gives keys their values.
    pub fn assume(&mut self, given: &[(VarId, u32)]) {
        for &(var, value) in given {
            self.env[var.index()] = value;
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

    /// The values of key terms; few of them, as almost always, are written in place.
    #[inline]
    pub fn key(&self, terms: &[Term]) -> Key {
        let mut values = [0; FEW];
        if terms.len() > FEW {
            return terms.iter().map(|&t| self.term(t)).collect();
        }
        for (value, &term) in values.iter_mut().zip(terms) {
            *value = self.term(term);
        }
        Key::from_buf_and_len(values, terms.len())
    }

    /// Gives a key the value of a term; says whether it is one of its values.
    #[inline]
    pub fn give(&mut self, system: &System, var: VarId, term: Term) -> bool {
        self.env[var.index()] = self.term(term);
        u64::from(self.env[var.index()]) < system.sort_of(var).size()
    }
}

impl<'s, R: Reading> Run<'_, 's, R> {
    /// A run of what must be whole, in between.
    fn whole(&mut self) -> Run<'_, 's, R::Whole<'_>> {
        Run {
            store: self.store,
            planner: self.planner,
            executor: self.executor,
            reading: self.reading.whole(),
        }
    }

    /// Adds tuples under a key.
    pub fn add(&mut self, table: TableId, key: &[u32], tuples: Bdd, origin: Origin) -> Result<(), Fault> {
        self.reading.add(self.store, Found { table, key, tuples, origin })
    }

    /// Adds facts.
    pub fn add_facts(&mut self, facts: &[crate::store::Fact]) -> Result<(), Fault> {
        facts.iter().try_for_each(|fact| self.reading.add_fact(self.store, fact))
    }

    /// Runs a plan in full.
    pub fn run(&mut self, plan: &Plan) -> Result<(), Fault> {
        self.counted(plan.rule, |run| run.run_from(plan, Bdd::TRUE))
    }

    /// Runs a rule, and counts what that costs.
    #[inline]
    pub fn counted(
        &mut self,
        rule: RuleId,
        run: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (before, outer) = (self.store.dd.work(), self.executor.spent.begins());
        let done = run(self);
        self.executor.spent.ends(rule, self.store.dd.work() - before, outer);
        done
    }

    /// Runs a plan on part of the tuples.
    pub fn run_from(&mut self, plan: &Plan, start: Bdd) -> Result<(), Fault> {
        let base = self.executor.slots.len();
        self.executor.slots.resize(base + plan.n_slots, (Bdd::TRUE, 0));
        let result = self.execute((plan, 0, base, start));
        self.executor.slots.truncate(base);
        result
    }

    /// Runs a plan on the new tuples of a row.
    pub fn run_delta(&mut self, plan: &Plan, row: RowId, new: Bdd) -> Result<(), Fault> {
        let delta = plan.delta.as_ref().expect("a plan for new tuples");
        if !self.bind(delta.table, row, &delta.bind, &delta.check) {
            return Ok(());
        }
        self.counted(plan.rule, |run| {
            let start = run.store.read(new, delta.access)?;
            run.run_from(plan, start)
        })
    }

    /// Gives variables the values of a row's keys; says whether its other keys are as wanted.
    #[inline]
    fn bind(&mut self, table: TableId, row: RowId, bind: &[(usize, VarId)], check: &[(usize, Term)]) -> bool {
        let key = self.store.tables[table.index()].key(row);
        for &(column, var) in bind {
            self.executor.env[var.index()] = key[column];
        }
        check.iter().all(|&(column, term)| key[column] == self.executor.term(term))
    }

    /// Runs a plan, of which each literal's row is known, on part of the tuples, and returns what its head would be given; `None` if the rows do
    /// not fit together.
    pub fn run_with(&mut self, plan: &Plan, rows: &[RowId], start: Bdd) -> Result<Option<Bdd>, Fault> {
        let base = self.executor.slots.len();
        self.executor.slots.resize(base + plan.n_slots, (Bdd::TRUE, 0));
        let result = match self.take_all(plan, rows, base) {
            true => self.multiply_all(plan, base, start),
            false => Ok(None),
        };
        self.executor.slots.truncate(base);
        Ok(result?.filter(|_| self.agree(plan, rows)))
    }

    /// Takes a row for each literal, and binds their keys; says whether they have tuples.
    fn take_all(&mut self, plan: &Plan, rows: &[RowId], base: usize) -> bool {
        let rule = &self.planner.rules[plan.rule.index()];
        for (slot, (literal, &row)) in rule.literals.iter().zip(rows).enumerate() {
            let Literal::Atom { table, keys, .. } = literal else { continue };
            let of = &self.store.tables[table.index()];
            if row.index() >= of.len() {
                return false;
            }
            for (term, value) in keys.iter().zip(of.key(row)) {
                match term {
                    Term::Var(var) if !rule.bound.contains(var) => self.executor.env[var.index()] = *value,
                    _ => {}
                }
            }
            if !self.take(base + slot, *table, row) {
                return false;
            }
        }
        true
    }

    /// Rows have the keys that the terms of a plan's literals stand for.
    fn agree(&self, plan: &Plan, rows: &[RowId]) -> bool {
        let literals = &self.planner.rules[plan.rule.index()].literals;
        literals.iter().zip(rows).all(|(literal, row)| match literal {
            Literal::Atom { table, keys, .. } => {
                let key = self.store.tables[table.index()].key(*row);
                keys.iter().zip(key).all(|(term, value)| self.executor.term(*term) == *value)
            }
            _ => true,
        })
    }

    /// Runs the steps of a plan that search nothing.
    fn multiply_all(&mut self, plan: &Plan, base: usize, mut acc: Bdd) -> Result<Option<Bdd>, Fault> {
        for step in &plan.steps {
            match step {
                Step::Multiply(multiply) => {
                    acc = self.multiply(multiply, self.executor.slots[base + multiply.slot], acc)?;
                }
                Step::Fused(fused) => acc = self.multiply_both(fused, base, acc)?,
                Step::Value { node, slot } => {
                    self.executor.slots[base + slot] = (self.value(*node)?, 0);
                }
                Step::Test { .. } if !self.passes(step, base) => return Ok(None),
                Step::Bind(..) if !self.passes(step, base) => return Ok(None),
                // What no row binds would have to be tried.
                Step::Enumerate(..) => return Ok(None),
                _ => {}
            }
            if acc == Bdd::FALSE {
                return Ok(None);
            }
        }
        match plan.finish {
            Some(product) => Ok(Some(self.store.dd.product(acc, Bdd::TRUE, product)?)),
            None => Ok(Some(acc)),
        }
    }

    /// Goes on with a plan. A step that searches goes on for each row it finds; the others answer whether to go on.
    fn execute(&mut self, (plan, mut at, base, mut acc): Position) -> Result<(), Fault> {
        while let Some(step) = plan.steps.get(at) {
            at += 1;
            match step {
                Step::Multiply(multiply) => {
                    let content = self.executor.slots[base + multiply.slot];
                    acc = self.multiply(multiply, content, acc)?;
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
                Step::Value { node, slot } => {
                    let value = self.value(*node)?;
                    if value == Bdd::FALSE {
                        return Ok(());
                    }
                    self.executor.slots[base + slot] = (value, 0);
                }
                Step::Enumerate(var, size) => {
                    for value in 0..*size {
                        self.executor.env[var.index()] = value;
                        self.execute((plan, at, base, acc))?;
                    }
                    return Ok(());
                }
                Step::All { table, bind, check, slot } => {
                    for row in (0..self.store.tables[table.index()].len()).map(RowId::new) {
                        self.enter((*table, row), bind, check, *slot, (plan, at, base, acc))?;
                    }
                    return Ok(());
                }
                Step::Scan { table, index, probe, bind, check, slot } => {
                    let probe = self.executor.key(probe);
                    let mut next = self.store.tables[table.index()].first(*index, &probe);
                    while let Some(row) = next {
                        self.enter((*table, row), bind, check, *slot, (plan, at, base, acc))?;
                        next = self.store.tables[table.index()].next(*index, row);
                    }
                    return Ok(());
                }
                Step::Probe { .. }
                | Step::Test { .. }
                | Step::Unless { .. }
                | Step::Some { .. }
                | Step::Bind(..) => {
                    if !self.passes(step, base) {
                        return Ok(());
                    }
                }
            }
        }
        if let Some(product) = plan.finish {
            acc = self.store.dd.product(acc, Bdd::TRUE, product)?;
        }
        self.deliver(plan, acc)
    }

    /// Takes a step that searches nothing; says whether to go on.
    #[inline]
    fn passes(&mut self, step: &Step, base: usize) -> bool {
        let tables = &self.store.tables;
        match step {
            Step::Probe { table, key, slot } => {
                let found = tables[table.index()].find(&self.executor.key(key));
                found.is_some_and(|row| self.take(base + slot, *table, row))
            }
            Step::Test { comparison, left, right, holds } => {
                compare(*comparison, self.executor.term(*left), self.executor.term(*right)) == *holds
            }
            Step::Bind(var, term) => self.executor.give(self.store.system, *var, *term),
            Step::Unless { table, key } => {
                let table = &tables[table.index()];
                let known = |row: RowId| table.rows[row.index()].full == Bdd::TRUE;
                let holds = table.find(&self.executor.key(key)).is_some_and(known);
                self.store.shortcuts.add(Shortcut::Cuts, holds);
                !holds
            }
            Step::Some { table, index, probe } => {
                let found = tables[table.index()].first(*index, &self.executor.key(probe)).is_some();
                self.store.shortcuts.add(Shortcut::Cuts, !found);
                found
            }
            _ => true,
        }
    }

    /// Takes a row into a slot; says whether it has tuples.
    #[inline]
    fn take(&mut self, slot: usize, table: TableId, row: RowId) -> bool {
        let content = self.reading.content(self.store, table, row);
        self.executor.slots[slot] = content;
        self.reading.saw(table, row);
        content.0 != Bdd::FALSE
    }

    /// Binds the keys of a row and goes on with the rest of the plan.
    #[inline]
    fn enter(
        &mut self,
        (table, row): (TableId, RowId),
        bind: &[(usize, VarId)],
        check: &[(usize, Term)],
        slot: usize,
        place: Position,
    ) -> Result<(), Fault> {
        let wanted = self.bind(table, row, bind, check) && self.take(place.2 + slot, table, row);
        if !wanted || self.reading.is_over() {
            return Ok(());
        }
        self.execute(place)
    }

    #[inline]
    fn multiply(
        &mut self,
        multiply: &Multiply,
        (diagram, frame): (Bdd, u32),
        acc: Bdd,
    ) -> Result<Bdd, Fault> {
        if frame == 0 {
            if multiply.keeps && diagram == Bdd::TRUE {
                return Ok(acc);
            }
            self.store.shortcuts.add(Shortcut::Substitutions, multiply.access != Access::Direct);
            let diagram = self.store.read(diagram, multiply.access)?;
            return Ok(self.store.dd.product(acc, diagram, multiply.product)?);
        }
        let variant = self.executor.variant(self.store, self.planner, multiply, frame)?;
        if R::FROM_TUPLE && variant.moves_nothing {
            self.store.shortcuts.count(Shortcut::TuplesFirst);
            let (equalities, row) = self.executor.tuple_first(self.store, self.planner, multiply);
            let acc = self.store.dd.product(acc, variant.rest, equalities)?;
            return Ok(self.store.dd.product(acc, diagram, row)?);
        }
        self.store.shortcuts.add(Shortcut::Renamings, variant.renames);
        self.store.shortcuts.add(Shortcut::FramedSubstitutions, multiply.access != Access::Direct);
        let diagram = self.store.dd.and(diagram, variant.rest)?;
        let diagram = self.store.read(diagram, multiply.access)?;
        Ok(self.store.dd.product(acc, diagram, variant.product)?)
    }

    /// Hands a result to the head of a plan.
    #[inline]
    fn deliver(&mut self, plan: &Plan, acc: Bdd) -> Result<(), Fault> {
        match &plan.head {
            Head::Sum => {
                self.executor.sum = self.store.dd.or(self.executor.sum, acc)?;
                Ok(())
            }
            Head::Table(table, terms) => {
                let key = self.executor.key(terms);
                self.add(*table, &key, acc, Origin::Rule(plan.rule))
            }
        }
    }
}
