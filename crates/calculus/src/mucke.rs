//! A checked system as a text that MUCKE itself reads.
//!
//! Contract: MUCKE accepts the text and its queries have the truth values of the system's. MUCKE knows less than the calculus:
//! - Allocation constraints are about whole parameters. So a record becomes a flat one, whose members, one for each
//!   leaf, stand in the order that the constraints ask for; what is left to say is said of whole parameters.
//! - Arguments are variables and constants, and a relation has at least one parameter.
//! - A relation is declared before it is used, and a cycle is entered at one relation only, which is why relations that use
//!   each other become one, with a parameter that tells which of them is meant, if they are one least or greatest fixed point.
//! - Ranges begin at 0, there are no orderings, and names of values hide variables.
//!
//! Queries are all that is kept of what a file asks; directives are about how an answer is found and shown.

mod cycle;
mod formula;
mod names;
mod relation;

use crate::dependencies::{Dependencies, formula_uses};
use crate::system::{Action, Allocation, BinderId, FormulaId, RelationId, SortId, SortKind, System, VarId};
use cycle::Written;
use names::{Names, member_name};
use relation::Home;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::Write;

/// A system with the names that its parts have in MUCKE's language.
pub struct Mucke<'s> {
    system: &'s System,
    sorts: Vec<String>,
    /// The values of each enumeration.
    values: Vec<Vec<String>>,
    /// The flat records, by the type as it is written in the system.
    records: FxHashMap<&'s str, Record>,
    /// The names of binders; those of a relation differ from each other.
    binders: Vec<String>,
    homes: Vec<Home>,
    /// The relations to be written, in order.
    written: Vec<Written>,
    queries: Vec<FormulaId>,
    /// Names that parts of arguments need, made while writing.
    fresh: RefCell<Names>,
}

/// A record without records inside.
struct Record {
    name: String,
    /// The member of each leaf.
    members: Vec<String>,
    /// The leaves in the order of the bits.
    order: Vec<usize>,
    /// The sort of each leaf.
    sorts: Vec<SortId>,
}

impl<'s> Mucke<'s> {
    /// Finds names for everything, or says why MUCKE cannot evaluate the system. The relations that `is_given` picks are
    /// written by somebody else, under their own names and such names with `_` and a number behind.
    pub fn new(system: &'s System, is_given: impl Fn(RelationId) -> bool) -> Result<Self, String> {
        let dependencies = Dependencies::new(system);
        let queries: Vec<FormulaId> = system
            .items
            .iter()
            .filter_map(|item| match item.action {
                Action::Query(query) => Some(query),
                _ => None,
            })
            .collect();
        let uses = queries.iter().flat_map(|query| formula_uses(system, *query));
        let roots: Vec<RelationId> = uses.map(|used| used.relation).collect();
        let mut components = dependencies.order(&roots, &[]);
        components.retain(|component| !is_given(component[0]));
        let mut written = Vec::new();
        for component in &components {
            written.extend(cycle::written(system, &dependencies, component, &roots)?);
        }
        let mut taken = Names::new();
        let sorts: Vec<String> = system.sorts.iter().map(|sort| taken.sort(&sort.name)).collect();
        let values = system.sorts.iter().map(|sort| match &sort.kind {
            SortKind::Enum(values) => {
                let mut own = Names::new();
                values.iter().map(|value| own.find(value)).collect()
            }
            _ => Vec::new(),
        });
        let values: Vec<Vec<String>> = values.collect();
        let mut mucke = Self {
            system,
            sorts,
            values,
            records: FxHashMap::default(),
            binders: vec![String::new(); system.binders.len()],
            homes: Vec::new(),
            written,
            queries,
            fresh: RefCell::new(Names::new()),
        };
        mucke.find_records(&mut taken);
        mucke.find_homes(&mut taken, is_given);
        mucke.name_binders();
        Ok(mucke)
    }

    /// The declarations of all types.
    pub fn types(&self) -> String {
        let mut out = String::new();
        for (at, sort) in self.system.sorts.iter().enumerate() {
            let name = &self.sorts[at];
            let _ = match &sort.kind {
                SortKind::Bool => Ok(()),
                SortKind::Enum(_) => writeln!(out, "enum {name} {{ {} }};", self.values[at].join(", ")),
                SortKind::Range { .. } => writeln!(out, "enum {name} {{ 0..{} }};", sort.size() - 1),
            };
        }
        let mut records: Vec<&Record> = self.records.values().collect();
        records.sort_by_key(|record| &record.name);
        for record in records {
            let member = |&at: &usize| {
                let sort = &self.sorts[record.sorts[at].index()];
                format!("{sort} {};", record.members[at])
            };
            let members: Vec<String> = record.order.iter().map(member).collect();
            let _ = writeln!(out, "class {} {{ {} }};", record.name, members.join(" "));
        }
        for home in self.homes.iter().filter(|home| home.number == Some(0) && home.n_members > 2) {
            let _ = writeln!(out, "enum {} {{ 0..{} }};", home.slots[0].type_name, home.n_members - 1);
        }
        out
    }

