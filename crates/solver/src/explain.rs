//! Derivations: why a tuple is in its relation.
//!
//! The log says which rule added a tuple and when. Rebuilding one step runs that rule backwards: its head is fixed to the
//! tuple, its rows are read as they were before, and any solution gives the premises. Premises are earlier in the log,
//! so derivations are finite. Relations without a log (definitions, greatest fixed points, systems that are not
//! positive) are explained from their final values; there a tuple may come to support itself, which is said.

use crate::answer::{DerivationStep, Explanation, Premise};
use crate::component::StaticGroup;
use crate::context::{Context, Snapshot};
use crate::log::Origin;
use crate::machine::{Fault, Machine};
use crate::mode::Mode;
use crate::plan::{Head, Literal, Plan, Rule};
use crate::solve::Progress;
use crate::table::TableId;
use crate::witness::Values;
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
#[derive(Default)]
struct Derivation {
    steps: Vec<Option<DerivationStep>>,
    todo: Vec<(usize, Tuple)>,
    known: FxHashMap<Tuple, usize>,
    plans: FxHashMap<u32, (Rc<Plan>, Vec<VarId>, TableId)>,
    clauses: FxHashMap<TableId, (Vec<u32>, Vec<StaticGroup>)>,
    /// Whether the component of a relation mixes `mu` and `nu`.
    mixed: FxHashMap<RelationId, bool>,
}

