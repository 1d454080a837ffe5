//! Instances: which clause supports a tuple, with which values of its variables.
//!
//! The rule that the log names is run backwards: its head is fixed to the tuple, its rows are read as they were before, and any solution
//! gives the premises. Where no log helps, all clauses are tried with the final values.

use super::explain::Derivation;
use super::log::Origin;
use super::support::{Support, Supports, Tuple};
use crate::answer::Fact;
use crate::fault::Fault;
use crate::planner::plan::{Head, Literal, Plan};
use crate::store::Values;
use crate::store::table::TableId;
use calculus::system::{Formula, FormulaId, RelationId, Term, VarId};
use dd::Bdd;
use std::rc::Rc;

/// The clause that supports a tuple.
pub(super) struct Found {
    pub clause: usize,
    pub span: base::Span,
    pub supports: Supports,
}

impl Derivation<'_, '_> {
    /// When the log first knew a tuple, and by which rule.
    pub(super) fn log_rank(&self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let key = self.key_of(tuple.table, &tuple.values);
        let row = self.machine.store.tables[tuple.table.index()].find(&key)?;
        let mut literals: Vec<_> =
            tuple.values.iter().flat_map(|&(var, value)| self.machine.store.literals(var, value)).collect();
        literals.sort_unstable();
        let value = |column: &VarId| tuple.values.iter().find(|v| v.0 == *column).map(|v| v.1);
        let has = |(full, frame): (Bdd, u32)| {
            self.machine.store.dd.evaluate(full, |level| literals.binary_search(&(level, true)).is_ok())
                && self.machine.store.frames.pairs(frame).iter().all(|(a, b)| value(a) == value(b))
        };
        self.machine.record.log.as_ref()?.first(tuple.table, row, has)
    }

    /// The same for a relation whose body was evaluated once, aside.
    fn scratch_rank(&self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let table = *self.machine.sets.scratches.get(&RelationId(tuple.table.0))?;
        self.log_rank(&Tuple { table, ..tuple.clone() })
    }

    pub(super) fn key_of(&self, table: TableId, values: &[(VarId, u32)]) -> Vec<u32> {
        let keys = &self.machine.store.shape(table).keys;
        keys.iter().map(|k| values.iter().find(|v| v.0 == *k).expect("a value for each key").1).collect()
    }

    /// The clause that supports a tuple, the values it chose, and its premises.
    pub(super) fn derive(&mut self, tuple: &Tuple) -> Result<Found, Fault> {
        let found = |clause: usize, span: base::Span, supports: Supports| Found { clause, span, supports };
        let first = self.clause_span(tuple.table, 1);
        if self.machine.store.is_given(tuple.table) {
            return Ok(found(1, first, Supports::default()));
        }
        if tuple.is_absent {
            return Ok(found(1, first, self.absence(tuple)?));
        }
        let logged = self.log_rank(tuple);
        if let Some((_, Origin::Fact(clause))) = logged.or_else(|| self.scratch_rank(tuple)) {
            let clause = clause as usize;
            let supports = self.fact_supports(tuple, clause)?;
            return Ok(found(clause, self.clause_span(tuple.table, clause), supports));
        }
        let candidates = match logged {
            Some((rank, Origin::Rule(rule))) => vec![(Some(rank), rule.0)],
            _ => self.all_clauses(tuple.table)?.into_iter().map(|rule| (None, rule)).collect(),
        };
        for (rank, rule) in candidates {
            if let Some(values) = self.instance(rule, tuple, rank)? {
                let values = self.earlier(rule, tuple, values)?;
                let rule = self.machine.planner.rules[rule as usize].clone();
                return Ok(found(rule.clause, rule.span, self.rule_supports(&rule, &values, rank)?));
            }
        }
        // A system that is not positive: the values that supported the tuple were those of another round.
        let text = "values of an earlier round".to_owned();
        let parts = vec![Support::Fact(Fact::new(text, Vec::new()))];
        Ok(found(1, first, Supports { parts, ..Supports::default() }))
    }

    /// Where the n-th clause of a relation is written.
    fn clause_span(&self, table: TableId, clause: usize) -> base::Span {
        let system = self.machine.store.system;
        self.clause(table, clause).map_or(system.spans[0], |part| system.span(part))
    }

    /// The n-th clause of a relation.
    fn clause(&self, table: TableId, clause: usize) -> Option<FormulaId> {
        let mut at = self.machine.store.system.relations.get(table.index())?.body;
        while let Formula::Or(parts) = self.machine.store.system.formula(at) {
            match parts.get(clause - 1) {
                Some(part) => return Some(*part),
                None => at = parts[0],
            }
        }
        Some(at)
    }

    /// What a clause makes equal that holds whatever the relations in it are.
    fn fact_supports(&mut self, tuple: &Tuple, clause: usize) -> Result<Supports, Fault> {
        match self.clause(tuple.table, clause) {
            Some(part) if self.machine.holds_at(part, &tuple.values)? => {
                let Supports { equal, values, .. } = self.support(part, true, &tuple.values)?;
                Ok(Supports { parts: Vec::new(), equal, values })
            }
            _ => Ok(Supports::default()),
        }
    }

