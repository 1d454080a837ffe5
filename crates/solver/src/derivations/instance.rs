//! Instances: which clause supports a tuple, with which values of its variables.
//!
//! The rule that the log names is run backwards: its head is fixed to the tuple, its rows are read as they were before, and any solution
//! gives the premises. Where no log helps, all clauses are tried with the final values.

use super::explain::Derivation;
use super::log::Origin;
use super::support::{Support, Supports};
use super::tuple::{Terms, Tuple};
use crate::answer::{Fact, Shortcut};
use crate::fault::Fault;
use crate::planner::plan::{Head, Literal, Plan};
use crate::store::Values;
use crate::store::table::{RowId, TableId};
use calculus::system::{Formula, FormulaId, RelationId, Term, VarId};
use dd::{Bdd, Level};
use smallvec::SmallVec;
use std::rc::Rc;

/// A table, and terms for its columns.
type Atom = (TableId, Terms);

/// A rule that is run backwards.
pub(super) struct Backward {
    plan: Plan,
    /// All variables, for which it finds values.
    vars: Vec<VarId>,
    /// Where it puts them if it has to search.
    pub table: TableId,
    pub literals: Vec<Literal>,
    /// For each literal that is one the tuple it stands for.
    pub premises: Vec<Option<Atom>>,
    /// What is named in place of a part of it.
    pub whole: Option<(TableId, Atom)>,
    clause: usize,
    span: base::Span,
}

/// The clause that supports a tuple.
pub(super) struct Found {
    pub clause: usize,
    pub span: base::Span,
    pub supports: Supports,
}

impl Found {
    /// A tuple that was given rests on nothing.
    pub fn given(span: base::Span) -> Self {
        Self { clause: 1, span, supports: Supports::default() }
    }
}

impl Derivation<'_, '_> {
    /// When the log knew a tuple of a relation whose body was evaluated once, aside.
    fn scratch_rank(&mut self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let table = *self.machine.sets.scratches.get(&RelationId(tuple.table.0))?;
        let columns = self.columns(tuple.table);
        let store = &self.machine.store;
        let row = store.tables[table.index()].find(&columns.key(&tuple.values))?;
        let has = |content| columns.has(store, &tuple.values, content);
        self.machine.record.log.as_ref()?.first(table, row, has)
    }