    /// A leaf of a binder.
    pub fn leaf(&self, var: VarId) -> String {
        let binder = self.system.vars[var.index()].binder;
        let name = &self.binders[binder.index()];
        let leaves = &self.system.binders[binder.index()].leaves;
        match self.record(binder) {
            None => name.clone(),
            Some(record) => {
                let at = leaves.iter().position(|leaf| *leaf == var).expect("a leaf of its binder");
                format!("{name}.{}", record.members[at])
            }
        }
    }

    /// The parameters of a relation as they are declared.
    pub fn params(&self, relation: RelationId) -> String {
        let slots: Vec<String> = self.homes[relation.index()].declared().collect();
        slots.join(", ")
    }

    /// The names of a relation's parameters.
    pub fn arguments(&self, relation: RelationId) -> String {
        let names: Vec<&str> =
            self.homes[relation.index()].slots.iter().map(|slot| slot.name.as_str()).collect();
        names.join(", ")
    }

    /// The record type of a binder, if it is no scalar.
    fn record(&self, binder: BinderId) -> Option<&Record> {
        self.records.get(self.system.binders[binder.index()].type_name.as_str())
    }

    /// The type of a binder, if it has any leaf.
    fn type_of(&self, binder: BinderId) -> Option<&str> {
        let leaves = &self.system.binders[binder.index()].leaves;
        let first = leaves.first()?;
        Some(match self.record(binder) {
            Some(record) => &record.name,
            None => &self.sorts[self.system.vars[first.index()].sort.index()],
        })
    }

    fn find_records(&mut self, taken: &mut Names) {
        let system = self.system;
        for binder in &system.binders {
            let is_scalar = matches!(binder.leaves[..], [leaf] if system.vars[leaf.index()].path.is_empty());
            if is_scalar || binder.leaves.is_empty() || self.records.contains_key(binder.type_name.as_str()) {
                continue;
            }
            let mut members = Names::new();
            let vars = || binder.leaves.iter().map(|leaf| &system.vars[leaf.index()]);
            let record = Record {
                name: taken.find(&binder.type_name.replace('[', "_").replace(']', "")),
                members: vars().map(|var| members.find(&member_name(&var.path))).collect(),
                order: bit_order(system, &binder.leaves),
                sorts: vars().map(|var| var.sort).collect(),
            };
            self.records.insert(&binder.type_name, record);
        }
    }

    /// The constraints between whole parameters of a relation.
    fn constraints(&self, relation: RelationId) -> Vec<String> {
        let params = &self.system.relation(relation).params;
        let whole = |leaves: &[VarId]| {
            params
                .iter()
                .copied()
                .find(|param| !leaves.is_empty() && self.system.binders[param.index()].leaves == leaves)
        };
        let text = |constraint: &crate::system::AllocationConstraint| {
            let (left, right) = (whole(&constraint.left)?, whole(&constraint.right)?);
            let mark = match constraint.kind {
                Allocation::Before => "<",
                // Only what is alike can be interleaved bit by bit.
                Allocation::Interleaved if self.type_of(left) == self.type_of(right) => "~+",
                Allocation::Interleaved => return None,
                Allocation::Separate => "~-",
            };
            let names = [left, right].map(|binder| &self.binders[binder.index()]);
            (left != right).then(|| format!("{} {mark} {}", names[0], names[1]))
        };
        self.system.constraints.iter().filter_map(text).collect()
    }
}

/// The leaves of a binder in an order that fits the constraints between them, otherwise as they are declared.
fn bit_order(system: &System, leaves: &[VarId]) -> Vec<usize> {
    let number: FxHashMap<VarId, usize> = leaves.iter().enumerate().map(|(at, leaf)| (*leaf, at)).collect();
    let mut before = vec![0usize; leaves.len()];
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); leaves.len()];
    for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Before) {
        for left in constraint.left.iter().filter_map(|leaf| number.get(leaf)) {
            for right in constraint.right.iter().filter_map(|leaf| number.get(leaf)) {
                behind[*left].push(*right);
                before[*right] += 1;
            }
        }
    }
    let mut ready: std::collections::BTreeSet<usize> =
        (0..leaves.len()).filter(|at| before[*at] == 0).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for &later in &behind[next] {
            before[later] -= 1;
            if before[later] == 0 {
                ready.insert(later);
            }
        }
    }
    order.extend((0..leaves.len()).filter(|at| before[*at] > 0));
    order
}