    /// Rules for all clauses of a relation, for running backwards.
    fn all_clauses(&mut self, table: TableId) -> Result<Vec<u32>, Fault> {
        if let Some((rules, made)) = self.clauses.get(&table) {
            self.machine.aside().refresh(&made.statics)?;
            return Ok(rules.clone());
        }
        let relation = self.machine.store.system.relation(RelationId(table.0));
        let shape = self.machine.store.shape(table).clone();
        // The head is no table, so that every clause stays a rule.
        let bound = shape.keys.clone();
        let keep = shape.bits.clone();
        let body = relation.body;
        let mut draft = self.machine.draft();
        let rules = draft.clauses(body, true, Head::Sum, &keep, &bound, &[]);
        let made = draft.into_made();
        let rules = rules.and_then(|rules| self.machine.aside().refresh(&made.statics).map(|()| rules));
        let rules = match rules {
            Ok(rules) => rules,
            Err(fault) => {
                self.machine.release_groups(&made);
                return Err(fault);
            }
        };
        let mut ids = Vec::new();
        for mut rule in rules {
            rule.head = Head::Table(table, shape.keys.iter().map(|&v| Term::Var(v)).collect());
            self.machine.planner.rules.push(rule);
            ids.push(self.machine.planner.rules.len() as u32 - 1);
        }
        self.clauses.insert(table, (ids.clone(), made));
        Ok(ids)
    }

    /// Values of all of a rule's variables that make it derive the tuple from rows as they were before `rank`.
    fn instance(&mut self, rule: u32, tuple: &Tuple, rank: Option<u32>) -> Result<Option<Values>, Fault> {
        let (plan, vars, table) = match self.plans.get(&rule) {
            Some(known) => known.clone(),
            None => {
                let made = self.backward_plan(rule)?;
                self.plans.insert(rule, made.clone());
                made
            }
        };
        self.machine.executor.assume(&tuple.values);
        let start = self.machine.store.point(&tuple.values)?;
        self.machine.past(rank).run_from(&plan, start)?;
        let found = self.machine.store.first(table, &vars, start)?;
        self.machine.store.tables[table.index()].clear();
        Ok(found)
    }

    /// The instance of a rule whose youngest premise is as old as can be found by looking at older states of that premise's
    /// row. A loop that was iterated to its end before anything left it is then left as early as possible.
    fn earlier(&mut self, rule: u32, tuple: &Tuple, mut values: Values) -> Result<Values, Fault> {
        let Some((youngest, ranks)) = self.youngest_premise(rule, &values) else { return Ok(values) };
        let (mut low, mut high) = (0, ranks.partition_point(|rank| *rank < youngest));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.instance(rule, tuple, Some(ranks[middle] + 1))? {
                Some(found) => (values, high) = (found, middle),
                None => low = middle + 1,
            }
        }
        Ok(values)
    }

    /// When the youngest premise of an instance was added, and when its row grew.
    fn youngest_premise(&self, rule: u32, values: &Values) -> Option<(u32, Vec<u32>)> {
        let log = self.machine.record.log.as_ref()?;
        let mut youngest: Option<(u32, Tuple)> = None;
        for literal in &self.machine.planner.rules[rule as usize].literals {
            let Literal::Atom { table, keys, bits } = literal else { continue };
            if !log.knows_some(*table) {
                continue;
            }
            let premise = self.tuple(*table, keys, bits, values);
            if let Some((rank, _)) = self.log_rank(&premise)
                && youngest.as_ref().is_none_or(|known| rank > known.0)
            {
                youngest = Some((rank, premise));
            }
        }
        let (rank, premise) = youngest?;
        let row = self.machine.store.tables[premise.table.index()]
            .find(&self.key_of(premise.table, &premise.values))?;
        Some((rank, log.ranks(premise.table, row).to_vec()))
    }

    /// A plan that keeps all variables of a rule, with the head's keys given.
    fn backward_plan(&mut self, rule: u32) -> Result<(Rc<Plan>, Vec<VarId>, TableId), Fault> {
        let mut rule = self.machine.planner.rules[rule as usize].clone();
        let Head::Table(_, key) = &rule.head else { unreachable!("derivations are of tables") };
        rule.bound = key.iter().filter_map(|t| if let Term::Var(v) = t { Some(*v) } else { None }).collect();
        let (keys, bits) = self.machine.planner.rule_variables(&rule, &self.machine.store.layout);
        let table = self.machine.store.temporary("an instance of a rule", keys.clone(), bits.clone());
        rule.head = Head::Table(table, keys.iter().map(|&v| Term::Var(v)).collect());
        rule.keep.clone_from(&bits);
        let plan = match self.machine.draft().schedule(rule, None) {
            Ok(plan) => Rc::new(plan),
            Err(fault) => {
                self.machine.release(table);
                return Err(fault);
            }
        };
        Ok((plan, keys.into_iter().chain(bits).collect(), table))
    }
}
