//! Which relation uses which, with what polarity, and the cycles this makes.
//!
//! Input: a checked [`System`]. Output: the uses in every body, and the strongly connected components of
//! the graph of uses after some relations have been fixed to a value (and so are no longer unfolded).
//! The meaning of a system is told in these words; the twin and the solver both start from here.
//! No function recurses: a system may have many relations and deep formulas.

use crate::system::{Formula, FormulaId, Kind, RelationId, System};
use base::Components;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Whether an occurrence stands under an even or an odd number of negations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Polarity {
    /// Under an even number: a larger relation can only make the formula true.
    Positive,
    /// Under an odd number.
    Negative,
}

/// An occurrence of a relation. One below `Iff` counts as both, so it makes two uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The relation that occurs.
    pub relation: RelationId,
    /// How it occurs.
    pub polarity: Polarity,
    /// The `Apply` where it occurs.
    pub occurrence: FormulaId,
}

/// The graph of uses of a system. A `fixed` slice says of each relation whether it is fixed; relations
/// beyond its end are not, so `&[]` fixes nothing.
#[derive(Clone, Debug)]
pub struct Dependencies {
    uses: Vec<Vec<Use>>,
}

impl Dependencies {
    /// Reads the uses off the bodies of a system.
    pub fn new(system: &System) -> Self {
        let uses = system.relations.iter().map(|relation| formula_uses(system, relation.body)).collect();
        Self { uses }
    }

    /// A relation is another, or uses it, directly or by others.
    pub fn depends_on(&self, relation: RelationId, other: RelationId) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![relation];
        while let Some(relation) = todo.pop() {
            if relation == other {
                return true;
            }
            if seen.insert(relation) {
                todo.extend(self.uses(relation).iter().map(|used| used.relation));
            }
        }
        false
    }

    /// The uses in the body of a relation, by occurrence.
    pub fn uses(&self, relation: RelationId) -> &[Use] {
        &self.uses[relation.index()]
    }

    /// The strongly connected component of a relation in the graph without the fixed relations, sorted.
    /// A fixed relation is a component of its own.
    pub fn component(&self, relation: RelationId, fixed: &[bool]) -> Vec<RelationId> {
        // The component of the root leaves the search last.
        self.order(&[relation], fixed).pop().unwrap_or_else(|| vec![relation])
    }

    /// Whether a component contains a cycle: two members, or one that uses itself.
    pub fn is_recursive(&self, component: &[RelationId], fixed: &[bool]) -> bool {
        match component {
            [one] => !is_fixed(fixed, *one) && self.uses(*one).iter().any(|u| u.relation == *one),
            _ => component.len() > 1,
        }
    }

    /// A negative use of a member in the body of a member (named first), if there is one. Without one
    /// the component is positive.
    pub fn negative_use(&self, component: &[RelationId]) -> Option<(RelationId, Use)> {
        component.iter().find_map(|&user| {
            let is_negative =
                |u: &&Use| u.polarity == Polarity::Negative && component.binary_search(&u.relation).is_ok();
            self.uses(user).iter().find(is_negative).map(|u| (user, *u))
        })
    }

    /// The components of all that the roots use, themselves included, without the fixed relations;
    /// used components stand before their users, members are sorted.
    pub fn order(&self, roots: &[RelationId], fixed: &[bool]) -> Vec<Vec<RelationId>> {
        let roots = roots.iter().filter(|root| !is_fixed(fixed, **root)).map(|root| root.0);
        let target = |used: &Use| (!is_fixed(fixed, used.relation)).then_some(used.relation.0);
        let uses = |user: u32| self.uses(RelationId(user));
        let components = Components::new(self.uses.len()).list(roots, uses, target);
        let sorted = components.into_iter().map(|mut component| {
            component.sort_unstable();
            component.into_iter().map(RelationId).collect()
        });
        sorted.collect()
    }
}

