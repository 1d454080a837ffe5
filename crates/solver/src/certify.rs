//! Certificates: is every relation what its equation means?
//!
//! The solver's value is compared with one that is built up from nothing. A least fixed point is built by ranks: a clause may add only
//! what it derives from tuples that are there already, so each tuple of rank n has a derivation from tuples of smaller
//! rank, and the last rank has been reached when no clause derives anything else. A greatest fixed point is built dually, by ranks of refutation:
//! a tuple is removed when the body does not hold of it although all tuples that are not refuted yet are there. Where `mu` and `nu` meet, and in
//! cycles with negation, the rounds of the outer relation are the ranks, and what is inside is built anew for each.
//!
//! Shares with the solver the store of diagrams, the graph of uses, the free variables of formulas, and nothing else: rules, plans, keys,
//! frames and the work list have no part in it. Textbook twin: `calculus::naive`, which is the same over sets.

mod formula;

use crate::answer::{Certificate, Certified, Finding};
use crate::fault::Fault;
use crate::fixpoint::progress::Progress;
use crate::machine::Machine;
use crate::store::table::TableId;
use calculus::dependencies::{Dependencies, is_mixed, outermost};
use calculus::system::{Formula, FormulaId, Kind, RelationId, System};
use dd::Bdd;
use formula::{Prepared, Values};
use rustc_hash::FxHashMap;

/// A relation fixed to a value, and the values computed since that depend on it.
struct Assumption {
    /// Nothing in the first assumption.
    fixed: Option<(RelationId, Bdd)>,
    /// Values that depend on this relation and on none that is fixed in a later assumption.
    known: Values,
}

/// The evaluation of a system as it is written.
struct Textbook<'m, 's> {
    machine: &'m mut Machine<'s>,
    dependencies: &'m Dependencies,
    assumptions: Vec<Assumption>,
    prepared: Prepared,
}

impl Machine<'_> {
    /// Checks a relation and everything it uses.
    pub fn certify(&mut self, progress: &mut Progress, relation: RelationId) -> Result<Certificate, Fault> {
        self.ensure(progress, relation)?;
        let order = progress.dependencies.order(&[relation], &[]);
        let mut members = Vec::new();
        for component in &order {
            match progress.dependencies.negative_use(component) {
                None => members.extend(component.iter().copied()),
                // Inside a cycle with negation a relation has a value of its own only if it is asked for from outside.
                Some(_) => members.extend(progress.asked(&order, component, relation)),
            }
        }
        for &member in &members {
            self.ensure(progress, member)?;
        }
        let imposed = |r: &RelationId| progress.fixed[r.index()];
        let fixed: Vec<RelationId> = (0..progress.fixed.len()).map(RelationId::new).filter(imposed).collect();
        let mut relations = Vec::new();
        let mut textbook = Textbook::new(self, &progress.dependencies, &fixed)?;
        for &member in &members {
            let finding = if textbook.machine.store.is_given(TableId(member.0)) {
                Finding::Given
            } else if imposed(&member) {
                // Whether a value from outside solves the equation is asked as if it were not from outside.
                let others: Vec<RelationId> = fixed.iter().copied().filter(|r| *r != member).collect();
                Textbook::new(textbook.machine, &progress.dependencies, &others)?.judge(member)?
            } else {
                textbook.judge(member)?
            };
            let system = textbook.machine.store.system;
            let clauses = match finding {
                Finding::Given => 0,
                _ => n_clauses(system, system.relation(member).body),
            };
            relations.push(Certified { relation: system.relation(member).name.clone(), clauses, finding });
        }
        Ok(Certificate { relations })
    }
}

impl<'m, 's> Textbook<'m, 's> {
    /// An evaluation in which some relations have the values of their tables.
    fn new(
        machine: &'m mut Machine<'s>,
        dependencies: &'m Dependencies,
        fixed: &[RelationId],
    ) -> Result<Self, Fault> {
        let prepared = formula::prepare(machine);
        let assumptions = vec![Assumption { fixed: None, known: Values::default() }];
        let mut this = Self { machine, dependencies, assumptions, prepared };
        for &relation in fixed {
            let value = this.solution(relation)?;
            this.assumptions.push(Assumption { fixed: Some((relation, value)), known: Values::default() });
        }
        Ok(this)
    }

