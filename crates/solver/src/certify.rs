//! Certificates: does every relation satisfy its equation?
//!
//! Each body is evaluated once more, in full, with the final values of everything, and compared.

use crate::answer::Certificate;
use crate::machine::{Fault, Machine};
use crate::solve::Progress;
use crate::table::TableId;
use calculus::system::{Formula, FormulaId, RelationId};

impl Machine<'_> {
    /// Checks `F(R) = R` for a relation and everything it uses.
    pub fn certify(&mut self, progress: &mut Progress, relation: RelationId) -> Result<Certificate, Fault> {
        self.ensure(progress, relation)?;
        let mut relations = Vec::new();
        for component in progress.dependencies.order(&[relation], &[]) {
            let positive = progress.dependencies.negative_use(&component).is_none();
            for &member in &component {
                if !positive && member != relation {
                    continue;
                }
                self.ensure(progress, member)?;
                let holds = self.satisfies(progress, member)?;
                let relation = self.system.relation(member);
                relations.push((relation.name.clone(), self.n_clauses(relation.body), holds));
            }
        }
        Ok(Certificate { relations })
    }

    /// The body of a relation, with the relation fixed to its value, gives that value again.
    fn satisfies(&mut self, progress: &mut Progress, relation: RelationId) -> Result<bool, Fault> {
        let component = progress.dependencies.component(relation, &[]);
        if progress.dependencies.negative_use(&component).is_some() {
            return self.with_fixed(progress, relation, |machine| machine.body_agrees(relation));
        }
        for &member in &component {
            self.ensure(progress, member)?;
        }
        self.body_agrees(relation)
    }

    fn body_agrees(&mut self, relation: RelationId) -> Result<bool, Fault> {
        self.evaluate_body(relation)?;
        let scratch = self.scratches[&relation];
        self.unframe(TableId(relation.0))?;
        self.unframe(scratch)?;
        Ok(self.same(TableId(relation.0), scratch))
    }

    /// The number of top-level disjuncts.
    fn n_clauses(&self, body: FormulaId) -> usize {
        let mut n = 0;
        let mut stack = vec![body];
        while let Some(id) = stack.pop() {
            match self.system.formula(id) {
                Formula::Or(parts) => stack.extend(parts.iter()),
                Formula::Exists(_, inner) if matches!(self.system.formula(*inner), Formula::Or(_)) => {
                    stack.push(*inner)
                }
                _ => n += 1,
            }
        }
        n
    }
}
