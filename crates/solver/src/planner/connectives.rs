//! Connectives: the diagram of a formula from those of its parts, however the parts come by theirs.

use super::node::{NodeId, NodeKind};
use crate::fault::Fault;
use crate::store::Store;
use calculus::system::VarId;
use dd::{Bdd, ProductId};

/// Somebody who knows the values of parts.
pub(crate) trait Connectives<'s> {
    fn store(&mut self) -> &mut Store<'s>;

    /// The diagram of a part.
    fn value(&mut self, part: NodeId) -> Result<Bdd, Fault>;

    /// The diagram of a formula over these bits; `None` if it is no combination of parts.
    fn combined(&mut self, kind: &NodeKind, bits: &[VarId]) -> Result<Option<Bdd>, Fault> {
        Ok(Some(match kind {
            NodeKind::Not(part) => {
                let value = self.value(*part)?;
                let existing = self.store().existing_values(bits)?;
                self.store().dd.difference(existing, value)?
            }
            NodeKind::Iff(a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let existing = self.store().existing_values(bits)?;
                let same = self.store().dd.iff(a, b)?;
                self.store().dd.and(existing, same)?
            }
            NodeKind::And(parts) => self.fold(parts, Bdd::TRUE)?,
            NodeKind::Or(parts) => self.fold(parts, Bdd::FALSE)?,
            NodeKind::Product(parts) => self.product(parts)?,
            NodeKind::Fixed(_) | NodeKind::Test(..) | NodeKind::Look { .. } | NodeKind::Sum(..) => {
                return Ok(None);
            }
        }))
    }

    /// Multiplication from left to right, each factor followed by what can be quantified after it.
    fn product(&mut self, parts: &[(NodeId, ProductId)]) -> Result<Bdd, Fault> {
        let mut acc = Bdd::TRUE;
        for &(part, product) in parts {
            let value = self.value(part)?;
            acc = self.store().dd.product(acc, value, product)?;
            if acc == Bdd::FALSE {
                break;
            }
        }
        Ok(acc)
    }

    /// Conjunction or disjunction by its unit. Long lists are combined in a balanced tree, which keeps
    /// the intermediate diagrams small when the operands have little in common.
    fn fold(&mut self, parts: &[NodeId], unit: Bdd) -> Result<Bdd, Fault> {
        if parts.len() <= 8 {
            let mut acc = unit;
            for &part in parts {
                let value = self.value(part)?;
                acc = join(self.store(), unit, acc, value)?;
                if acc == unit.complement() {
                    break;
                }
            }
            return Ok(acc);
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        let left = self.fold(left, unit)?;
        if left == unit.complement() {
            return Ok(left);
        }
        let right = self.fold(right, unit)?;
        join(self.store(), unit, left, right)
    }
}

fn join(store: &mut Store, unit: Bdd, a: Bdd, b: Bdd) -> Result<Bdd, Fault> {
    Ok(if unit == Bdd::TRUE { store.dd.and(a, b)? } else { store.dd.or(a, b)? })
}
