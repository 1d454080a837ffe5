//! Predicates that may help: what has to hold before a step so that a predicate holds behind it, and the same over calls.
//!
//! Each function gives a list that depends on the program and the predicates alone, so that runs are the same.

use abstraction::Predicates;
use integers::ghosts::Ghosted;
use integers::normal::{Atom, atoms, normal, whole_sum};
use integers::{Action, Edge, Expr, FunctionId, Op, Place, Relation, Type};

/// A predicate for a function.
pub type Candidate = (FunctionId, Expr);

/// Weakest preconditions of all predicates, along all edges.
pub(crate) fn preconditions(ghosted: &Ghosted, predicates: &Predicates) -> Vec<Candidate> {
    each_edge(ghosted, |id, edge, found| match &edge.action {
        Action::Manage(_) => unreachable!("the program has variables only"),
        Action::Step(step) => {
            for predicate in predicates.of(id) {
                let stored = |place: Place| step.updates.iter().find(|(other, _)| *other == place);
                if !predicate.places.iter().any(|place| stored(*place).is_some()) {
                    continue;
                }
                let before = predicate.formula.substitute(|op| match op {
                    Op::Read(place) => stored(place).map(|(_, value)| value.clone()),
                    _ => None,
                });
                found.extend(atoms(&before).into_iter().map(|atom| (id, atom)));
            }
        }
        Action::Call { callee, args, .. } => {
            let entry = predicates
                .of(*callee)
                .iter()
                .filter(|predicate| is_given(ghosted, *callee, &predicate.places));
            found.extend(entry.map(|predicate| (id, ghosted.entered(*callee, args, &predicate.formula))));
        }
    })
}

/// Predicates about results, told by callers and callees to each other.
pub(crate) fn renamings(ghosted: &Ghosted, predicates: &Predicates) -> Vec<Candidate> {
    each_edge(ghosted, |id, edge, found| {
        let Action::Call { callee, args, result } = &edge.action else { return };
        let there = ghosted.program.function(*callee);
        let (Some(place), Some(returned)) = (*result, there.result) else { return };
        let is_told = |other: &Place| *other == place || matches!(other, Place::Global(_));
        for predicate in predicates.of(id) {
            if predicate.places.contains(&place) && predicate.places.iter().all(is_told) {
                let told = predicate.formula.substitute(|op| match op {
                    Op::Read(read) if read == place => Some(Expr::read(Place::Local(returned))),
                    _ => None,
                });
                found.push((*callee, told));
            }
        }
        for predicate in predicates.of(*callee) {
            if predicate.places.contains(&Place::Local(returned)) {
                let after = |n: u32| Expr::read(Place::Global(n));
                let told = ghosted.left(*callee, args, &predicate.formula, &Expr::read(place), after);
                found.push((id, told));
            }
        }
    })
}

/// For a sum that a predicate bounds and a step changes, whether it grows or shrinks.
pub(crate) fn changes(ghosted: &Ghosted, predicates: &Predicates) -> Vec<Candidate> {
    each_edge(ghosted, |id, edge, found| {
        let Action::Step(step) = &edge.action else { return };
        for predicate in predicates.of(id) {
            let (Atom::AtMost(sum, _) | Atom::Equal(sum, _)) = &predicate.atom else { continue };
            let before = whole_sum(sum);
            let after = before.substitute(|op| match op {
                Op::Read(place) => {
                    let stored = step.updates.iter().find(|(other, _)| *other == place);
                    stored.map(|(_, value)| value.clone())
                }
                _ => None,
            });
            if after == before {
                continue;
            }
            let change = after.binary(Op::Subtract, before);
            for relation in [Relation::LessEqual, Relation::GreaterEqual] {
                found.push((id, change.clone().compare(relation, Expr::constant(0))));
            }
        }
    })
}