    /// What there is to say about the solver's value.
    fn judge(&mut self, relation: RelationId) -> Result<Finding, Fault> {
        let value = self.value(relation)?;
        let solution = self.solution(relation)?;
        if value == solution {
            return Ok(Finding::Holds);
        }
        let mut values = Values::default();
        for used in self.uses(relation) {
            values.insert(used, self.solution(used)?);
        }
        let body = self.machine.store.system.relation(relation).body;
        if self.tuples(relation, body, &values)? != solution {
            return Ok(Finding::NoSolution);
        }
        Ok(match self.machine.store.system.relation(relation).kind {
            Kind::Mu => Finding::NotLeast,
            Kind::Nu => Finding::NotGreatest,
            Kind::Definition => Finding::NoSolution,
        })
    }

    /// The value of a relation under what is fixed at the moment.
    fn value(&mut self, relation: RelationId) -> Result<Bdd, Fault> {
        let level = self.level(relation);
        if let Some((fixed, value)) = self.assumptions[level].fixed
            && fixed == relation
        {
            return Ok(value);
        }
        if let Some(value) = self.assumptions[level].known.get(&relation) {
            return Ok(*value);
        }
        let fixed = self.fixed();
        let component = self.dependencies.component(relation, &fixed);
        let value = if !self.dependencies.is_recursive(&component, &fixed) {
            let values = self.values_used(relation)?;
            self.tuples(relation, self.machine.store.system.relation(relation).body, &values)?
        } else if self.dependencies.negative_use(&component).is_some() {
            self.by_rounds(relation)?
        } else if is_mixed(self.machine.store.system, &component) {
            self.mixed(relation, &component)?
        } else {
            let values = self.by_ranks(&component)?;
            // All members depend on the same fixed relations.
            for member in &component {
                self.assumptions[level].known.insert(*member, values[member]);
            }
            return Ok(values[&relation]);
        };
        self.assumptions[level].known.insert(relation, value);
        Ok(value)
    }

    /// Rounds for one relation; what depends on it is evaluated again inside each.
    fn by_rounds(&mut self, relation: RelationId) -> Result<Bdd, Fault> {
        let mut value = self.start(relation, self.machine.store.system.relation(relation).kind)?;
        // A value that comes back is compared with one that is renewed at powers of two.
        let (mut kept, mut since) = (value, 0u64);
        for round in 1u64.. {
            self.assumptions.push(Assumption { fixed: Some((relation, value)), known: Values::default() });
            self.pause(&[kept]);
            let next = self.values_used(relation).and_then(|values| {
                self.tuples(relation, self.machine.store.system.relation(relation).body, &values)
            });
            self.assumptions.pop();
            let next = next?;
            if next == value {
                break;
            }
            if next == kept {
                let relation = self.machine.store.system.relation(relation).name.clone();
                return Err(Fault::NotStabilising { relation, first: since, again: round });
            }
            if round.is_power_of_two() {
                (kept, since) = (next, round);
            }
            value = next;
        }
        Ok(value)
    }

    /// A member of a positive component with both kinds: the first in the file is outermost.
    fn mixed(&mut self, relation: RelationId, component: &[RelationId]) -> Result<Bdd, Fault> {
        let outermost = outermost(self.machine.store.system, component);
        if relation == outermost {
            return self.by_rounds(relation);
        }
        let value = self.value(outermost)?;
        self.assumptions.push(Assumption { fixed: Some((outermost, value)), known: Values::default() });
        let value = self.value(relation);
        self.assumptions.pop();
        value
    }

