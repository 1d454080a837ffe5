//! Derivations: why a tuple is in its relation.
//!
//! The log says which rule added a tuple and when. Rebuilding one step runs that rule backwards: its head is fixed to the
//! tuple, its rows are read as they were before, and any solution gives the premises. Premises are earlier in the log,
//! so derivations are finite. Relations without a log (definitions, greatest fixed points, systems that are not
//! positive) are explained from their final values; there a tuple may come to support itself, which is said.

use super::context::{Context, Snapshot};
use super::support::{Support, Tuple};
use crate::answer::{DerivationStep, Explanation, Premise};
use crate::fault::Fault;
use crate::fixpoint::progress::Progress;
use crate::machine::Machine;
use crate::planner::Made;
use crate::planner::plan::Plan;
use crate::store::Values;
use crate::store::table::TableId;
use calculus::dependencies;
use calculus::system::{BinderId, FormulaId, Kind, RelationId, VarId};
use dd::Bdd;
use rustc_hash::FxHashMap;
use std::rc::Rc;

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
    pub(super) plans: FxHashMap<u32, (Rc<Plan>, Vec<VarId>, TableId)>,
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
