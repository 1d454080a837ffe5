//! Witnesses: the smallest valuation that makes a formula true or false.

use crate::fault::Fault;
use crate::fixpoint::progress::Progress;
use crate::machine::Machine;
use crate::planner::Made;
use crate::planner::plan::{Head, Rule};
use crate::store::listing::Grouping;
use crate::store::table::TableId;
use crate::store::{Store, Values};
use calculus::listing::Listing;
use calculus::system::{BinderId, Formula, FormulaId, System, Term, VarId};
use dd::Bdd;

impl Machine<'_> {
    /// The lexicographically first valuation of the binders' leaves under which the formula has the wanted value.
    pub fn witness(
        &mut self,
        progress: &mut Progress,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Values>, Fault> {
        for relation in self.planner.free.relations(formula).to_vec() {
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
        for relation in self.planner.free.relations(formula).to_vec() {
            if !progress.is_suspended(relation) {
                self.ensure(progress, relation)?;
            }
        }
        self.first_solution(formula, true, &self.leaves_of(binders), &[])
    }

    fn leaves_of(&self, binders: &[BinderId]) -> Vec<VarId> {
        binders.iter().flat_map(|b| self.store.system.binders[b.index()].leaves.clone()).collect()
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
        self.with_solutions(formula, wanted, leaves, given, |store, table, start| {
            store.smallest(table, leaves, start)
        })
    }

    /// The same valuations as the rows of a list, at most so many.
    pub fn solutions(
        &mut self,
        formula: FormulaId,
        wanted: bool,
        leaves: &[VarId],
        given: &[(VarId, u32)],
        (most, grouping): (usize, Grouping),
    ) -> Result<Listing, Fault> {
        self.with_solutions(formula, wanted, leaves, given, |store, table, start| {
            store.list_within(table, leaves, start, most, grouping)
        })
    }

    /// Makes a table of valuations and looks at it.
    fn with_solutions<T>(
        &mut self,
        formula: FormulaId,
        wanted: bool,
        leaves: &[VarId],
        given: &[(VarId, u32)],
        look: impl FnOnce(&mut Store, TableId, Bdd) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (keys, bits): (Vec<VarId>, Vec<VarId>) =
            leaves.iter().partition(|v| self.store.layout.is_explicit(**v));
        let bound: Vec<VarId> =
            given.iter().map(|g| g.0).filter(|v| self.store.layout.is_explicit(*v)).collect();
        let keep: Vec<VarId> = bits
            .iter()
            .copied()
            .chain(given.iter().map(|g| g.0).filter(|v| !self.store.layout.is_explicit(*v)))
            .collect();
        let table = self.store.temporary("an intermediate result", keys.clone(), keep.clone());
        let head = Head::Table(table, keys.iter().map(|&v| Term::Var(v)).collect());
        let mut draft = self.draft();
        let rules = draft.clauses(formula, wanted, head, &keep, &bound, &[]);
        let made = draft.into_made();
        let found = rules.and_then(|rules| {
            let start = self.store.point(given)?;
            self.run_aside(rules, &made, given, start)?;
            look(&mut self.store, table, start)
        });
        self.release(table);
        self.release_groups(&made);
        found
    }

    /// Runs rules that were made for one question, from the given values.
    fn run_aside(
        &mut self,
        rules: Vec<Rule>,
        made: &Made,
        given: &[(VarId, u32)],
        start: Bdd,
    ) -> Result<(), Fault> {
        let mut run = self.unlogged();
        run.refresh(&made.statics)?;
        run.add_facts(&made.facts)?;
        for rule in rules {
            let plan = self.draft().schedule(rule, None)?;
            self.executor.assume(given);
            self.unlogged().run_from(&plan, start)?;
        }
        Ok(())
    }

    /// The truth value of a formula all of whose free variables have values.
    pub fn holds_at(&mut self, formula: FormulaId, given: &[(VarId, u32)]) -> Result<bool, Fault> {
        self.executor.assume(given);
        let value = self.formula_value(formula)?;
        let literals: Vec<_> =
            given.iter().flat_map(|&(var, value)| self.store.literals(var, value)).collect();
        Ok(self.store.dd.evaluate(value, |level| literals.iter().any(|l| l.0 == level && l.1)))
    }
}

/// The operands of a conjunction after negation is pushed inwards: which formulas, and whether they must hold.
pub(crate) fn parts(
    system: &System,
    formula: FormulaId,
    positive: bool,
) -> Option<(bool, Vec<(FormulaId, bool)>)> {
    let list = |parts: &[FormulaId]| parts.iter().map(|&p| (p, positive)).collect();
    match system.formula(formula) {
        Formula::And(parts) => Some((positive, list(parts))),
        Formula::Or(parts) => Some((!positive, list(parts))),
        _ => None,
    }
}
