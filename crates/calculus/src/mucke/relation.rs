//! Relations: where each is found in the text, and their definitions.

use super::Mucke;
use super::cycle::Written;
use super::names::Names;
use crate::system::{BinderId, Formula, FormulaId, RelationId, System};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// A parameter of a written relation.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) type_name: String,
    pub(super) name: String,
}

/// The written relation that a relation of the system is, or is part of.
#[derive(Clone, Default)]
pub(super) struct Home {
    pub(super) name: String,
    /// Which of several relations this is; they are told apart by the first parameter.
    pub(super) number: Option<usize>,
    pub(super) n_members: usize,
    pub(super) slots: Vec<Slot>,
    /// The slot of each parameter that has leaves.
    pub(super) slot_of: Vec<Option<usize>>,
    /// What stands before `bool`.
    pub(super) kind: &'static str,
}

impl Home {
    /// The parameters as they are declared.
    pub(super) fn declared(&self) -> impl Iterator<Item = String> {
        self.slots.iter().map(|slot| format!("{} {}", slot.type_name, slot.name))
    }
}

impl Mucke<'_> {
    pub(super) fn find_homes(&mut self, taken: &mut Names, is_given: impl Fn(RelationId) -> bool) {
        let system = self.system;
        self.homes = vec![Home::default(); system.relations.len()];
        for relation in (0..system.relations.len()).map(RelationId::new).filter(|r| is_given(*r)) {
            let name = taken.find(&system.relation(relation).name);
            taken.numbered.push(name.clone());
            let mut slots = Vec::new();
            let slot_of = self.places(relation, &mut slots, 0);
            self.homes[relation.index()] = Home { name, slots, slot_of, n_members: 1, ..Home::default() };
        }
        for at in 0..self.written.len() {
            let component = self.written[at].relations.clone();
            let names: Vec<&str> = component.iter().map(|r| system.relation(*r).name.as_str()).collect();
            let name = taken.find(&names.join("_"));
            let is_merged = component.len() > 1;
            let mut home = Home { name, n_members: component.len(), ..Home::default() };
            home.kind = self.written[at].kind;
            if is_merged {
                let type_name = match component.len() {
                    2 => "bool".to_owned(),
                    _ => taken.find(&format!("Which_{}", home.name)),
                };
                home.slots.push(Slot { type_name, name: String::new() });
            }
            let slot_of: Vec<_> =
                component.iter().map(|r| self.places(*r, &mut home.slots, usize::from(is_merged))).collect();
            if home.slots.is_empty() {
                home.slots.push(Slot { type_name: "bool".to_owned(), name: String::new() });
            }
            for (number, (relation, slot_of)) in component.iter().zip(slot_of).enumerate() {
                let number = is_merged.then_some(number);
                self.homes[relation.index()] = Home { number, slot_of, ..home.clone() };
            }
        }
    }

    /// A slot for each parameter of a relation: one of its type that no other parameter has, from the first on that may be
    /// taken, or a new one.
    fn places(&self, relation: RelationId, slots: &mut Vec<Slot>, first: usize) -> Vec<Option<usize>> {
        let mut used = FxHashSet::default();
        let mut place = |param: &BinderId| {
            let type_name = self.type_of(*param)?;
            let free =
                (first..slots.len()).find(|at| slots[*at].type_name == type_name && !used.contains(at));
            let at = free.unwrap_or_else(|| {
                let name = self.system.binders[param.index()].name.clone();
                slots.push(Slot { type_name: type_name.to_owned(), name });
                slots.len() - 1
            });
            used.insert(at);
            Some(at)
        };
        self.system.relation(relation).params.iter().map(&mut place).collect()
    }

    /// Gives every binder a name that no other one of its relation has, nor a value of an enumeration.
    pub(super) fn name_binders(&mut self) {
        let system = self.system;
        let mut fresh = self.scope();
        let given: Vec<RelationId> = (0..system.relations.len())
            .map(RelationId::new)
            .filter(|r| !self.written.iter().any(|written| written.relations.contains(r)))
            .collect();
        let components: Vec<Vec<RelationId>> =
            self.written.iter().map(|written| written.relations.clone()).collect();
        for component in components.into_iter().chain(given.into_iter().map(|r| vec![r])) {
            let mut names = self.scope();
            let mut slots = self.homes[component[0].index()].slots.clone();
            for slot in &mut slots {
                let wanted = if slot.name.is_empty() { "which" } else { &slot.name };
                slot.name = names.find(wanted);
                fresh.find(&slot.name);
            }
            for relation in &component {
                let home = &mut self.homes[relation.index()];
                home.slots.clone_from(&slots);
                let params = system.relation(*relation).params.iter();
                for (param, slot) in params.zip(&home.slot_of) {
                    if let Some(slot) = slot {
                        self.binders[param.index()].clone_from(&slots[*slot].name);
                    }
                }
                let bodies = [system.relation(*relation).body];
                self.name_bound(&bodies, &mut names, &mut fresh);
            }
        }
        let mut names = self.scope();
        self.name_bound(&self.queries.clone(), &mut names, &mut fresh);
        self.fresh = fresh.into();
    }

    fn name_bound(&mut self, roots: &[FormulaId], names: &mut Names, fresh: &mut Names) {
        for binder in bound(self.system, roots) {
            let name = names.find(&self.system.binders[binder.index()].name);
            fresh.find(&name);
            self.binders[binder.index()] = name;
        }
    }

    /// The names that no variable may have.
    fn scope(&self) -> Names {
        let mut names = Names::new();
        for value in self.values.iter().flatten() {
            names.find(value);
        }
        names
    }

    /// The definitions of all relations that the queries need and that are not given.
    pub fn relations(&self) -> String {
        let mut out = String::new();
        for Written { relations: component, announced, .. } in &self.written {
            for relation in announced {
                let _ = writeln!(out, "{};", self.head(*relation));
            }
            let home = &self.homes[component[0].index()];
            out.push_str(&self.head(component[0]));
            if let [relation] = component[..] {
                let constraints = self.constraints(relation);
                if !constraints.is_empty() {
                    let _ = write!(out, " {}", constraints.join(", "));
                }
            }
            let mut separator = "\n    ";
            for relation in component {
                let body = self.system.relation(*relation).body;
                let clauses = match self.system.formula(body) {
                    Formula::Or(operands) => operands.to_vec(),
                    _ => vec![body],
                };
                let tag = self.homes[relation.index()].number;
                for clause in clauses {
                    let clause = self.operand(clause);
                    let _ = match tag {
                        Some(tag) => write!(out, "{separator}({} = {tag} & {clause})", home.slots[0].name),
                        None => write!(out, "{separator}{clause}"),
                    };
                    separator = "\n  | ";
                }
            }
            out.push_str(";\n\n");
        }
        out
    }

    fn head(&self, relation: RelationId) -> String {
        let Home { kind, name, .. } = &self.homes[relation.index()];
        format!("{kind}bool {name}({})", self.params(relation))
    }

    /// The queries in order.
    pub fn queries(&self) -> String {
        self.queries.iter().map(|query| format!("{};\n", self.text(*query))).collect()
    }
}

/// The binders that quantifiers of these formulas bind, each once.
fn bound(system: &System, roots: &[FormulaId]) -> Vec<BinderId> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut todo: Vec<FormulaId> = roots.iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        match system.formula(id) {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => {}
            Formula::Not(operand) => todo.push(*operand),
            Formula::And(operands) | Formula::Or(operands) => todo.extend(operands.iter().rev()),
            Formula::Iff(left, right) => todo.extend([*right, *left]),
            Formula::Exists(vars, operand) | Formula::Forall(vars, operand) => {
                todo.push(*operand);
                for var in vars {
                    let binder = system.vars[var.index()].binder;
                    if found.last() != Some(&binder) {
                        found.push(binder);
                    }
                }
            }
        }
    }
    let mut once = FxHashSet::default();
    found.retain(|binder| once.insert(*binder));
    found
}