    /// A positive component with one kind: all members grow, or shrink, together.
    fn by_ranks(&mut self, component: &[RelationId]) -> Result<Values, Fault> {
        let system = self.machine.store.system;
        let is_greatest = component.iter().any(|&r| system.relation(r).kind == Kind::Nu);
        let kind = if is_greatest { Kind::Nu } else { Kind::Mu };
        let mut values = Values::default();
        for &member in component {
            for used in self.uses(member) {
                if component.binary_search(&used).is_err() {
                    values.insert(used, self.value(used)?);
                }
            }
            values.insert(member, self.start(member, kind)?);
        }
        // A refutation needs the whole body, a derivation one clause.
        let body = |r: RelationId| system.relation(r).body;
        let parts = |r: RelationId| if is_greatest { vec![body(r)] } else { clauses(system, body(r)) };
        let parts: Vec<(RelationId, FormulaId)> =
            component.iter().flat_map(|&r| parts(r).into_iter().map(move |part| (r, part))).collect();
        let mut ranks: FxHashMap<RelationId, u64> = component.iter().map(|&r| (r, 1)).collect();
        let mut seen = vec![0; parts.len()];
        let mut rank = 1;
        loop {
            let before = rank;
            for (&(relation, part), seen) in parts.iter().zip(&mut seen) {
                let used = self.machine.planner.free.relations(part).iter().filter_map(|r| ranks.get(r));
                if std::mem::replace(seen, rank) > used.copied().max().unwrap_or(0) {
                    continue;
                }
                let held: Vec<Bdd> = values.values().copied().collect();
                self.pause(&held);
                let found = self.tuples(relation, part, &values)?;
                let old = values[&relation];
                let dd = &mut self.machine.store.dd;
                let new = if is_greatest { dd.and(old, found)? } else { dd.or(old, found)? };
                if new != old {
                    rank += 1;
                    ranks.insert(relation, rank);
                    values.insert(relation, new);
                }
            }
            if rank == before {
                return Ok(values);
            }
        }
    }

    /// A moment at which dead nodes may be freed.
    fn pause(&mut self, held: &[Bdd]) {
        let assumptions = self.assumptions.iter();
        let of_assumptions =
            assumptions.flat_map(|s| s.fixed.iter().map(|f| f.1).chain(s.known.values().copied()));
        let held: Vec<Bdd> = of_assumptions.chain(held.iter().copied()).collect();
        self.machine.holding(held, Machine::safe_point);
    }

    /// The values of the relations in the body of a relation, under what is fixed at the moment.
    fn values_used(&mut self, relation: RelationId) -> Result<Values, Fault> {
        let mut values = Values::default();
        for used in self.uses(relation) {
            values.insert(used, self.value(used)?);
        }
        Ok(values)
    }

    fn uses(&self, relation: RelationId) -> Vec<RelationId> {
        let mut uses: Vec<RelationId> = self.dependencies.uses(relation).iter().map(|u| u.relation).collect();
        uses.sort_unstable();
        uses.dedup();
        uses
    }

    /// Which relations are fixed at the moment.
    fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.machine.store.system.relations.len()];
        for (relation, _) in self.assumptions.iter().filter_map(|assumption| assumption.fixed) {
            fixed[relation.index()] = true;
        }
        fixed
    }

    /// The last assumption whose relation the given one uses, directly or through relations that are not fixed; 0 if there is none.
    fn level(&self, relation: RelationId) -> usize {
        let scope_of = |r: RelationId| {
            self.assumptions.iter().position(|assumption| assumption.fixed.is_some_and(|f| f.0 == r))
        };
        let mut level = 0;
        let mut reached = vec![false; self.machine.store.system.relations.len()];
        let mut pending = vec![relation];
        while let Some(user) = pending.pop() {
            if std::mem::replace(&mut reached[user.index()], true) {
                continue;
            }
            match scope_of(user) {
                Some(assumption) => level = level.max(assumption),
                None => pending.extend(self.uses(user)),
            }
        }
        level
    }

    /// Where a fixed point begins: all tuples for `nu`, none otherwise.
    fn start(&mut self, relation: RelationId, kind: Kind) -> Result<Bdd, Fault> {
        if kind == Kind::Nu { self.all_tuples(relation) } else { Ok(Bdd::FALSE) }
    }
}

/// The number of clauses, as derivations count them.
fn n_clauses(system: &System, body: FormulaId) -> usize {
    let parts = clauses(system, body).into_iter().map(|part| match system.formula(part) {
        Formula::Exists(_, inner) if matches!(system.formula(*inner), Formula::Or(_)) => {
            n_clauses(system, *inner)
        }
        _ => 1,
    });
    parts.sum()
}

/// The clauses of a body: its top-level disjuncts.
fn clauses(system: &System, body: FormulaId) -> Vec<FormulaId> {
    let mut clauses = Vec::new();
    let mut stack = vec![body];
    while let Some(id) = stack.pop() {
        match system.formula(id) {
            Formula::Or(parts) => stack.extend(parts.iter().rev()),
            _ => clauses.push(id),
        }
    }
    clauses
}