    /// The clause that supports a tuple, the values it chose, and its premises.
    pub(super) fn derive(&mut self, tuple: &Tuple) -> Result<Found, Fault> {
        let found = |clause: usize, span: base::Span, supports: Supports| Found { clause, span, supports };
        let first = self.clause_span(tuple.table, 1);
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
            Some((rank, Origin::Rule(rule))) => vec![(Some(rank), rule.0, None)],
            Some((rank, Origin::Instance(rule, rows))) => vec![(Some(rank), rule.0, Some(rows))],
            _ => self.all_clauses(tuple.table)?.into_iter().map(|rule| (None, rule, None)).collect(),
        };
        for (rank, rule, rows) in candidates {
            let backward = self.backward(rule)?;
            let log = self.machine.record.log.as_ref().zip(rows);
            let rows = log.and_then(|(log, rows)| log.rows(tuple.table, rows, backward.premises.len()));
            let rows = rows.map(SmallVec::<[RowId; 8]>::from_slice);
            if let Some(values) = self.instance(&backward, tuple, rank, rows.as_deref())? {
                let values = self.earlier(&backward, tuple, values, rows.as_deref())?;
                return Ok(Found {
                    clause: backward.clause,
                    span: backward.span,
                    supports: self.rule_supports(&backward, values, rank)?,
                });
            }
        }
        // A system that is not positive: the values that supported the tuple were those of another round.
        let text = "values of an earlier round".to_owned();
        let parts = vec![Support::Fact(Fact::new(text, Vec::new()))];
        Ok(found(1, first, Supports { parts, ..Supports::default() }))
    }

    /// Where the n-th clause of a relation is written.
    pub(super) fn clause_span(&self, table: TableId, clause: usize) -> base::Span {
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
        let values = self.valuation(tuple);
        match self.clause(tuple.table, clause) {
            Some(part) if self.machine.holds_at(part, &values)? => {
                let Supports { equal, values, .. } = self.support(part, true, &values)?;
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

    /// Values of all of a rule's variables that make it derive the tuple from rows as they were before `rank`: from these rows, if they are
    /// known and do.
    fn instance(
        &mut self,
        backward: &Backward,
        tuple: &Tuple,
        rank: Option<u32>,
        rows: Option<&[RowId]>,
    ) -> Result<Option<Values>, Fault> {
        let columns = self.columns(tuple.table);
        let start = self.point(tuple)?;
        for (var, value) in columns.vars.iter().zip(tuple.values.iter()) {
            self.machine.executor.env[var.index()] = *value;
        }
        if let Some(rows) = rows
            && let Some(found) = self.machine.past(rank).run_with(&backward.plan, rows, start)?
        {
            self.machine.store.shortcuts.count(Shortcut::KnownRows);
            return Ok(Some(self.chosen_values(backward, found)));
        }
        for (var, value) in columns.vars.iter().zip(tuple.values.iter()) {
            self.machine.executor.env[var.index()] = *value;
        }
        self.machine.past(rank).run_from(&backward.plan, start)?;
        let found = self.machine.store.first(backward.table, &backward.vars, start)?;
        self.machine.store.tables[backward.table.index()].clear();
        Ok(found)
    }

    /// The values of keys that the executor has, with the first values of bits that a diagram has.
    fn chosen_values(&self, backward: &Backward, found: Bdd) -> Values {
        let store = &self.machine.store;
        let mut is_one = vec![false; store.layout.n_levels()];
        for (level, value) in store.dd.pick(found).expect("the diagram has a tuple") {
            is_one[level as usize] = value;
        }
        let bit = |level: &Level| is_one[*level as usize];
        let value = |var: &VarId| match store.layout.is_explicit(*var) {
            true => self.machine.executor.env[var.index()],
            false => {
                store.layout.levels(*var).iter().fold(0, |value, level| value << 1 | u32::from(bit(level)))
            }
        };
        backward.vars.iter().map(|var| (*var, value(var))).collect()
    }

    /// The instance of a rule whose youngest premise is as old as can be found by looking at older states of that premise's
    /// row. A loop that was iterated to its end before anything left it is then left as early as possible.
    fn earlier(
        &mut self,
        backward: &Backward,
        tuple: &Tuple,
        mut values: Values,
        rows: Option<&[RowId]>,
    ) -> Result<Values, Fault> {
        let Some((youngest, ranks)) = self.youngest_premise(backward, &values) else { return Ok(values) };
        let (mut low, mut high) = (0, ranks.partition_point(|rank| *rank < youngest));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.instance(backward, tuple, Some(ranks[middle] + 1), rows)? {
                Some(found) => (values, high) = (found, middle),
                None => low = middle + 1,
            }
        }
        Ok(values)
    }

    /// When the youngest premise of an instance was added, and when its row grew.
    fn youngest_premise(&mut self, backward: &Backward, values: &Values) -> Option<(u32, Vec<u32>)> {
        self.machine.executor.assume(values);
        let mut youngest: Option<(u32, TableId, RowId)> = None;
        for (literal, premise) in backward.literals.iter().zip(&backward.premises) {
            let (Literal::Atom { table, keys, .. }, Some((_, terms))) = (literal, premise) else { continue };
            let key = self.machine.executor.key(keys);
            let Some(row) = self.machine.store.tables[table.index()].find(&key) else { continue };
            let rank = match self.machine.record.log.as_ref()?.ranks(*table, row) {
                [] => continue,
                // What an instance rests on is there.
                [only] => Some(*only),
                _ => {
                    let premise = self.tuple(*table, terms);
                    self.log_rank(&premise).map(|known| known.0)
                }
            };
            if let Some(rank) = rank
                && youngest.is_none_or(|known| rank > known.0)
            {
                youngest = Some((rank, *table, row));
            }
        }
        let (rank, table, row) = youngest?;
        Some((rank, self.machine.record.log.as_ref()?.ranks(table, row).to_vec()))
    }

    /// A rule as it is run backwards: its plan keeps all variables, with the head's keys given.
    fn backward(&mut self, id: u32) -> Result<Rc<Backward>, Fault> {
        if let Some(known) = self.rules.get(&id) {
            return Ok(known.clone());
        }
        let mut rule = self.machine.planner.rules[id as usize].clone();
        let (clause, span) = (rule.clause, rule.span);
        let Head::Table(_, key) = &rule.head else { unreachable!("derivations are of tables") };
        rule.bound = key.iter().filter_map(|t| if let Term::Var(v) = t { Some(*v) } else { None }).collect();
        let (keys, bits) = self.machine.planner.rule_variables(&rule, &self.machine.store.layout);
        let mut premises = Vec::new();
        for literal in &rule.literals {
            premises.push(match literal {
                Literal::Atom { table, keys, bits } => Some((*table, self.terms(*table, keys, bits))),
                _ => None,
            });
        }
        let whole = match &rule.whole {
            Some((part, Literal::Atom { table, keys, bits })) => {
                Some((*part, (*table, self.terms(*table, keys, bits))))
            }
            _ => None,
        };
        let literals = rule.literals.clone();
        let table = self.machine.store.temporary("an instance of a rule", keys.clone(), bits.clone());
        rule.head = Head::Table(table, keys.iter().map(|&v| Term::Var(v)).collect());
        rule.keep.clone_from(&bits);
        let plan = match self.machine.draft().schedule(rule, None) {
            Ok(plan) => plan,
            Err(fault) => {
                self.machine.release(table);
                return Err(fault);
            }
        };
        let mut vars: Vec<VarId> = keys.into_iter().chain(bits).collect();
        vars.sort_unstable();
        let made = Rc::new(Backward { plan, vars, table, literals, premises, whole, clause, span });
        self.rules.insert(id, made.clone());
        Ok(made)
    }
}