impl Machine<'_> {
    /// A derivation of a formula under the first valuation of its binders that makes it true.
    pub fn explain(
        &mut self,
        progress: &mut Progress,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Explanation>, Fault> {
        for relation in self.free.relations(formula).to_vec() {
            self.revive(progress, relation)?;
        }
        let Some(values) = self.witness(progress, binders, formula, true)? else { return Ok(None) };
        self.explain_at(progress, formula, &values)
    }

    /// The same among the tuples that were known when the query before it was answered.
    pub fn explain_found(
        &mut self,
        progress: &mut Progress,
        binders: &[BinderId],
        formula: FormulaId,
    ) -> Result<Option<Explanation>, Fault> {
        if !progress.stopped_early() {
            return self.explain(progress, binders, formula);
        }
        let Some(values) = self.found(progress, binders, formula)? else { return Ok(None) };
        self.explain_at(progress, formula, &values)
    }

    fn explain_at(
        &mut self,
        progress: &mut Progress,
        formula: FormulaId,
        values: &Values,
    ) -> Result<Option<Explanation>, Fault> {
        let supports = self.support(formula, true, values)?;
        let tuples = supports
            .into_iter()
            .filter_map(|s| if let Support::Tuple(tuple) = s { Some(tuple) } else { None });
        self.derivation(progress, tuples.collect()).map(Some)
    }

    /// A derivation of one tuple; `None` if the relation does not contain it.
    pub fn explain_tuple(
        &mut self,
        progress: &mut Progress,
        relation: RelationId,
        values: &[u32],
    ) -> Result<Option<Explanation>, Fault> {
        self.revive(progress, relation)?;
        self.ensure(progress, relation)?;
        let columns = &self.system.relation(relation).columns;
        let tuple = Tuple {
            table: TableId(relation.0),
            values: columns.iter().copied().zip(values.iter().copied()).collect(),
            context: Context::new(),
        };
        let key = self.key_of(tuple.table, &tuple.values);
        let Some(row) = self.tables[tuple.table.index()].find(&key) else { return Ok(None) };
        let full = self.expanded(tuple.table, row)?;
        let point = self.point(&tuple.values)?;
        if self.dd.and(full, point)? == Bdd::FALSE {
            return Ok(None);
        }
        self.derivation(progress, vec![tuple]).map(Some)
    }

    /// In a component that is not positive, the other members must have the values of this relation's last round.
    fn revive(&mut self, progress: &mut Progress, relation: RelationId) -> Result<(), Fault> {
        let component = progress.dependencies.component(relation, &[]);
        let imposed = progress.fixed[relation.index()];
        if !imposed && component.len() > 1 && progress.dependencies.negative_use(&component).is_some() {
            self.forget(progress, relation);
            self.ensure(progress, relation)?;
        }
        Ok(())
    }

    fn derivation(&mut self, progress: &mut Progress, tuples: Vec<Tuple>) -> Result<Explanation, Fault> {
        let mut derivation = Derivation::default();
        let n_asked = tuples.len();
        let result = self.derive_all(progress, &mut derivation, tuples);
        while let Some((relation, _)) = self.established.pop() {
            progress.release(relation);
        }
        result?;
        Ok(Explanation { steps: sorted(derivation.steps.into_iter().flatten().collect(), n_asked) })
    }

    fn derive_all(
        &mut self,
        progress: &mut Progress,
        derivation: &mut Derivation,
        tuples: Vec<Tuple>,
    ) -> Result<(), Fault> {
        for mut tuple in tuples {
            tuple.context = self.context_for(progress, derivation, RelationId(tuple.table.0), None)?;
            derivation.number(tuple);
        }
        derivation.todo.reverse();
        while let Some((at, tuple)) = derivation.todo.pop() {
            if let Some(reason) = self.settings_given.stop.requested() {
                return Err(Fault::Exhausted(reason));
            }
            self.safe_point();
            let context = self.enter_context(progress, &tuple)?;
            let found = self.derive(derivation, &tuple)?;
            let mut premises = Vec::new();
            let first = derivation.todo.len();
            for support in found.supports {
                premises.push(match support {
                    Support::Fact(text) => Premise::Fact(text),
                    Support::Tuple(mut premise) => {
                        let of = Some((RelationId(tuple.table.0), &context));
                        premise.context =
                            self.context_for(progress, derivation, RelationId(premise.table.0), of)?;
                        self.premise(progress, derivation, &tuple, premise)
                    }
                });
            }
            derivation.todo[first..].reverse();
            derivation.steps[at] = Some(self.step(&tuple, found.clause, found.span, &found.choice, premises));
        }
        Ok(())
    }

    /// The context of a relation that is asked for, or used in a clause of another.
    fn context_for(
        &mut self,
        progress: &mut Progress,
        derivation: &mut Derivation,
        relation: RelationId,
        of: Option<(RelationId, &Context)>,
    ) -> Result<Context, Fault> {
        let mixed = match derivation.mixed.get(&relation) {
            Some(mixed) => *mixed,
            None => {
                let mixed =
                    dependencies::is_mixed(self.system, &progress.dependencies.component(relation, &[]));
                derivation.mixed.insert(relation, mixed);
                mixed
            }
        };
        let together = |other: RelationId| progress.dependencies.component(relation, &[]).contains(&other);
        match of {
            _ if !mixed => Ok(Context::new()),
            Some((other, context)) if together(other) => self.context_of(progress, relation, context),
            _ => self.context_of(progress, relation, &Context::new()),
        }
    }

    /// Establishes the context in which the clauses of a tuple's relation are looked at, and returns it.
    fn enter_context(&mut self, progress: &mut Progress, tuple: &Tuple) -> Result<Context, Fault> {
        let relation = RelationId(tuple.table.0);
        // The rounds of inner relations are those of this context only.
        self.establish(progress, &tuple.context)?;
        let key = self.key_of(tuple.table, &tuple.values);
        let literals: Vec<_> =
            tuple.values.iter().flat_map(|&(var, value)| self.literals(var, value)).collect();
        let has = |snapshot: &Snapshot| {
            let holds = |full| self.dd.evaluate(full, |level| literals.iter().any(|l| l.0 == level && l.1));
            snapshot.iter().any(|(row, full)| *row == key && holds(*full))
        };
        let context = self.round_before(&tuple.context, relation, has);
        self.establish(progress, &context)?;
        let used: Vec<RelationId> =
            progress.dependencies.uses(relation).iter().map(|used| used.relation).collect();
        for needed in [relation].into_iter().chain(used) {
            // What an early answer has left as it is suffices for what led to that answer.
            if !progress.is_suspended(needed) {
                self.ensure(progress, needed)?;
            }
        }
        Ok(context)
    }

    /// The number of a premise. In a component with a greatest fixed point, or one that is not positive, tuples may
    /// support each other; a tuple that was met before is then said to be used again.
    fn premise(
        &self,
        progress: &Progress,
        derivation: &mut Derivation,
        of: &Tuple,
        premise: Tuple,
    ) -> Premise {
        let Some(&at) = derivation.known.get(&premise) else {
            return Premise::Step(derivation.number(premise));
        };
        let component = progress.dependencies.component(RelationId(of.table.0), &[]);
        let circular = component.iter().any(|r| self.system.relation(*r).kind == Kind::Nu)
            || progress.dependencies.negative_use(&component).is_some();
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
        let value_name = |&(var, value): &(VarId, u32)| self.system.sort_of(var).value_name(value);
        DerivationStep {
            relation: RelationId(tuple.table.0),
            tuple: tuple.values.iter().map(|v| v.1).collect(),
            clause,
            span,
            choice: choice
                .iter()
                .filter(|c| !self.is_internal(c.0))
                .map(|c| (self.system.var_name(c.0), value_name(c)))
                .collect(),
            premises,
        }
    }

    /// The variable stands for a formula in an argument; the user has no name for it.
    fn is_internal(&self, var: VarId) -> bool {
        self.system.binders[self.system.vars[var.index()].binder.index()].name.starts_with('$')
    }

    /// When the log first knew a tuple, and by which rule.
    fn log_rank(&self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let key = self.key_of(tuple.table, &tuple.values);
        let row = self.tables[tuple.table.index()].find(&key)?;
        let mut literals: Vec<_> =
            tuple.values.iter().flat_map(|&(var, value)| self.literals(var, value)).collect();
        literals.sort_unstable();
        let value = |column: &VarId| tuple.values.iter().find(|v| v.0 == *column).map(|v| v.1);
        let has = |(full, frame): (Bdd, u32)| {
            self.dd.evaluate(full, |level| literals.binary_search(&(level, true)).is_ok())
                && self.frames.pairs(frame).iter().all(|(a, b)| value(a) == value(b))
        };
        self.log.as_ref()?.first(tuple.table, row, has)
    }

    /// The same for a relation whose body was evaluated once, aside.
    fn scratch_rank(&self, tuple: &Tuple) -> Option<(u32, Origin)> {
        let table = *self.scratches.get(&RelationId(tuple.table.0))?;
        self.log_rank(&Tuple { table, ..tuple.clone() })
    }

    fn key_of(&self, table: TableId, values: &[(VarId, u32)]) -> Vec<u32> {
        let keys = &self.shapes[table.index()].keys;
        keys.iter().map(|k| values.iter().find(|v| v.0 == *k).expect("a value for each key").1).collect()
    }

    /// The clause that supports a tuple, the values it chose, and its premises.
    fn derive(&mut self, derivation: &mut Derivation, tuple: &Tuple) -> Result<Found, Fault> {
        if self.given.get(tuple.table.index()).is_some_and(|given| *given) {
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
            _ => self.all_clauses(derivation, tuple.table)?.into_iter().map(|rule| (None, rule)).collect(),
        };
        for (rank, rule) in candidates {
            if let Some(values) = self.instance(derivation, rule, tuple, rank)? {
                let values = self.earlier(derivation, rule, tuple, values)?;
                let rule = self.rules[rule as usize].clone();
                let supports = self.rule_supports(derivation, &rule, &values, rank)?;
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
        let body = match self.system.relations.get(table.index()) {
            Some(relation) => relation.body,
            None => return self.system.spans[0],
        };
        let mut at = body;
        while let Formula::Or(parts) = self.system.formula(at) {
            match parts.get(clause - 1) {
                Some(part) => return self.system.span(*part),
                None => at = parts[0],
            }
        }
        self.system.span(at)
    }

    /// Rules for all clauses of a relation, for running backwards.
    fn all_clauses(&mut self, derivation: &mut Derivation, table: TableId) -> Result<Vec<u32>, Fault> {
        if let Some((rules, statics)) = derivation.clauses.get(&table) {
            self.refresh(&statics.clone())?;
            return Ok(rules.clone());
        }
        let relation = self.system.relation(RelationId(table.0));
        let shape = self.shapes[table.index()].clone();
        // The head is no table, so that every clause stays a rule.
        let bound = shape.keys.clone();
        let keep = shape.bits.clone();
        let body = relation.body;
        let (rules, made) =
            self.made_apart(|machine| machine.clauses(body, true, Head::Sum, &keep, &bound, &[]))?;
        let statics = made.statics;
        self.refresh(&statics)?;
        let mut ids = Vec::new();
        for mut rule in rules {
            rule.head = Head::Table(table, shape.keys.iter().map(|&v| Term::Var(v)).collect());
            self.rules.push(rule);
            ids.push(self.rules.len() as u32 - 1);
        }
        derivation.clauses.insert(table, (ids.clone(), statics));
        Ok(ids)
    }

    /// Values of all of a rule's variables that make it derive the tuple from rows as they were before `rank`.
    fn instance(
        &mut self,
        derivation: &mut Derivation,
        rule: u32,
        tuple: &Tuple,
        rank: Option<u32>,
    ) -> Result<Option<Values>, Fault> {
        let (plan, vars, table) = match derivation.plans.get(&rule) {
            Some(known) => known.clone(),
            None => {
                let made = self.backward_plan(rule)?;
                derivation.plans.insert(rule, made.clone());
                made
            }
        };
        self.assume(&tuple.values);
        let start = self.point(&tuple.values)?;
        let mode = Mode { before: rank, quiet: true, from_tuple: true };
        self.in_mode(mode, |machine| machine.run_from(&plan, start))?;
        let found = self.first(table, &vars, start)?;
        self.tables[table.index()].clear();
        Ok(found)
    }

    /// The instance of a rule whose youngest premise is as old as can be found by looking at older states of that premise's
    /// row. A loop that was iterated to its end before anything left it is then left as early as possible.
    fn earlier(
        &mut self,
        derivation: &mut Derivation,
        rule: u32,
        tuple: &Tuple,
        mut values: Values,
    ) -> Result<Values, Fault> {
        let Some((youngest, ranks)) = self.youngest_premise(rule, &values) else { return Ok(values) };
        let (mut low, mut high) = (0, ranks.partition_point(|rank| *rank < youngest));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.instance(derivation, rule, tuple, Some(ranks[middle] + 1))? {
                Some(found) => (values, high) = (found, middle),
                None => low = middle + 1,
            }
        }
        Ok(values)
    }

    /// When the youngest premise of an instance was added, and when its row grew.
    fn youngest_premise(&self, rule: u32, values: &Values) -> Option<(u32, Vec<u32>)> {
        let mut youngest: Option<(u32, Tuple)> = None;
        for literal in &self.rules[rule as usize].literals {
            let Literal::Atom { table, keys, bits } = literal else { continue };
            let premise = self.tuple(*table, keys, bits, values);
            if let Some((rank, _)) = self.log_rank(&premise)
                && youngest.as_ref().is_none_or(|known| rank > known.0)
            {
                youngest = Some((rank, premise));
            }
        }
        let (rank, premise) = youngest?;
        let row = self.tables[premise.table.index()].find(&self.key_of(premise.table, &premise.values))?;
        Some((rank, self.log.as_ref()?.ranks(premise.table, row).to_vec()))
    }

    /// A plan that keeps all variables of a rule, with the head's keys given.
    fn backward_plan(&mut self, rule: u32) -> Result<(Rc<Plan>, Vec<VarId>, TableId), Fault> {
        let mut rule = self.rules[rule as usize].clone();
        let Head::Table(_, key) = &rule.head else { unreachable!("derivations are of tables") };
        rule.bound = key.iter().filter_map(|t| if let Term::Var(v) = t { Some(*v) } else { None }).collect();
        let (keys, bits) = self.rule_variables(&rule);
        let table = self.temporary(keys.clone(), bits.clone());
        rule.head = Head::Table(table, keys.iter().map(|&v| Term::Var(v)).collect());
        rule.keep.clone_from(&bits);
        let plan = Rc::new(self.schedule(rule, None)?);
        Ok((plan, keys.into_iter().chain(bits).collect(), table))
    }

    /// The premises of a rule under values for all its variables.
    fn rule_supports(
        &mut self,
        derivation: &mut Derivation,
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
                    if self.system.relations.len() > table.index() {
                        supports.push(Support::Tuple(tuple));
                    } else {
                        supports.extend(self.group_supports(derivation, &tuple)?);
                    }
                }
            }
        }
        Ok(supports)
    }

    /// The premises of a group's tuple; the group itself is not shown.
    fn group_supports(&mut self, derivation: &mut Derivation, tuple: &Tuple) -> Result<Vec<Support>, Fault> {
        match self.log_rank(tuple) {
            Some((_, Origin::Rule(_))) => Ok(self.derive(derivation, tuple)?.supports),
            _ => Ok(Vec::new()),
        }
    }

    fn tuple(&self, table: TableId, keys: &[Term], bits: &[Term], values: &Values) -> Tuple {
        let shape = &self.shapes[table.index()];
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
        if self.system.relations.len() > table.index() {
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
        if let Formula::Not(inner) = self.system.formula(formula) {
            return self.support(*inner, !positive, values);
        }
        if let Some((all, parts)) = self.parts(formula, positive) {
            let mut supports = Vec::new();
            for (part, positive) in parts {
                if all {
                    supports.extend(self.support(part, positive, values)?);
                } else if self.holds_at(part, &self.restricted(part, values))? == positive {
                    return self.support(part, positive, values);
                }
            }
            return Ok(supports);
        }
        match (self.system.formula(formula), positive) {
            (Formula::Apply(relation, terms), true) => {
                let table = TableId(relation.0);
                let (keys, bits) = self.split_terms(table, terms);
                Ok(vec![Support::Tuple(self.tuple(table, &keys, &bits, values))])
            }
            (Formula::Exists(vars, inner), true) | (Formula::Forall(vars, inner), false) => {
                let given = self.restricted(formula, values);
                match self.first_solution(*inner, positive, vars, &given)? {
                    Some(found) => self.support(*inner, positive, &given.into_iter().chain(found).collect()),
                    None => Ok(Vec::new()),
                }
            }
            _ if self.free.relations(formula).is_empty() => Ok(Vec::new()),
            _ => Ok(vec![Support::Fact(self.describe_at(formula, positive, values))]),
        }
    }

    /// The values of a formula's free variables.
    fn restricted(&self, formula: FormulaId, values: &Values) -> Values {
        let free = self.free.vars(formula);
        values.iter().copied().filter(|v| free.binary_search(&v.0).is_ok()).collect()
    }

    /// A formula with the values it has here.
    fn describe_at(&self, formula: FormulaId, positive: bool, values: &Values) -> String {
        let text = calculus::print_formula(self.system, formula);
        let text = if positive { text } else { format!("!({text})") };
        let values = self.restricted(formula, values);
        let where_: Vec<String> = values
            .iter()
            .map(|&(v, value)| {
                format!("{} = {}", self.system.var_name(v), self.system.sort_of(v).value_name(value))
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

impl Derivation {
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
