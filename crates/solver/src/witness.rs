//! Witnesses: the smallest valuation that makes a formula true or false.

use crate::machine::{Fault, Machine};
use crate::plan::{Head, Literal, Rule, Shape};
use crate::solve::Progress;
use crate::table::{RowId, Table, TableId};
use calculus::system::{BinderId, Formula, FormulaId, Term, VarId};
use dd::{Bdd, Level};
use std::rc::Rc;

/// Values of variables.
pub(crate) type Values = Vec<(VarId, u32)>;

impl Machine<'_> {
    /// The lexicographically first valuation of the binders' leaves under which the formula has the wanted value.
    pub fn witness(
        &mut self,
        progress: &mut Progress,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Values>, Fault> {
        for relation in self.free.relations(formula).to_vec() {
            self.ensure(progress, relation)?;
        }
        self.first_solution(formula, wanted, &self.leaves_of(binders), &[])
    }

    /// The first valuation among the tuples that were found when a query stopped early; all of them where it did not.
    pub fn found(
        &mut self,
        progress: &mut Progress,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Values>, Fault> {
        for relation in self.free.relations(formula).to_vec() {
            if !progress.is_suspended(relation) {
                self.ensure(progress, relation)?;
            }
        }
        self.first_solution(formula, true, &self.leaves_of(binders), &[])
    }

    fn leaves_of(&self, binders: &[BinderId]) -> Vec<VarId> {
        binders.iter().flat_map(|b| self.system.binders[b.index()].leaves.clone()).collect()
    }

    /// The first valuation of `leaves` under which a formula, whose other free variables have the given values, comes out
    /// as wanted. Everything it mentions has its value.
    pub fn first_solution(
        &mut self,
        formula: FormulaId,
        wanted: bool,
        leaves: &[VarId],
        given: &[(VarId, u32)],
    ) -> Result<Option<Values>, Fault> {
        let (keys, bits): (Vec<VarId>, Vec<VarId>) =
            leaves.iter().partition(|v| self.layout.is_explicit(**v));
        let bound: Vec<VarId> = given.iter().map(|g| g.0).filter(|v| self.layout.is_explicit(*v)).collect();
        let keep: Vec<VarId> = bits
            .iter()
            .copied()
            .chain(given.iter().map(|g| g.0).filter(|v| !self.layout.is_explicit(*v)))
            .collect();
        let table = self.temporary(keys.clone(), keep.clone());
        let head = Head::Table(table, keys.iter().map(|&v| Term::Var(v)).collect());
        let (rules, made) =
            self.made_apart(|machine| machine.clauses(formula, wanted, head, &keep, &bound, &[]))?;
        let start = self.point(given)?;
        self.forgotten(|machine| -> Result<(), Fault> {
            machine.refresh(&made.statics)?;
            for fact in &made.facts {
                machine.add_fact(fact)?;
            }
            for rule in rules {
                let plan = Rc::new(machine.schedule(rule, None)?);
                machine.assume(given);
                machine.run_from(&plan, start)?;
            }
            Ok(())
        })?;
        let found = self.smallest(table, leaves, start)?;
        self.tables[table.index()].clear();
        Ok(found)
    }

    /// Gives keys their values.
    pub fn assume(&mut self, given: &[(VarId, u32)]) {
        for &(var, value) in given {
            self.env[var.index()] = value;
        }
    }

    /// The diagram of the given values of bit variables.
    pub fn point(&mut self, given: &[(VarId, u32)]) -> Result<Bdd, Fault> {
        let literals: Vec<_> = given
            .iter()
            .filter(|g| !self.layout.is_explicit(g.0))
            .flat_map(|&(var, value)| self.literals(var, value))
            .collect();
        Ok(self.dd.cube(literals)?)
    }

    /// A table for intermediate results.
    pub fn temporary(&mut self, keys: Vec<VarId>, bits: Vec<VarId>) -> TableId {
        self.tables.push(Table::new(keys.len()));
        self.shapes.push(Shape { relation: None, name: "an intermediate result".to_owned(), keys, bits });
        TableId::new(self.tables.len() - 1)
    }

    /// The smallest tuple of a table within `within`, in the order of `leaves`.
    pub fn smallest(
        &mut self,
        table: TableId,
        leaves: &[VarId],
        within: Bdd,
    ) -> Result<Option<Values>, Fault> {
        let keys = self.shapes[table.index()].keys.clone();
        let mut rows: Vec<(Vec<u32>, Bdd)> = Vec::new();
        for row in 0..self.tables[table.index()].len() {
            let diagram = self.expanded(table, RowId::new(row))?;
            let diagram = self.dd.and(diagram, within)?;
            if diagram != Bdd::FALSE {
                rows.push((self.tables[table.index()].key(RowId::new(row)).to_vec(), diagram));
            }
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for &leaf in leaves {
            let value = match keys.iter().position(|k| *k == leaf) {
                Some(at) => {
                    let least = rows.iter().map(|row| row.0[at]).min().expect("some row is left");
                    rows.retain(|row| row.0[at] == least);
                    least
                }
                None => self.smallest_bits(leaf, &mut rows)?,
            };
            values.push((leaf, value));
        }
        Ok(Some(values))
    }

    /// Some tuple of a table within `within`, always the same: of the smallest key, the first that its diagram has. Much
    /// cheaper than the smallest one.
    pub fn first(&mut self, table: TableId, leaves: &[VarId], within: Bdd) -> Result<Option<Values>, Fault> {
        let mut best: Option<(RowId, Bdd)> = None;
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let key = |row: RowId| self.tables[table.index()].key(row);
            if best.is_some_and(|(known, _)| key(known) <= key(row)) {
                continue;
            }
            let diagram = self.expanded(table, row)?;
            let diagram = self.dd.and(diagram, within)?;
            if diagram != Bdd::FALSE {
                best = Some((row, diagram));
            }
        }
        let Some((row, diagram)) = best else { return Ok(None) };
        let literals = self.dd.pick(diagram).expect("the diagram has a tuple");
        let bit = |level: &Level| literals.binary_search(&(*level, true)).is_ok();
        let keys = &self.shapes[table.index()].keys;
        let value = |leaf: &VarId| match keys.iter().position(|k| k == leaf) {
            Some(at) => self.tables[table.index()].key(row)[at],
            None => {
                self.layout.levels(*leaf).iter().fold(0, |value, level| value << 1 | u32::from(bit(level)))
            }
        };
        let mut values: Values = leaves.iter().map(|leaf| (*leaf, value(leaf))).collect();
        values.sort_unstable();
        Ok(Some(values))
    }

    fn smallest_bits(&mut self, leaf: VarId, rows: &mut Vec<(Vec<u32>, Bdd)>) -> Result<u32, Fault> {
        let mut value = 0;
        for level in self.layout.levels(leaf).to_vec() {
            let bit = self.dd.variable(level)?;
            let mut zero = Vec::new();
            for (key, diagram) in rows.iter() {
                let part = self.dd.difference(*diagram, bit)?;
                if part != Bdd::FALSE {
                    zero.push((key.clone(), part));
                }
            }
            value <<= 1;
            if zero.is_empty() {
                value |= 1;
            } else {
                *rows = zero;
            }
        }
        Ok(value)
    }

    /// The truth value of a formula all of whose free variables have values.
    pub fn holds_at(&mut self, formula: FormulaId, given: &[(VarId, u32)]) -> Result<bool, Fault> {
        self.assume(given);
        let node = self.node(formula)?;
        let value = self.value(node)?;
        let literals: Vec<_> = given.iter().flat_map(|&(var, value)| self.literals(var, value)).collect();
        Ok(self.dd.evaluate(value, |level| literals.iter().any(|l| l.0 == level && l.1)))
    }

    /// All variables that a rule mentions: keys, then bits.
    pub fn rule_variables(&self, rule: &Rule) -> (Vec<VarId>, Vec<VarId>) {
        let mut vars: Vec<VarId> = rule.keep.clone();
        let of = |terms: &[Term]| {
            terms
                .iter()
                .filter_map(|t| if let Term::Var(v) = t { Some(*v) } else { None })
                .collect::<Vec<_>>()
        };
        if let Head::Table(_, key) = &rule.head {
            vars.extend(of(key));
        }
        // A part of a definition may leave out columns of the whole: they have values all the same.
        for literal in rule.literals.iter().chain(rule.whole.iter().map(|(_, whole)| whole)) {
            match literal {
                Literal::Atom { keys, bits, .. } => vars.extend(of(keys).into_iter().chain(of(bits))),
                Literal::Test { left, right, .. } => vars.extend(of(&[*left, *right])),
                Literal::Value { formula, .. } => vars.extend(self.free.vars(*formula)),
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars.into_iter().partition(|v| self.layout.is_explicit(*v))
    }

    /// The operands of a conjunction after negation is pushed inwards: which formulas, and whether they must hold.
    pub fn parts(&self, formula: FormulaId, positive: bool) -> Option<(bool, Vec<(FormulaId, bool)>)> {
        let list = |parts: &[FormulaId]| parts.iter().map(|&p| (p, positive)).collect();
        match self.system.formula(formula) {
            Formula::And(parts) => Some((positive, list(parts))),
            Formula::Or(parts) => Some((!positive, list(parts))),
            _ => None,
        }
    }
}
