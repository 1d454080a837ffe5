//! Derivations: why a tuple is in its relation.
//!
//! The log says which rule added a tuple and when. Rebuilding one step runs that rule backwards: its head is fixed to the
//! tuple, its rows are read as they were before, and any solution gives the premises. Premises are earlier in the log,
//! so derivations are finite. Relations without a log (definitions, greatest fixed points, systems that are not
//! positive) are explained from their final values; there a tuple may come to support itself, which is said.

use super::choices::Relevance;
use super::context::{Context, Snapshot};
use super::instance::{Backward, Found};
use super::support::{Support, Supports};
use super::tuple::{Columns, Terms, Tuple};
use crate::answer::{Choice, DerivationStep, Explanation, Fact, Links, Premise};
use crate::fault::Fault;
use crate::fixpoint::progress::Progress;
use crate::machine::Machine;
use crate::planner::Made;
use crate::store::Values;
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{BinderId, FormulaId, Kind, RelationId, Term, VarId};
use dd::Bdd;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A derivation under construction.
pub(crate) struct Derivation<'m, 's> {
    pub(super) machine: &'m mut Machine<'s>,
    pub(super) progress: &'m mut Progress,
    /// The context whose values the tables have at present.
    pub(super) established: Context,
    steps: Vec<Option<DerivationStep>>,
    todo: Vec<(usize, Tuple)>,
    /// What choices rest on. It is explained when everything else is, so that a tuple belongs to as few choices as possible.
    later: Vec<(usize, Tuple)>,
    /// So many choices are followed, one after the other.
    pub(super) depth: u32,
    /// What matters of the values that are chosen.
    pub(super) relevance: Option<Relevance>,
    /// So many choices lead to what is being explained.
    pub(super) level: u32,
    /// The relation of the tuple that is being explained.
    pub(super) explained: Option<RelationId>,
    /// Before this the tuples were there that what is being explained rests on, if that is known.
    pub(super) rank: Option<u32>,
    known: FxHashMap<Tuple, usize>,
    /// Rules that run backwards.
    pub(super) rules: FxHashMap<u32, Rc<Backward>>,
    pub(super) columns: FxHashMap<TableId, Rc<Columns>>,
    /// Relations of which it is known that they, and what their clauses use, have their values in the present context.
    pub(super) ready: FxHashSet<RelationId>,
    /// Rules for all clauses of a relation, and the groups they use.
    pub(super) clauses: FxHashMap<TableId, (Vec<u32>, Made)>,
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
            later: Vec::new(),
            depth: 0,
            relevance: None,
            level: 0,
            explained: None,
            rank: None,
            known: FxHashMap::default(),
            rules: FxHashMap::default(),
            columns: FxHashMap::default(),
            ready: FxHashSet::default(),
            clauses: FxHashMap::default(),
            mixed: FxHashMap::default(),
        }
    }

    /// The same with so many choices followed.
    pub fn following(self, depth: u32, relevance: Option<Relevance>) -> Self {
        Self { depth, relevance, ..self }
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

    /// Why a formula without free variables is false.
    pub fn refute(&mut self, formula: FormulaId) -> Result<Option<Explanation>, Fault> {
        for relation in self.machine.planner.free.relations(formula).to_vec() {
            self.revive(relation)?;
            self.machine.ensure(self.progress, relation)?;
        }
        if self.machine.holds_at(formula, &[])? {
            return Ok(None);
        }
        let supports = self.support(formula, false, &Vec::new())?;
        self.derivation(supports).map(Some)
    }

    fn explain_at(&mut self, formula: FormulaId, values: &Values) -> Result<Option<Explanation>, Fault> {
        let mut supports = self.support(formula, true, values)?;
        supports.values.extend(values);
        self.derivation(supports).map(Some)
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
            values: values.into(),
            context: Context::new(),
            is_absent: false,
        };
        let key = self.key_of(&tuple);
        let Some(row) = self.machine.store.tables[tuple.table.index()].find(&key) else { return Ok(None) };
        let full = self.machine.store.expanded(tuple.table, row)?;
        let point = self.point(&tuple)?;
        if self.machine.store.dd.and(full, point)? == Bdd::FALSE {
            return Ok(None);
        }
        let terms = columns.iter().map(|column| Term::Var(*column)).collect();
        let values = self.valuation(&tuple);
        let parts = vec![Support::Tuple(tuple, terms)];
        self.derivation(Supports { parts, values, ..Supports::default() }).map(Some)
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

    fn derivation(&mut self, asked: Supports) -> Result<Explanation, Fault> {
        let Supports { parts, equal, values } = asked;
        let (mut tuples, mut terms) = (Vec::new(), Vec::new());
        let mut others = Vec::new();
        for part in parts {
            match part {
                Support::Tuple(tuple, of) => {
                    tuples.push(tuple);
                    terms.push(of);
                }
                Support::Each { choices, .. } => others.extend(choices.into_iter().flat_map(|of| of.1.parts)),
                Support::Fact(_) => {}
            }
        }
        // What the query says of all values is shown behind what it uses, and glued to nothing.
        tuples.extend(others.into_iter().filter_map(|part| match part {
            Support::Tuple(tuple, _) => Some(tuple),
            _ => None,
        }));
        let result = self.derive_all(tuples);
        self.leave();
        let roots = result?;
        let n_asked = roots.iter().map(|root| root + 1).max().unwrap_or(0);
        let (steps, number) = sorted(self.steps.drain(..).flatten().collect(), n_asked);
        let roots = roots.into_iter().map(|root| number[root]).collect();
        Ok(Explanation { steps, roots, links: Links { terms, equal, values } })
    }

    /// Takes back what was established, and gives back the tables that were made.
    fn leave(&mut self) {
        while let Some((relation, _)) = self.established.pop() {
            self.progress.release(relation);
        }
        self.machine.record.shrinking.clear();
        for rule in std::mem::take(&mut self.rules).into_values() {
            self.machine.release(rule.table);
        }
        for (_, made) in std::mem::take(&mut self.clauses).into_values() {
            self.machine.release_groups(&made);
        }
    }

    /// Derives tuples, and everything they rest on; the numbers of their steps.
    fn derive_all(&mut self, tuples: Vec<Tuple>) -> Result<Vec<usize>, Fault> {
        let mut roots = Vec::new();
        for mut tuple in tuples {
            tuple.context = self.context_for(RelationId(tuple.table.0), None)?;
            roots.push(self.number(tuple).0);
        }
        self.todo.reverse();
        while let Some((at, tuple)) = self.next() {
            if self.machine.store.is_given(tuple.table) {
                let found = Found::given(self.clause_span(tuple.table, 1));
                self.steps[at] = Some(self.step(&tuple, found, &Context::new())?);
                continue;
            }
            self.machine.store.poll()?;
            self.machine.safe_point();
            let context = self.enter_context(&tuple)?;
            self.explained = Some(RelationId(tuple.table.0));
            let found = self.derive(&tuple)?;
            let first = self.todo.len();
            let step = self.step(&tuple, found, &context)?;
            self.todo[first..].reverse();
            self.steps[at] = Some(step);
        }
        Ok(roots)
    }

    /// What is to be explained next.
    fn next(&mut self) -> Option<(usize, Tuple)> {
        if self.todo.is_empty() {
            self.todo = std::mem::take(&mut self.later);
            self.todo.reverse();
            self.level += 1;
        }
        self.todo.pop()
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
        // A relation that depends on none of those that are held has the same value with and without them.
        let dependencies = &self.progress.dependencies;
        if tuple.context.is_empty()
            && self.established.iter().all(|held| !dependencies.depends_on(relation, held.0))
        {
            if self.ready.insert(relation) {
                self.ensure_used(relation)?;
            }
            return Ok(Context::new());
        }
        // The rounds of inner relations are those of this context only.
        self.establish(&tuple.context)?;
        let columns = self.columns(tuple.table);
        let has = |snapshot: &Snapshot| columns.is_in(&self.machine.store, &tuple.values, snapshot);
        let context = self.round_before(&tuple.context, relation, has);
        self.establish(&context)?;
        self.ensure_used(relation)?;
        Ok(context)
    }

    /// Sees to it that a relation and what its clauses use have their values.
    fn ensure_used(&mut self, relation: RelationId) -> Result<(), Fault> {
        let used: Vec<RelationId> =
            self.progress.dependencies.uses(relation).iter().map(|used| used.relation).collect();
        for needed in [relation].into_iter().chain(used) {
            // What an early answer has left as it is suffices for what led to that answer.
            if !self.progress.is_suspended(needed) {
                self.machine.ensure(self.progress, needed)?;
            }
        }
        Ok(())
    }

    /// The number of a premise. In a component with a greatest fixed point, or one that is not positive, tuples may
    /// support each other, and so may those that are not in a least one; a tuple that was met before is then said to be used again.
    fn premise(&mut self, of: &Tuple, premise: Tuple) -> Premise {
        let table = premise.table;
        // When a tuple left a greatest fixed point is known, and what it rests on left it before.
        let is_ranked =
            || premise.is_absent && self.machine.store.system.relation(RelationId(table.0)).kind == Kind::Nu;
        let may_circle = (table == of.table || !self.machine.store.is_given(table)) && !is_ranked();
        let is_absent = premise.is_absent;
        let (at, is_new) = self.number(premise);
        if is_new || !may_circle {
            return Premise::Step(at);
        }
        let component = self.progress.dependencies.component(RelationId(of.table.0), &[]);
        let circular = is_absent
            || component.iter().any(|r| self.machine.store.system.relation(*r).kind == Kind::Nu)
            || self.progress.dependencies.negative_use(&component).is_some();
        match circular && component.contains(&RelationId(table.0)) {
            true => Premise::Again(at),
            false => Premise::Step(at),
        }
    }

    /// The step of a tuple, whose premises are numbered.
    fn step(&mut self, tuple: &Tuple, found: Found, context: &Context) -> Result<DerivationStep, Fault> {
        let relation = RelationId(tuple.table.0);
        let Supports { parts, equal, values } = found.supports;
        let (premises, terms) = self.premises(tuple, parts, context)?;
        Ok(DerivationStep {
            relation,
            tuple: tuple.values.clone(),
            is_absent: tuple.is_absent,
            clause: found.clause,
            span: found.span,
            premises,
            links: Links { terms, equal, values },
        })
    }

    /// Parts as premises of a tuple, and the terms that stand for their columns.
    fn premises(
        &mut self,
        tuple: &Tuple,
        parts: Vec<Support>,
        context: &Context,
    ) -> Result<(Vec<Premise>, Vec<Terms>), Fault> {
        let (mut premises, mut terms) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
        for part in parts {
            let (premise, of) = match part {
                Support::Fact(fact) => (Premise::Fact(fact), Arc::default()),
                Support::Tuple(mut premise, of) => {
                    let of_step = Some((RelationId(tuple.table.0), context));
                    premise.context = self.context_for(RelationId(premise.table.0), of_step)?;
                    (self.premise(tuple, premise), of)
                }
                Support::Each { fact, choices, is_cut } => {
                    let present = std::mem::take(&mut self.todo);
                    let followed = self.choices(tuple, choices, context);
                    let found = std::mem::replace(&mut self.todo, present);
                    self.later.extend(found);
                    (Premise::Fact(Fact { choices: followed?, is_cut, ..fact }), Arc::default())
                }
            };
            premises.push(premise);
            terms.push(of);
        }
        Ok((premises, terms))
    }

    fn choices(
        &mut self,
        tuple: &Tuple,
        choices: Vec<(Values, Supports)>,
        context: &Context,
    ) -> Result<Vec<Choice>, Fault> {
        let mut followed = Vec::new();
        for (values, supports) in choices {
            let (premises, _) = self.premises(tuple, supports.parts, context)?;
            let columns = self.columns(tuple.table);
            let known: FxHashSet<VarId> =
                columns.vars.iter().copied().chain(values.iter().map(|value| value.0)).collect();
            let answer = supports.values.into_iter().filter(|value| !known.contains(&value.0)).collect();
            followed.push(Choice { values, premises, answer });
        }
        Ok(followed)
    }

    /// A new step for a tuple, or the one it has; and whether it is new.
    fn number(&mut self, tuple: Tuple) -> (usize, bool) {
        let next = self.steps.len();
        let at = *self.known.entry(tuple.clone()).or_insert(next);
        if at == next {
            self.steps.push(None);
            self.todo.push((at, tuple));
        }
        (at, at == next)
    }
}