/// The uses in a formula, by occurrence.
pub fn formula_uses(system: &System, root: FormulaId) -> Vec<Use> {
    // Bit 1: reached with positive polarity; bit 2: with negative. Every formula is expanded at most
    // once per bit, so shared operands cost nothing.
    let mut reached: FxHashMap<FormulaId, u8> = FxHashMap::default();
    let mut uses = Vec::new();
    let mut pending = vec![(root, 1u8)];
    while let Some((id, polarities)) = pending.pop() {
        let before = reached.entry(id).or_insert(0);
        let new = polarities & !*before;
        *before |= new;
        if new == 0 {
            continue;
        }
        match system.formula(id) {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) => {}
            Formula::Apply(relation, _) => {
                for (bit, polarity) in [(1, Polarity::Positive), (2, Polarity::Negative)] {
                    if new & bit != 0 {
                        uses.push(Use { relation: *relation, polarity, occurrence: id });
                    }
                }
            }
            Formula::Not(operand) => pending.push((*operand, (new & 1) << 1 | new >> 1)),
            Formula::And(operands) | Formula::Or(operands) => {
                // Most operands of large files are atoms without uses; they need no entry in the table.
                let inner = operands.iter().filter(|&&operand| {
                    let formula = system.formula(operand);
                    !matches!(formula, Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..))
                });
                pending.extend(inner.map(|&operand| (operand, new)));
            }
            Formula::Iff(left, right) => pending.extend([(*left, 3), (*right, 3)]),
            Formula::Exists(_, operand) | Formula::Forall(_, operand) => pending.push((*operand, new)),
        }
    }
    uses.sort_unstable_by_key(|u| (u.occurrence, u.polarity));
    uses
}

/// Whether a component contains both `mu` and `nu`.
pub fn is_mixed(system: &System, component: &[RelationId]) -> bool {
    let contains = |kind| component.iter().any(|&member| system.relation(member).kind == kind);
    contains(Kind::Mu) && contains(Kind::Nu)
}

/// The fixed point of a component that stands first in the file: the outermost one if the component is
/// mixed. Panics if the component is empty.
pub fn outermost(system: &System, component: &[RelationId]) -> RelationId {
    let rank = |&&member: &&RelationId| {
        let relation = system.relation(member);
        (relation.kind == Kind::Definition, relation.position)
    };
    *component.iter().min_by_key(rank).expect("a component has a member")
}

/// A cycle of definitions without any `mu` or `nu`, which has no meaning: each member uses the next, the
/// last uses the first.
pub fn definition_cycle(system: &System) -> Option<Vec<RelationId>> {
    let dependencies = Dependencies::new(system);
    let fixed: Vec<bool> = system.relations.iter().map(|r| r.kind != Kind::Definition).collect();
    let all: Vec<RelationId> = (0..system.relations.len()).map(RelationId::new).collect();
    let components = dependencies.order(&all, &fixed);
    let component = components.iter().find(|component| dependencies.is_recursive(component, &fixed))?;
    Some(shortest_cycle(&dependencies, component))
}

fn is_fixed(fixed: &[bool], relation: RelationId) -> bool {
    fixed.get(relation.index()).copied().unwrap_or(false)
}