/// Remainders of variables that steps change by more than one.
pub(crate) fn remainders(ghosted: &Ghosted) -> Vec<Candidate> {
    each_edge(ghosted, |id, edge, found| {
        let Action::Step(step) = &edge.action else { return };
        for (place, value) in &step.updates {
            let difference = value.clone().binary(Op::Subtract, Expr::read(*place));
            let Atom::Equal(sum, _) =
                normal(&difference.clone().compare(Relation::Equal, Expr::constant(0))).atom
            else {
                // The difference is a number: where it is not zero, the equation never holds.
                found.extend(constant(&difference).into_iter().flat_map(|by| remainders_by(id, *place, by)));
                continue;
            };
            debug_assert!(!sum.is_empty(), "what is a number is no equation");
        }
    })
}

/// The number that a term always is.
fn constant(term: &Expr) -> Option<i128> {
    (2..=64).flat_map(|size| [size, -size]).find(|&number| {
        let equation = normal(&term.clone().compare(Relation::Equal, Expr::constant(number)));
        equation.atom == Atom::True && equation.holds
    })
}

fn remainders_by(id: FunctionId, place: Place, by: i128) -> Vec<Candidate> {
    let by = by.abs();
    let remainder = Expr::read(place).binary(Op::Remainder(Type::signed(64)), Expr::constant(by));
    let wanted = 0..by.min(4);
    wanted.map(|rest| (id, remainder.clone().compare(Relation::Equal, Expr::constant(rest)))).collect()
}

/// All variables have values when the function is entered.
fn is_given(ghosted: &Ghosted, function: FunctionId, places: &[Place]) -> bool {
    let n_params = ghosted.program.function(function).n_params;
    let ghosts = &ghosted.ghosts[function.index()];
    places.iter().all(|place| match *place {
        Place::Global(_) => true,
        Place::Local(n) => (n as usize) < n_params || ghosts.iter().any(|ghost| ghost.local == n),
    })
}

fn each_edge(
    ghosted: &Ghosted,
    mut visit: impl FnMut(FunctionId, &Edge, &mut Vec<Candidate>),
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (n, function) in ghosted.program.functions.iter().enumerate() {
        for edge in &function.edges {
            visit(FunctionId::new(n), edge, &mut found);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use generate::random::seeds;
    use integers::compose::compose;
    use integers::random::{Kinds, program};
    use testing::Counts;

    /// So many times what was found is looked at again: by then variables have been replaced by numbers.
    const ROUNDS: usize = 3;

    /// A small number of predicates is enough to go on with.
    const MOST: usize = 30;

    /// Candidates of candidates of random programs. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.
    #[test]
    fn every_candidate_is_a_formula() {
        let mut counts = Counts::default();
        for seed in seeds(0..150) {
            let mut random = Random::new(seed);
            let kinds = Kinds { unknowns: random.chance(25), divisions: true };
            let ghosted = Ghosted::new(&compose(&program(&mut random, kinds)).program);
            let mut predicates = Predicates::of_guards(&ghosted);
            for _ in 0..ROUNDS {
                let found = [
                    ("preconditions", preconditions(&ghosted, &predicates)),
                    ("renamings", renamings(&ghosted, &predicates)),
                    ("changes", changes(&ghosted, &predicates)),
                    ("remainders", remainders(&ghosted)),
                ];
                for (kind, candidates) in found {
                    counts.add(kind, candidates.len() as u64);
                    for (function, formula) in candidates {
                        assert!(formula.is_formula(), "GETAFIX_SEED={seed}: {formula:?}");
                        if predicates.of(function).len() < MOST {
                            let is_new = predicates.add(&ghosted, function, &formula);
                            counts.add("new", u64::from(is_new));
                        }
                    }
                }
            }
        }
        // Nothing in these programs changes by more than one, so remainders may be missing.
        counts.at_least(&[("preconditions", 100), ("renamings", 100), ("changes", 100), ("new", 1000)]);
    }
}