/// The steps in an order in which each rests on later ones, what is used again aside; the first `n_asked` are the roots. And the
/// new number of each.
fn sorted(mut steps: Vec<DerivationStep>, n_asked: usize) -> (Vec<DerivationStep>, Vec<usize>) {
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    // What waits, each with whether all that it rests on was pushed behind it.
    let mut stack: Vec<(usize, bool)> = (0..n_asked.min(steps.len())).map(|root| (root, false)).collect();
    while let Some((at, is_open)) = stack.pop() {
        if done[at] {
            continue;
        }
        if is_open {
            done[at] = true;
            order.push(at);
            continue;
        }
        stack.push((at, true));
        for premise in &steps[at].premises {
            match premise {
                Premise::Step(step) => stack.push((*step, false)),
                Premise::Fact(_) => stack.extend(premise.steps().into_iter().map(|step| (step, false))),
                Premise::Again(_) => {}
            }
        }
    }
    order.reverse();
    let mut number = vec![0; steps.len()];
    order.iter().enumerate().for_each(|(n, &old)| number[old] = n);
    for step in &mut steps {
        step.premises.iter_mut().for_each(|premise| premise.renumber(&number));
    }
    let mut steps: Vec<Option<DerivationStep>> = steps.into_iter().map(Some).collect();
    let placed = order.iter().map(|&old| steps[old].take().expect("each step once"));
    (placed.collect(), number)
}