/// A shortest cycle through the first member of a recursive component.
fn shortest_cycle(dependencies: &Dependencies, component: &[RelationId]) -> Vec<RelationId> {
    let start = component[0];
    let mut reached_from: FxHashMap<RelationId, RelationId> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(user) = queue.pop_front() {
        for used in dependencies.uses(user).iter().map(|u| u.relation) {
            if component.binary_search(&used).is_ok() && !reached_from.contains_key(&used) {
                reached_from.insert(used, user);
                queue.push_back(used);
            }
        }
    }
    let mut cycle = vec![start];
    let mut user = reached_from[&start];
    while user != start {
        cycle.push(user);
        user = reached_from[&user];
    }
    cycle[1..].reverse();
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Relation;
    use base::Span;

    /// Relations without columns: `(kind, uses)`, where `!n` stands for a negative use of relation n.
    fn system(relations: &[(Kind, &[i32])]) -> System {
        let mut system = System::default();
        let add = |system: &mut System, formula| {
            system.formulas.push(formula);
            FormulaId::new(system.formulas.len() - 1)
        };
        for (position, &(kind, uses)) in relations.iter().enumerate() {
            let mut operands = Vec::new();
            for &used in uses {
                let id = RelationId::new(usize::try_from(if used < 0 { !used } else { used }).unwrap());
                let apply = add(&mut system, Formula::Apply(id, Box::new([])));
                operands.push(if used < 0 { add(&mut system, Formula::Not(apply)) } else { apply });
            }
            let body = add(&mut system, Formula::Or(operands.into()));
            system.relations.push(Relation {
                name: format!("R{position}"),
                kind,
                params: Vec::new(),
                columns: Vec::new(),
                body,
                span: Span::new(base::FileId(0), 0..0),
                position: u32::try_from(position).unwrap(),
            });
        }
        system
    }

    fn ids(relations: &[u32]) -> Vec<RelationId> {
        relations.iter().map(|&r| RelationId(r)).collect()
    }

    #[test]
    fn components_stand_in_dependency_order() {
        let system = system(&[
            (Kind::Mu, &[1, 3]),
            (Kind::Definition, &[2]),
            (Kind::Nu, &[0, !1, 4]),
            (Kind::Mu, &[3]),
            (Kind::Definition, &[]),
        ]);
        let dependencies = Dependencies::new(&system);
        assert_eq!(dependencies.order(&ids(&[0]), &[]), [ids(&[4]), ids(&[3]), ids(&[0, 1, 2])]);
        assert_eq!(dependencies.component(RelationId(1), &[]), ids(&[0, 1, 2]));
        assert!(is_mixed(&system, &ids(&[0, 1, 2])));
        assert_eq!(outermost(&system, &ids(&[1, 2])), RelationId(2));
        let (user, negative) = dependencies.negative_use(&ids(&[0, 1, 2])).unwrap();
        assert_eq!((user, negative.relation), (RelationId(2), RelationId(1)));
        assert_eq!(definition_cycle(&system), None);
    }

    #[test]
    fn a_fixed_relation_breaks_its_cycles() {
        let system = system(&[(Kind::Mu, &[1]), (Kind::Mu, &[0, 2]), (Kind::Mu, &[1])]);
        let dependencies = Dependencies::new(&system);
        let fixed = [false, true];
        assert_eq!(dependencies.order(&ids(&[0]), &fixed), [ids(&[0])]);
        assert_eq!(dependencies.component(RelationId(1), &fixed), ids(&[1]));
        assert!(!dependencies.is_recursive(&ids(&[0]), &fixed));
        assert_eq!(dependencies.component(RelationId(2), &[true]), ids(&[1, 2]));
    }

    #[test]
    fn an_occurrence_below_iff_counts_twice() {
        let mut system = system(&[(Kind::Mu, &[0, !0])]);
        let (plain, negated) = (FormulaId(0), FormulaId(2));
        system.formulas.push(Formula::Iff(plain, negated));
        let iff = FormulaId::new(system.formulas.len() - 1);
        let polarities = |formula| -> Vec<(FormulaId, Polarity)> {
            formula_uses(&system, formula).iter().map(|u| (u.occurrence, u.polarity)).collect()
        };
        let (positive, negative) = (Polarity::Positive, Polarity::Negative);
        let below = FormulaId(1);
        assert_eq!(polarities(negated), [(below, negative)]);
        assert_eq!(
            polarities(iff),
            [(plain, positive), (plain, negative), (below, positive), (below, negative)]
        );
    }

    #[test]
    fn a_cycle_of_definitions_is_found() {
        let system = system(&[
            (Kind::Mu, &[1, 0]),
            (Kind::Definition, &[0, 2]),
            (Kind::Definition, &[3]),
            (Kind::Definition, &[0, 4]),
            (Kind::Definition, &[2, 3]),
        ]);
        assert_eq!(definition_cycle(&system), Some(ids(&[2, 3, 4])));
    }

    #[test]
    fn a_hundred_thousand_relations_are_no_trouble() {
        let n = 100_000;
        let uses: Vec<[i32; 1]> = (1..=n).map(|used| [used % n]).collect();
        let mut cycle: Vec<(Kind, &[i32])> = uses.iter().map(|used| (Kind::Definition, &used[..])).collect();
        let found = definition_cycle(&system(&cycle)).expect("a cycle");
        assert_eq!(found.len(), cycle.len());
        cycle[0].1 = &[];
        let order = Dependencies::new(&system(&cycle)).order(&ids(&[1]), &[]);
        assert_eq!(order.len(), cycle.len());
    }
}
