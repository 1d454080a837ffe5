//! Relations that need themselves: an error if no `mu` or `nu` is on the way, because then the cycle has no
//! meaning; a warning if a negation is, because then the meaning is operational. A `mu` or `nu` on a relation that does
//! not need itself says nothing, and the relation becomes a definition.

use super::Checker;
use crate::dependencies::Dependencies;
use crate::system::{Kind, RelationId};
use base::{Diagnostic, Span};

/// A longer cycle is not shown in full.
const MAX_SHOWN: usize = 20;

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    /// On the stack, at this place.
    Open(usize),
    Done,
}

impl Checker<'_> {
    /// Reports each cycle of plain definitions that a search meets, with the applications it consists of.
    pub(super) fn definition_cycles(&mut self) {
        let n_relations = self.system.relations.len();
        let is_definition = |id: RelationId| self.system.relations[id.index()].kind == Kind::Definition;
        let edges: Vec<Vec<(RelationId, Span)>> = (0..n_relations)
            .map(|n| {
                let mut uses = self.uses_of[n].clone();
                uses.sort_by_key(|(relation, span)| (*relation, span.start));
                uses.dedup_by_key(|(relation, _)| *relation);
                uses.retain(|(relation, _)| is_definition(RelationId::new(n)) && is_definition(*relation));
                uses
            })
            .collect();
        let mut states = vec![Visit::New; n_relations];
        for root in 0..n_relations {
            if states[root] != Visit::New {
                continue;
            }
            // Relations on the way, each with the next edge to follow.
            let mut stack = vec![(root, 0)];
            states[root] = Visit::Open(0);
            while let Some(top) = stack.last_mut() {
                let (relation, at) = *top;
                top.1 += 1;
                let Some(&(next, _)) = edges[relation].get(at) else {
                    states[relation] = Visit::Done;
                    stack.pop();
                    continue;
                };
                match states[next.index()] {
                    Visit::New => {
                        states[next.index()] = Visit::Open(stack.len());
                        stack.push((next.index(), 0));
                    }
                    Visit::Open(start) => {
                        // One relation more than is shown, because each step names the next.
                        let steps = stack[start..].iter().take(MAX_SHOWN + 1);
                        let shown: Vec<(usize, Span)> =
                            steps.map(|&(n, after)| (n, edges[n][after - 1].1)).collect();
                        self.cycle(&shown, stack.len() - start);
                    }
                    Visit::Done => {}
                }
            }
        }
    }

    /// Warns of relations that depend on their own negation, once for every set of mutually recursive ones.
    pub(super) fn negative_cycles(&mut self) {
        let dependencies = Dependencies::new(&self.system);
        let all: Vec<RelationId> = (0..self.system.relations.len()).map(RelationId::new).collect();
        for component in dependencies.order(&all, &[]) {
            let Some((user, negative)) = dependencies.negative_use(&component) else { continue };
            let used = &self.system.relation(negative.relation).name;
            let user = &self.system.relation(user).name;
            let message = format!(
                "not positive: `{used}` occurs negated in the definition of `{user}`, on which it depends"
            );
            let span = self.system.span(negative.occurrence);
            let note =
                "the value is what the iteration gives, outermost relation first; it may not stabilise";
            self.sink.push(Diagnostic::warning(span, message).note(note, None));
        }
    }

    /// Makes definitions of fixed points that are on no cycle: one evaluation of the body is their value, so whoever
    /// treats definitions better (sees through them, splits them, lays them out for their users) may do so here.
    pub(super) fn acyclic_fixed_points(&mut self) {
        let dependencies = Dependencies::new(&self.system);
        let all: Vec<RelationId> = (0..self.system.relations.len()).map(RelationId::new).collect();
        for component in dependencies.order(&all, &[]) {
            if let [one] = component[..]
                && !dependencies.is_recursive(&component, &[])
            {
                self.system.relations[one.index()].kind = Kind::Definition;
            }
        }
    }

    /// The first of a cycle's relations, each with the place where it applies the next.
    fn cycle(&mut self, cycle: &[(usize, Span)], length: usize) {
        let name = |n: usize| self.system.relations[n].name.clone();
        let first = name(cycle[0].0);
        let message = format!("the definition of `{first}` needs itself, and no `mu` or `nu` is on the way");
        let mut diagnostic = Diagnostic::error(self.system.relations[cycle[0].0].span, message);
        for (step, (relation, span)) in cycle.iter().enumerate().take(MAX_SHOWN) {
            let next = name(cycle[(step + 1) % cycle.len()].0);
            diagnostic = diagnostic.note(format!("`{}` applies `{next}` here", name(*relation)), Some(*span));
        }
        if length > MAX_SHOWN {
            diagnostic = diagnostic.note(format!("and so on, {length} relations in all"), None);
        }
        self.sink.push(diagnostic);
    }
}
