//! Derivations: why a tuple is in its relation.
//!
//! The log says which rule added a tuple and when. Rebuilding one step runs that rule backwards: its head is fixed to the
//! tuple, its rows are read as they were before, and any solution gives the premises. Premises are earlier in the log,
//! so derivations are finite. Relations without a log (definitions, greatest fixed points, systems that are not
//! positive) are explained from their final values; there a tuple may come to support itself, which is said.

use crate::answer::{DerivationStep, Explanation, Premise};
use crate::derivations::context::{Context, Snapshot};
use crate::derivations::log::Origin;
use crate::derivations::witness::{Values, parts};
use crate::fault::Fault;
use crate::fixpoint::solve::Progress;
use crate::machine::Machine;
use crate::planner::Made;
use crate::planner::plan::{Head, Literal, Plan, Rule};
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{BinderId, Formula, FormulaId, Kind, RelationId, Term, VarId};
use dd::Bdd;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A tuple of a table: keys and bits with their values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tuple {
    table: TableId,
    values: Values,
    /// Where it is explained.
    context: Context,
}

/// A part of a derivation before it is numbered.
enum Support {
    Tuple(Tuple),
    Fact(String),
}

/// The clause that supports a tuple.
struct Found {
    clause: usize,
    span: base::Span,
    /// The values of the clause's other variables.
    choice: Values,
    supports: Vec<Support>,
}

/// A derivation under construction.
pub(crate) struct Derivation<'m, 's> {
    pub(super) machine: &'m mut Machine<'s>,
    pub(super) progress: &'m mut Progress,
    /// The context whose values the tables have at present.
    pub(super) established: Context,
    steps: Vec<Option<DerivationStep>>,
    todo: Vec<(usize, Tuple)>,
    known: FxHashMap<Tuple, usize>,
    /// Rules that run backwards: the plan, the variables it finds values for, the temporary table it puts them into.
    plans: FxHashMap<u32, (Rc<Plan>, Vec<VarId>, TableId)>,
    /// Rules for all clauses of a relation, and the groups they use.
    clauses: FxHashMap<TableId, (Vec<u32>, Made)>,
    /// Whether the component of a relation mixes `mu` and `nu`.
    mixed: FxHashMap<RelationId, bool>,
}

impl<'m, 's> Derivation<'m, 's> {
    pub fn new(machine: &'m mut Machine<'s>, progress: &'m mut Progress) -> Self {
        Self {
            machine,
            progress,
            established: Context::new(),
            steps: Vec::new(),
            todo: Vec::new(),
            known: FxHashMap::default(),
            plans: FxHashMap::default(),
            clauses: FxHashMap::default(),
            mixed: FxHashMap::default(),
        }
    }

