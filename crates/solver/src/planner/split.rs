//! Splitting: a static relation that is a union is applied part by part.
//!
//! In `exists t. Trans(t, s) & Reach(t)`, where `Trans` is a disjunction of steps that each change little, the clause is
//! split into one for each step. Each part is small, leaves most columns alone (they become its frame), and what one part finds is
//! at once available to the next; fixed points of asynchronous systems close part by part instead of round by round.

use super::Draft;
use super::plan::Literal;
use crate::answer::Shortcut;
use crate::fault::Fault;
use crate::store::table::TableId;
use calculus::system::{Formula, FormulaId, Kind, RelationId, Term, VarId};

/// More parts than this stay together.
const MOST_PARTS: usize = 64;

/// A part of a relation: a formula over its columns, and the terms that stand for them.
type Part = (FormulaId, Vec<(VarId, Term)>);

/// The literals of a clause; the table that stands for a part, and the literal it is a part of.
type Split = (Vec<Literal>, Option<(TableId, Literal)>);

impl Draft<'_, '_> {
    /// The clauses that a clause of the component splits into; one if it does not. Derivations name the whole relation.
    pub fn split(&mut self, literals: Vec<Literal>, component: &[TableId]) -> Result<Vec<Split>, Fault> {
        let grows = |l: &Literal| matches!(l, Literal::Atom { table, .. } if component.contains(table));
        if !literals.iter().any(grows) {
            return Ok(vec![(literals, None)]);
        }
        for (at, literal) in literals.iter().enumerate() {
            let Some(parts) = self.parts_of(literal, component) else { continue };
            let name = self.literal_table_name(literal);
            let mut clauses = Vec::new();
            for (n, (formula, terms)) in parts.into_iter().enumerate() {
                let table = self.group(formula, true, false)?;
                self.store.tables[table.index()].shape.name = format!("{name} part {}", n + 1);
                let term = |v: &VarId| terms.iter().find(|t| t.0 == *v).expect("a term for each column").1;
                let bits = self.store.shape(table).bits.iter().map(term).collect();
                let mut clause = literals.clone();
                clause[at] = Literal::Atom { table, keys: Vec::new(), bits };
                clauses.push((clause, Some((table, literal.clone()))));
            }
            self.store.shortcuts.count(Shortcut::Splits);
            return Ok(clauses);
        }
        Ok(vec![(literals, None)])
    }

    fn literal_table_name(&self, literal: &Literal) -> String {
        match literal {
            Literal::Atom { table, .. } => self.store.shape(*table).name.clone(),
            _ => String::new(),
        }
    }

    /// The parts of a literal, if it applies a definition without keys that is a disjunction.
    fn parts_of(&self, literal: &Literal, component: &[TableId]) -> Option<Vec<Part>> {
        let Literal::Atom { table, keys, bits } = literal else { return None };
        if table.index() >= self.store.system.relations.len() || component.contains(table) || !keys.is_empty()
        {
            return None;
        }
        let mut parts = Vec::new();
        let complete = self.collect_parts(RelationId(table.0), bits, &mut parts, 0);
        (complete && parts.len() > 1).then_some(parts)
    }

    /// Adds the parts of an application; says whether that was possible.
    fn collect_parts(
        &self,
        relation: RelationId,
        terms: &[Term],
        parts: &mut Vec<Part>,
        depth: usize,
    ) -> bool {
        let definition = self.store.system.relation(relation);
        let Formula::Or(disjuncts) = self.store.system.formula(definition.body) else { return false };
        let splittable = definition.kind == Kind::Definition
            && !self.planner.has_keys[definition.body.index()]
            && self.store.shape(TableId(relation.0)).keys.is_empty();
        if !splittable || depth > 8 {
            return false;
        }
        let place: Vec<(VarId, Term)> =
            definition.columns.iter().copied().zip(terms.iter().copied()).collect();
        for &disjunct in disjuncts {
            if let Formula::Apply(inner, arguments) = self.store.system.formula(disjunct) {
                let value = |term: &Term| match term {
                    Term::Var(v) => place.iter().find(|p| p.0 == *v).map_or(*term, |p| p.1),
                    Term::Value(_) => *term,
                };
                let arguments: Vec<Term> = arguments.iter().map(value).collect();
                if self.collect_parts(*inner, &arguments, parts, depth + 1) {
                    continue;
                }
            }
            parts.push((disjunct, place.clone()));
            if parts.len() > MOST_PARTS {
                return false;
            }
        }
        true
    }
}