    /// A derivation of a formula under the first valuation of its binders that makes it true.
    pub fn explain(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Explanation>, Fault> {
        for relation in self.machine.planner.free.relations(formula).to_vec() {
            self.revive(relation)?;
        }
        let Some(values) = self.machine.witness(self.progress, binders, formula, true)? else {
            return Ok(None);
        };
        self.explain_at(formula, &values)
    }

    /// The same among the tuples that were known when the query before it was answered.
    pub fn explain_found(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Explanation>, Fault> {
        if !self.progress.stopped_early() {
            return self.explain(binders, formula);
        }
        let Some(values) = self.machine.found(self.progress, binders, formula)? else { return Ok(None) };
        self.explain_at(formula, &values)
    }

    fn explain_at(&mut self, formula: FormulaId, values: &Values) -> Result<Option<Explanation>, Fault> {
        let supports = self.support(formula, true, values)?;
        let tuples = supports
            .into_iter()
            .filter_map(|s| if let Support::Tuple(tuple) = s { Some(tuple) } else { None });
        self.derivation(tuples.collect()).map(Some)
    }

    /// A derivation of one tuple; `None` if the relation does not contain it.
    pub fn explain_tuple(
        &mut self,
        relation: RelationId,
        values: &[u32],
    ) -> Result<Option<Explanation>, Fault> {
        self.revive(relation)?;
        self.machine.ensure(self.progress, relation)?;
        let columns = &self.machine.store.system.relation(relation).columns;
        let tuple = Tuple {
            table: TableId(relation.0),
            values: columns.iter().copied().zip(values.iter().copied()).collect(),
            context: Context::new(),
        };
        let key = self.key_of(tuple.table, &tuple.values);
        let Some(row) = self.machine.store.tables[tuple.table.index()].find(&key) else { return Ok(None) };
        let full = self.machine.store.expanded(tuple.table, row)?;
        let point = self.machine.store.point(&tuple.values)?;
        if self.machine.store.dd.and(full, point)? == Bdd::FALSE {
            return Ok(None);
        }
        self.derivation(vec![tuple]).map(Some)
    }

    /// In a component that is not positive, the other members must have the values of this relation's last round.
    fn revive(&mut self, relation: RelationId) -> Result<(), Fault> {
        let component = self.progress.dependencies.component(relation, &[]);
        let imposed = self.progress.fixed[relation.index()];
        if !imposed && component.len() > 1 && self.progress.dependencies.negative_use(&component).is_some() {
            self.machine.forget(self.progress, relation);
            self.machine.ensure(self.progress, relation)?;
        }
        Ok(())
    }

    fn derivation(&mut self, tuples: Vec<Tuple>) -> Result<Explanation, Fault> {
        let n_asked = tuples.len();
        let result = self.derive_all(tuples);
        self.leave();
        result?;
        Ok(Explanation { steps: sorted(self.steps.drain(..).flatten().collect(), n_asked) })
    }

    /// Takes back what was established, and gives back the tables that were made.
    fn leave(&mut self) {
        while let Some((relation, _)) = self.established.pop() {
            self.progress.release(relation);
        }
        for (_, _, table) in std::mem::take(&mut self.plans).into_values() {
            self.machine.release(table);
        }
        for (_, made) in std::mem::take(&mut self.clauses).into_values() {
            self.machine.release_groups(&made);
        }
    }

    fn derive_all(&mut self, tuples: Vec<Tuple>) -> Result<(), Fault> {
        for mut tuple in tuples {
            tuple.context = self.context_for(RelationId(tuple.table.0), None)?;
            self.number(tuple);
        }
        self.todo.reverse();
        while let Some((at, tuple)) = self.todo.pop() {
            self.machine.poll()?;
            self.machine.safe_point();
            let context = self.enter_context(&tuple)?;
            let found = self.derive(&tuple)?;
            let mut premises = Vec::new();
            let first = self.todo.len();
            for support in found.supports {
                premises.push(match support {
                    Support::Fact(text) => Premise::Fact(text),
                    Support::Tuple(mut premise) => {
                        let of = Some((RelationId(tuple.table.0), &context));
                        premise.context = self.context_for(RelationId(premise.table.0), of)?;
                        self.premise(&tuple, premise)
                    }
                });
            }
            self.todo[first..].reverse();
            self.steps[at] = Some(self.step(&tuple, found.clause, found.span, &found.choice, premises));
        }
        Ok(())
    }

    /// The context of a relation that is asked for, or used in a clause of another.
    fn context_for(
        &mut self,
        relation: RelationId,
        of: Option<(RelationId, &Context)>,
    ) -> Result<Context, Fault> {
        let mixed = match self.mixed.get(&relation) {
            Some(mixed) => *mixed,
            None => {
                let mixed = dependencies::is_mixed(
                    self.machine.store.system,
                    &self.progress.dependencies.component(relation, &[]),
                );
                self.mixed.insert(relation, mixed);
                mixed
            }
        };
        let together =
            |other: RelationId| self.progress.dependencies.component(relation, &[]).contains(&other);
        match of {
            _ if !mixed => Ok(Context::new()),
            Some((other, context)) if together(other) => self.context_of(relation, context),
            _ => self.context_of(relation, &Context::new()),
        }
    }

    /// Establishes the context in which the clauses of a tuple's relation are looked at, and returns it.
    fn enter_context(&mut self, tuple: &Tuple) -> Result<Context, Fault> {
        let relation = RelationId(tuple.table.0);
        // The rounds of inner relations are those of this context only.
        self.establish(&tuple.context)?;
        let key = self.key_of(tuple.table, &tuple.values);
        let literals: Vec<_> =
            tuple.values.iter().flat_map(|&(var, value)| self.machine.store.literals(var, value)).collect();
        let has = |snapshot: &Snapshot| {
            let holds = |full| {
                self.machine.store.dd.evaluate(full, |level| literals.iter().any(|l| l.0 == level && l.1))
            };
            snapshot.iter().any(|(row, full)| *row == key && holds(*full))
        };
        let context = self.round_before(&tuple.context, relation, has);
        self.establish(&context)?;
        let used: Vec<RelationId> =
            self.progress.dependencies.uses(relation).iter().map(|used| used.relation).collect();
        for needed in [relation].into_iter().chain(used) {
            // What an early answer has left as it is suffices for what led to that answer.
            if !self.progress.is_suspended(needed) {
                self.machine.ensure(self.progress, needed)?;
            }
        }
        Ok(context)
    }

    /// The number of a premise. In a component with a greatest fixed point, or one that is not positive, tuples may
    /// support each other; a tuple that was met before is then said to be used again.
    fn premise(&mut self, of: &Tuple, premise: Tuple) -> Premise {
        let Some(&at) = self.known.get(&premise) else {
            return Premise::Step(self.number(premise));
        };
        let component = self.progress.dependencies.component(RelationId(of.table.0), &[]);
        let circular = component.iter().any(|r| self.machine.store.system.relation(*r).kind == Kind::Nu)
            || self.progress.dependencies.negative_use(&component).is_some();
        if circular && component.contains(&RelationId(premise.table.0)) {
            Premise::Again(at)
        } else {
            Premise::Step(at)
        }
    }

    /// What is shown of a step.
    fn step(
        &self,
        tuple: &Tuple,
        clause: usize,
        span: base::Span,
        choice: &Values,
        premises: Vec<Premise>,
    ) -> DerivationStep {
        let value_name =
            |&(var, value): &(VarId, u32)| self.machine.store.system.sort_of(var).value_name(value);
        DerivationStep {
            relation: RelationId(tuple.table.0),
            tuple: tuple.values.iter().map(|v| v.1).collect(),
            clause,
            span,
            choice: choice
                .iter()
                .filter(|c| !self.is_internal(c.0))
                .map(|c| (self.machine.store.system.var_name(c.0), value_name(c)))
                .collect(),
            premises,
        }
    }

    /// The variable stands for a formula in an argument; the user has no name for it.
    fn is_internal(&self, var: VarId) -> bool {
        self.machine.store.system.binders[self.machine.store.system.vars[var.index()].binder.index()]
            .name
            .starts_with('$')
    }

    /// When the log first knew a tuple, and by which rule.
    fn log_rank(&self, tuple: &Tuple) -> Option<(u32, Origin)> {
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

    fn key_of(&self, table: TableId, values: &[(VarId, u32)]) -> Vec<u32> {
        let keys = &self.machine.store.shape(table).keys;
        keys.iter().map(|k| values.iter().find(|v| v.0 == *k).expect("a value for each key").1).collect()
    }

    /// The clause that supports a tuple, the values it chose, and its premises.
    fn derive(&mut self, tuple: &Tuple) -> Result<Found, Fault> {
        if self.machine.store.is_given(tuple.table) {
            let span = self.clause_span(tuple.table, 1);
            return Ok(Found { clause: 1, span, choice: Vec::new(), supports: Vec::new() });
        }
        let logged = self.log_rank(tuple);
        if let Some((_, Origin::Fact(clause))) = logged.or_else(|| self.scratch_rank(tuple)) {
            let clause = clause as usize;
            let span = self.clause_span(tuple.table, clause);
            return Ok(Found { clause, span, choice: Vec::new(), supports: Vec::new() });
        }
        let candidates = match logged {
            Some((rank, Origin::Rule(rule))) => vec![(Some(rank), rule.0)],
            _ => self.all_clauses(tuple.table)?.into_iter().map(|rule| (None, rule)).collect(),
        };
        for (rank, rule) in candidates {
            if let Some(values) = self.instance(rule, tuple, rank)? {
                let values = self.earlier(rule, tuple, values)?;
                let rule = self.machine.planner.rules[rule as usize].clone();
                let supports = self.rule_supports(&rule, &values, rank)?;
                let own: FxHashSet<VarId> = tuple.values.iter().map(|value| value.0).collect();
                let choice = values.into_iter().filter(|v| !own.contains(&v.0)).collect();
                return Ok(Found { clause: rule.clause, span: rule.span, choice, supports });
            }
        }
        // A system that is not positive: the values that supported the tuple were those of another round.
        let span = self.clause_span(tuple.table, 1);
        let supports = vec![Support::Fact("values of an earlier round".to_owned())];
        Ok(Found { clause: 1, span, choice: Vec::new(), supports })
    }

    /// Where the n-th clause of a relation is written.
    fn clause_span(&self, table: TableId, clause: usize) -> base::Span {
        let body = match self.machine.store.system.relations.get(table.index()) {
            Some(relation) => relation.body,
            None => return self.machine.store.system.spans[0],
        };
        let mut at = body;
        while let Formula::Or(parts) = self.machine.store.system.formula(at) {
            match parts.get(clause - 1) {
                Some(part) => return self.machine.store.system.span(*part),
                None => at = parts[0],
            }
        }
        self.machine.store.system.span(at)
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
        let rules = draft.clauses(body, true, Head::Sum, &keep, &bound, &[])?;
        let made = draft.into_made();
        self.machine.aside().refresh(&made.statics)?;
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
        let mut youngest: Option<(u32, Tuple)> = None;
        for literal in &self.machine.planner.rules[rule as usize].literals {
            let Literal::Atom { table, keys, bits } = literal else { continue };
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
        Some((rank, self.machine.record.log.as_ref()?.ranks(premise.table, row).to_vec()))
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

    /// The premises of a rule under values for all its variables.
    fn rule_supports(
        &mut self,
        rule: &Rule,
        values: &Values,
        rank: Option<u32>,
    ) -> Result<Vec<Support>, Fault> {
        let mut supports = Vec::new();
        for literal in &rule.literals {
            let whole = rule.whole.as_ref().filter(|(part, _)| literal.table() == Some(*part));
            match whole.map_or(literal, |(_, whole)| whole) {
                Literal::Test { .. } => {}
                Literal::Value { formula, positive, .. } => {
                    let found = self.support(*formula, *positive, values)?;
                    // Under a universal quantifier premises may be younger than the tuple; then the part is shown whole.
                    let younger =
                        |t: &Tuple| rank.is_some_and(|rank| self.log_rank(t).is_some_and(|r| r.0 >= rank));
                    if found.iter().any(|s| matches!(s, Support::Tuple(t) if younger(t))) {
                        supports.push(Support::Fact(self.describe_at(*formula, *positive, values)));
                    } else {
                        supports.extend(found);
                    }
                }
                Literal::Atom { table, keys, bits } => {
                    let tuple = self.tuple(*table, keys, bits, values);
                    if self.machine.store.relation_of(*table).is_some() {
                        supports.push(Support::Tuple(tuple));
                    } else {
                        supports.extend(self.group_supports(&tuple)?);
                    }
                }
            }
        }
        Ok(supports)
    }

    /// The premises of a group's tuple; the group itself is not shown.
    fn group_supports(&mut self, tuple: &Tuple) -> Result<Vec<Support>, Fault> {
        match self.log_rank(tuple) {
            Some((_, Origin::Rule(_))) => Ok(self.derive(tuple)?.supports),
            _ => Ok(Vec::new()),
        }
    }

    fn tuple(&self, table: TableId, keys: &[Term], bits: &[Term], values: &Values) -> Tuple {
        let shape = &self.machine.store.shape(table);
        let is_sorted = values.is_sorted();
        let value = |term: &Term| match term {
            Term::Value(value) => *value,
            Term::Var(v) if is_sorted => {
                let at = values.binary_search_by_key(v, |known| known.0);
                values[at.expect("every variable has a value")].1
            }
            Term::Var(v) => values.iter().find(|x| x.0 == *v).expect("every variable has a value").1,
        };
        let mut pairs: Values = shape.keys.iter().copied().zip(keys.iter().map(value)).collect();
        pairs.extend(shape.bits.iter().copied().zip(bits.iter().map(value)));
        if self.machine.store.relation_of(table).is_some() {
            // The columns of a relation are numbered in their order.
            pairs.sort_unstable();
        }
        Tuple { table, values: pairs, context: Context::new() }
    }

    /// What makes a formula come out as wanted under values for its free variables.
    fn support(
        &mut self,
        formula: FormulaId,
        positive: bool,
        values: &Values,
    ) -> Result<Vec<Support>, Fault> {
        if let Formula::Not(inner) = self.machine.store.system.formula(formula) {
            return self.support(*inner, !positive, values);
        }
        if let Some((all, parts)) = parts(self.machine.store.system, formula, positive) {
            let mut supports = Vec::new();
            for (part, positive) in parts {
                if all {
                    supports.extend(self.support(part, positive, values)?);
                } else if self.machine.holds_at(part, &self.restricted(part, values))? == positive {
                    return self.support(part, positive, values);
                }
            }
            return Ok(supports);
        }
        match (self.machine.store.system.formula(formula), positive) {
            (Formula::Apply(relation, terms), true) => {
                let table = TableId(relation.0);
                let (keys, bits) = self.machine.store.split_terms(table, terms);
                Ok(vec![Support::Tuple(self.tuple(table, &keys, &bits, values))])
            }
            (Formula::Exists(vars, inner), true) | (Formula::Forall(vars, inner), false) => {
                let given = self.restricted(formula, values);
                match self.machine.first_solution(*inner, positive, vars, &given)? {
                    Some(found) => self.support(*inner, positive, &given.into_iter().chain(found).collect()),
                    None => Ok(Vec::new()),
                }
            }
            _ if self.machine.planner.free.relations(formula).is_empty() => Ok(Vec::new()),
            _ => Ok(vec![Support::Fact(self.describe_at(formula, positive, values))]),
        }
    }

    /// The values of a formula's free variables.
    fn restricted(&self, formula: FormulaId, values: &Values) -> Values {
        let free = self.machine.planner.free.vars(formula);
        values.iter().copied().filter(|v| free.binary_search(&v.0).is_ok()).collect()
    }

    /// A formula with the values it has here.
    fn describe_at(&self, formula: FormulaId, positive: bool, values: &Values) -> String {
        let text = calculus::print_formula(self.machine.store.system, formula);
        let text = if positive { text } else { format!("!({text})") };
        let values = self.restricted(formula, values);
        let where_: Vec<String> = values
            .iter()
            .map(|&(v, value)| {
                format!(
                    "{} = {}",
                    self.machine.store.system.var_name(v),
                    self.machine.store.system.sort_of(v).value_name(value)
                )
            })
            .collect();
        if where_.is_empty() { text } else { format!("{text} where {}", where_.join(", ")) }
    }
}

/// The steps in an order in which each rests on later ones, what is used again aside; the first `n_asked` are the roots.
fn sorted(steps: Vec<DerivationStep>, n_asked: usize) -> Vec<DerivationStep> {
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    for root in (0..n_asked.min(steps.len())).rev() {
        let mut path = vec![(root, steps[root].premises.len())];
        while let Some((at, rest)) = path.pop() {
            if done[at] {
                continue;
            }
            let Some(next) = rest.checked_sub(1) else {
                done[at] = true;
                order.push(at);
                continue;
            };
            path.push((at, next));
            if let Premise::Step(to) = steps[at].premises[next]
                && !done[to]
            {
                path.push((to, steps[to].premises.len()));
            }
        }
    }
    order.reverse();
    let mut number = vec![0; steps.len()];
    order.iter().enumerate().for_each(|(n, &old)| number[old] = n);
    let mut placed: Vec<(usize, DerivationStep)> =
        steps.into_iter().enumerate().map(|(old, s)| (number[old], s)).collect();
    placed.sort_by_key(|p| p.0);
    for (_, step) in &mut placed {
        for premise in &mut step.premises {
            if let Premise::Step(to) | Premise::Again(to) = premise {
                *to = number[*to];
            }
        }
    }
    placed.into_iter().map(|p| p.1).collect()
}

impl Derivation<'_, '_> {
    /// A new step for a tuple, or the one it has.
    fn number(&mut self, tuple: Tuple) -> usize {
        if let Some(&at) = self.known.get(&tuple) {
            return at;
        }
        let at = self.steps.len();
        self.steps.push(None);
        self.known.insert(tuple.clone(), at);
        self.todo.push((at, tuple));
        at
    }
}
